"""Plots of cables along their length."""

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from strand.errors import StrandError
from strand.io.files import check_output
from strand.readout.profile import Profile, profile
from strand.readout.readout import check_pair, instances

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from mpl_toolkits.mplot3d import Axes3D


def plot(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    path: str | os.PathLike | None = None,
    cable: str | int | Sequence[str | int] = 0,
) -> "Figure":
    """Plots one or several cables at the state in `data`.

    The plot shows the shape and, along the length, curvature, twist rate, tension, bending moment
    and torque (strand.Profile).

    path: a PNG file to write; None (default): none. cable: name or index of a plugin instance, or a
    list of them (default 0).

    Returns the matplotlib Figure, which notebooks display. Raises StrandError if there is no such
    cable, or if the file cannot be written.
    """
    # Imported here, since matplotlib is slow to import and most programs do not plot.
    from strand.draw.plotting import draw_figure, save_figure

    if path is not None:
        check_output("path", path)

    chosen: list[Any] = list(cable) if isinstance(cable, list | tuple) else [cable]
    if not chosen:
        raise StrandError("cable: got an empty list, allowed: names or indices of cables")
    check_pair(model, data)
    names = instances(model)
    curves = {}
    for each in chosen:
        found = profile(model, data, each)
        curves[each if isinstance(each, str) else names[each] or f"cable {each}"] = found
    figure = draw_figure(lambda figure: _draw(figure, curves), size=(12.0, 6.6))
    if path is not None:
        save_figure(path, figure)
    return figure


def _draw(figure: "Figure", curves: dict[str, Profile]) -> None:
    from strand.draw.plotting import COLORS

    shape = figure.add_subplot(2, 3, 1, projection="3d")
    panels = [figure.add_subplot(2, 3, index) for index in range(2, 7)]
    for index, (label, one) in enumerate(curves.items()):
        color = COLORS[index % len(COLORS)]
        shape.plot(*one.nodes.T, color=color, marker=".", markersize=3, label=label)
        for axes, (place, values) in zip(panels, _series(one), strict=True):
            axes.plot(place, values, color=color, marker=".", markersize=3, label=label)
    _frame_shape(shape, np.concatenate([one.nodes for one in curves.values()]))
    for axes, title in zip(panels, _TITLES, strict=True):
        axes.set(title=title, xlabel="arclength (m)")
        _scale(axes)
    if len(curves) > 1:
        panels[0].legend()


_TITLES = (
    "curvature (1/m)",
    "twist rate (rad/m)",
    "tension (N)",
    "bending moment (N m)",
    "torque (N m)",
)


def _series(one: Profile) -> list[tuple[np.ndarray, np.ndarray]]:
    """Arclengths and values of the panels, in the order of _TITLES."""
    joints = one.joint_arclength
    return [
        (joints, one.curvature),
        (joints, one.twist_rate),
        (one.node_arclength, one.tension),
        (joints, np.linalg.norm(one.bending_moment, axis=1)),
        (joints, one.torque),
    ]


def _frame_shape(axes: "Axes3D", nodes: np.ndarray) -> None:
    """Sets the same scale along all three axes."""
    middle = (nodes.min(axis=0) + nodes.max(axis=0)) / 2
    half = np.ptp(nodes, axis=0).max() / 2 * 1.05
    for name, centre in zip("xyz", middle, strict=True):
        axes.set(**{f"{name}lim": (centre - half, centre + half), f"{name}label": f"{name} (m)"})
    axes.set_box_aspect((1, 1, 1))
    axes.locator_params(nbins=5)
    axes.set_title("shape")


def _scale(axes: "Axes") -> None:
    """Marks panels without finite values, and prevents rounding errors from filling a panel."""
    low, high = axes.dataLim.intervaly
    if not (np.isfinite(low) and np.isfinite(high)):
        axes.text(0.5, 0.5, "not known", transform=axes.transAxes, ha="center", va="center")
        return
    least = 1e-6 * max(abs(low), abs(high), 1e-3)
    if high - low < least:
        middle = (low + high) / 2
        reach = max(abs(middle) / 2, least)
        axes.set_ylim(middle - reach, middle + reach)
