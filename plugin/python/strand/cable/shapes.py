"""Centrelines: nodes, shape (n + 1, 3), m, for n links of equal length."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import FLAG, Kind, count, finite, positive, read


def straight(length: float, segments: int) -> np.ndarray:
    """Nodes of a straight line from the origin along x.

    length: m. segments: number of links.
    """
    return _drawn(_strand.straight_nodes, length=length, segments=segments)


def arc(length: float, angle: float, segments: int) -> np.ndarray:
    """Nodes of a planar arc that starts at the origin along x and turns towards y.

    length: m. angle: total turning angle (rad). segments: number of links, each of the length
    length / segments.
    """
    return _drawn(_strand.arc_nodes, length=length, angle=angle, segments=segments)


def ring(radius: float, segments: int, overlap: int = 0) -> np.ndarray:
    """Nodes of a ring about the origin, in the xy plane.

    radius: m; the links of one turn have the total length 2 pi radius. segments: number of links
    of one turn. overlap: number of additional links, which coincide with the first ones (default
    0).
    """
    return _drawn(_strand.ring_nodes, radius=radius, segments=segments, overlap=overlap)


def helix(radius: float, pitch: float, turns: float, segments: int) -> np.ndarray:
    """Nodes of a helix about the z axis that starts near (radius, 0, 0).

    radius: m. pitch: rise per turn (m). turns: number of turns. The helix is right-handed if both
    have one sign, else left-handed. segments: number of links.

    Each link has the direction of the curve at the link's middle, and the links together have the
    length of the curve, so that the polygon is neither shorter nor lower than the curve.
    """
    sizes = {"radius": radius, "pitch": pitch, "turns": turns}
    return _drawn(_strand.helix_nodes, **sizes, segments=segments)


def points(points: Sequence[Sequence[float]]) -> np.ndarray:
    """The nodes themselves.

    points: m, shape (n + 1, 3), 3 rows or more; links connect neighbours and may differ in length.
    """
    nodes = read("points", points, _KINDS["points"])
    if len(nodes) < 3:
        raise StrandError(f"points: got {len(nodes)}, allowed: at least 3 (two links)")
    return nodes


def spline(points: Sequence[Sequence[float]], segments: int, closed: bool = False) -> np.ndarray:
    """Nodes on the cubic spline through points, with links of equal length.

    points: m, shape (n, 3). segments: number of links. closed: the curve returns to the first
    point, which must not be repeated (default False). The spline's parameter is the chord length
    between points; open ends satisfy the not-a-knot condition.
    """
    return _drawn(_strand.spline_nodes, points=points, segments=segments, closed=closed)


def _drawn(make: Callable[..., np.ndarray], **given: Any) -> np.ndarray:
    """Checks the arguments and returns the nodes that a function of the extension makes."""
    return checked(make, *(read(name, value, _KINDS[name]) for name, value in given.items()))


def _points(value: Any) -> np.ndarray:
    array = np.asarray(value, dtype=float)
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise ValueError
    return array


_KINDS: dict[str, Kind[Any]] = {
    "length": positive("m"),
    "angle": finite("rad"),
    "radius": positive("m"),
    "pitch": finite("m"),
    "turns": finite("1"),
    "segments": count(2, most=10_000_000),
    "overlap": count(0, most=10_000_000),
    "closed": FLAG,
    "points": Kind("points of three finite numbers (m), shape (number of points, 3)", _points),
}


#: Shapes by their names in files.
SHAPES: dict[str, Callable[..., np.ndarray]] = {
    "straight": straight,
    "points": points,
    "spline": spline,
    "arc": arc,
    "helix": helix,
    "ring": ring,
}
