"""Runs a scene and writes its output: samples, a picture, a film, a checkpoint."""

import contextlib
import dataclasses
import importlib.util
import signal
import threading
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from strand.draw.picture import check_drawing
from strand.errors import StrandError
from strand.io.files import check_output, unused
from strand.scene.frames import frame_steps, picture_size
from strand.scene.tables import OutputTable
from strand.simulation.clock import Clock
from strand.simulation.simulation import Simulation, SolverError

if TYPE_CHECKING:
    from strand.draw import rod_render

    Beside: TypeAlias = rod_render.Facets | rod_render.Obstacle

_UPDATES = 200  # updates of the progress bar during a run
RESCUED = "interrupted.checkpoint.npz"  #: of a run that is stopped by a signal

#: Called with the fraction of the run that is done.
Progress = Callable[[float], None]


@dataclasses.dataclass
class Summary:
    """The result of a run."""

    time: float  #: s, at the end
    steps: int = 0
    newton: int = 0  #: Newton steps
    halved: int = 0  #: steps that were halved
    contacts: int | None = None  #: at the end; None if the simulation has no contact
    gap: float | None = None  #: m, the smallest at the end, < 0: penetration; None: all far apart
    failure: str = ""  #: why the run stopped early
    signal: int = 0  #: the signal that has stopped it; 0: none

    def __str__(self) -> str:
        per_step = self.newton / max(self.steps, 1)
        text = f"t = {self.time:.6g} s after {self.steps} steps of {per_step:.3g} Newton steps"
        text += f", {self.halved} halved" if self.halved else ""
        if self.contacts is not None:
            text += f"; {self.contacts} contact{'s' * (self.contacts != 1)}"
        return text if self.gap is None else f"{text}, smallest gap {self.gap:.3g} m"


