"""Spheres from an icosahedron."""

import numpy as np

from strand.io import options
from strand.meshes.lattice import Mesh, numbered, split_cells


def hemisphere(radius: float, divisions: int) -> Mesh:
    """The half z >= 0 of a sphere about the origin, normals outward; vertex 0 is the apex.

    radius: m. divisions: there are 40 divisions^2 triangles, and 10 divisions vertices on the rim.

    It is an icosahedron with a corner at the apex, whose edges are divided into 2 divisions parts,
    projected onto the sphere. Edges then lie in the plane z = 0.
    """
    radius = options.read("radius", radius, options.positive("m"))
    n = 2 * options.read("divisions", divisions, options.count(1))
    a, b = np.mgrid[0 : n + 1, 0 : n + 1]
    inside = a + b <= n
    weight = np.column_stack([(n - a - b)[inside], a[inside], b[inside]]) / n
    local = split_cells(numbered(inside))
    faces = _icosahedron_above_its_lowest_corner()
    points = (weight @ faces).reshape(-1, 3)
    triangles = np.concatenate([local + k * len(weight) for k in range(len(faces))])
    points, triangles = _welded(points, triangles[points[triangles, 2].sum(axis=1) > 1e-9])
    points[np.abs(points[:, 2]) < 1e-9, 2] = 0
    return radius * points / np.linalg.norm(points, axis=1)[:, np.newaxis], triangles


def _icosahedron_above_its_lowest_corner() -> np.ndarray:
    """The 15 faces without the lowest corner, shape (15, 3, 3), radius 1; corners counter-clockwise
    from outside."""
    apex = np.array([0.0, 0.0, 1.0])
    angle = 2 * np.pi / 5 * np.arange(5)
    height = 1 / np.sqrt(5)
    upper = np.column_stack([2 * height * np.cos(angle), 2 * height * np.sin(angle)])
    upper = np.column_stack([upper, np.full(5, height)])
    lower = -np.roll(upper, 2, axis=0)  # lower[k] is between upper[k] and upper[k + 1]
    faces = []
    for k in range(5):
        following = (k + 1) % 5
        faces += [
            (apex, upper[k], upper[following]),
            (upper[k], lower[k], upper[following]),
            (lower[k], lower[following], upper[following]),
        ]
    return np.array(faces)


def _welded(points: np.ndarray, triangles: np.ndarray) -> Mesh:
    """The mesh without unused and repeated vertices, which are sorted from top to bottom."""
    used = points[triangles].reshape(-1, 3)
    _, first, number = np.unique(
        np.round(used * [1, 1, -1], 9)[:, ::-1], axis=0, return_index=True, return_inverse=True
    )
    return used[first], number.reshape(-1, 3)
