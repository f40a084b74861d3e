"""Supports: fixes, guides and drives nodes, edges and clamps of a simulation."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import FUNCTION, choice, finite, instance, read, vector
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import EXPLICIT, indices, spread, warn_of_positions
from strand.simulation.clamps import Clamps
from strand.simulation.rod import Rod


@dataclass(frozen=True)
class Guide:
    """A frictionless guide on which a node slides."""

    node: int  #: the index of the node
    _core: _strand.System
    _first: int  #: degree of freedom of the node's x
    held: str = ""  #: the axes across it, for a guide along global axes: they are fixed
    _tie: _strand.Ties | None = None  #: the constraint, for any other guide

    def remove(self) -> None:
        """Removes the constraint of a guide that is not along global axes."""
        if self._tie is not None:
            self._tie.release(self._core)

    def placed(self) -> None:
        """Leads through the new position of the node."""
        if self._tie is not None:
            at = slice(self._first, self._first + 3)
            self._tie.set_place(self._core.q[at])

    @property
    def force(self) -> np.ndarray:
        """Force of the guide on the node (3, N); 0 once the node is released."""
        if self._tie is not None:
            return -self._tie.tension(self._core)
        places = np.array(["xyz".index(axis) for axis in self.held])
        dofs, force = self._first + places, np.zeros(3)
        force[places] = np.where(self._core.locked[dofs], self._core.gradient[dofs], 0)
        return force


class Supports(Addressing):
    """The part of a Simulation that fixes, guides and drives."""

    _clamps: Clamps
    _supported: set[int]  #: nodes whose support the user has set or released
    _clamped: set[int]  #: nodes that their clamps alone have fixed
    _guides: list[Guide]
    _scene: dict[str, Any]

    def fix_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Fixes nodes at their current positions. Ends a `move_node` along these axes.

        node: one index or several. axes: the directions that are fixed (default "xyz").
        """
        dofs = self._dofs(node, axes)
        self._take_over(self._nodes(node), "".join(set("xyz") - set(axes)))
        self._lock(dofs)

    def slide_node(
        self,
        node: int | Iterable[int],
        along: ArrayLike | None = None,
        across: ArrayLike | None = None,
    ) -> list["Guide"]:
        """Lets nodes slide without friction along a line or in a plane, from their positions.

        node: one index or several.
        along: direction of the line (3); or
        across: normal of the plane (3). One of the two must be given.

        A clamp at the node slides with it and keeps its direction. A clamp that slides in a plane
        therefore models a plane of symmetry, for a rod orthogonal to it or a side of a shell in it.
        Guides along global axes are exact; others yield by 1 % of the stretching of an edge there.
        A node with several guides and fixed axes obeys all of them until `release_node`.
        Returns the guides, one per node; `Guide.force` is the force on the node (N). Raises
        StrandError if a node is fixed or driven along all axes.
        """
        if (along is None) == (across is None):
            raise StrandError("slide_node: got both or none of along and across, allowed: one")
        name, given = ("along", along) if across is None else ("across", across)
        direction = np.array(read(name, given, vector(3, "1")), dtype=float)
        length = np.linalg.norm(direction)
        if not length > 0:
            raise StrandError(f"{name}: got '{given!s}', allowed: a direction, not 0")
        nodes, direction = self._nodes(node), direction / length
        self._take_over(nodes, "xyz")
        for each in nodes:
            if self.core.locked[self._dofs(each, "xyz")].all():
                raise StrandError(
                    f"node: got '{each}', which is fixed or driven, allowed: nodes that can move;"
                    " call release_node first"
                )
        axis, held = int(np.argmax(np.abs(direction))), ""
        if abs(direction[axis]) > 1 - 1e-12:
            held = "xyz"[axis] if along is None else "xyz".replace("xyz"[axis], "")
            self._lock(self._dofs(nodes, held))
        guides = []
        for each in nodes:
            tie = None
            if not held:
                tie = checked(self.core.add_guide, each, direction, along is not None)
            guides.append(Guide(each, self.core, self._dofs(each, "x")[0], held, tie))
        self._guides += guides
        return guides

    def fix_edge(self, edge: int | Iterable[int]) -> None:
        """Fixes edges: both nodes, and the spin."""
        for each in indices("edge", edge):
            self.fix_node(self.network.edge_nodes[self._edge(each)].tolist())
            self.fix_spin(each)

    def fix_spin(self, edge: int | Iterable[int]) -> None:
        """Fixes the spin of edges about their axes."""
        self._lock(self.spin_dofs(edge))

    def release_node(self, node: int | Iterable[int], axes: str = "xyz") -> None:
        """Releases nodes that were fixed, driven or guided, with the velocity that they have.

        node: one index or several. axes: the directions that are released (default "xyz"); guides
        along other than global axes are removed in any case.

        A clamp at the node keeps its direction; `release_clamp` releases it as well.
        """
        nodes = self._nodes(node)
        self._fix_clamps()  # which hold the node along the other axes
        self._take_over(nodes, "")
        self._free(self._dofs(nodes, axes))
        for guide in [each for each in self._guides if each.node in nodes]:
            guide.remove()
            self._guides.remove(guide)

    def release_clamp(self, rod: Rod, end: str) -> None:
        """Releases a clamp: the position, direction and twist of the end of a rod.

        rod: a rod of this network. end: "start" or "end", which is clamped. Raises StrandError if
        it is not, for a rod that yields or whose strands slip, and with explicit methods.
        """
        read("rod", rod, instance(Rod, "a rod of the network"))
        self.network.index_of("rod", rod, Rod)
        if self._scene["method"] in EXPLICIT:
            raise StrandError(
                f"method: got '{self._scene['method']}', allowed to release a clamp, whose node has"
                " no mass: bdf2, backward_euler, midpoint"
            )
        if not self.network.is_elastic(rod):
            raise StrandError(
                "rod: got one that yields or whose strands slip, allowed: elastic ones, to be"
                " released from a clamp"
            )
        node, spin = self._clamps.release(rod, read("end", end, choice("start", "end")))
        self.release_node(node)
        self._free([spin])

    def release_spin(self, edge: int | Iterable[int]) -> None:
        """Releases the spin of edges that was fixed or driven."""
        self._free(self.spin_dofs(edge))

    def move_node(self, node: int | Iterable[int], path: Callable[[float], ArrayLike]) -> None:
        """Drives nodes along a prescribed path.

        node: one index or several. path: function of time (s) that returns the displacement from
        the current positions (m), shape (3,), or (n, 3) for n nodes.

        The clamp of a rod moves with its node, the clamp of a shell's edge with the mean of the
        edge's two nodes. The path ends with `fix_node`, `release_node` or another path.
        """
        dofs = self._dofs(node, "xyz")
        read("path", path, FUNCTION)
        start, nodes = self.core.q[dofs].reshape(-1, 3), self._nodes(node)
        warn_of_positions(spread("path", path(self.core.time), start.shape), start)
        self._take_over(nodes, "")
        self._lock(dofs)
        self._clamps.anchor(nodes)

        def places(time: float) -> np.ndarray:
            return (start + spread("path", path(time), start.shape)).ravel()

        def displace_clamps(places: np.ndarray) -> None:
            self._clamps.displace(nodes, places.reshape(-1, 3) - start)

        self._drives.lead(dofs, places, displace_clamps)

    def turn_clamp(self, rod: Rod, end: str, turn: Callable[[float], ArrayLike]) -> None:
        """Turns a clamp of a rod about its node along a prescribed path.

        rod: a rod of this network. end: "start" or "end". turn: function of time (s) that returns
        the rotation vector (axis times angle, rad, global axes) from the current direction; a
        rotation about the rod's axis twists the rod.
        """
        read("rod", rod, instance(Rod, "a rod of the network"))
        self._clamps.turn(
            rod.index, read("end", end, choice("start", "end")), read("turn", turn, FUNCTION)
        )
        self._drives.add(lambda time: None)  # makes the simulation take steps one by one

    def turn_edge(self, edge: int | Iterable[int], angle: Callable[[float], float]) -> None:
        """Drives the spin of edges.

        edge: one index or several. angle: function of time (s) that returns the angle (rad) from
        the current one.

        If an edge also changes direction, its angle is relative to parallel transport from step to
        step, as in `angles`: a direction that moves once around a cone of half-angle a turns the
        edge by an additional 2 pi (1 - cos a). It ends with `fix_spin`, `release_spin` or another
        function.
        """
        dofs = self.spin_dofs(edge)
        read("angle", angle, FUNCTION)
        self._lock(dofs)
        start = self.core.q[dofs]
        self._drives.lead(dofs, lambda time: start + read("angle", angle(time), finite("rad")))

    def drive(self, function: Callable[[float], None]) -> None:
        """Calls `function(t)` before every step, to change loads, natural shapes and the like.

        t is the time (s) at which the step evaluates forces: its end, or with the methods midpoint
        and verlet its middle, so that these are of second order.
        """
        self._drives.load(read("function", function, FUNCTION))

    def _take_over(self, nodes: list[int], freed: str) -> None:
        """The user sets the support of nodes, those that their clamps alone have fixed included,
        which become free along the axes `freed`."""
        fixed = [node for node in nodes if node in self._clamped]
        if fixed and freed:
            self._free(self._dofs(fixed, freed))
        self._clamped.difference_update(fixed)
        self._supported.update(nodes)

    def _fix_clamps(self) -> None:
        """Fixes the nodes of clamps, unless the user has set their support."""
        supported, clamped = self._supported, self._clamped
        owners = self._clamps.owners
        if free := [node for node in owners if node not in supported and node not in clamped]:
            self._lock(self._dofs(free, "xyz"))
            self._clamped.update(free)

    def _hold_clamps(self) -> None:
        """Fixes the nodes of clamps, and ties clamps to nodes that can slide."""
        self._fix_clamps()
        if not self._clamps.owners:
            return
        locked = self.core.locked
        self._clamps.tie_to_free(lambda node: not locked[self._dofs(node, "xyz")].all())

    def _drive(self, time: float) -> None:
        self._drives(time)
        self._clamps.follow(time)
