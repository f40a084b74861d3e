"""Random points over a rectangle with a given density."""

import itertools
from collections.abc import Callable

import numpy as np
import scipy

#: The wanted edge length (m) at points (N, 2), shape (N,).
SizeFunction = Callable[[np.ndarray], np.ndarray]

# The least distance of two points, in sizes. Sides and lines are divided into edges of about one
# size, which is between the least distance and sqrt(3) times it, as Chew's bound on angles needs.
_LEAST = 0.75
_DARTS = 10  # random candidates for each point that will be accepted


def scattered(stations: np.ndarray, width: float, size: SizeFunction, seed: int) -> np.ndarray:
    """Points (N, 2) over x in [stations[0], stations[-1]] and y in [0, width] (m).

    Rows of points lie along the sides and at each station. No angle of the Delaunay triangles
    between two stations is much smaller than 30 degrees.
    """
    generator = np.random.default_rng(seed)
    points = _frame(stations, width, size)
    for begin, end in itertools.pairwise(stations):
        low, high = np.array([begin, 0.0]), np.array([end, width])
        border = points[(points[:, 0] >= begin) & (points[:, 0] <= end)]
        points = np.vstack([points, _filling(border, low, high, size, generator)])
    return points


def _frame(stations: np.ndarray, width: float, size: SizeFunction) -> np.ndarray:
    """Points along the lines at the stations, and along the sides from station to station."""
    lines = [_along(np.array([x, 0.0]), np.array([x, width]), size) for x in stations]
    for y in (0.0, width):
        for begin, end in itertools.pairwise(stations):
            lines.append(_along(np.array([begin, y]), np.array([end, y]), size)[1:-1])
    return np.vstack(lines)


def _along(begin: np.ndarray, end: np.ndarray, size: SizeFunction) -> np.ndarray:
    """Points from begin to end, including these, at distances given by the size function."""
    part = np.linspace(0, 1, 1001)[:, np.newaxis]
    density = np.linalg.norm(end - begin) / size(begin + part * (end - begin))
    count = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2000)])
    wanted = np.linspace(0, count[-1], max(1, round(count[-1])) + 1)
    points = begin + np.interp(wanted, count, part[:, 0])[:, np.newaxis] * (end - begin)
    points[-1] = end
    return points


def _filling(
    border: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    size: SizeFunction,
    generator: np.random.Generator,
) -> np.ndarray:
    """Points inside a rectangle: random ones first, then more wherever there is room.

    There is room at the centre of a triangle's circumcircle if its radius exceeds the least
    distance of points (L. P. Chew, Guaranteed-quality triangular meshes, Cornell TR 89-983, 1989).
    """

    def allowed(points: np.ndarray, candidates: np.ndarray) -> np.ndarray:
        least = _LEAST * size(candidates)
        margin = np.minimum(candidates - low, high - candidates).min(axis=1)
        inside = margin >= least / 2
        return _apart(points, candidates[inside], least[inside])

    darts = _DARTS * int(np.prod(high - low) / np.min(_LEAST * size(border)) ** 2)
    points = np.vstack([border, allowed(border, generator.uniform(low, high, (darts, 2)))])
    while True:
        centre, radius = _circumcircles(points[scipy.spatial.Delaunay(points).simplices])
        room = radius / (_LEAST * size(centre))
        widest = np.argsort(-room, kind="stable")
        added = allowed(points, centre[widest[room[widest] > 1]])
        if len(added) == 0:
            return points[len(border) :]
        points = np.vstack([points, added])


def _apart(points: np.ndarray, candidates: np.ndarray, least: np.ndarray) -> np.ndarray:
    """The candidates that, in order, keep their least distance from points and from those accepted
    before."""
    free = scipy.spatial.cKDTree(points).query(candidates)[0] >= least
    candidates, least = candidates[free], least[free]
    kept = np.ones(len(candidates), bool)
    for k, near in enumerate(scipy.spatial.cKDTree(candidates).query_ball_point(candidates, least)):
        if kept[k]:
            kept[[other for other in near if other > k]] = False
    return candidates[kept]


def _circumcircles(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Centres (T, 2) and radii (T,) of triangles (T, 3, 2)."""
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    twice = 2 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    uu, vv = (u**2).sum(axis=1), (v**2).sum(axis=1)
    offset = np.column_stack([v[:, 1] * uu - u[:, 1] * vv, u[:, 0] * vv - v[:, 0] * uu])
    offset /= twice[:, np.newaxis]
    return corners[:, 0] + offset, np.linalg.norm(offset, axis=1)
