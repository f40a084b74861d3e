"""Refinement of meshes."""

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.io.options import positive, read
from strand.meshes.file import Mesh

_MOST = 4_000_000  # triangles


def refined(vertices: ArrayLike, triangles: ArrayLike, longest: float) -> Mesh:
    """The same surface with all triangles split at the middles of their sides, repeatedly, until no
    side is longer than `longest`.

    vertices: N x 3, m. triangles: T x 3. longest: m. Returns vertices and triangles. Raises
    StrandError if that needs more than 4 million triangles.
    """
    import trimesh

    limit = read("longest", longest, positive("m"))
    mesh = np.array(vertices, dtype=float), np.array(triangles, dtype=int)
    while (length := longest_side(*mesh)) > limit:
        if 4 * len(mesh[1]) > _MOST:
            raise StrandError(
                f"longest: got {longest}, allowed: lengths that need up to {_MOST:,} triangles; "
                f"{len(mesh[1]):,} triangles have sides of {length:.3g} m"
            )
        mesh = trimesh.remesh.subdivide(*mesh)[:2]
    return mesh


def longest_side(vertices: np.ndarray, triangles: np.ndarray) -> float:
    """The longest side of all triangles (m)."""
    corners = vertices[triangles]
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1).max(initial=0))
