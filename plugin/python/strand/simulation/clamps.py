"""Clamps: an end of a rod, or a side of a shell, that is held with its direction.

The core holds a direction by a node that no mass belongs to, half a joint beyond the end. Here it
follows what it belongs to, and nobody else sees it: where its owners are held or driven, it is
driven, too; where they can slide, it is tied to them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from scipy.spatial.transform import Rotation

from strand import _strand
from strand.errors import StrandError, checked
from strand.simulation.arguments import spread
from strand.simulation.network import Clamp, Network

_SHARPEST = np.radians(170)  # of a clamp's direction, in one step


@dataclass
class _Held:
    """The node that stands for a clamp, and what it follows."""

    clamp: Clamp
    home: np.ndarray  #: m, before what its owners have moved since
    since: np.ndarray  #: m, displacement of each owner at that time
    turn: Callable[[float], np.ndarray] | None = None
    arm: np.ndarray = field(default_factory=lambda: np.zeros(3))  #: m, from its owner
    director: np.ndarray = field(default_factory=lambda: np.zeros(3))
    tie: _strand.Ties | None = None
    tied_at: np.ndarray = field(default_factory=lambda: np.zeros(3))  #: m, from its owners' mean


class Clamps:
    """The clamps of a simulation's network; `core` is its system."""

    def __init__(self, network: Network, core: _strand.System) -> None:
        self._core = core
        self._displaced: dict[int, np.ndarray] = {}
        self._node_dofs, self._edge_dofs = np.array(core.node_dofs), np.array(core.edge_dofs)
        where = core.positions()
        self._held = [
            _Held(clamp, where[clamp.node], np.zeros((len(clamp.owners), 3)))
            for clamp in network.clamps
        ]
        self.owners = sorted({owner for clamp in network.clamps for owner in clamp.owners})
        self._standing = True  # nothing moves

    def anchor(self, nodes: Iterable[int]) -> None:
        """From now on nodes are displaced from where they are."""
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
        """Clamps at these nodes, which nothing drives, have been put elsewhere."""
        nodes, where = set(nodes), self._core.positions()
        for held in self._held:
            if nodes & set(held.clamp.owners):
                held.home = where[held.clamp.node]

    def turn_at(self, nodes: Iterable[int]) -> bool:
        """Whether clamps at any of these nodes are turned."""
        nodes = set(nodes)
        return any(held.turn is not None and nodes & set(held.clamp.owners) for held in self._held)

    def displace(self, nodes: Iterable[int], displacements: np.ndarray) -> None:
        self._displaced.update(zip(nodes, displacements, strict=True))

    def turn(self, rod: int, end: str, turn: Callable[[float], np.ndarray]) -> None:
        """Turns the clamp at a rod's end by a rotation vector (rad) from where it is now."""
        for held in self._held:
            if (held.clamp.rod, held.clamp.end) == (rod, end):
                break
        else:
            raise StrandError(f"end: got '{end}' of rod {rod}, allowed: ends that are clamped")
        where = self._core.positions()
        held.home, held.since = where[held.clamp.node], self._displacements(held)
        held.arm = held.home - where[held.clamp.owners[0]]
        held.director = np.array(self._core.directors()[held.clamp.edge])
        held.turn = turn
        self._standing = False

    def let_slide(self, free: Callable[[int], bool]) -> None:
        """Ties clamps to their owners where not all of these are held; `free` tells of a node."""
        for held in self._held:
            if held.tie is not None or not any(map(free, held.clamp.owners)):
                continue
            where, owners = self._core.positions(), list(held.clamp.owners)
            held.tied_at = where[held.clamp.node] - where[owners].mean(axis=0)
            if len(owners) == 2:  # across the edge, which may turn in the plane that it slides in
                along = where[owners[1]] - where[owners[0]]
                held.tied_at -= held.tied_at @ along / (along @ along) * along
            dofs = self._node_dofs[held.clamp.node] + np.arange(3)
            checked(self._core.lock, dofs.tolist(), False)
            held.tie = checked(self._core.add_following, held.clamp.node, owners, held.tied_at)

    def follow(self, time: float) -> None:
        """Drives what stands for the clamps to where they are at `time`."""
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
        """Adds to the nodes' reactions (N x 3, N) what their clamps bear."""
        for held in self._held:
            if held.tie is not None:
                continue  # it takes nothing but a moment
            owners = list(held.clamp.owners)
            reactions[owners] += self._force(held, gradient) / len(owners)

    def moments(self, gradient: np.ndarray, count: int) -> np.ndarray:
        """What clamps bear beside that (count x 3, N m), about their nodes."""
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
        """What holds the node that stands for a clamp (N)."""
        if held.tie is not None:
            return -held.tie.tension(self._core)
        return gradient[self._node_dofs[held.clamp.node] + np.arange(3)]

    def _displacements(self, held: _Held) -> np.ndarray:
        return np.array([self._displaced.get(node, np.zeros(3)) for node in held.clamp.owners])

    def _turned(self, held: _Held, angles: np.ndarray) -> np.ndarray:
        """How far (m) a turn takes the node that stands for a clamp; drives its edge's spin, too.

        The core keeps an edge's angle against its frame at the start of a step, transported to the
        direction that it ends with.
        """
        rotation = Rotation.from_rotvec(np.array(angles))
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
            director = Rotation.from_rotvec(axis).apply(director)
        wanted = rotation.apply(held.director)
        along = then if held.clamp.end == "end" else -then
        spin = np.arctan2(np.cross(director, wanted) @ along, director @ wanted)
        checked(self._core.drive, [int(edge)], self._core.q[[edge]] + spin)
        return arm - held.arm
