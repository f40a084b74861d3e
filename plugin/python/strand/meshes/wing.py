"""The outline of a manta ray."""

import numpy as np

from strand.io import options
from strand.meshes.lattice import Mesh, flat, numbered, split_cells

_HALF_SPAN = np.sqrt(3) / 2  # m
_ROOM = 0.25  # edges between the trailing edge and the vertices ahead of it, at least


def manta(divisions: int) -> Mesh:
    """The manta ray of MAT-DiSMech in z = 0, symmetric about x = 0, a line of edges; normals +z.

    x from -sqrt(3)/2 to sqrt(3)/2 m. With t = 1 - |x| / (sqrt(3)/2), the leading edge is y = t / 2
    and the trailing edge y = -(10/81) t^2 (9 - 5 t) (m). Behind the leading edge lies a lattice of
    equilateral triangles, of edge 1 / divisions (m); in each of its columns one vertex on the
    trailing edge takes the place of those that are behind it, or right ahead of it. With
    `divisions` = 10, and to a micrometre, these are the published vertices.
    """
    n = options.read("divisions", divisions, options.count(1))
    # A rhombus with corners ahead, behind and at the tips: its sides lead from the front corner to
    # the tips, `right` and `left` steps along them.
    right, left = np.mgrid[0 : n + 1, n:-1:-1]
    column, back = right - left, np.minimum(right, left)
    t = 1 - np.abs(column) / n
    leading, trailing = t / 2, -10 / 81 * t**2 * (9 - 5 * t)
    last = np.ceil(n * (leading - trailing) - _ROOM).astype(int)
    y = np.where(back < last, leading - back / n, trailing)
    points = np.stack([column / n * _HALF_SPAN, y], axis=-1)
    kept = back <= last
    gone = np.maximum(back - last, 0)
    number = numbered(kept)[right - gone, n - left + gone]  # of the vertex, or that in its place
    triangles = split_cells(number)
    distinct = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return flat(points[kept]), triangles[distinct]
