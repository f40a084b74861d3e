"""Feeding: a rod that is paid out of a mouth and drawn in again, as by a winch or an inserter.

The rod is drawn whole. Behind the mouth it lies on a rail, the straight line of its first edge: its
nodes there are driven along the rail, and the spins of its edges are held. A node is released when
it comes to the mouth, and caught there again. The joints near the mouth are as compliant as their
share of rod outside (feed_law.py), so that none appears or vanishes at once; the same shares of the
nodes near the mouth weigh. The link in the mouth stretches from there (model/energy/mouth.h), so
that a rope turns about the mouth.

    F = -dE/dS at fixed positions of the free nodes

is the force with which the feed holds the rod back (S: length outside; E: elastic energy, weight
and loads, with the mouth as the origin). It is the axial force on the rail plus the configurational
force M^2 / 2 EI + H^2 / 2 GJ of the moments M and H at the mouth (D. Bigoni et al., "Torsional
locomotion", and F. Bosi et al., "An elastica arm scale", both Proc. R. Soc. A 470, 2014). So the
energy balance closes: what is outside gains -F dS, and what the mass that enters brings along, per
length its kinetic energy at the speed of feeding and its potential energy at the mouth.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import Kind, finite, read, within
from strand.simulation import feed_law
from strand.simulation.addressing import Addressing
from strand.simulation.arguments import EXPLICIT
from strand.simulation.clamps import Clamps
from strand.simulation.rod import Rod

#: Length outside: a number (m), or a function of time (s).
Length = float | Callable[[float], float]

_NEAR = 1e-3  # links beyond the mouth, closer to which distances are expanded about the axis
_STRAIGHT = 1e-6  # links, by which nodes may lie off the straight line or a link be too long
FEEDS = "fed rods (rod, x, y, z of the mouth)"  #: a row per feed, in checkpoints


class Feed:
    """A rod's feed, as returned by `Simulation.feed`."""

    def __init__(
        self,
        owner: Addressing,
        rod: Rod,
        drawn: np.ndarray,
        length: Length,
        gravity: _strand.Gravity,
    ) -> None:
        self._core, self._gravity, self._course = owner.core, gravity, length
        along = drawn[-1] - drawn[0]
        self._whole, self._links = float(np.linalg.norm(along)), len(rod.edges)
        self._link = self._whole / self._links
        self.axis: np.ndarray = along / self._whole  #: direction in which the rod leaves (3)
        self._nodes, self._joints = np.array(rod.nodes), rod.joints[: self._links - 1]
        self._x = np.array(owner.node_dofs(self._nodes.tolist(), "x"))
        self._edges = np.array(rod.edges)
        self._spins = np.array(owner.spin_dofs(self._edges.tolist()))
        self._moving = self._not_in_plane()
        self._EA = float(owner.network.material()[self._edges[0], 0])
        begins = self.course(owner.core.time)
        self.mouth: np.ndarray = drawn[-1] - begins * self.axis  #: (3, m)
        self._through = checked(self._core.add_mouth, self._nodes.tolist(), self.mouth, self.axis)
        self._free = self._links + 1  # place in the rod of the first free node, as the locks are
        self._director = np.array(self._core.directors()[self._edges[0]])
        self._hold(range(self._free), True)
        self.begin(self._core.time)
        self._check_rail()

    @property
    def dofs(self) -> list[int]:
        """All degrees of freedom of the rod."""
        return [*(self._x[:, np.newaxis] + np.arange(3)).ravel().tolist(), *self._spins.tolist()]

    @property
    def length(self) -> float:
        """Length outside of the mouth (m)."""
        return self._whole + float((self._positions()[0] - self.mouth) @ self.axis)

    @property
    def node(self) -> int:
        """The first free node, an index in the network."""
        return int(self._nodes[self._free])

    @property
    def force(self) -> float:
        """Force with which the feed holds the rod back (N); < 0: it pushes.

        It is static, as `Simulation.reactions`: in motion it contains the inertia of the free
        nodes, but not damping and drag. Whatever touches the part behind the mouth changes it.
        """
        x, u = self._positions(), self._outside(self.length)
        rail = self._x[: self._free, np.newaxis] + np.arange(3)
        slope = float((self._core.gradient[rail] @ self.axis).sum())
        rate = feed_law.factor_rate(u[1:-1]) / self._link
        for joint in np.flatnonzero(rate).tolist():
            slope += rate[joint] * self._core.joint_energy(self._joints[joint])
        in_mouth = float(u[self._free])
        if in_mouth < 1:
            by_u = feed_law.stretch_factor_rate(in_mouth) * self._through.energy(self._core)
            slope += by_u / self._link + self._through.by_near(self._core)
        entering = feed_law.share_slope(u[:-1]) / self._link
        for k in np.flatnonzero(entering).tolist():  # what begins to weigh, off the mouth
            mass = entering[k] * self._gravity.weighing(int(self._x[k]))
            slope -= mass * float(self._gravity.gravity @ (x[k] - self.mouth))
        return -slope

    def course(self, time: float) -> float:
        """The prescribed length (m) at a time (s)."""
        course = self._course
        given = course(time) if callable(course) else course
        name = f"length at t = {time:.6g} s" if callable(course) else "length"
        least, most = self._link, self._whole - self._link
        return read(name, given, between(least, most))

    def begin(self, time: float) -> None:
        """Takes the supports, stiffnesses and weights that belong to a time (s)."""
        u = self._outside(self.course(time))
        free = max(2, int(np.searchsorted(u, 0.0, side="right")))
        if free != self._free:
            changed = range(min(free, self._free), max(free, self._free))
            self._hold(changed, free > self._free)
            self._free = free
        checked(self._core.set_joint_stiffness_factor, self._joints, feed_law.factor(u[1:-1]))
        self._gravity.set_shares(self._x[:-1].tolist(), feed_law.share(u[:-1]))
        self._pass_through(float(u[free]))

    def follow(self, time: float) -> None:
        """Moves the part behind the mouth to where it is at a time (s), the end of a step."""
        before, length, before_free = self.length, self.course(time), self._free
        if abs(length - before) > self._link * (1 + 1e-9):
            raise StrandError(
                f"feed: got {length - before:.6g} m in a step, allowed: at most a link"
                f" ({self._link:.6g} m) per step; take a shorter dt"
            )
        self.begin(time)
        places = (self._outside(length)[: self._free] * self._link)[:, np.newaxis]
        rail = self._x[: self._free, np.newaxis] + np.arange(3)
        targets = self.mouth + places * self.axis
        checked(self._core.drive, rail.ravel().tolist(), targets.ravel())
        self._straighten(range(before_free - 1, self._free - 1))

    def _check_rail(self) -> None:
        places = self._outside(self.course(self._core.time)) * self._link
        rail = self.mouth + places[: self._free, np.newaxis] * self.axis
        off = np.linalg.norm(self._positions()[: self._free] - rail, axis=1).max()
        if off > _STRAIGHT * self._link:
            raise StrandError(
                f"place: got nodes behind the mouth {off:.3g} m off their place, allowed: to place"
                " nodes outside alone of a rod that is fed"
            )

    def _outside(self, length: float) -> np.ndarray:
        """Place beyond the mouth of each node (links), for a length outside (m)."""
        return length / self._link - np.arange(self._links, -1, -1)

    def _positions(self) -> np.ndarray:
        return self._core.positions()[self._nodes]

    def _not_in_plane(self) -> np.ndarray:
        """Which of x, y, z and the spin move: those that are not locked everywhere, in a plane."""
        dofs = np.column_stack([self._x[1:, np.newaxis] + np.arange(3), self._spins])
        locked = self._core.locked[dofs]
        everywhere = locked.all(axis=0)
        if locked[:-1, ~everywhere].any() or everywhere[:3].all():
            raise StrandError(
                "rod: got one that is held, driven or clamped elsewhere than at its end, allowed:"
                " one that is held by its feed alone"
            )
        return ~everywhere

    def _hold(self, places: range, caught: bool) -> None:
        """Holds nodes, and the edges that end there, or releases them."""
        nodes = self._x[list(places), np.newaxis] + np.flatnonzero(self._moving[:3])
        edges = [place - 1 for place in places if place > 0] if self._moving[3] else []
        dofs = [*nodes.ravel().tolist(), *self._spins[edges].tolist()]
        checked(self._core.catch, dofs, caught)

    def _pass_through(self, u: float) -> None:
        """Makes the link that ends at u, if it is in the mouth, stretch from there."""
        links = np.ones(self._links)
        if u < 1:
            links[self._free - 1] = 0.0
            stiffness = self._EA / self._link * feed_law.stretch_factor(u)
            place = float((self._positions()[self._free] - self.mouth) @ self.axis) / self._link
            near = (u + feed_law.LEAST_STRETCH) * self._link if place < _NEAR else 0.0
            checked(self._through.set, self._free - 1, self._link, stiffness, near)
        else:
            self._through.release()
        checked(self._core.set_stretch_factor, self._edges.tolist(), links)

    def _straighten(self, places: range) -> None:
        """Turns edges that are caught in this step to the director that the others have.

        The core measures their angles against their frames, transported to the axis.
        """
        if not self._moving[3]:
            return
        x, directors = self._positions(), self._core.directors()
        for place in places:
            along = (x[place + 1] - x[place]) / np.linalg.norm(x[place + 1] - x[place])
            director = _strand.parallel_transport(directors[self._edges[place]], along, self.axis)
            across = float(np.cross(director, self._director) @ self.axis)
            spin = self._spins[[place]]
            angle = self._core.q[spin] + np.arctan2(across, director @ self._director)
            checked(self._core.drive, spin.tolist(), angle)


