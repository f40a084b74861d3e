"""Validations in the viewer's window as they run, with the curves of their theories."""

import contextlib
import queue
import threading
from collections.abc import Callable, Iterator
from typing import NamedTuple

import mujoco
import numpy as np

from strand import adapter
from strand._strand import Film, FilmPlot
from strand.errors import StrandError
from strand.readout.profile import rod_nodes
from strand.readout.readout import look_up
from strand.viewer.film import Sample, careful, stage
from strand.viewer.opened import Opened
from strand_studies import relax
from strand_studies.beam import tip_deflection
from strand_studies.validation import catenary, clamped, lhb

_POINTS = 121  #: of the line that is drawn, for any number of links
_SAMPLE = 0.02  #: s
_ALWAYS = [0.0, 1e9]  #: s: the times of a theory that is a number


class Plot(NamedTuple):
    """A plot beside the window's picture, and what it shows of a model."""

    plot: FilmPlot
    read: Callable[[mujoco.MjModel, mujoco.MjData], list[float]]


def plots(name: str) -> list[Plot]:
    """The plots of a validation. Raises StrandError if it does not run step by step."""
    if name not in _PLOTS:
        raise StrandError(f"view: got {name!r}, allowed: {', '.join(_PLOTS)}")
    return _PLOTS[name]()


class Watched:
    """A validation that runs in a thread of its own, as far as the window has played it."""

    def __init__(self, name: str, run: Callable[[], object]) -> None:
        self.name, self.plots, self.result = name, plots(name), None
        self._samples: queue.Queue[Sample | str | None] = queue.Queue(1)
        self._closed = threading.Event()
        self._model: mujoco.MjModel | None = None
        self._clock = self._before = 0.0  # s: over all models; of this model, when last shown
        self._thread = threading.Thread(target=self._run, args=(run,), daemon=True)

    def opened(self) -> Opened:
        """For strand.viewer: starts the validation and waits for its first step."""
        self._thread.start()
        samples = self._taken()
        first = next(samples)
        if isinstance(first, str):
            raise StrandError(first)
        count = np.arange(_POINTS - 1)
        film = Film(
            first,
            np.column_stack([count, count + 1]),
            [_thickness(first[1])] * len(count),
            np.tile(np.array([0.15, 0.35, 0.65, 1.0]), (len(count), 1)),
            np.zeros((0, 3), dtype=int),
            np.zeros((0, 4), np.float32),
            careful(samples),
            [one.plot for one in self.plots],
        )
        model = stage([], None, _SAMPLE)
        return Opened(model, mujoco.MjData(model), f"validate {self.name}", film)

    def close(self) -> object:
        """Ends the validation, if it still runs. Returns its result, or None."""
        self._closed.set()
        with contextlib.suppress(queue.Empty):
            self._samples.get_nowait()
        self._thread.join()
        return self.result

    def _run(self, run: Callable[[], object]) -> None:
        try:
            with relax.watched_by(self._show):
                self.result = run()
            self._put(None)
        except _ClosedError:
            pass
        except Exception as error:
            self._put(f"{error}")

    def _taken(self) -> Iterator[Sample | str]:
        while (sample := self._samples.get()) is not None:
            yield sample

    def _show(self, model: mujoco.MjModel, data: mujoco.MjData) -> None:
        if self._closed.is_set():
            raise _ClosedError
        if model is not self._model:
            self._model, self._before = model, -_SAMPLE
        if data.time - self._before < _SAMPLE:
            return
        self._clock, self._before = self._clock + _SAMPLE, data.time
        nodes = _line(model, data)
        values = [value for one in self.plots for value in one.read(model, data)]
        self._put((self._clock, nodes, np.zeros((0, 7)), values))

    def _put(self, sample: Sample | str | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._samples.put(sample, timeout=0.1)
                return


class _ClosedError(Exception):
    """The window was closed."""


def _nodes(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    return rod_nodes(look_up(model, data, 0, adapter.load().profile), data)


def _line(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Points (_POINTS, 3; m) at equal distances along the cable."""
    nodes = _nodes(model, data)
    arclength = np.append(0, np.cumsum(np.linalg.norm(np.diff(nodes, axis=0), axis=1)))
    places = np.linspace(0, arclength[-1], _POINTS)
    return np.column_stack([np.interp(places, arclength, axis) for axis in nodes.T])


def _thickness(points: np.ndarray) -> float:
    """Radius (m) with which a line of any length can be seen."""
    return 0.005 * float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _lhb() -> list[Plot]:
    distance = np.linspace(-6, 6, 121)

    def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
        nodes = _nodes(model, data)
        links = np.diff(nodes, axis=0)
        lengths = np.linalg.norm(links, axis=1)
        found = lhb.score(links / lengths[:, np.newaxis], float(lengths.mean()))
        order = np.argsort(found.distance)
        return np.interp(distance, found.distance[order], found.envelope[order]).tolist()

    plot = FilmPlot("envelope, theory tanh^2", "", distance, distance,
                    np.tanh(distance) ** 2)  # fmt: skip
    return [Plot(plot, read)]


def _catenary() -> list[Plot]:
    x, a = np.linspace(0, catenary.SPAN, 81), catenary.parameter()
    middle = catenary.SPAN / 2
    theory = a * (np.cosh((x - middle) / a) - np.cosh(middle / a))

    def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
        nodes = _nodes(model, data)
        return np.interp(x, nodes[:, 0], nodes[:, 2]).tolist()

    return [Plot(FilmPlot("height, theory: catenary", "m", x, x, theory), read)]


def _clamped() -> list[Plot]:
    """Deflections of the tip relative to those of the elastica with the load at that time."""
    known: dict[tuple[float, float], tuple[float, float]] = {}

    def theory(model: mujoco.MjModel, data: mujoco.MjData) -> tuple[float, float]:
        scale = clamped.LENGTH**2 / clamped.EI
        load = round(-float(data.xfrc_applied[:, 2].sum()) * scale, 9)
        weight = round(-float(model.opt.gravity[2] * model.body_mass.sum()) * scale, 9)
        if (load, weight) not in known:
            known[load, weight] = tip_deflection(load, weight)
        return known[load, weight]

    def ratio(side: int) -> Callable[[mujoco.MjModel, mujoco.MjData], list[float]]:
        def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
            tip = _nodes(model, data)[-1] / clamped.LENGTH
            return [float((-tip[2], 1 - tip[0])[side] / theory(model, data)[side])]

        return read

    return [Plot(FilmPlot(f"tip's {name} / theory", "", [], _ALWAYS, [1.0, 1.0]), ratio(side))
            for side, name in enumerate(("w", "u"))]  # fmt: skip


def _mbi() -> list[Plot]:
    def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
        height = np.abs(_nodes(model, data)[:, 2]).max()
        return [float(np.log10(max(height, 1e-12)))]

    return [Plot(FilmPlot("log10 of the height (m)", ""), read)]


def _vibration() -> list[Plot]:
    def read(model: mujoco.MjModel, data: mujoco.MjData) -> list[float]:
        return [float(_nodes(model, data)[-1, 1:].sum())]

    return [Plot(FilmPlot("end, y + z", "m"), read)]


_PLOTS: dict[str, Callable[[], list[Plot]]] = {
    "lhb": _lhb,
    "mbi": _mbi,
    "elastica": _clamped,
    "cantilever": _clamped,
    "catenary": _catenary,
    "vibration": _vibration,
}
