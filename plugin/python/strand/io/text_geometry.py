"""Text files of nodes, edges and triangles, in the format of MAT-DiSMech and dismech-python."""

import dataclasses
import os
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import checked
from strand.io import options

_NONE: Any = ()  # becomes an array without rows


@dataclasses.dataclass(frozen=True, eq=False)
class TextGeometry:
    """Nodes, and the elements of rods and shells as indices of nodes, from 0 (in files from 1)."""

    nodes: np.ndarray  #: (N, 3) m
    edges: np.ndarray = _NONE  #: (E, 2), the edges of rods
    triangles: np.ndarray = _NONE  #: (T, 3), counter-clockwise

    def __post_init__(self) -> None:
        for name, kind in _KINDS.items():
            object.__setattr__(self, name, options.read(name, getattr(self, name), kind))


def read(path: str | os.PathLike) -> TextGeometry:
    """Reads a file with the sections *Nodes, *Edges and *Triangles, or of the older dialect.

    In the older dialect the nodes of *rodNodes precede those of *shellNodes. Raises StrandError,
    which names file, line, section, and coordinate or corner (i, j, k).
    """
    return TextGeometry(*checked(_strand.read_text_geometry, os.fspath(path)))


def write(path: str | os.PathLike, geometry: TextGeometry) -> None:
    """Writes a file, completely or not at all, from which read() returns the same geometry.

    Raises StrandError if a coordinate is not finite, if an element's nodes do not exist or are not
    different, or if the file cannot be written.
    """
    arrays = (geometry.nodes, geometry.edges, geometry.triangles)
    checked(_strand.write_text_geometry, os.fspath(path), *arrays)


def _elements(corners: int) -> options.Kind[np.ndarray]:
    def read(value: Any) -> np.ndarray:
        array = np.asarray(value)
        if array.size == 0:
            return np.empty((0, corners), np.int32)
        limits = np.iinfo(np.int32)
        if array.ndim != 2 or array.shape[1] != corners or array.dtype.kind not in "iu":
            raise ValueError
        if array.min() < limits.min or array.max() > limits.max:
            raise ValueError
        return array.astype(np.int32)

    return options.Kind(f"an array of integers of shape (n, {corners})", read)


_KINDS = {
    "nodes": options.Kind("an array of shape (n, 3)", options.NODES.read),
    "edges": _elements(2),
    "triangles": _elements(3),
}
