"""One rod of a network, by its indices."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from strand.simulation.network import Network


@dataclass(frozen=True)
class Rod:
    """One rod of a network: the indices of its nodes, edges and joints, in order along it."""

    index: int
    network: "Network" = field(repr=False)

    @property
    def nodes(self) -> list[int]:
        return self.network.core.rod(self.index).node

    @property
    def edges(self) -> list[int]:
        return self.network.core.rod(self.index).edge

    @property
    def joints(self) -> list[int]:
        """The joints at the inner nodes (of a closed rod: at every node)."""
        return self.network.core.rod(self.index).joint
