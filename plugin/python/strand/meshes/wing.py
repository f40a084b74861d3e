"""The outline of a manta ray."""

import numpy as np

from strand import options
from strand.meshes.lattice import Mesh, flat, split_cells

_HALF_SPAN = np.sqrt(3) / 2  # m


def manta(divisions: int) -> Mesh:
    """The manta ray of MAT-DiSMech in z = 0, symmetric about x = 0, a line of edges; normals +z.

    x from -sqrt(3)/2 to sqrt(3)/2 m. With t = 1 - |x| / (sqrt(3)/2), the leading edge is y = t / 2
    and the trailing edge y = -(10/81) t^2 (9 - 5 t) (m). A column of vertices stands at each of
    2 divisions + 1 equally spaced x, equally spaced from edge to edge: 2 divisions^2 triangles.
    """
    n = options.read("divisions", divisions, options.count(1))
    # A rhombus with corners ahead, behind and at the tips: its sides lead from the front corner to
    # the tips, `right` and `left` steps along them.
    right, left = np.mgrid[0 : n + 1, n:-1:-1]
    column = right - left
    t = 1 - np.abs(column) / n
    leading, trailing = t / 2, -10 / 81 * t**2 * (9 - 5 * t)
    part = np.minimum(right, left) / np.maximum(n - np.abs(column), 1)
    points = np.stack([column / n * _HALF_SPAN, leading + part * (trailing - leading)], axis=-1)
    number = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    return flat(points.reshape(-1, 2)), split_cells(number)
