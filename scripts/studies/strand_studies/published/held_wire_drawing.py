"""Pictures of the held wires: real points, Strand and the peer in one plot; the arm."""

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from strand.draw.picture import annotate
from strand.draw.plotting import COLORS, draw_figure, save_figure
from strand.draw.rod_render import save_png
from strand.draw.stage import Photographer, camera
from strand_studies.published.frames import Frames
from strand_studies.published.held_wire_data import Errors
from strand_studies.published.held_wire_scene import Held

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VIEW = ((0.45, 0.0, 0.3), 1.25, 115, -12)  # point looked at (m), distance (m), angles (degrees)
SIDES = {"front": (0, 2), "top": (0, 1)}  # axes of the plots: x and z, x and y


@dataclasses.dataclass(frozen=True, eq=False)
class Drawn:
    """A wire at rest, and with what it is compared."""

    held: Held
    errors: Errors | None
    peer: np.ndarray | None  #: m, (51, 3), world axes, from the clamp on


def write(frames: Frames, drawn: dict[tuple[str, int], Drawn]) -> None:
    """Writes held_wire_WIRE.png with the plots of its poses, and held_wire_WIRE_POSE.png."""
    if frames.directory is None:
        return
    for (wire, k), one in drawn.items():
        with Photographer(one.held.model, *frames.size) as photographer:
            picture = photographer.take(one.held.data, camera(*VIEW))
            scale = photographer.metres_per_pixel(VIEW[0])
        path = frames.directory / f"held_wire_{wire}_{k}.png"
        save_png(path, annotate(picture, f"{wire}, pose {k}", scale))
    for wire in {wire for wire, _ in drawn}:
        poses = [one for (name, _), one in drawn.items() if name == wire]
        plot = draw_figure(lambda figure, poses=poses: _plots(figure, poses), size=(15, 7))
        save_figure(frames.directory / f"held_wire_{wire}.png", plot)


def _plots(figure: "Figure", poses: list[Drawn]) -> None:
    """A column for each pose: from the front and from above, m, from the clamp on."""
    grid = figure.subplots(len(SIDES), len(poses), squeeze=False)
    for k, one in enumerate(poses):
        for row, (side, axes) in enumerate(SIDES.items()):
            plot = grid[row, k]
            for points, style in _lines(one):
                plot.plot(*points[:, axes].T, **style)
            plot.set_aspect("equal", adjustable="datalim")
            plot.set_xlabel("x (m)")
            plot.set_ylabel(f"{'xyz'[axes[1]]} (m), {side}")
        title = f"pose {k}"
        if one.errors:
            title += f": {100 * one.errors.scaled:.2f} % off"
        grid[0, k].set_title(title)
    grid[0, 0].legend()


def _lines(one: Drawn) -> list[tuple[np.ndarray, dict]]:
    """Points in world axes from the clamp on, with their styles."""
    lines = [(one.held.nodes - one.held.nodes[0], {"color": COLORS[0], "label": "Strand"})]
    if one.peer is not None:
        style = {"color": COLORS[1], "linestyle": "--", "label": "peer"}
        lines.append((one.peer - one.peer[0], style))
    if one.errors:
        real = one.errors.fitted * [-1, -1, 1]  # the camera looks along -y
        lines.append((real, {"color": COLORS[5], "marker": "o", "linestyle": "", "label": "real"}))
    return lines
