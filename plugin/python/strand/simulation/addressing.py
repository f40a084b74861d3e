"""Nodes and edges of a network by their numbers, and their degrees of freedom in the core."""

from collections.abc import Iterable

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import Kind, read
from strand.simulation.arguments import indices
from strand.simulation.network import Network


def _axes(value: str) -> str:
    if not isinstance(value, str) or not value or set(value) - set("xyz"):
        raise ValueError
    return value


_AXES = Kind("some of x, y, z", _axes)


class Addressing:
    """What all parts of a Simulation know: the network, the core, and which number is what."""

    network: Network
    core: _strand.System
    _node_dofs: np.ndarray  #: of each node's x
    _edge_dofs: np.ndarray  #: of each edge's spin

    def node_dofs(self, node: int | Iterable[int], axes: str = "xyz") -> list[int]:
        """Degrees of freedom of nodes, as the core counts them."""
        return self._dofs(node, axes)

    def spin_dofs(self, edge: int | Iterable[int]) -> list[int]:
        """Degrees of freedom of edges' spins, as the core counts them."""
        return [int(self._edge_dofs[self._edge(each)]) for each in indices("edge", edge)]

    def _lock(self, dofs: list[int]) -> None:
        checked(self.core.lock, dofs, True)

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
        return edge
