"""strand.replay.record: runs a simulation and captures it."""

import dataclasses
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import mujoco

from strand.cable.cable import Cable
from strand.errors import StrandError
from strand.feeding.feeder import Feeder, fed_cables
from strand.io.options import FUNCTION, optional, positive, read
from strand.readout.readout import check_pair, instances
from strand.replay.recorder import FPS, GROUPS, Recorder
from strand.replay.recording import of_recording
from strand.replay.replay import Replay
from strand.scene import file as scene_file
from strand.scene.vine import VineScene
from strand.simulation.simulation import Simulation
from strand.viewer.opened import Opened
from strand.viewer.opening import is_core_scene, of_cable, open_file
from strand.vine.robot import Robot

#: What can be shown.
Shown: TypeAlias = "mujoco.MjModel | Cable | Simulation | str | os.PathLike"
#: Called before each step with model and data.
Drive: TypeAlias = Callable[[mujoco.MjModel, mujoco.MjData], Any]

SECONDS = 5.0  #: default duration without one in the file
_SLACK = 1e-9  # of the duration
_BROKEN = ("mjWARN_BADQPOS", "mjWARN_BADQVEL", "mjWARN_BADQACC")


class Stopped(StrandError):
    """A simulation that cannot go on."""


def record(
    shown: Shown,
    data: mujoco.MjData | None = None,
    *,
    seconds: float | None = None,
    fps: float = FPS,
    drive: Drive | None = None,
    color: str = "none",
    groups: Sequence[int] = GROUPS,
) -> Replay:
    """Runs a simulation and captures it, for a replay in a browser.

        strand.replay.record(model, data, seconds=5).save("replay.html")

    shown: an MjModel; a strand.Cable; a strand.simulation.Simulation; or the path of a model (.xml,
        .mjb), a cable (.cable.toml), a scene of the core or of a growing robot (.toml, .py), or a
        recording of `strand simulate` (.npz), which is not run again.
    data: the MjData of an MjModel, which is simulated in place (default: a new one).
    seconds: simulated time (default: the scene's duration, the whole recording, or 5 s).
    fps: frames per second of simulated time (default 30).
    drive: function of model and data that is called before each step, e.g. to set data.ctrl
        (default: none). For an MjModel that feeds cables it also updates their strand.Feeders;
        files and a strand.Cable need no such function.
    color: colours links of cables, as for `Recorder` (default "none").
    groups: of the geoms of an MjModel that are drawn (default 0, 1, 2).

    The model is not changed. Raises StrandError if an argument is invalid, if a model's simulation
    becomes unstable, or if viser is not installed; SolverError if a step of the core fails. To keep
    what was captured until then, use a `Recorder`.
    """
    run = Run.of(shown, data, drive)
    if isinstance(run, Path):
        return of_recording(run, seconds=seconds, fps=fps, color=color)
    recorder = Recorder(run.source, fps=fps, color=color, groups=groups, title=run.title)
    run.into(recorder, seconds)
    return recorder.replay()


@dataclasses.dataclass
class Run:
    """A simulation, and how it is run."""

    source: mujoco.MjModel | Simulation | Robot
    state: Any  #: what Recorder.capture takes; has a time (s)
    advance: Callable[[], Any]  #: makes a step
    title: str = ""
    seconds: float | None = None  #: its own duration

    @classmethod
    def of(
        cls, shown: Shown, data: mujoco.MjData | None = None, drive: Drive | None = None
    ) -> "Run | Path":
        """How to run what is shown; a recording's path, which is not run."""
        if isinstance(shown, mujoco.MjModel):
            _check_fed(shown, drive)
            return _of_model(shown, data, drive)
        if data is not None:
            raise StrandError("data: got MjData without an MjModel, allowed: with an MjModel")
        if isinstance(shown, Cable):
            return _of_opened(of_cable(shown, drive=drive))
        if drive is not None:
            raise StrandError("drive: got a function, allowed: with an MjModel or a Cable")
        if isinstance(shown, Simulation):
            return cls(shown, shown, shown.step)
        if not isinstance(shown, str | os.PathLike):
            allowed = "an MjModel, a Cable, a Simulation, or a path"
            raise StrandError(f"shown: got {type(shown).__name__}, allowed: {allowed}")
        return _of_file(Path(shown))

    def into(self, recorder: Recorder, seconds: float | None = None) -> None:
        """Runs and captures. seconds: default: its own duration, or 5 s."""
        given = read("seconds", seconds, optional(positive("s")))
        recorder.capture(self.state)
        length = given or self.seconds or SECONDS
        end = self.state.time + length * (1 - _SLACK)
        while (before := self.state.time) < end:
            self.advance()
            if self.state.time <= before:
                got = f"{self.state.time:.6g} s after {before:.6g} s"
                raise StrandError(f"time: got {got}, allowed: steps that advance it")
            recorder.capture(self.state)


def _check_fed(model: mujoco.MjModel, drive: Drive | None) -> None:
    """Raises StrandError if nobody feeds a cable of a model, which is not ours to change."""
    if drive is not None:
        return
    for index in fed_cables(model, mujoco.MjData(model)):
        raise StrandError(
            f"drive: got nothing for the cable {instances(model)[index]!r} with start = feed, "
            "allowed: a function that calls update() of its strand.Feeder"
        )


def _of_model(
    model: mujoco.MjModel,
    data: mujoco.MjData | None,
    drive: Drive | None,
    title: str = "model",
    feeders: Sequence[Feeder] = (),
) -> Run:
    """How to run a model."""
    read("drive", drive, optional(FUNCTION))
    state = mujoco.MjData(model) if data is None else data
    check_pair(model, state)
    kinds = [int(getattr(mujoco.mjtWarning, name)) for name in _BROKEN]

    def broken() -> int:
        return sum(int(state.warning[kind].number) for kind in kinds)

    def advance() -> None:
        before, time = broken(), state.time
        if drive is not None:
            drive(model, state)
        mujoco.mj_step(model, state)
        if broken() > before:
            raise Stopped(
                f"data: got NaN, infinity or huge numbers at t = {time:.6g} s, allowed: a stable "
                "simulation (a smaller timestep may help)"
            )
        for feeder in feeders:
            feeder.update()

    return Run(model, state, advance, title)


def _of_opened(opened: Opened) -> Run:
    return _of_model(opened.model, opened.data, opened.drive, opened.title, opened.feeders)


def _of_file(path: Path) -> "Run | Path":
    if path.is_file() and path.suffix.lower() == ".npz":
        return path
    if not (path.is_file() and is_core_scene(path)):
        return _of_opened(open_file(path))
    scene = scene_file.load(path)
    if not isinstance(scene, VineScene):
        whole = scene.simulation
        return Run(whole, whole, whole.step, path.name, scene.duration)
    robot, rate = scene.robot, scene.rate

    def grow() -> None:
        report = robot.step(rate(robot.time))
        if not report.ok:
            raise Stopped(f"t = {robot.time:.6g} s: {robot.describe(report)}")

    return Run(robot, robot, grow, path.name, scene.duration)
