"""Flat rectangles (strips or plates) with five families of meshes."""

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import scipy

from strand.errors import StrandError
from strand.io import options
from strand.meshes.lattice import Mesh, flat, split_cells
from strand.meshes.scatter import scattered


def strip(
    length: float,
    width: float,
    size: float,
    family: str = "equilateral",
    rows: Sequence[float] = (),
    seed: int = 0,
) -> Mesh:
    """A rectangle in z = 0, x from 0 to `length` and y from 0 to `width` (m); normals +z.

    size: edge length (m), which is fitted to the sides. rows: x (m) of additional lines of edges
    across the strip (default none). seed: of random meshes (default 0). family: the type of mesh:

    - equilateral (default): rows of vertices along x, every second row shifted by half an edge,
      with half triangles at the ends and at `rows`;
    - equilateral_aligned: the same with rows along y, so that whole triangles lie along the ends;
    - right_isosceles: squares, all split by the same diagonal;
    - random: random vertices, no two closer than 3/4 size, chosen by `seed`;
    - non_uniform: the same with edges from 3/4 size in the middle to 3/2 size far from it.
    """
    length = options.read("length", length, options.positive("m"))
    width = options.read("width", width, options.positive("m"))
    size = options.read("size", size, options.positive("m"))
    seed = options.read("seed", seed, options.count(0))
    family = options.read("family", family, options.choice(*FAMILIES))
    if size > min(length, width):
        raise StrandError(f"size: got {size!r}, allowed: at most the shorter side (m)")
    points, triangles = _MAKERS[family](_stations(length, size, rows), width, size, seed)
    return flat(points), triangles


def _stations(length: float, size: float, rows: Sequence[float]) -> np.ndarray:
    allowed = "positions that increase from 0 to length, size / 2 or more apart (m)"
    rows = options.read("rows", rows, options.numbers(0, 1000, allowed))
    stations = np.array([0.0, *rows, length])
    if not (np.diff(stations) >= size / 2).all():
        raise StrandError(f"rows: got {list(rows)!r}, allowed: {allowed}")
    return stations


def _equilateral(stations: np.ndarray, width: float, size: float, seed: int) -> Mesh:
    sides = np.array([0.0, width])
    points = _shifted_rows(_refined(sides, np.sqrt(3) / 2 * size), stations, size)
    return points, _triangles_between(points, stations)


def _equilateral_aligned(stations: np.ndarray, width: float, size: float, seed: int) -> Mesh:
    sides = np.array([0.0, width])
    points = _shifted_rows(_refined(stations, np.sqrt(3) / 2 * size), sides, size)[:, ::-1]
    return points, _triangles_between(points, stations)


def _right_isosceles(stations: np.ndarray, width: float, size: float, seed: int) -> Mesh:
    x, y = _refined(stations, size), _refined(np.array([0.0, width]), size)
    points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    return points, split_cells(np.arange(len(points)).reshape(len(x), len(y)))


def _random(stations: np.ndarray, width: float, size: float, seed: int) -> Mesh:
    points = scattered(stations, width, lambda points: np.full(len(points), size), seed)
    return points, _triangles_between(points, stations)


def _non_uniform(stations: np.ndarray, width: float, size: float, seed: int) -> Mesh:
    middle = np.array([stations[-1], width]) / 2
    reach = max(stations[-1] / 6, 3 * size)  # wide enough for neighbours to have similar sizes

    def local_size(points: np.ndarray) -> np.ndarray:
        distance = np.linalg.norm(points - middle, axis=1)
        return size * (1.5 - 0.75 * np.exp(-((distance / reach) ** 2) / 2))

    points = scattered(stations, width, local_size, seed)
    return points, _triangles_between(points, stations)


def _refined(stations: np.ndarray, size: float) -> np.ndarray:
    """The stations, and points between them at distances of about `size`."""
    pieces = [
        np.linspace(begin, end, max(1, round((end - begin) / size)), endpoint=False)
        for begin, end in itertools.pairwise(stations)
    ]
    return np.concatenate([*pieces, stations[-1:]])


def _shifted_rows(rows: np.ndarray, stations: np.ndarray, size: float) -> np.ndarray:
    """Points (along, across) in rows at the given positions across, every second row shifted."""
    even = _refined(stations, size)
    odd = np.union1d(stations, (even[:-1] + even[1:]) / 2)
    return np.concatenate(
        [
            np.column_stack([along, np.full(len(along), across)])
            for along, across in zip([even, odd] * len(rows), rows, strict=False)
        ]
    )


def _triangles_between(points: np.ndarray, stations: np.ndarray) -> np.ndarray:
    """Delaunay triangles of each piece between two stations, so that edges lie along stations."""
    pieces = []
    for begin, end in itertools.pairwise(stations):
        inside = np.flatnonzero((points[:, 0] >= begin) & (points[:, 0] <= end))
        pieces.append(inside[scipy.spatial.Delaunay(points[inside]).simplices])
    triangles = np.concatenate(pieces)
    (ux, uy), (vx, vy) = ((points[triangles[:, k]] - points[triangles[:, 0]]).T for k in (1, 2))
    clockwise = ux * vy < uy * vx
    triangles[clockwise] = triangles[clockwise][:, ::-1]
    return triangles


_MAKERS: dict[str, Callable[[np.ndarray, float, float, int], Mesh]] = {
    "equilateral": _equilateral,
    "random": _random,
    "right_isosceles": _right_isosceles,
    "equilateral_aligned": _equilateral_aligned,
    "non_uniform": _non_uniform,
}

#: The names of the five families.
FAMILIES = tuple(_MAKERS)
