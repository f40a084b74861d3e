"""Shared by the published scenes of growing robots: runs both modes beside the reference."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from strand.draw.report import Report
from strand.vine import Robot, Trajectory
from strand.vine.state_file import write_states
from strand_studies.published.figures import Progress, figure
from strand_studies.published.frames import Frames

REFERENCE = "published program, solved exactly"
LEFT_OUT = "STRAND_DATA is not set: states are not compared with the reference's, step by step"
MM = 1e3  #: per m
HELD = 1e-9  #: m, tolerance of joints and gaps in the default mode


@dataclass
class Scene:
    """A published scene with a selectable number of bodies, and its reference."""

    name: str  #: of the example
    title: str
    make: Callable[[int, bool], Robot]  #: bodies, compat
    bodies: int  #: published number
    steps: int
    rate: float  #: m/s, of growth
    tip: tuple[float, float] | None = None  #: mm, published position at the end
    near: float = 0.0  #: mm, tolerance of positions
    reference: str | None = None  #: file of the reference's states

    def run(
        self,
        full: bool = False,
        progress: Progress = None,
        frames: Frames | None = None,
        compat: bool = False,
        bodies: int | None = None,
        state: Path | None = None,
    ) -> Report:
        """Runs the published step beside its reference, then (without `compat`) the default mode.

        `full` changes nothing. state: a file to which all states of the published step are written.
        """
        progress = progress or (lambda doing: None)
        bodies = self.bodies if bodies is None else bodies
        runs = {}
        for kind in ("published step",) if compat else ("published step", "default"):
            progress(f"{bodies} bodies, {kind}")
            runs[kind] = go(self.make(bodies, kind != "default"), self.steps, self.rate)
        rows = figures(runs["published step"], "published step")
        if bodies == self.bodies:
            if self.tip:
                rows[:2] = published_tip(self, runs["published step"])
            rows += compare(self, runs["published step"])
        if not compat:
            rows += figures(runs["default"], "default") + held(runs["default"])
        if state is not None:
            write_states(state, runs["published step"].trajectory)
        draw(frames, self.name, list(runs.values())[-1])
        note = LEFT_OUT if self.reference and not data_file(self.reference) else ""
        return Report(self.name, self.title, rows, note=note)


@dataclass
class Run:
    trajectory: Trajectory
    robot: Robot
    step_us: float


def go(robot: Robot, steps: int, rate: float) -> Run:
    begin = time.process_time()
    trajectory = robot.run(steps, rate)
    spent = time.process_time() - begin
    return Run(trajectory, robot, 1e6 * spent / max(len(trajectory.reports), 1))


def figures(run: Run, kind: str) -> list[dict]:
    reports = run.trajectory.reports
    touching = sum(report.contacts > 0 for report in reports)
    joints = max(report.joint_error for report in reports)
    return [
        figure(f"{kind}: tip x at the end", MM * run.robot.tip[0], "mm"),
        figure(f"{kind}: tip y at the end", MM * run.robot.tip[1], "mm"),
        figure(f"{kind}: steps done", len(run.trajectory.time) - 1, "1", len(reports), "all", 0),
        figure(f"{kind}: steps with contact", touching, "1"),
        figure(f"{kind}: largest error of a joint", MM * joints, "mm"),
        figure(f"{kind}: a step, with states kept", run.step_us, "us"),
    ]


def published_tip(scene: Scene, run: Run) -> list[dict]:
    return [
        figure(f"published step: tip {axis} at the end", at, "mm", wanted, REFERENCE, scene.near)
        for axis, at, wanted in zip("xy", MM * run.robot.tip, scene.tip, strict=True)
    ]


def held(run: Run) -> list[dict]:
    reports = run.trajectory.reports
    joints = max(report.joint_error for report in reports)
    gap = min(report.least_gap for report in reports)
    worst = MM * max(joints, -gap, 0.0)
    name = "default: largest error of joints and gaps"
    return [figure(name, worst, "mm", 0.0, "tolerance", MM * HELD)]


def data_file(name: str, folder: str = "vine_reference") -> Path | None:
    """A file of recorded data, which is not part of the package; None if STRAND_DATA is not set."""
    directory = os.environ.get("STRAND_DATA")
    return Path(directory) / folder / name if directory else None


def compare(scene: Scene, run: Run) -> list[dict]:
    """The position of every body after every step beside the reference's states."""
    path = data_file(scene.reference) if scene.reference else None
    if path is None:
        return []
    rows = np.loadtxt(path, delimiter=",", skiprows=1)
    bodies = len(run.trajectory.q[0])
    wanted = rows[:, 2 : 2 + 3 * bodies].reshape(len(rows), bodies, 3)[:, :, :2]
    found = MM * np.array(run.trajectory.q)[:, :, :2]
    off = np.abs(found - wanted).max() if found.shape == wanted.shape else np.inf
    name = "published step: farthest that a body is off, all steps"
    return [figure(name, off, "mm", 0.0, REFERENCE, scene.near)]


def draw(frames: Frames | None, name: str, run: Run) -> None:
    """Draws five pictures from the start to the end."""
    if frames is None or frames.directory is None:
        return
    from strand.vine.drawing import Painter

    trajectory = run.trajectory
    robot = run.robot
    painter = Painter(trajectory.lines, robot.diameter, robot.obstacles, frames.size)
    chosen = np.linspace(0, len(trajectory.lines) - 1, 5).round().astype(int)
    for k, step in enumerate(chosen):
        file = frames.directory / f"{name}_{k:02d}.png"
        painter.save(file, trajectory.lines[step], trajectory.contacts[step], step * robot.dt)
