"""Centrelines: nodes of shape (n + 1, 3) in m, for n links of equal length."""

from collections.abc import Callable, Sequence

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked


def straight(length: float, segments: int) -> np.ndarray:
    """Nodes along x from the origin, `length` m long."""
    return checked(_strand.straight_nodes, length, segments)


def arc(length: float, angle: float, segments: int) -> np.ndarray:
    """Nodes of a planar arc of `length` m that starts along x and turns by `angle` rad towards y.

    Every link is length / segments long.
    """
    return checked(_strand.arc_nodes, length, angle, segments)


def ring(radius: float, segments: int, overlap: int = 0) -> np.ndarray:
    """Nodes of a ring of circumference 2 pi radius m about the origin, in the xy plane.

    `overlap` further links lie over the first ones.
    """
    return checked(_strand.ring_nodes, radius, segments, overlap)


def helix(radius: float, pitch: float, turns: float, segments: int) -> np.ndarray:
    """Nodes of a helix about the z axis: `radius` m, `pitch` m a turn, from near (radius, 0, 0).

    Right-handed; turns < 0: left-handed. Links have the direction of the curve at their middles
    and together its length, so that neither length nor rise is lost to the polygon.
    """
    return checked(_strand.helix_nodes, radius, pitch, turns, segments)


def points(points: Sequence[Sequence[float]]) -> np.ndarray:
    """The nodes themselves, m: links lie between neighbours, as long as these are apart."""
    nodes = _points(points)
    if len(nodes) < 3:
        raise StrandError(f"points: got {len(nodes)}, allowed: at least 3 (two links)")
    return nodes


def spline(points: Sequence[Sequence[float]], segments: int, closed: bool = False) -> np.ndarray:
    """Nodes on the cubic spline through the points (m), every link equally long.

    `closed`: the curve comes back to the first point, which is not repeated. The spline's
    parameter is the chord length between points; open ends are "not a knot".
    """
    return checked(_strand.spline_nodes, _points(points), segments, closed)


def _points(points) -> np.ndarray:
    try:
        array = np.asarray(points, dtype=float)
    except (TypeError, ValueError):
        raise StrandError(f"points: got {points!r}, allowed: points of three numbers") from None
    if array.ndim != 2 or array.shape[1] != 3 or not np.isfinite(array).all():
        raise StrandError(
            f"points: got an array of shape {array.shape}, allowed: (number of points, 3), finite"
        )
    return array


#: Shapes by the names that files give them.
SHAPES: dict[str, Callable[..., np.ndarray]] = {
    "straight": straight,
    "points": points,
    "spline": spline,
    "arc": arc,
    "helix": helix,
    "ring": ring,
}
