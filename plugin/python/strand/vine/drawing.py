"""Pictures and films of robots and obstacles, seen from above."""

import io
import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from strand.draw.picture import SIZE, time_text
from strand.io.files import write_bytes
from strand.vine.robot import Obstacle

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

BODY, JOINT, OBSTACLE, CONTACT = "#1f5fa8", "#cfe0f5", "#9a948a", "#c8502d"
_INCHES = 8.0  # nominal length of a picture's shorter side, which sets the size of text


class Painter:
    """Draws a robot at any of its states, always in the same frame.

    lines: all centrelines that will be drawn, each the base and the distal ends of the pairs (n, 2;
        m). They set the frame.
    diameter: of the robot (m).
    obstacles: drawn in every picture (default none).
    size: width and height (pixels); films need even numbers.
    """

    def __init__(
        self,
        lines: Sequence[np.ndarray],
        diameter: float,
        obstacles: Sequence[Obstacle] = (),
        size: tuple[int, int] = SIZE,
    ) -> None:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self._diameter, self._obstacles = diameter, list(obstacles)
        corners = [np.asarray(line) for line in lines] + [_extent(each) for each in obstacles]
        low = np.min([each.min(axis=0) for each in corners], axis=0) - diameter
        high = np.max([each.max(axis=0) for each in corners], axis=0) + diameter
        dpi = min(size) / _INCHES
        inches = (size[0] / dpi, size[1] / dpi)
        self._figure = Figure(figsize=inches, dpi=dpi, layout="constrained")
        self._canvas = FigureCanvasAgg(self._figure)
        self._limits = low, high

    def picture(
        self, line: np.ndarray, contacts: np.ndarray | None = None, time: float | None = None
    ) -> np.ndarray:
        """An RGB picture (height, width, 3).

        line: centreline (n, 2; m). contacts: to be marked, as Robot.contacts (default none). time:
        for the title (s; default none).
        """
        self._draw(line, contacts, time)
        self._canvas.draw()
        return np.asarray(self._canvas.buffer_rgba())[:, :, :3].copy()

    def save(
        self,
        path: str | os.PathLike,
        line: np.ndarray,
        contacts: np.ndarray | None = None,
        time: float | None = None,
    ) -> None:
        """Writes a PNG file, completely or not at all. Arguments as for `picture`."""
        self._draw(line, contacts, time)
        buffer = io.BytesIO()
        self._figure.savefig(buffer, format="png")
        write_bytes(path, buffer.getvalue())

    def pictures(
        self, lines: Sequence[np.ndarray], times: Sequence[float] | np.ndarray
    ) -> Iterator[np.ndarray]:
        for line, time in zip(lines, times, strict=True):
            yield self.picture(line, time=time)

    def _draw(self, line: np.ndarray, contacts: np.ndarray | None, time: float | None) -> None:
        from matplotlib.collections import PatchCollection
        from matplotlib.patches import Circle

        self._figure.clear()
        axes = self._figure.add_subplot()
        for obstacle in self._obstacles:
            axes.add_patch(_patch(obstacle))
        radius = self._diameter / 2
        axes.add_collection(PatchCollection(list(_skin(line, radius)), color=BODY, lw=0))
        joints = [Circle(point, 0.2 * radius) for point in line]
        axes.add_collection(PatchCollection(joints, color=JOINT, lw=0, zorder=3))
        touching = contacts is not None and len(contacts) > 0
        if contacts is not None and touching:
            places = touched(self._obstacles, line, contacts, radius)
            axes.plot(*places.T, "o", color=CONTACT, ms=5, zorder=4)
        low, high = self._limits
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
        axes.set(xlabel="x (m)", ylabel="y (m)", title="" if time is None else time_text(time))
        self._add_legend(axes, touching)

    def _add_legend(self, axes: "Axes", touching: bool) -> None:
        from matplotlib.lines import Line2D
        from matplotlib.patches import Patch

        entries: list[Artist] = [Patch(color=BODY, label="robot")]
        entries.append(_dot(Line2D, JOINT, "joint", edge=BODY))
        if self._obstacles:
            entries.append(Patch(color=OBSTACLE, label="obstacle"))
        if touching:
            entries.append(_dot(Line2D, CONTACT, "contact"))
        axes.legend(handles=entries, loc="upper left", bbox_to_anchor=(1.01, 1.0), frameon=False)


def touched(
    obstacles: Sequence[Obstacle], line: np.ndarray, contacts: np.ndarray, radius: float
) -> np.ndarray:
    """Points on obstacles, or on the robot itself, where contacts act (contacts, 2; m).

    contacts: as Robot.contacts. Their places are on the centreline, at the distance `radius` (m)
    from the surface.
    """
    places = np.empty((len(contacts), 2))
    for place, contact in zip(places, contacts, strict=True):
        where, other = contact[0] + 1, int(contact[1])  # where: along the line, 0 at the base
        start = int(where)
        share, gap, normal = where - start, radius, contact[4:]
        touching = (
            line[start] if share == 0 else (1 - share) * line[start] + share * line[start + 1]
        )
        if other < len(obstacles):
            gap, (normal,), _ = obstacles[other].gap(touching[None])
        place[:] = touching - gap * normal
    return places


def _dot(line: "type[Line2D]", color: str, label: str, edge: str | None = None) -> "Line2D":
    """A round marker for a legend."""
    return line([], [], ls="", marker="o", ms=6, color=color, mec=edge or color, label=label)


def _skin(line: np.ndarray, radius: float) -> "Iterator[Patch]":
    """Patches that cover all points within `radius` of a line."""
    from matplotlib.patches import Circle, Polygon

    for start, end in pairwise(line):
        along = end - start
        length = np.hypot(*along)
        if length > 0:
            side = radius / length * np.array([-along[1], along[0]])
            yield Polygon([start + side, end + side, end - side, start - side])
    for point in line:
        yield Circle(point, radius)


def _patch(obstacle: Obstacle) -> "Patch":
    from matplotlib.patches import Circle, Polygon

    if obstacle.shape == "circle":
        x, y = obstacle.centre
        return Circle((x, y), obstacle.radius, color=OBSTACLE, lw=0)
    return Polygon(obstacle.vertices, color=OBSTACLE, lw=0)


def _extent(obstacle: Obstacle) -> np.ndarray:
    if obstacle.shape == "circle":
        return np.array([obstacle.centre - obstacle.radius, obstacle.centre + obstacle.radius])
    return obstacle.vertices
