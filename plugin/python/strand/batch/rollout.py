"""strand.rollout: many worlds of one model."""

import dataclasses
import os
from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand.batch import arguments
from strand.batch.arguments import Control, Initial
from strand.batch.store import Store, opened
from strand.batch.threads import Progress, run_all
from strand.batch.world import Failure, Plan, Worlds
from strand.errors import StrandError
from strand.io import options


@dataclasses.dataclass(frozen=True, eq=False)
class Rollout:
    """What worlds did. Rows from the first invalid state of a world on are NaN.

    In a file, arrays have these names, and nodes/CABLE; they are loaded when they are read.
    """

    times: np.ndarray  #: s since the start, (T,)
    nodes: dict[str, Any]  #: for each cable by its instance: m, (worlds, T, n + 1, 3)
    qpos: Any | None  #: (worlds, T, nq), if asked for
    failed: np.ndarray  #: (worlds,), bool: the state became invalid
    failed_at: np.ndarray  #: s, (worlds,): time of the first row that is NaN; NaN: none
    failures: dict[int, str]  #: the reasons, by world
    EI: np.ndarray  #: factors given, (worlds, cables)
    GJ: np.ndarray
    seed: int


def rollout(
    model: mujoco.MjModel,
    initial: Initial = None,
    *,
    worlds: int,
    steps: int | None = None,
    seconds: float | None = None,
    every: int = 10,
    control: Control = None,
    EI: ArrayLike | None = None,
    GJ: ArrayLike | None = None,
    nodes: bool = True,
    qpos: bool = False,
    out: str | os.PathLike | None = None,
    threads: int | None = None,
    progress: bool | Progress = False,
    seed: int | None = None,
) -> Rollout:
    """Simulates many worlds of one model, on all cores, and records their cables.

    initial: how worlds start: qpos, (nq,) or (worlds, nq); an MjData, whose state all take, with
        the history of twist and the material; or a function of a numpy.random.Generator and the
        world's MjData, which changes the latter, or returns qpos. Default: as after mj_resetData.
    worlds: their number. steps: their length, a multiple of `every`; or seconds: the same in s,
        rounded. every: steps between two rows of the record (default 10).
    control: (nu,), or ([worlds or 1], [steps or 1], nu); or a function like that of `initial`,
        which is called before every `every` steps and sets data.ctrl (default: none).
    EI, GJ: factors of the model's stiffness, (worlds,) or (worlds, cables), as for
        strand.set_material (default: 1; if neither is given, those of `initial`).
    nodes: records the nodes of all cables (default True). qpos: records qpos (default False).
    out: .npz or .zarr file that is written meanwhile, and appears when it is complete (default:
        in memory). Zarr needs zarr: pip install zarr.
    threads: default: as many as cores. progress: True: a bar; or a function of the numbers of
        finished worlds and of all (default False).
    seed: of the worlds' generators. The same seed gives bitwise the same, whatever the number of
        threads (default: random, see Rollout.seed).

    Each world is bitwise what a loop of mj_step gives, whatever the others do. Worlds whose state
    becomes invalid end there; the others run on. Functions run in threads, one at a time, and see
    a model of their thread's own as data.model. Raises StrandError if an argument is invalid.
    """
    options.read("model", model, options.instance(mujoco.MjModel, "a mujoco.MjModel"))
    worlds, every = arguments.count("worlds", worlds), arguments.count("every", every)
    cables = arguments.cables_of(model)
    if nodes and not cables:
        raise StrandError("nodes: got True, allowed: False, as the model has no strand.cable")
    factors = [
        arguments.factors(name, value, worlds, len(cables))
        for name, value in (("EI", EI), ("GJ", GJ))
    ]
    length = arguments.step_count(model, steps, seconds, every)
    plan = Plan(
        model,
        cables,
        length,
        every,
        arguments.starts(model, initial, worlds),
        arguments.controls(model, control, worlds, length),
        None if EI is None and GJ is None else np.stack(factors, axis=2),
        arguments.seed_of(seed),
    )
    count = _cores() if threads is None else arguments.count("threads", threads)
    with opened(out) as store:
        arrays = _arrays(store, plan, worlds, nodes, qpos)
        failures = run_all(Worlds(plan, arrays), worlds, count, progress)
        small = _small(plan, factors, failures, worlds)
        large = store.finish(small)
    return _result(small, large, failures, plan.seed)


def _cores() -> int:
    from strand.sweep.pool import cores

    return cores()


def _arrays(store: Store, plan: Plan, worlds: int, nodes: bool, qpos: bool) -> dict[str, Any]:
    samples = plan.steps // plan.every + 1
    shapes = {f"nodes/{cable.name}": (len(cable.rod.body) + 1, 3) for cable in plan.cables if nodes}
    if qpos:
        shapes["qpos"] = (plan.model.nq,)  # type: ignore[assignment]
    return {name: store.array(name, (worlds, samples, *shape)) for name, shape in shapes.items()}


def _small(
    plan: Plan, factors: list[np.ndarray], failures: dict[int, Failure], worlds: int
) -> dict[str, np.ndarray]:
    times = arguments.times(plan.model, plan.steps, plan.every)
    failed_at = np.full(worlds, np.nan)
    for world, failure in failures.items():
        failed_at[world] = times[failure.sample]
    return {
        "times": times,
        "failed": np.isfinite(failed_at),
        "failed_at": failed_at,
        "EI": factors[0],
        "GJ": factors[1],
        "seed": np.array(str(plan.seed)),  # it may be longer than 64 bits
    }


def _result(
    small: dict[str, np.ndarray], large: dict[str, Any], failures: dict[int, Failure], seed: int
) -> Rollout:
    fields = {name: value for name, value in small.items() if name != "seed"}
    nodes = {
        name.removeprefix("nodes/"): array
        for name, array in large.items()
        if name.startswith("nodes/")
    }
    reasons = {world: failure.reason for world, failure in failures.items()}
    return Rollout(nodes=nodes, qpos=large.get("qpos"), failures=reasons, seed=seed, **fields)
