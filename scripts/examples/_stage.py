"""Shared by the examples: the scene around a cable, the timed run, the picture."""

import argparse
import dataclasses
import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import mujoco
import numpy as np

import strand
from strand.draw.picture import SIZE, parse_size
from strand.draw.stage import camera, set_stage
from strand.mujoco_versions import discrete

EXAMPLES = (
    "hanging",
    "hands",
    "pulley",
    "coiling",
    "spring",
    "ring",
    "ribbon",
    "bundle",
    "grasp",
    "middle",
    "harness",
    "fatigue",
    "hook",
    "winch",
)
ARM = Path(__file__).parents[2] / "assets" / "arms" / "six_axis.xml"
GRIP = (0.45, 0.0, 0.62)  # m: from its base to its site "grip", at qpos0


def scene(mjcf: str = "<mujoco/>", timestep: float = 0.002) -> mujoco.MjSpec:
    """The MJCF with floor, light, and the integrator that is best for cables."""
    spec = mujoco.MjSpec.from_string(mjcf)
    spec.option.integrator = discrete("examples")
    spec.option.timestep = timestep
    set_stage(spec)
    return spec


def add_arm(spec: mujoco.MjSpec, prefix: str, pos: Sequence[float], turn: float = 0.0) -> None:
    """A six-axis arm at `pos` (m), turned by `turn` (rad) about the vertical."""
    frame = spec.worldbody.add_frame(pos=pos, quat=[np.cos(turn / 2), 0, 0, np.sin(turn / 2)])
    spec.attach(mujoco.MjSpec.from_file(str(ARM)), prefix=prefix, frame=frame)


@dataclasses.dataclass
class Run:
    """An example that has run."""

    model: mujoco.MjModel
    data: mujoco.MjData
    times: np.ndarray  #: s, (steps,)
    sensors: np.ndarray  #: the scene's sensors, (steps, model.nsensordata)
    wall: float  #: s, wall-clock time

    @property
    def realtime(self) -> float:
        return self.data.time / self.wall

    @property
    def warnings(self) -> int:
        return int(self.data.warning.number.sum())


def play(example: ModuleType, seconds: float | None = None) -> Run:
    """Runs an example: its build(), and before every step its drive(), if it has one."""
    model = example.build()
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    drive = getattr(example, "drive", lambda model, data: None)
    steps = round((seconds or example.SECONDS) / model.opt.timestep)
    times, sensors = np.empty(steps), np.empty((steps, model.nsensordata))
    start = time.perf_counter()
    for k in range(steps):
        drive(model, data)
        mujoco.mj_step(model, data)
        times[k], sensors[k] = data.time, data.sensordata
    return Run(model, data, times, sensors, time.perf_counter() - start)


def ramp(now: float, begin: float, end: float) -> float:
    """Rises smoothly from 0 at the time `begin` to 1 at `end` (s)."""
    s = np.clip((now - begin) / (end - begin), 0, 1)
    return float(s * s * s * (10 - 15 * s + 6 * s * s))


def take_picture(run: Run, view: Sequence, **options: Any) -> np.ndarray:
    """A picture by strand.render.

    view: point looked at (m), distance (m), azimuth, elevation (degrees).
    """
    return strand.render(run.model, run.data, camera=camera(*view), **options)


def colors(example: ModuleType, run: Run) -> "strand.LinkValues | str":
    """How an example colours its cable: by its colors(), if it has one."""
    return example.colors(run) if hasattr(example, "colors") else "none"


def load(name: str) -> ModuleType:
    """An example by its name."""
    return importlib.import_module(name)


def main() -> None:
    """The command line of every example. Exits with 1 if MuJoCo has warned."""
    example = sys.modules["__main__"]
    parser = argparse.ArgumentParser(description=example.__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, help="simulated", default=example.SECONDS)
    parser.add_argument("--view", action="store_true", help="open a window instead")
    parser.add_argument("--frame", type=Path, metavar="FILE.png", help="write the last picture")
    parser.add_argument(
        "--size", type=parse_size, default=SIZE, metavar="WxH", help="of the picture (pixels)"
    )
    options = parser.parse_args()
    if options.view:
        _view(example)
        return
    run = play(example, options.seconds)
    print(f"{example.report(run)}; {run.realtime:.1f} times real time")
    if options.frame:
        looks = {"color": colors(example, run), "picture": options.frame}
        take_picture(run, example.CAMERA, size=options.size, **looks)
    if run.warnings:
        sys.exit(f"MuJoCo has warned {run.warnings} times")


def _view(example: ModuleType) -> None:
    strand.view(example.build(), drive=getattr(example, "drive", None),
                camera=camera(*example.CAMERA))  # fmt: skip
