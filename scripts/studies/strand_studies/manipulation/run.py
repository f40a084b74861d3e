"""Runs a scene with a controller: the task's figures over time, speed, warnings of the engine."""

import contextlib
import dataclasses
import time
from collections.abc import Callable, Iterator, Sequence

import mujoco
import numpy as np

from strand_studies.manipulation import overlap
from strand_studies.manipulation.scene import Controller, Scene

Watch = Callable[[mujoco.MjModel, mujoco.MjData], None]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """A run that has ended."""

    success: bool
    figures: dict[str, float]  #: of the scene's `measure`, at the end
    warnings: int  #: of the engine and its plugins
    texts: tuple[str, ...]  #: of the warnings; the engine gives the text of each kind only once
    overlap: float  #: the deepest of the cable with anything, by the cable's radius
    speed: float  #: simulated time over CPU time of the engine and the controller


class Record:
    """Watches a run: the figures of the task after every control period."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.times: list[float] = []  #: s
        self.figures: list[dict[str, float]] = []

    def watch(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        self.times.append(data.time)
        self.figures.append(self._scene.measure(model, data))


def start(scene: Scene, seed: int | None = None) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """The scene at its start, randomised by a seed; nominal if that is None.

    Places in `data` are current; forces are zero until the first step, which also gives the
    warnings about the start.
    """
    rng = None if seed is None else np.random.default_rng(seed)
    model = scene.build(rng).compile()
    data = mujoco.MjData(model)
    mujoco.mj_fwdPosition(model, data)
    return model, data


@contextlib.contextmanager
def warnings_heard() -> Iterator[list[str]]:
    """Collects the texts of warnings of the engine and its plugins, instead of their being printed.

    The plugins' own warnings are not among those that mjData counts.
    """
    before, texts = mujoco.get_mju_user_warning(), []
    mujoco.set_mju_user_warning(texts.append)
    try:
        yield texts
    finally:
        mujoco.set_mju_user_warning(before)


def play(
    scene: Scene,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    controller: Controller | None = None,
    watch: Sequence[Watch] = (),
    seconds: float | None = None,
) -> Outcome:
    """Runs a started scene for its duration, or `seconds`.

    controller: default the scene's own. watch: functions that are called after every control
    period; their time does not count.
    """
    periods = round((seconds or scene.duration) / scene.control_period)
    with warnings_heard() as texts:
        controller = controller or scene.controller(model, data)
        used = _run(scene, model, data, controller, watch, periods)
        success, figures = scene.success(model, data), scene.measure(model, data)
    texts = list(dict.fromkeys(texts))  # a copy of `data` that was measured repeats them
    return Outcome(
        success,
        figures,
        max(int(data.warning.number.sum()), len(texts)),
        tuple(texts),
        overlap.deepest(model, data),
        periods * scene.control_period / used,
    )


def _run(
    scene: Scene,
    model: mujoco.MjModel,
    data: mujoco.MjData,
    controller: Controller,
    watch: Sequence[Watch],
    periods: int,
) -> float:
    """Runs the control periods. Returns the CPU time (s) of the engine and the controller."""
    steps = round(scene.control_period / model.opt.timestep)
    used = 0.0
    for _ in range(periods):
        begin = time.process_time()
        scene.apply(model, data, controller.act(data))
        mujoco.mj_step(model, data, steps)
        used += time.process_time() - begin
        for see in watch:
            see(model, data)
    return used
