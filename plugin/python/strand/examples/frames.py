"""Pictures of a run, taken at chosen times and written at its end from one camera."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from strand.errors import StrandError
from strand.files import check_output
from strand.simulation import Simulation


class Frames:
    """Collects the states of simulations; without a directory it does nothing.

    Pictures are called SERIES_NN.png. All of a series show the same network.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory
        if directory is not None:
            try:
                directory.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise StrandError(
                    f"frames: got '{directory}', allowed: a directory to write to "
                    f"({error.strerror})"
                ) from None
            check_output("frames", directory / "SERIES_00.png")
        self._series: dict[str, list[tuple[Simulation, np.ndarray, np.ndarray]]] = {}
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
    ) -> None:
        """What is seen beside the rods and shells of a series, and from where.

        floor: a height (m). obstacles: kind, size and position of each, as `rod_render.Obstacle`.
        balls: radii (m) of nodes that carry a load. Angles of the camera in degrees.
        """
        self._stages[series] = {
            "floor": floor,
            "obstacles": tuple(obstacles),
            "balls": balls,
            "angles": (azimuth, elevation),
        }

    def take(self, series: str, simulation: Simulation) -> None:
        """Keeps the state as it is now."""
        if self.directory is not None:
            state = (simulation, simulation.positions, simulation.directors)
            self._series.setdefault(series, []).append(state)

    def at(self, series: str, times: Sequence[float]) -> Callable[[Simulation], None]:
        """A function to call after every step, which takes the first state at each of the times."""
        left = sorted(times)

        def watch(simulation: Simulation) -> None:
            while left and simulation.time >= left[0] - 1e-9:
                left.pop(0)
                self.take(series, simulation)

        return watch

    def write(self) -> None:
        """Draws all that was kept; without a stage the camera is across the x-z plane."""
        if self.directory is None:
            return
        from strand.rod_render import Obstacle, View, save_png
        from strand.simulation.network_drawing import NetworkPainter

        for series, states in self._series.items():
            network = states[0][0].network
            bounds = np.array([positions for _, positions, _ in states])
            if series not in self._stages:
                self.stage(series)
            stage = self._stages[series]
            options = {
                "view": View(*stage["angles"]),
                "floor": stage["floor"],
                "obstacles": [Obstacle(*shape) for shape in stage["obstacles"]],
                "balls": stage["balls"],
            }
            with NetworkPainter(network, bounds, **options) as painter:
                for k, (_, positions, directors) in enumerate(states):
                    picture = painter.picture(positions, directors)
                    save_png(self.directory / f"{series}_{k:02d}.png", picture)
