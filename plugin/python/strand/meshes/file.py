"""Reads meshes from files."""

from pathlib import Path

import numpy as np

from strand.errors import StrandError, reason
from strand.io import options

Mesh = tuple[np.ndarray, np.ndarray]
_FORMATS = {".stl", ".obj", ".ply", ".off"}


def read(path: str | Path, scale: float = 1.0) -> Mesh:
    """Vertices (N, 3) in m and triangles (T, 3) of an STL, OBJ, PLY or OFF file.

    path: the file, whose parts are merged into one mesh. scale: m per unit of the file (default 1;
    1e-3 for millimetres).

    Coincident vertices are merged; triangles without area are removed. Raises StrandError if the
    file cannot be read or has no triangles.
    """
    import trimesh

    path, scale = Path(path), options.read("scale", scale, options.positive("m per unit"))
    if path.suffix.lower() not in _FORMATS:
        raise StrandError(f"path: got '{path}', allowed: {', '.join(sorted(_FORMATS))}")
    try:
        mesh = trimesh.load_mesh(path, process=True)
    except Exception as error:  # readers of different formats raise different errors
        raise StrandError(
            f"path: got '{path}', allowed: a readable mesh ({reason(error)})"
        ) from None
    if not isinstance(mesh, trimesh.Trimesh) or not np.isfinite(mesh.vertices).all():
        raise StrandError(f"path: got '{path}', allowed: triangles with finite coordinates")
    mesh.merge_vertices(merge_tex=True, merge_norm=True)
    mesh.update_faces(mesh.nondegenerate_faces() & mesh.unique_faces())
    mesh.remove_unreferenced_vertices()
    if len(mesh.faces) == 0:
        raise StrandError(f"path: got '{path}', without triangles, allowed: one or more")
    return scale * np.array(mesh.vertices), np.array(mesh.faces, dtype=int)
