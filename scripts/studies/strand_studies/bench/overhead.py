"""Overhead of the plugin in a step of MuJoCo: the same chain with and without it.

A pair of runs takes a few steps from the same state. The chain without the plugin gets the elastic
torque of that state as a constant `qfrc_applied`, so that both move alike and the engine's own work
(mass matrix, constraints) is the same on both sides.
"""

from collections.abc import Callable, Sequence

import mujoco
import numpy as np

from strand.draw.report import Report
from strand_studies.bench import scenes
from strand_studies.bench.arguments import check_choices, check_repeats, check_sizes
from strand_studies.bench.timing import Interval, interleave, measure, median_interval

STEPS: dict[str, Callable[..., scenes.Scene]] = {
    "lhb": scenes.buckled,
    "cantilever": scenes.cantilever,
    "hanging": scenes.hanging,
}
ROOTS = ("end", "middle")
CASES = (*STEPS, "call")
CALL_SEGMENTS = (10, 40, 100, 400, 1000)  #: of the case "call", in addition to the requested ones

LIMIT = 3.0  #: % of the plain step, from FEWEST segments on
CALL_LIMIT = 6.0  #: us, with smooth curvature, for FEWEST segments, in proportion for more
FEWEST = 60
BLOCK = 0.004  #: s, approximate duration of one run
ROUND = 10  #: pairs of runs before the simulations are allocated again

_STATE = mujoco.mjtState.mjSTATE_INTEGRATION.value & ~mujoco.mjtState.mjSTATE_PLUGIN.value

Progress = Callable[[str], None]


def run(
    segments: Sequence[int] = (40, 80, 140, 180),
    repeats: int = 200,
    cases: Sequence[str] = CASES,
    progress: Progress | None = None,
) -> Report:
    """Measures each case at each number of segments, by the medians of `repeats` pairs of runs.

    Cases: "lhb" (both ends clamped, 27 turns) and "cantilever" (one end clamped, Euler's
    integrator), both in one tree rooted at the end, and "hanging" (the defaults of cables, cut into
    trees if long): overhead in % of a step, and the plugin's own call (us). "call": the
    call alone for up to 1000 links, rooted at the end and in the middle. `low`, `high`: 95 %
    intervals. Raises StrandError for numbers of segments outside 3 to 480 or an unknown case.
    """
    check_sizes(segments)
    check_repeats(repeats)
    check_choices("cases", cases, CASES)
    jobs = [
        (case, n, "auto" if case == "hanging" else "end")
        for case in cases
        if case in STEPS
        for n in segments
    ]
    if "call" in cases:
        lengths = sorted({*segments, *CALL_SEGMENTS})
        jobs += [("call", n, root) for root in ROOTS for n in lengths]
    results = []
    for case, n, root in jobs:
        if progress:
            progress(f"{case}, {n} segments, root at the {root}")
        results.append(_measure(case, n, root, repeats))
    note = "plain step, without the plugin: step_us"
    return Report(
        "overhead",
        "Overhead of the plugin",
        results,
        lambda fig: _draw(fig, results),
        note,
        judged=f"overhead_percent <= {LIMIT:g} from {FEWEST} links on, call_us <= {CALL_LIMIT:g}"
        f" for {FEWEST} links and in proportion for more",
    )


def _draw(figure, results: list[dict]) -> None:
    left, right = figure.subplots(1, 2)
    for case in STEPS:
        found = [result for result in results if result["case"] == case]
        if not found:
            continue
        value = np.array([result["overhead_percent"] for result in found])
        error = [value - [r["low"] for r in found], [r["high"] for r in found] - value]
        left.errorbar([r["segments"] for r in found], value, np.abs(error), fmt="o-", label=case)
    left.axhline(LIMIT, color="black", lw=1)
    left.set(xlabel="links n", ylabel="overhead (% of the plain step)")
    left.legend()
    for root in ROOTS:
        found = [r for r in results if (r["case"], r["root"]) == ("call", root)]
        if found:
            sizes = [r["segments"] for r in found]
            right.loglog(sizes, [r["call_us"] for r in found], "o-", label=f"root at the {root}")
    sizes = np.array([min(r["segments"] for r in results), max(r["segments"] for r in results)])
    right.loglog(sizes, CALL_LIMIT * sizes / FEWEST, color="black", lw=1, label="limit")
    right.set(xlabel="links n", ylabel="the plugin's call (µs)")
    right.legend()


