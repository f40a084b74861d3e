"""Starting a simulation elsewhere than it is drawn."""

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError, checked
from strand.io.options import FLAG, REALS, instance, read, vector
from strand.simulation.actuation import NO_TWIST
from strand.simulation.addressing import Addressing
from strand.simulation.clamps import Clamps
from strand.simulation.contact import Contact
from strand.simulation.network import Rod, node_positions
from strand.simulation.shell import Shell

_PART = instance(Rod | Shell, "a rod or a shell of this network")


class Placement(Addressing):
    """The part of a Simulation that puts rods and shells where they start from."""

    _clamps: Clamps
    _driven: set[int]  #: degrees of freedom that paths drive
    _twists: bool  #: whether rods twist
    contacts: list[Contact]

    def place(
        self,
        part: Rod | Shell,
        nodes: ArrayLike,
        *,
        twist: ArrayLike | None = None,
        normal: ArrayLike | None = None,
        turn_clamps: bool = True,
    ) -> None:
        """Puts a rod or shell elsewhere, bent or stretched; its natural shape stays the one drawn.

        nodes: m, N x 3, along the rod or as the shell's vertices. What else is joined to a node
        goes along with it, and what holds the node holds it there. A rod's directors follow without
        twist: the first edge's, carried over by the smallest turn, from edge to edge by parallel
        transport; a naturally curved rod is turned to where its curvature fits best, so that it
        may be moved as it is. normal: m1 of the first edge instead, made orthogonal (of straight
        rods that are joined to others and turned). twist: angles of the edges (rad) beside that.
        turn_clamps: clamps turn with the ends; False: they go with their nodes but keep their
        directions, as where an end is held and the rod is bent.

        Velocities stay, and `energy_made` begins anew. Before contact is added, which looks at
        where things are then, and before nodes, edges or clamps of it are driven. Raises
        StrandError on another shape than N x 3, on another network's parts, where something is
        driven or may touch, and where an edge or triangle would have no size.
        """
        read("part", part, _PART)
        kind = type(part)
        index = self.network.index_of("part", part, kind)
        points = node_positions("nodes", nodes)
        if len(points) != len(part.nodes):
            allowed = f"({len(part.nodes)}, 3), a row per node"
            raise StrandError(f"nodes: got shape {points.shape}, allowed: {allowed}")
        turning = read("turn_clamps", turn_clamps, FLAG)
        across = None if normal is None else np.array(read("normal", normal, vector(3, "1")))
        angles = self._twist_angles(part, twist)
        if kind is Shell and across is not None:
            raise StrandError("normal: got one, allowed: none of a shell")
        self._check_free(part)
        if kind is Rod:
            checked(self.core.place_rod, index, points, angles, across, turning)
        else:
            checked(self.core.place_shell, index, points, turning)
        self._clamps.placed(part.nodes)

    def _twist_angles(self, part: Rod | Shell, twist: ArrayLike | None) -> list[float]:
        if twist is None:
            return []
        if isinstance(part, Shell):
            raise StrandError("twist: not allowed for a shell")
        if not self._twists:
            raise StrandError(f"twist: got some, {NO_TWIST}")
        angles = read("twist", twist, REALS)
        if angles.shape != (len(part.edges),) or not np.isfinite(angles).all():
            shown = f"shape {angles.shape}" if np.isfinite(angles).all() else "not finite"
            raise StrandError(f"twist: got {shown}, allowed: {len(part.edges)} angles (rad)")
        return angles.tolist()

    def _check_free(self, part: Rod | Shell) -> None:
        if self.contacts:
            raise StrandError("place: got one after contact was added, allowed: before it")
        dofs = self._node_dofs[part.nodes]
        of_part = {int(dof) for dof in (dofs[:, None] + np.arange(3)).ravel()}
        if isinstance(part, Rod):
            of_part |= {int(dof) for dof in self._edge_dofs[part.edges]}
        if of_part & self._driven or self._clamps.turn_at(part.nodes):
            raise StrandError(
                "place: got one of what is driven, allowed: before move_node, turn_edge, turn_clamp"
            )
