"""A flat hexagon, and a parachute with this canopy."""

import numpy as np

from strand.io import options
from strand.io.text_geometry import TextGeometry
from strand.meshes.lattice import Mesh, flat, numbered, split_cells


def hexagon(side: float, divisions: int) -> Mesh:
    """A regular hexagon in z = 0 about the origin, with two corners on the x axis; normals +z.

    side: m. divisions: edges per side; there are 6 divisions^2 equilateral triangles.
    """
    side = options.read("side", side, options.positive("m"))
    n = options.read("divisions", divisions, options.count(1))
    a, b = np.mgrid[-n : n + 1, -n : n + 1]
    inside = np.abs(a + b) <= n
    points = side / n * np.stack([a + b / 2, np.sqrt(3) / 2 * b], axis=-1)
    return flat(points[inside]), split_cells(numbered(inside))


def parachute(
    side: float = 1.0, divisions: int = 6, depth: float = 0.2, rope_edges: int = 11
) -> TextGeometry:
    """The parachute of MAT-DiSMech: a hexagon, and six straight ropes from corners to a payload.

    side, divisions: of the hexagon (m; default 1 and 6). depth: of the payload below the centre (m;
    default 0.2). rope_edges: edges per rope (default 11). The payload is node 0; ropes run from it
    to the corners.
    """
    depth = options.read("depth", depth, options.positive("m"))
    rope_edges = options.read("rope_edges", rope_edges, options.count(1))
    canopy, triangles = hexagon(side, divisions)
    payload = np.array([0.0, 0.0, -depth])
    corners = np.argsort(-np.linalg.norm(canopy, axis=1), kind="stable")[:6]
    part = (np.arange(1, rope_edges) / rope_edges)[:, np.newaxis]
    ropes = [payload + part * (canopy[corner] - payload) for corner in corners]
    first = 1 + 6 * (rope_edges - 1)  # of the canopy's nodes
    inner = np.arange(1, first).reshape(6, -1)
    chain = np.column_stack([np.zeros(6, int), inner, first + corners])
    return TextGeometry(
        nodes=np.vstack([payload, *ropes, canopy]),
        edges=np.stack([chain[:, :-1], chain[:, 1:]], axis=-1).reshape(-1, 2),
        triangles=triangles + first,
    )