def _measure(case: str, segments: int, root: str, repeats: int) -> dict:
    scene = STEPS[case](segments, root) if case in STEPS else scenes.bent(segments, root)
    result = {"case": case, "segments": segments, "root": root, "overhead_percent": None}
    result |= {"low": None, "high": None, "step_us": None}
    good = True
    if case in STEPS:
        overhead, step = _overhead(scene, repeats)
        result |= {"overhead_percent": overhead.value, "low": overhead.low, "high": overhead.high}
        result["step_us"] = step * 1e6
        good = segments < FEWEST or overhead.value <= LIMIT
    call = _call(scene, repeats)
    result |= {"call_us": call.value, "call_low": call.low, "call_high": call.high}
    limit = CALL_LIMIT * max(segments, FEWEST) / FEWEST
    return result | {"passed": bool(good and call.value <= limit)}


def _overhead(scene: scenes.Scene, repeats: int) -> tuple[Interval, float]:
    """Overhead in % of the plain step, and the plain step (s).

    The addresses of the arrays change the run time by a few per cent, so the simulations are
    allocated again, at other addresses, every few repeats.
    """
    trial = Stepping(scene, False, 1)
    measure(trial)
    count = int(np.clip(BLOCK / measure(trial), 1, 50))
    places = np.random.default_rng(0)
    times = []
    while len(times) < repeats:
        padding = [np.empty(size) for size in places.integers(1, 100_000, size=4)]
        sides = [Stepping(scene, plugin, count) for plugin in (True, False)]
        times += list(interleave(*sides, min(ROUND, repeats - len(times)), seed=len(times)))
        del padding
    pairs = np.array(times)
    ratios = 100 * (pairs[:, 0] / pairs[:, 1] - 1)
    return median_interval(ratios), float(np.median(pairs[:, 1])) / count


class Stepping:
    """`count` steps from the scene's state, of the model with the plugin or of the one without."""

    def __init__(self, scene: scenes.Scene, plugin: bool, count: int) -> None:
        self.model = scene.with_plugin if plugin else scene.without
        self.data = mujoco.MjData(self.model)
        self._count = count
        self._state = _get_state(scene.with_plugin, scene.data)
        self._memory = scene.data.plugin_state[: self.model.npluginstate].copy()
        self._torque = 0.0 if plugin else _elastic_torque(scene)

    def prepare(self) -> None:
        mujoco.mj_setState(self.model, self.data, self._state, _STATE)
        self.data.plugin_state[:] = self._memory
        self.data.qfrc_applied[:] = self._torque
        mujoco.mj_step(self.model, self.data)

    def run(self) -> None:
        mujoco.mj_step(self.model, self.data, nstep=self._count)


class Passive:
    """`count` evaluations of the passive forces in the scene's state."""

    def __init__(self, scene: scenes.Scene, plugin: bool, count: int) -> None:
        self._model = scene.with_plugin if plugin else scene.without
        self._data = _posed(self._model, scene)
        self._count = count

    def prepare(self) -> None:
        mujoco.mj_passive(self._model, self._data)

    def run(self) -> None:
        for _ in range(self._count):
            mujoco.mj_passive(self._model, self._data)


def _call(scene: scenes.Scene, repeats: int) -> Interval:
    """Microseconds of the plugin's own call: time of passive forces with it minus without it."""
    trial = 10
    measure(Passive(scene, True, trial))
    count = int(np.clip(trial * BLOCK / 2 / measure(Passive(scene, True, trial)), 10, 1000))
    times = interleave(Passive(scene, True, count), Passive(scene, False, count), repeats)
    return median_interval((times[:, 0] - times[:, 1]) / count * 1e6)


def _elastic_torque(scene: scenes.Scene) -> np.ndarray:
    """The plugin's part of qfrc_passive (N m) in the scene's state."""
    torques = []
    for model in (scene.with_plugin, scene.without):
        data = _posed(model, scene)
        mujoco.mj_passive(model, data)
        torques.append(data.qfrc_passive.copy())
    return torques[0] - torques[1]


def _posed(model: mujoco.MjModel, scene: scenes.Scene) -> mujoco.MjData:
    """Data in the scene's state, with the kinematics for passive forces but no mass matrix."""
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, _get_state(scene.with_plugin, scene.data), _STATE)
    data.plugin_state[:] = scene.data.plugin_state[: model.npluginstate]
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    return data


def _get_state(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    state = np.empty(mujoco.mj_stateSize(model, _STATE))
    mujoco.mj_getState(model, data, state, _STATE)
    return state
