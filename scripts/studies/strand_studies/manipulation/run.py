"""Runs a scene with a controller: the task's figures over time, speed, warnings of the engine."""

import dataclasses
import time
from collections.abc import Callable, Sequence

import mujoco
import numpy as np

from strand_studies.manipulation.scene import Controller, Scene

Watch = Callable[[mujoco.MjModel, mujoco.MjData], None]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """A run that has ended."""

    success: bool
    figures: dict[str, float]  #: of the scene's `measure`, at the end
    warnings: int  #: of the engine
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
    """The scene at its start, randomised by a seed; nominal if that is None."""
    rng = None if seed is None else np.random.default_rng(seed)
    model = scene.build(rng).compile()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


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
    controller = controller or scene.controller(model, data)
    steps = round(scene.control_period / model.opt.timestep)
    periods = round((seconds or scene.duration) / scene.control_period)
    used = 0.0
    for _ in range(periods):
        begin = time.process_time()
        scene.apply(model, data, controller.act(data))
        mujoco.mj_step(model, data, steps)
        used += time.process_time() - begin
        for see in watch:
            see(model, data)
    return Outcome(
        scene.success(model, data),
        scene.measure(model, data),
        int(data.warning.number.sum()),
        periods * scene.control_period / used,
    )
