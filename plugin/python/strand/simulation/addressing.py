"""Degrees of freedom of nodes and edges, by their indices in the network."""

from collections.abc import Iterable

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import Kind, read
from strand.simulation.arguments import indices
from strand.simulation.drives import Drives
from strand.simulation.network import Network


def _axes(value: str) -> str:
    if not isinstance(value, str) or not value or set(value) - set("xyz"):
        raise ValueError
    return value


_AXES = Kind("some of x, y, z", _axes)


class Addressing:
    """Base of all parts of a Simulation: the network, the core, and the degrees of freedom."""

    network: Network
    core: _strand.System
    _node_dofs: np.ndarray  #: degree of freedom of the x of each node; y and z follow
    _edge_dofs: np.ndarray  #: degree of freedom of the spin of each edge
    _absent: set[int]  #: degrees of freedom locked for good: out of the plane, spins without twist
    _drives: Drives

    def node_dofs(self, node: int | Iterable[int], axes: str = "xyz") -> list[int]:
        """Indices in the core of the degrees of freedom of nodes, in some of the axes x, y, z."""
        return self._dofs(node, axes)

    def spin_dofs(self, edge: int | Iterable[int]) -> list[int]:
        """Indices in the core of the degrees of freedom of the spins of edges."""
        return [int(self._edge_dofs[self._edge(each)]) for each in indices("edge", edge)]

    def _lock(self, dofs: list[int]) -> None:
        """Fixes degrees of freedom where they are."""
        self._drives.end(dofs)
        checked(self.core.lock, dofs, True)

    def _free(self, dofs: list[int]) -> None:
        """Releases degrees of freedom."""
        self._drives.end(dofs)
        checked(self.core.lock, [dof for dof in dofs if dof not in self._absent], False)

    def _nodes(self, node: int | Iterable[int]) -> list[int]:
        count, nodes = len(self._node_dofs), indices("node", node)
        for each in nodes:
            if not -count <= each < count:
                raise StrandError(f"node: got '{each}', allowed: 0 to {count - 1}")
        return [each % count for each in nodes]

    def _dofs(self, node: int | Iterable[int], axes: str) -> list[int]:
        axes, nodes = read("axes", axes, _AXES), self._nodes(node)
        return [int(self._node_dofs[each]) + "xyz".index(a) for each in nodes for a in axes]

    def _edge(self, edge: int) -> int:
        count = len(self._edge_dofs)
        if not -count <= edge < count:
            raise StrandError(f"edge: got '{edge}', allowed: 0 to {count - 1}")
        return edge % count