def run(
    simulation: Simulation, duration: float, output: OutputTable, progress: Progress | None = None
) -> Summary:
    """Runs a simulation for `duration` s from its current state.

    If the solver fails, or on SIGINT or SIGTERM, all output is written for the state at that time,
    and the summary gives the reason. Samples and the checkpoint are also updated during the run.
    """
    if not 0 <= duration < np.inf:
        raise StrandError(f"duration: got {duration}, allowed: a finite number >= 0 (s)")
    _check_files(output)
    size = picture_size(output)
    total = round(duration / simulation.dt)
    frames = _Frames(simulation, total, output.fps) if output.film else None
    summary = Summary(simulation.time)
    done, pace, saves = 0, _Pace(), Clock(output.flush)
    with _recording(simulation, output), _signals() as asked:
        while done < total and not summary.failure:
            steps = min(max(1, total // _UPDATES), pace.steps, total - done)
            if frames:
                steps = min(steps, frames.steps_left or steps)
            with pace.of(steps):
                _advance(simulation, steps, summary)
            done += steps
            if frames:
                frames.advance(steps)
            if progress:
                progress(done / total)
            if output.checkpoint and saves.due():
                with saves.work():
                    simulation.save(output.checkpoint)
            if asked and done < total:
                summary.signal = asked[0]
                name = signal.Signals(asked[0]).name
                summary.failure = f"stopped by {name} at t = {simulation.time:.6g} s"
                output.checkpoint = output.checkpoint or str(unused(RESCUED))
    _touch(simulation, summary)
    if output.checkpoint:
        simulation.save(output.checkpoint)
    _draw(simulation, output, frames, size)
    return summary


class _Pace:
    """Chooses how many steps to take at once: about half a second, to react to signals."""

    def __init__(self) -> None:
        self.steps = 1

    @contextlib.contextmanager
    def of(self, steps: int) -> Iterator[None]:
        begin = time.monotonic()
        yield
        took = max(time.monotonic() - begin, 1e-6)
        self.steps = max(1, min(2 * self.steps, int(0.5 * steps / took)))


@contextlib.contextmanager
def _signals() -> Iterator[list[int]]:
    """Collects SIGINT and SIGTERM. Only the main thread can receive them."""
    asked: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = {
        number: signal.signal(number, lambda which, _: asked.append(which))
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _advance(simulation: Simulation, steps: int, summary: Summary) -> None:
    try:
        report = simulation.run(steps * simulation.dt)
        summary.steps += report.steps
        summary.newton += report.iterations
        summary.halved += report.rejections
    except SolverError as error:
        summary.failure = str(error)
    summary.time = simulation.time


def _touch(simulation: Simulation, summary: Summary) -> None:
    """Sets the contacts and the gap at the end of a run."""
    if not simulation.contacts:
        return
    simulation.core.report()  # the last evaluation of a step may be at its middle
    summary.contacts = sum(each.contacts for each in simulation.contacts)
    gap = min(each.gap for each in simulation.contacts)
    summary.gap = gap if np.isfinite(gap) else None


def _check_files(output: OutputTable) -> None:
    """Checks before a long run that its files can be written and its pictures made."""
    for key, suffix in (("picture", ".png"), ("film", ".mp4"), ("checkpoint", ".npz")):
        path = getattr(output, key)
        if path is not None and not str(path).lower().endswith(suffix):
            raise StrandError(f"{key}: got '{path}', allowed: a path that ends in {suffix}")
    for key in ("file", "picture", "film", "checkpoint"):
        if (path := getattr(output, key)) is not None:
            check_output(key, path)
    for key in ("picture", "film"):
        if (path := getattr(output, key)) is not None:
            check_drawing(key, path)
    if output.film and importlib.util.find_spec("imageio_ffmpeg") is None:
        raise StrandError(f"film: got '{output.film}', allowed: only with imageio-ffmpeg installed")
    if output.picture or output.film:
        from strand.draw.stage import choose_platform

        choose_platform()


@contextlib.contextmanager
def _recording(simulation: Simulation, output: OutputTable) -> Iterator[None]:
    if output.file is None:
        yield
        return
    with simulation.record(output.file, output.every, output.series, output.flush):
        yield


class _Frames:
    """The states of a simulation at the frames of a film of the next `steps` steps."""

    def __init__(self, simulation: Simulation, steps: int, fps: float) -> None:
        self._simulation, self._done = simulation, 0
        self._wanted = frame_steps(steps, simulation.dt, fps)
        self.times: list[float] = []  #: s
        self.positions: list[np.ndarray] = []
        self.directors: list[np.ndarray] = []
        self.poses: list[np.ndarray] = []  #: of the obstacles
        self.beside: list[list[Beside]] = []  #: obstacle meshes and tendons
        self.advance(0)

    @property
    def steps_left(self) -> int:
        """Steps to the next frame; 0: there is none."""
        return self._wanted[0] - self._done if self._wanted else 0

    def advance(self, steps: int) -> None:
        self._done += steps
        while self._wanted and self._wanted[0] <= self._done:
            del self._wanted[0]
            self._take()

    def _take(self) -> None:
        from strand.simulation.network_drawing import meshes_and_tendons

        self.times.append(self._simulation.time)
        self.positions.append(self._simulation.positions)
        self.directors.append(self._simulation.directors)
        self.poses.append(self._simulation.obstacle_poses)
        self.beside.append(meshes_and_tendons(self._simulation))


def _draw(
    simulation: Simulation, output: OutputTable, frames: _Frames | None, size: tuple[int, int]
) -> None:
    if not (output.picture or frames):
        return
    from strand.draw import rod_render
    from strand.simulation.network_drawing import NetworkPainter, take_picture
    from strand.simulation.obstacle_drawing import beside, drawn, rigid

    network, shapes = simulation.network, simulation.obstacles
    if output.picture:
        rod_render.save_png(output.picture, take_picture(simulation, size=size))
    if frames and output.film:
        positions = np.array(frames.positions)
        options = drawn(shapes, frames.poses[0], positions, network.bodies, frames.beside[0])
        # No supersampling: the film's compression hides its effect.
        with NetworkPainter(network, positions, size=size, finer=1, **options) as painter:
            pictures = (
                painter.picture(
                    *where,
                    obstacles=[
                        *beside(shapes, poses, positions),
                        *rigid(network.bodies, where[0]),
                        *others,
                    ],
                    time=time,
                    scale_bar=True,
                )
                for time, poses, others, *where in zip(
                    frames.times,
                    frames.poses,
                    frames.beside,
                    positions,
                    frames.directors,
                    strict=True,
                )
            )
            rod_render.film(output.film, pictures, output.fps)
