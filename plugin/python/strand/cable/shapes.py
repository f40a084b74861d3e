"""Centrelines: nodes of shape (n + 1, 3) in m, for n links of equal length."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import FLAG, Kind, count, finite, positive, read


def straight(length: float, segments: int) -> np.ndarray:
    """Nodes along x from the origin, `length` m long."""
    return _drawn(_strand.straight_nodes, length=length, segments=segments)


def arc(length: float, angle: float, segments: int) -> np.ndarray:
    """Nodes of a planar arc of `length` m that starts along x and turns by `angle` rad towards y.

    Every link is length / segments long.
    """
    return _drawn(_strand.arc_nodes, length=length, angle=angle, segments=segments)


def ring(radius: float, segments: int, overlap: int = 0) -> np.ndarray:
    """Nodes of a ring of circumference 2 pi radius m about the origin, in the xy plane.

    `overlap` further links lie over the first ones.
    """
    return _drawn(_strand.ring_nodes, radius=radius, segments=segments, overlap=overlap)


def helix(radius: float, pitch: float, turns: float, segments: int) -> np.ndarray:
    """Nodes of a helix about the z axis: `radius` m, `pitch` m a turn, from near (radius, 0, 0).

    Right-handed; turns < 0: left-handed. Links have the direction of the curve at their middles
    and together its length, so that neither length nor rise is lost to the polygon.
    """
    sizes = {"radius": radius, "pitch": pitch, "turns": turns}
    return _drawn(_strand.helix_nodes, **sizes, segments=segments)


def points(points: Sequence[Sequence[float]]) -> np.ndarray:
    """The nodes themselves, m: links lie between neighbours, as long as these are apart."""
    nodes = read("points", points, _KINDS["points"])
    if len(nodes) < 3:
        raise StrandError(f"points: got {len(nodes)}, allowed: at least 3 (two links)")
    return nodes


def spline(points: Sequence[Sequence[float]], segments: int, closed: bool = False) -> np.ndarray:
    """Nodes on the cubic spline through the points (m), every link equally long.

    `closed`: the curve comes back to the first point, which is not repeated. The spline's
    parameter is the chord length between points; open ends are "not a knot".
    """
    return _drawn(_strand.spline_nodes, points=points, segments=segments, closed=closed)


def _drawn(make: Callable[..., np.ndarray], **given: Any) -> np.ndarray:
    """The nodes that a function of the extension makes of these arguments, checked."""
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


#: Shapes by the names that files give them.
SHAPES: dict[str, Callable[..., np.ndarray]] = {
    "straight": straight,
    "points": points,
    "spline": spline,
    "arc": arc,
    "helix": helix,
    "ring": ring,
}
