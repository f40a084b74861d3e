"""The outline of a manta ray."""

import numpy as np

from strand.io import options
from strand.meshes.lattice import Mesh, flat, numbered, split_cells

_HALF_SPAN = np.sqrt(3) / 2  # m
_ROOM = 0.25  # least distance of vertices ahead of the trailing edge, in edge lengths


def manta(divisions: int) -> Mesh:
    """The manta ray of MAT-DiSMech in z = 0, symmetric about x = 0, along which edges lie; normals
    +z.

    x is from -sqrt(3)/2 to sqrt(3)/2 m. With t = 1 - |x| / (sqrt(3)/2), the leading edge is
    y = t / 2 and the trailing edge y = -(10/81) t^2 (9 - 5 t) (m). Behind the leading edge is a
    lattice of equilateral triangles with edges of 1 / divisions (m). In each of its columns one
    vertex on the trailing edge replaces the vertices behind it or just ahead of it. With
    `divisions` = 10 the vertices agree with the published ones to a micrometre.
    """
    n = options.read("divisions", divisions, options.count(1))
    # A rhombus with corners at the front, the back and the tips. `right` and `left` count steps
    # along its sides from the front corner to the tips.
    right, left = np.mgrid[0 : n + 1, n:-1:-1]
    column, back = right - left, np.minimum(right, left)
    t = 1 - np.abs(column) / n
    leading, trailing = t / 2, -10 / 81 * t**2 * (9 - 5 * t)
    last = np.ceil(n * (leading - trailing) - _ROOM).astype(int)
    y = np.where(back < last, leading - back / n, trailing)
    points = np.stack([column / n * _HALF_SPAN, y], axis=-1)
    kept = back <= last
    gone = np.maximum(back - last, 0)
    # The index of each vertex, or of the vertex that replaces it.
    number = numbered(kept)[right - gone, n - left + gone]
    triangles = split_cells(number)
    distinct = (triangles != np.roll(triangles, 1, axis=1)).all(axis=1)
    return flat(points[kept]), triangles[distinct]
