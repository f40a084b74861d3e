"""What holds and drives a simulation's nodes, edges and clamps."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import FUNCTION, choice, finite, instance, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import indices, spread
from strand.simulation.clamps import Clamps
from strand.simulation.network import Rod


@dataclass(frozen=True)
class Guide:
    """What a node slides on."""

    _core: _strand.System
    _first: int  #: degree of freedom of its x
    _held: str = ""  #: axes, where it is held along them
    _tie: _strand.Ties | None = None  #: where it is not

    @property
    def force(self) -> np.ndarray:
        """On the node (3, N)."""
        if self._tie is not None:
            return -self._tie.tension(self._core)
        places, force = ["xyz".index(axis) for axis in self._held], np.zeros(3)
        force[places] = self._core.gradient[self._first + np.array(places)]
        return force


class Supports(Addressing):
    """The part of a Simulation that holds and drives."""

    _clamps: Clamps
    _drives: list[Callable[[float], None]]
    _driven: set[int]  #: degrees of freedom that paths drive
    _said: set[int]  #: nodes that something has been said of

    def fix_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Holds nodes where they are, in the directions given."""
        self._lock(self._dofs(node, axes))
        self._said.update(self._nodes(node))

    def slide_node(
        self,
        node: int | Iterable[int],
        along: ArrayLike | None = None,
        across: ArrayLike | None = None,
    ) -> list["Guide"]:
        """Lets nodes slide without friction, `along` a direction or in the plane `across` a normal.

        From where they are, in any directions; a clamp at the node slides with it and keeps the
        direction. So a clamp that slides across a plane's normal is a plane of symmetry: of a rod
        that meets it at a right angle, of a shell's side that lies in it. Guides along the axes are
        exact, others give by 1 % of what an edge there stretches. Returns them: `force` tells what
        each of them bears.
        """
        if (along is None) == (across is None):
            raise StrandError("slide_node: got both or none of along and across, allowed: one")
        name, given = ("along", along) if across is None else ("across", across)
        direction = np.array(read(name, given, vector(3, "1")), dtype=float)
        length = np.linalg.norm(direction)
        if not length > 0:
            raise StrandError(f"{name}: got '{given!s}', allowed: a direction, not 0")
        nodes, direction = self._nodes(node), direction / length
        axis = int(np.argmax(np.abs(direction)))
        self._said.update(nodes)
        if abs(direction[axis]) > 1 - 1e-12:
            axes = "xyz"[axis] if along is None else "xyz".replace("xyz"[axis], "")
            self._lock(self._dofs(nodes, axes))
            return [Guide(self.core, first, axes) for first in self._dofs(nodes, "x")]
        line = along is not None
        ties = [checked(self.core.add_guide, each, direction, line) for each in nodes]
        firsts = self._dofs(nodes, "x")
        return [Guide(self.core, first, "", tie) for first, tie in zip(firsts, ties, strict=True)]

    def fix_edge(self, edge: int | Iterable[int]) -> None:
        """Holds edges: both their nodes, and their spin."""
        for each in indices("edge", edge):
            self.fix_node(self.network.edge_nodes[self._edge(each)].tolist())
            self.fix_spin(each)

    def fix_spin(self, edge: int | Iterable[int]) -> None:
        """Holds the spin of edges about themselves."""
        self._lock(self.spin_dofs(edge))

    def release_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Lets go of nodes."""
        self._said.update(self._nodes(node))
        checked(self.core.lock, self._dofs(node, axes), False)

    def release_spin(self, edge: int | Iterable[int]) -> None:
        checked(self.core.lock, self.spin_dofs(edge), False)

    def move_node(self, node: int | Iterable[int], path: Callable[[float], ArrayLike]) -> None:
        """Drives nodes along `path(t)`: displacement (m) from where they are now.

        A clamp goes with its node, that of a shell's side with the mean of an edge's two nodes.
        """
        dofs = self._dofs(node, "xyz")
        read("path", path, FUNCTION)
        self._lock(dofs)
        start, nodes = self.core.q[dofs].reshape(-1, 3), self._nodes(node)
        self._clamps.anchor(nodes)
        self._said.update(nodes)
        self._driven.update(dofs)

        def drive(time: float) -> None:
            moved = spread("path", path(time), start.shape)
            checked(self.core.drive, dofs, (start + moved).ravel())
            self._clamps.displace(nodes, moved)

        self._drives.append(drive)

    def turn_clamp(self, rod: Rod, end: str, turn: Callable[[float], ArrayLike]) -> None:
        """Turns the clamp at the "start" or "end" of a rod about its node.

        `turn(t)`: rotation vector (axis times angle, rad, in global axes) from where it is now;
        along the rod it twists it.
        """
        read("rod", rod, instance(Rod, "a rod of the network"))
        self._clamps.turn(
            rod.index, read("end", end, choice("start", "end")), read("turn", turn, FUNCTION)
        )
        self._drives.append(lambda time: None)  # steps one by one

    def turn_edge(self, edge: int | Iterable[int], angle: Callable[[float], float]) -> None:
        """Drives the spin of edges: `angle(t)` (rad) from where they are now.

        Where an edge also changes direction, its angle is that against parallel transport from step
        to step, as of `angles`: a direction that goes once round a cone of half-angle a turns the
        edge by a further 2 pi (1 - cos a).
        """
        dofs = self.spin_dofs(edge)
        read("angle", angle, FUNCTION)
        self._lock(dofs)
        start = self.core.q[dofs]
        self._driven.update(dofs)

        def drive(time: float) -> None:
            checked(self.core.drive, dofs, start + read("angle", angle(time), finite("rad")))

        self._drives.append(drive)

    def drive(self, function: Callable[[float], None]) -> None:
        """Calls `function(t)` before every step with the time it ends at, to set what changes."""
        self._drives.append(read("function", function, FUNCTION))

    def _hold_clamps(self) -> None:
        """A clamp holds its node, unless something else has been said of it, and slides with it."""
        if free := [node for node in self._clamps.owners if node not in self._said]:
            self.fix_node(free)
        self._clamps.let_slide(lambda node: not all(map(self.core.locked, self._dofs(node, "xyz"))))

    def _drive(self, time: float) -> None:
        for drive in self._drives:
            drive(time)
        self._clamps.follow(time)
