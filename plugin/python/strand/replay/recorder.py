"""Captures a simulation frame by frame."""

import math
from collections.abc import Sequence
from typing import Any, TypeAlias

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io.options import INTEGER, TEXT, Kind, choice, positive, read
from strand.readout.link_values import QUANTITIES
from strand.replay.models import ModelScene
from strand.replay.networks import NetworkScene, RobotScene
from strand.replay.page import check_viser
from strand.replay.replay import Replay
from strand.simulation.simulation import Simulation
from strand.vine.robot import Robot

FPS = 30.0  #: default frames per second of simulated time
COLOR = choice("none", *QUANTITIES)  #: what colours of links can show
GROUPS = (0, 1, 2)  #: of geoms that MuJoCo draws by default

#: What can be captured, and what `Recorder.capture` then takes.
Source: TypeAlias = mujoco.MjModel | Simulation | Robot
State: TypeAlias = mujoco.MjData | Simulation | Robot

_SLACK = 1e-6  # of a frame: steps that end at a frame's time up to rounding are not late


class Recorder:
    """Captures a simulation that you run, for a replay in a browser.

        recorder = strand.replay.Recorder(model)
        while data.time < 5:
            mujoco.mj_step(model, data)
            recorder.capture(data)
        recorder.replay().save("replay.html")

    source: an MjModel, a strand.simulation.Simulation, or a strand.vine.Robot.
    fps: frames per second of simulated time (default 30).
    color: colours links of cables by "curvature", "twist", "moment", "bending" or "torsion"
        (stresses), "tension", "stress" (von Mises) or "contact" (force), with one scale for all
        frames (default "none"). Outside MuJoCo: "curvature".
    groups: of the geoms, skins, flexes and tendons of an MjModel that are drawn (default 0, 1, 2).
    title: of the page (default "").

    Raises StrandError if an argument is invalid, or if viser is not installed.
    """

    def __init__(
        self,
        source: Source,
        *,
        fps: float = FPS,
        color: str = "none",
        groups: Sequence[int] = GROUPS,
        title: str = "",
    ) -> None:
        self._fps = read("fps", fps, positive("frames per second"))
        chosen = read("groups", groups, _GROUPS)
        self._title = read("title", title, TEXT)
        self._scene: Any = _scene(source, chosen, read("color", color, COLOR))
        check_viser()
        self._times: list[float] = []
        self._frames: list[Any] = []

    def capture(self, state: State) -> None:
        """Keeps the state if the time of the next frame has come. Call it after each step.

        state: the MjData of an MjModel, which is not changed; or the Simulation or Robot itself.
        Positions are those of `data.qpos`, so that mj_forward is not needed before.

        Raises StrandError if the state belongs to another model, is not finite, or is earlier than
        the last one.
        """
        time = self._scene.time(state)
        if self._times and time < self._times[-1]:
            got = f"{time:.6g} s after {self._times[-1]:.6g} s"
            raise StrandError(f"time: got {got}, allowed: later states; use a Recorder per run")
        if not self._times or self._frame(time) > self._frame(self._times[-1]):
            self._frames.append(self._scene.take(state))
            self._times.append(time)

    def _frame(self, time: float) -> int:
        """The number of the frame that is shown at a time (s)."""
        return math.floor((time - self._times[0]) * self._fps + _SLACK)

    def replay(self) -> Replay:
        """The replay of what has been captured. Raises StrandError if that is nothing."""
        if not self._times:
            raise StrandError("frames: got none, allowed: at least one call of capture")
        parts, scale = self._scene.parts(self._frames)
        times = np.array(self._times) - self._times[0]
        return Replay(tuple(parts), times, 1 / self._fps, self._scene.angles, self._title, scale)


def _groups(value: Any) -> list[int]:
    if isinstance(value, str) or not all(0 <= group < mujoco.mjNGROUP for group in value):
        raise ValueError
    return [INTEGER.read(group) for group in value]


_GROUPS = Kind(f"numbers of groups, each 0 to {mujoco.mjNGROUP - 1}", _groups)


def _scene(source: Source, groups: list[int], color: str) -> ModelScene | NetworkScene | RobotScene:
    if isinstance(source, mujoco.MjModel):
        return ModelScene(source, groups, color)
    if isinstance(source, Simulation):
        return NetworkScene(source, color)
    if isinstance(source, Robot):
        return RobotScene(source, color)
    allowed = "an MjModel, a Simulation, or a Robot"
    raise StrandError(f"source: got {type(source).__name__}, allowed: {allowed}")
