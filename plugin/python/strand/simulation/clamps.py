"""Clamps: ends of rods, or edges of a shell's rim, whose direction is fixed.

The core fixes a direction by a massless node half a joint beyond the end. This module makes that
node follow its owners, the nodes at the end: if they are fixed or driven, it is driven, too; if
they can slide, it is tied to them. Users do not see it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import scipy

from strand import _strand
from strand.errors import StrandError, checked
from strand.simulation.arguments import spread
from strand.simulation.network import Clamp, Network
from strand.simulation.rod import Rod

_SHARPEST = np.radians(170)  # largest turn of a clamp's direction in one step


@dataclass(eq=False)
class _Held:
    """A clamp's node and the motion of its owners, which it follows."""

    clamp: Clamp
    home: np.ndarray  #: m, reference position of the clamp's node
    since: np.ndarray  #: m, displacement of each owner when the node was at `home`
    turn: Callable[[float], np.ndarray] | None = None
    arm: np.ndarray = field(default_factory=lambda: np.zeros(3))  #: m, from its owner to `home`
    director: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tie: _strand.Ties | None = None
    tied_at: np.ndarray = field(default_factory=lambda: np.zeros(3))  #: m, from the owners' mean


class Clamps:
    """The clamps of a simulation's network; `core` is the simulation's system."""

    def __init__(self, network: Network, core: _strand.System) -> None:
        self._network, self._core = network, core
        self._displaced: dict[int, np.ndarray] = {}
        self._node_dofs, self._edge_dofs = np.array(core.node_dofs), np.array(core.edge_dofs)
        where = core.positions()
        self._held = [
            _Held(clamp, where[clamp.node], np.zeros((len(clamp.owners), 3)))
            for clamp in network.clamps
        ]
        self.owners = self._all_owners()
        self._standing = True  # no owner is driven and no clamp is turned

    def anchor(self, nodes: Iterable[int]) -> None:
        """Nodes will be driven: their displacements count from their current positions."""
        nodes, where = set(nodes), self._core.positions()
        for held in self._held:
            if nodes & set(held.clamp.owners):
                held.home = where[held.clamp.node]
        for node in nodes:
            self._displaced[node] = np.zeros(3)
        for held in self._held:
            if nodes & set(held.clamp.owners):
                held.since = self._displacements(held)
        self._standing = False

    def placed(self, nodes: Iterable[int]) -> None:
        """Takes over new positions of the clamps at these nodes, which are not driven."""
        nodes, where = set(nodes), self._core.positions()
        for held in self._held:
            if nodes & set(held.clamp.owners):
                held.home = where[held.clamp.node]

    def turn_at(self, nodes: Iterable[int]) -> bool:
        """True if a clamp at any of these nodes is turned by a function."""
        nodes = set(nodes)
        return any(held.turn is not None and nodes & set(held.clamp.owners) for held in self._held)

    def displace(self, nodes: Iterable[int], displacements: np.ndarray) -> None:
        """Sets the displacements (m) of driven nodes, which their clamps follow."""
        self._displaced.update(zip(nodes, displacements, strict=True))

    def turn(self, rod: int, end: str, turn: Callable[[float], np.ndarray]) -> None:
        """Turns the clamp at a rod's end by `turn(t)`, a rotation vector (rad) from its current
        direction."""
        held = self._at(rod, end)
        where = self._core.positions()
        held.home, held.since = where[held.clamp.node], self._displacements(held)
        held.arm = held.home - where[held.clamp.owners[0]]
        held.director = np.array(self._core.directors()[held.clamp.edge])
        held.turn = turn
        self._standing = False

    def release(self, rod: Rod, end: str) -> tuple[int, int]:
        """Forgets the clamp at a rod's end. Returns the node and the degree of freedom of the spin
        that it held; both are still fixed.

        From now on the clamp's node continues the last edge, its spin follows, and its joint does
        not bend.
        """
        held = self._at(rod.index, end)
        self._held.remove(held)
        self.owners = self._all_owners()
        if held.tie is not None:
            held.tie.release(self._core)
        clamp, (owner,) = held.clamp, held.clamp.owners
        inner, last = (1, rod.edges[0]) if end == "start" else (-2, rod.edges[-1])
        GJ = self._network.material()[last, 3]
        for joint, edges in enumerate(self._network.core.joint_edges()):
            if clamp.edge in edges:
                twisting = GJ if last in edges else 0.0
                checked(self._core.set_joint_stiffness, joint, (0.0, 0.0), twisting)
        dofs = self._node_dofs[clamp.node] + np.arange(3)
        checked(self._core.lock, dofs.tolist(), False)
        checked(self._core.extend, clamp.node, owner, rod.nodes[inner])
        return owner, int(self._edge_dofs[clamp.edge])

    def tie_to_free(self, free: Callable[[int], bool]) -> None:
        """Ties clamps to their owners if any of these is free; `free(node)` tells whether it is."""
        for held in self._held:
            if held.tie is not None or not any(map(free, held.clamp.owners)):
                continue
            where, owners = self._core.positions(), list(held.clamp.owners)
            held.tied_at = where[held.clamp.node] - where[owners].mean(axis=0)
            # A shell's edge may turn in the plane in which it slides: only the component across
            # the edge is kept.
            if len(owners) == 2:
                along = where[owners[1]] - where[owners[0]]
                held.tied_at -= held.tied_at @ along / (along @ along) * along
            dofs = self._node_dofs[held.clamp.node] + np.arange(3)
            checked(self._core.lock, dofs.tolist(), False)
            held.tie = checked(self._core.add_following, held.clamp.node, owners, held.tied_at)

    def follow(self, time: float) -> None:
        """Moves the clamps' nodes to their positions at `time` (s)."""
        if self._standing:
            return
        for held in self._held:
            if held.tie is not None:
                if held.turn is not None:
                    turned = self._turned(held, spread("turn", held.turn(time), (3,)))
                    held.tie.set_offset(held.tied_at + turned)
                continue
            moved = (self._displacements(held) - held.since).mean(axis=0)
            target = held.home + moved
            if held.turn is not None:
                target = target + self._turned(held, spread("turn", held.turn(time), (3,)))
            dofs = self._node_dofs[held.clamp.node] + np.arange(3)
            checked(self._core.drive, dofs.tolist(), target)

    def reactions(self, gradient: np.ndarray, reactions: np.ndarray) -> None:
        """Adds the forces of the clamps to the reactions of the nodes (N x 3, N)."""
        for held in self._held:
            if held.tie is not None:
                continue  # a tied clamp takes a moment only
            owners = list(held.clamp.owners)
            reactions[owners] += self._force(held, gradient) / len(owners)

    def moments(self, gradient: np.ndarray, count: int) -> np.ndarray:
        """The moments of the clamps about their nodes (count x 3, N m)."""
        where, moments = self._core.positions(), np.zeros((count, 3))
        for held in self._held:
            owners = list(held.clamp.owners)
            arm = where[held.clamp.node] - where[owners].mean(axis=0)
            moment = np.cross(arm, self._force(held, gradient))
            if held.clamp.edge >= 0:
                along = (arm if held.clamp.end == "end" else -arm) / np.linalg.norm(arm)
                moment += gradient[self._edge_dofs[held.clamp.edge]] * along
            moments[owners] += moment / len(owners)
        return moments

    def _force(self, held: _Held, gradient: np.ndarray) -> np.ndarray:
        """The force that holds the clamp's node (N)."""
        if held.tie is not None:
            return -held.tie.tension(self._core)
        return gradient[self._node_dofs[held.clamp.node] + np.arange(3)]

    def _at(self, rod: int, end: str) -> _Held:
        for held in self._held:
            if (held.clamp.rod, held.clamp.end) == (rod, end):
                return held
        raise StrandError(f"end: got '{end}' of rod {rod}, allowed: ends that are clamped")

    def _all_owners(self) -> list[int]:
        return sorted({owner for held in self._held for owner in held.clamp.owners})

    def _displacements(self, held: _Held) -> np.ndarray:
        return np.array([self._displaced.get(node, np.zeros(3)) for node in held.clamp.owners])

    def _turned(self, held: _Held, angles: np.ndarray) -> np.ndarray:
        """The displacement (m) of a clamp's node by a turn. Also drives the spin of its edge.

        The core measures an edge's angle relative to its frame at the start of a step, which is
        transported to the direction of the edge at the end.
        """
        rotation = scipy.spatial.transform.Rotation.from_rotvec(np.array(angles))
        arm, edge = rotation.apply(held.arm), self._edge_dofs[held.clamp.edge]
        where = self._core.positions()
        now = where[held.clamp.node] - where[held.clamp.owners[0]]
        now, then = now / np.linalg.norm(now), arm / np.linalg.norm(arm)
        axis = np.cross(now, then)
        angle = np.arctan2(np.linalg.norm(axis), now @ then)
        if angle > _SHARPEST:
            raise StrandError(
                f"turn: got {np.degrees(angle):.0f} degrees in a step, allowed: less than 170;"
                " take a shorter dt"
            )
        director = np.array(self._core.directors()[held.clamp.edge])
        if angle > 0:
            axis *= angle / np.linalg.norm(axis)
            director = scipy.spatial.transform.Rotation.from_rotvec(axis).apply(director)
        wanted = rotation.apply(held.director)
        along = then if held.clamp.end == "end" else -then
        spin = np.arctan2(np.cross(director, wanted) @ along, director @ wanted)
        checked(self._core.drive, [int(edge)], self._core.q[[edge]] + spin)
        return arm - held.arm
