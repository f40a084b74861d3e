"""Runs a scene of a growing robot and writes its output: states, a picture, a film."""

import dataclasses
from collections.abc import Callable

import numpy as np

from strand.draw.picture import check_drawing
from strand.errors import StrandError
from strand.io.files import check_output
from strand.scene.frames import frame_steps, picture_size
from strand.scene.tables import OutputTable
from strand.scene.vine import VineScene
from strand.vine.robot import Robot, Trajectory
from strand.vine.state_file import write_samples

Progress = Callable[[float], None]

_UPDATES = 200  # updates of the progress bar during a run


@dataclasses.dataclass
class Summary:
    """The result of a run."""

    time: float  #: s, at the end
    length: float  #: m
    tip: list[float]  #: m
    steps: int = 0
    programs: int = 0  #: quadratic programs
    contacts: int = 0  #: at the end
    failure: str = ""  #: why the run stopped early

    def __str__(self) -> str:
        per_step = self.programs / max(self.steps, 1)
        return (
            f"t = {self.time:.6g} s after {self.steps} steps of {per_step:.3g} programs; length "
            f"{self.length:.6g} m, tip at ({self.tip[0]:.6g}, {self.tip[1]:.6g}) m; "
            f"{self.contacts} contact{'s' * (self.contacts != 1)}"
        )


def run(scene: VineScene, duration: float, progress: Progress | None = None) -> Summary:
    """Runs a scene for `duration` s. If a step fails, all output is written for the state at that
    time, and the summary gives the reason."""
    if not 0 <= duration < np.inf:
        raise StrandError(f"duration: got {duration}, allowed: a finite number >= 0 (s)")
    robot, output = scene.robot, scene.output
    _check(output)
    size = picture_size(output)
    steps = round(duration / robot.dt)
    every = max(1, round((output.every or robot.dt) / robot.dt))
    kept, lines, summary = [_state(robot)], [robot.line], Summary(0.0, 0.0, [])
    for step in range(1, steps + 1):
        report = robot.step(scene.rate(robot.time))
        if not report.ok:
            summary.failure = f"t = {robot.time:.6g} s: {robot.describe(report)}"
            break
        summary.steps, summary.programs = step, summary.programs + report.iterations
        lines.append(robot.line)
        if step % every == 0:
            kept.append(_state(robot))
        if progress and step % max(1, steps // _UPDATES) == 0:
            progress(step / steps)
    summary.time, summary.length, summary.tip = robot.time, robot.length, robot.tip.tolist()
    summary.contacts = len(robot.contacts)
    if output.file:
        time, q, v = map(list, zip(*kept, strict=True))
        write_samples(output.file, Trajectory(np.array(time), q, v, [], [], []))
    _draw(robot, output, lines, size)
    return summary


def _state(robot: Robot) -> tuple[float, np.ndarray, np.ndarray]:
    return robot.time, robot.q, robot.v


def _check(output: OutputTable) -> None:
    """Checks before a long run that its output can be written."""
    endings = {"file": (".csv", ".npz"), "picture": (".png",), "film": (".mp4",)}
    for key, suffixes in endings.items():
        path = getattr(output, key)
        if path is not None and not str(path).lower().endswith(suffixes):
            allowed = f"a path that ends in {' or '.join(suffixes)}"
            raise StrandError(f"{key}: got '{path}', allowed: {allowed}")
        if path is not None:
            check_output(key, path)
        if path is not None and key != "file":
            check_drawing(key, path)
    if output.checkpoint is not None:
        raise StrandError(
            f"checkpoint: got '{output.checkpoint}', allowed: with rods and shells only"
        )


def _draw(
    robot: Robot, output: OutputTable, lines: list[np.ndarray], size: tuple[int, int]
) -> None:
    if not (output.picture or output.film):
        return
    from strand.draw import rod_render
    from strand.vine.drawing import Painter

    painter = Painter(lines, robot.diameter, robot.obstacles, size)
    if output.picture:
        painter.save(output.picture, robot.line, robot.contacts, robot.time)
    if output.film:
        taken = frame_steps(len(lines) - 1, robot.dt, output.fps)
        pictures = painter.pictures([lines[step] for step in taken], robot.dt * np.array(taken))
        rod_render.film(output.film, pictures, output.fps)