def between(least: float, most: float) -> Kind[float]:
    """A length (m) that leaves a link (`least`) on both sides of the mouth; rounding is ignored."""
    slack = 1e-9 * least
    inside = within("", lambda value: least - slack <= value <= most + slack)
    allowed = f"{least:.6g} to {most:.6g} m: a link on both sides of the mouth"
    return Kind(allowed, lambda value: min(max(inside.read(value), least), most))


class FeedControls(Addressing):
    """The part of a Simulation that feeds rods."""

    feeds: list[Feed]  #: in the order in which they were added
    _clamps: Clamps
    _fed: set[int]
    _gravity: _strand.Gravity
    _scene: dict[str, Any]
    _smooth: str

    def feed(self, rod: Rod, length: Length) -> Feed:
        """Feeds a rod out of a mouth, and in: a winch, a pay-out, an insertion.

        rod: a rod of this network, drawn whole: straight, of equal edges, with its first part
            behind the mouth. Its start must be free: the feed holds it.
        length: m outside of the mouth, a number or a function of time (s), at least one link and at
            most the whole length less one link. The mouth is where the drawn rod has this length
            before it now.

        The part behind the mouth slides on a straight rail, weightless and without friction. Masses
        leave the mouth with its speed. In a step the rod moves by less than an edge. Returns a
        `Feed`: its `force` (N, > 0: the feed holds the rod back), `length` and first free `node`.

        The law is accurate to second order in the edge length. Ropes turn about the mouth at any
        ratio of tension and stiffness. The mouth has no width.

        Obstacles, bodies and other rods also touch the part behind the mouth, which is held and
        pushes them away: keep its straight line clear of them. The natural shape must stay
        straight. `place` bends the part outside, before `feed`. `energy_made` counts, in error, a
        loss of first order in dt while the link in the mouth is short; `force` does not.

        Raises StrandError if the rod is not straight, closed, yields, has other rods along it or is
        held elsewhere than at its end, for curvature "smooth", explicit methods, and a length out
        of range; running does if the rod would be fed by more than an edge in a step.
        """
        drawn = self._fit_for_feed(rod)
        feed = Feed(self, rod, drawn, _course(length), self._gravity)
        self.feeds.append(feed)
        self._drives.add(feed.follow, feed.dofs)
        self._fed.update(rod.joints)
        rows = self._scene.get(FEEDS, [])
        self._scene[FEEDS] = [*rows, [float(rod.index), *feed.mouth.tolist()]]
        return feed

    def _fit_for_feed(self, rod: Rod) -> np.ndarray:
        """The drawn nodes of a rod that can be fed. Raises StrandError for others."""
        index = self.network.index_of("rod", rod, Rod)
        if self.network.core.rod(index).closed:
            raise StrandError("rod: got a closed one, allowed: rods with ends")
        if len(rod.edges) < 3:
            raise StrandError(f"rod: got {len(rod.edges)} edges, allowed: 3 or more, to be fed")
        if self._smooth:
            raise StrandError(
                f"curvature: got {self._smooth!r} in a simulation that feeds a rod, allowed: angle"
                " or tangent"
            )
        if self._scene["method"] in EXPLICIT:
            raise StrandError(
                f"method: got '{self._scene['method']}' with a rod that is fed, whose joints are"
                " stiff at the mouth, allowed: bdf2, backward_euler, midpoint"
            )
        if not self.network.is_elastic(rod):
            raise StrandError(
                "rod: got one that yields or whose strands slip, allowed: elastic ones, to be fed"
            )
        self._check_start(rod)
        drawn = np.asarray(self._scene["nodes"])[rod.nodes]
        even = np.linspace(drawn[0], drawn[-1], len(drawn))
        off = np.linalg.norm(drawn - even, axis=1).max() * len(rod.edges)
        length = float(np.linalg.norm(drawn[-1] - drawn[0]))
        if not off <= _STRAIGHT * length:
            raise StrandError(
                f"rod: got nodes that are drawn {off / max(length, 1e-300):.3g} edges off, allowed:"
                " a straight rod of equal edges, to be fed"
            )
        return drawn

    def _check_start(self, rod: Rod) -> None:
        if any(clamp.rod == rod.index and clamp.end == "start" for clamp in self.network.clamps):
            raise StrandError(
                "rod: got one whose start is clamped, allowed: held by its feed alone"
            )
        nodes = rod.nodes[:-1]
        meeting = np.bincount(self.network.edge_nodes.ravel(), minlength=max(nodes) + 1)[nodes]
        if meeting[0] != 1 or (meeting[1:] != 2).any():
            raise StrandError(
                "rod: got one to which other rods are joined before its end, allowed: joined at its"
                " end alone, to be fed"
            )


def _course(length: Any) -> Length:
    if callable(length):
        return length
    return read("length", length, Kind("a number (m), or a function of time", finite("m").read))
