"""Obstacles that are triangle meshes. They are part of a network."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import read, vector

if TYPE_CHECKING:
    from strand.simulation.network import Network

_SAME = 1e-6  # allowed distance of a path's start from the mesh, as a fraction of the mesh's size


@dataclass(eq=False)
class ObstacleMesh:
    """An obstacle mesh of a network: its initial vertices (N x 3, m) and triangles (T x 3)."""

    vertices: np.ndarray
    triangles: np.ndarray
    network: "Network" = field(repr=False)
    nodes: range = range(0)  #: nodes in the core; set when a simulation is made

    @property
    def middle(self) -> np.ndarray:
        """Centre of the initial bounding box (3, m)."""
        return (self.vertices.min(axis=0) + self.vertices.max(axis=0)) / 2

    @property
    def size(self) -> float:
        """Diagonal of the initial bounding box (m)."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0)))


@dataclass
class MeshDrive:
    """Drives an obstacle mesh along a path: before each step, to its pose at the step's end."""

    mesh: ObstacleMesh
    core: _strand.System
    path: Callable[[float], ArrayLike | tuple[ArrayLike, ArrayLike]]
    pivot: np.ndarray  #: m, at the initial position
    _begun: bool = False

    def __call__(self, time: float) -> None:
        dofs = (self._dofs[:, None] + np.arange(3)).ravel()
        if not self._begun:
            self._check_start(self.core.time)
            self._begun = True
        checked(self.core.drive, dofs.tolist(), self._at(time).ravel())

    @property
    def _dofs(self) -> np.ndarray:
        return np.array(self.core.node_dofs)[list(self.mesh.nodes)]

    def _at(self, time: float) -> np.ndarray:
        """Positions of the vertices at a time (N x 3, m)."""
        value, where = self.path(time), f"path at t = {time:.6g} s"
        both = isinstance(value, tuple) and len(value) == 2
        given: Any = value if both else (value, (0.0, 0.0, 0.0))
        shift, turn = read(where, given[0], vector(3, "m")), read(where, given[1], vector(3, "rad"))
        arms = scipy.spatial.transform.Rotation.from_rotvec(turn).apply(
            self.mesh.vertices - self.pivot
        )
        return self.pivot + np.array(shift) + arms

    def _check_start(self, time: float) -> None:
        off = float(np.abs(self._at(time) - self.core.positions()[list(self.mesh.nodes)]).max())
        if off > _SAME * self.mesh.size:
            raise StrandError(
                f"path: got an obstacle {off:g} m from where it is at t = {time:g} s, allowed: a"
                " path that starts there; displacements count from the initial position"
            )
