"""Pictures of a run, taken at chosen times and written at its end from one camera."""

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from strand.draw.picture import SIZE
from strand.draw.stage import choose_platform
from strand.io.files import make_directory
from strand.simulation import Simulation


@dataclasses.dataclass
class _State:
    simulation: Simulation
    time: float  #: s
    positions: np.ndarray
    directors: np.ndarray
    focus: np.ndarray | None


class Frames:
    """Collects the states of simulations; without a directory it does nothing.

    Pictures are called SERIES_NN.png and have `size` (pixels). All pictures of a series show the
    same network from one camera, whose view includes the whole motion. Raises StrandError, before
    a run, if pictures cannot be drawn or written.
    """

    def __init__(self, directory: Path | None = None, size: tuple[int, int] = SIZE) -> None:
        self.directory = directory
        self.size = size
        if directory is not None:
            make_directory("frames", directory)
            choose_platform()
        self._series: dict[str, list[_State]] = {}
        self._stages: dict[str, dict] = {}

    def stage(
        self,
        series: str,
        *,
        floor: float | None = None,
        obstacles: Sequence[tuple] = (),
        balls: Mapping[int, float] | None = None,
        azimuth: float = 90.0,
        elevation: float = -10.0,
        magnified: float = 1.0,
    ) -> None:
        """Sets the surroundings and the camera of a series.

        floor: a height (m). obstacles: kind, size and position of each, as `rod_render.Obstacle`.
        balls: radii (m) of balls drawn at nodes, by node. azimuth, elevation: of the camera
        (degrees). magnified: factor by which displacements from the first state are drawn; the
        pictures show it.
        """
        self._stages[series] = {
            "floor": floor,
            "obstacles": tuple(obstacles),
            "balls": balls,
            "angles": (azimuth, elevation),
            "magnified": magnified,
        }

    def take(self, series: str, simulation: Simulation, focus: np.ndarray | None = None) -> None:
        """Stores the present state. focus: points (K, 3), m, for a close-up with its own camera."""
        if self.directory is not None:
            where = simulation.positions, simulation.directors
            state = _State(simulation, simulation.time, *where, focus)
            self._series.setdefault(series, []).append(state)

    def at(self, series: str, times: Sequence[float]) -> Callable[[Simulation], None]:
        """A function to call after every step. It stores the first state at or after each time."""
        left = sorted(times)

        def watch(simulation: Simulation) -> None:
            while left and simulation.time >= left[0] - 1e-9:
                left.pop(0)
                self.take(series, simulation)

        return watch

    def write(self) -> None:
        """Draws all stored states. Without a stage the camera faces the x-z plane."""
        if self.directory is None:
            return
        for series, states in self._series.items():
            if series not in self._stages:
                self.stage(series)
            self._write_series(series, states)

    def _write_series(self, series: str, states: list[_State]) -> None:
        from strand.draw.rod_render import Obstacle, View, save_png
        from strand.simulation.network_drawing import NetworkPainter

        stage, first = self._stages[series], states[0].positions
        shown = [first + stage["magnified"] * (state.positions - first) for state in states]
        options = {
            "view": View(*stage["angles"]),
            "floor": stage["floor"],
            "obstacles": [Obstacle(*shape) for shape in stage["obstacles"]],
            "balls": stage["balls"],
            "size": self.size,
        }
        network, bounds = states[0].simulation.network, np.array(shown)
        many = stage["magnified"]
        note = f"displacements x {many:g}" if many != 1 else ""
        in_time = len({state.time for state in states}) > 1  # otherwise they are static solutions
        for focus, group in _by_focus(states, shown):
            with NetworkPainter(network, bounds, focus=focus, **options) as painter:
                for k, state, positions in group:
                    labels = {"time": state.time if in_time else None, "note": note}
                    picture = painter.picture(positions, state.directors, scale_bar=True, **labels)
                    save_png(self.directory / f"{series}_{k:02d}.png", picture)


def _by_focus(states: list[_State], shown: list[np.ndarray]) -> list[tuple]:
    """Groups states by camera: each close-up has its own, all others share one."""
    numbered = list(zip(range(len(states)), states, shown, strict=True))
    whole = [each for each in numbered if each[1].focus is None]
    near = [(each[1].focus, [each]) for each in numbered if each[1].focus is not None]
    return [*([(None, whole)] if whole else []), *near]
