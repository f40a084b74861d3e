"""Starting a simulation in a configuration other than the rest shape."""

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError, checked
from strand.io.options import FLAG, REALS, instance, read, vector
from strand.simulation.actuation import NO_TWIST
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import node_positions
from strand.simulation.clamps import Clamps
from strand.simulation.contact import Contact
from strand.simulation.rod import Rod
from strand.simulation.shell import Shell
from strand.simulation.supports import Guide

_PART = instance(Rod | Shell, "a rod or a shell of this network")


class Placement(Addressing):
    """The part of a Simulation that sets the initial configuration of rods and shells."""

    _clamps: Clamps
    _guides: list[Guide]
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
        """Moves a rod or shell to new positions, bent or stretched. Its rest shape is unchanged.

        part: a rod or shell of this network.
        nodes: new positions (N x 3, m), in order along the rod or of the shell's vertices. Other
            parts that are joined to a node move with it, and supports fix or guide it there.
        twist: additional angles of the edges of a rod (one per edge, rad; default 0).
        normal: m1 of the first edge of a rod, made orthogonal to it. Needed for straight rods that
            are joined to others and turned. By default the directors follow without twist: those of
            the first edge by the smallest rotation, the others by parallel transport from edge to
            edge; a naturally curved rod is turned about itself to where its curvature fits best, so
            that it can be moved undeformed.
        turn_clamps: clamps turn with the ends (default). False: they move with their nodes but keep
            their directions, as when a clamped rod is bent.

        Velocities are unchanged, and `energy_made` is reset. Call it before contact is added, which
        checks the positions at that time, and before nodes, edges or clamps of the part are driven.
        Raises StrandError if `nodes` is not N x 3, for a part of another network, if the part is
        driven, if contact has been added, and if an edge or triangle would have no size.
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
            raise StrandError("normal: got one for a shell, allowed: for a rod only")
        self._check_free(part)
        if kind is Rod:
            checked(self.core.place_rod, index, points, angles, across, turning)
        else:
            checked(self.core.place_shell, index, points, turning)
        self._clamps.placed(part.nodes)
        for guide in self._guides:
            if guide.node in part.nodes:
                guide.placed()

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
            raise StrandError("place: got a call after contact was added, allowed: before")
        dofs = self._node_dofs[part.nodes]
        of_part = {int(dof) for dof in (dofs[:, None] + np.arange(3)).ravel()}
        if isinstance(part, Rod):
            of_part |= {int(dof) for dof in self._edge_dofs[part.edges]}
        if self._drives.any_of(of_part) or self._clamps.turn_at(part.nodes):
            raise StrandError(
                "place: got a part that is driven, allowed: before move_node, turn_edge, turn_clamp"
            )
