"""Reads the recordings of `strand simulate`."""

import dataclasses
import zipfile
from pathlib import Path

import numpy as np

from strand.errors import StrandError


@dataclasses.dataclass(frozen=True)
class Recording:
    """What is drawn of a recording: rods and shells, without the edges inside shells."""

    times: np.ndarray  #: s, (T,)
    positions: np.ndarray  #: of the nodes (T, N, 3; m), all finite
    edges: np.ndarray  #: nodes of each edge (E, 2)
    radius: np.ndarray  #: of the edges (E,; m)
    triangles: np.ndarray  #: nodes of each triangle (M, 3)


def read_recording(path: Path) -> Recording:
    """Reads a recording (.npz). Raises StrandError if it is none, or without valid samples."""
    try:
        with np.load(path) as arrays:
            times, positions, edges, radius = (
                arrays[name] for name in ("time", "positions", "edges", "radius")
            )
            triangles = arrays.get("triangles", np.zeros((0, 3), dtype=int))
            ribs = arrays.get("ribs", [])
    except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        allowed = f"a recording of strand simulate ({error})"
        raise StrandError(f"file: got '{path}', allowed: {allowed}") from None
    if not (len(times) and np.isfinite(positions).all()):
        allowed = "a recording with samples, all finite"
        raise StrandError(f"file: got '{path}', allowed: {allowed}")
    kept = np.setdiff1d(np.arange(len(edges)), ribs)
    return Recording(times, positions, edges[kept], radius[kept], triangles)
