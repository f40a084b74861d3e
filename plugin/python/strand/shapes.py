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
    parameter is the chord length between points (scipy.interpolate.CubicSpline).
    """
    from scipy.interpolate import CubicSpline

    knots = _points(points)
    if len(knots) < (3 if closed else 2):
        raise StrandError(f"points: got {len(knots)}, allowed: at least 2, or 3 of a closed curve")
    if not isinstance(segments, (int, np.integer)) or segments < 2:
        raise StrandError(f"segments: got {segments!r}, allowed: an integer, at least 2")
    if closed:
        knots = np.vstack([knots, knots[:1]])
    chords = np.linalg.norm(np.diff(knots, axis=0), axis=1)
    if not (chords > 0).all():
        raise StrandError("points: got two neighbours in one place, allowed: distinct neighbours")
    place = np.concatenate([[0], np.cumsum(chords)])
    if len(knots) == 2:
        return knots[0] + np.linspace(0, 1, segments + 1)[:, None] * (knots[1] - knots[0])
    curve = CubicSpline(place, knots, bc_type="periodic" if closed else "not-a-knot")
    return _equal_chords(curve, place[-1], segments)


def _equal_chords(curve: Callable, last: float, segments: int) -> np.ndarray:
    """Nodes at parameters that make all chords equal, by fixed-point iteration."""
    parameters = np.linspace(0, last, segments + 1)
    for _ in range(100):
        nodes = curve(parameters)
        lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
        if np.ptp(lengths) < 1e-12 * lengths.mean():
            break
        reached = np.concatenate([[0], np.cumsum(lengths)])
        parameters = np.interp(np.linspace(0, reached[-1], segments + 1), reached, parameters)
    return curve(parameters)


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
