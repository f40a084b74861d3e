"""Equilibria of a cable that is clamped at one or both ends, in the core.

All quantities are without units: lengths in units of the cable's length L, forces in units of its
weight m g L (m: mass per length, g: gravity). The shape then depends on EI / (m g L^3) alone, and
cables of every size are solved with the same accuracy. The third coordinate is up.
"""

import dataclasses
import warnings
from typing import Any

import numpy as np

from strand.simulation import Network, Simulation

#: Stretching stiffness, in units of the weight: the weight stretches the cable by 1e-6.
_STRETCHING = 1e6
_THIN = 1e-3  #: radius of the rod; without contact only the inertia of its spin depends on it
_SETTLING = 40  #: steps of `settle`
_BOUND = 10.0  #: largest stiffness: the weight changes the shape of a stiffer cable by < 1e-3


@dataclasses.dataclass(frozen=True)
class Discretisation:
    """How a cable between its clamps is divided into links.

    links: in the free span.
    clamp: "middle": the middles of the clamped links are where the cable leaves the clamps, which
        is accurate to second order in the length of links. "exit": the clamped links end there, as
        in MuJoCo models whose first link is welded.
    curvature: measure of curvature, as in Simulation.
    """

    links: int = 100
    clamp: str = "middle"
    curvature: str = "angle"

    @property
    def inside(self) -> float:
        """The part of a clamped link that is inside the clamp."""
        return 1.0 if self.clamp == "exit" else 0.5

    def arclengths(self, held_end: bool) -> np.ndarray:
        """Arclengths of the nodes, clamped links included; the free span is from 0 to 1."""
        clamps = 2 if held_end else 1
        exact = self.clamp == "exit"
        spacing = 1 / (self.links if exact or held_end else self.links - self.inside)
        count = self.links + clamps + exact
        return spacing * (np.arange(count) - self.inside)


@dataclasses.dataclass(frozen=True)
class Ends:
    """Where and in which direction (along the cable) it leaves the clamps; in units of L.

    start, end: (3,). start_direction, end_direction: unit vectors (3,). end, end_direction: None
    for a free end.
    """

    start: np.ndarray
    start_direction: np.ndarray
    end: np.ndarray | None = None
    end_direction: np.ndarray | None = None


class HeldCable:
    """A cable that hangs between its clamps. Solves again from its last shape.

    guess: a polyline (n, 3) from clamp to clamp or tip, near the equilibrium, in units of L.
    ends: places and directions of the clamps at first.
    planar: the cable stays in the plane of x and up, and does not twist.
    damping: of the material (units of time sqrt(L / g)), for motions only.
    twist: turn of the end clamp about the cable (rad), distributed evenly at first.
    """

    def __init__(
        self,
        guess: np.ndarray,
        ends: Ends,
        *,
        EI: float = 1e-3,
        GJ_over_EI: float = 1.0,
        discretisation: Discretisation | None = None,
        planar: bool = True,
        damping: float = 0.0,
        dt: float = 0.1,
        twist: float = 0.0,
    ) -> None:
        self.discretisation = cut = discretisation or Discretisation()
        self.planar, self._ratio = planar, GJ_over_EI
        self.arclength = cut.arclengths(ends.end is not None)
        self._held_end = ends.end is not None
        network = Network()
        straight = np.zeros((len(self.arclength), 3))
        straight[:, 0] = self.arclength
        self._rod = network.rod(
            straight,
            radius=_THIN,
            EI=EI,
            GJ=GJ_over_EI * EI,
            EA=_STRETCHING,
            mass_per_length=1.0,
            material_damping=damping,
        )
        self._joints, self._nodes = list(self._rod.joints), list(self._rod.nodes)
        options: dict[str, Any] = {"plane": "xz"} if planar else {}
        self.simulation = Simulation(
            network,
            dt=dt,
            method="backward_euler",
            gravity=(0, 0, -1),
            curvature=cut.curvature,
            rest_straight=True,
            tolerance=1e-8,
            max_iterations=100,
            **options,
        )
        self._place(guess, ends, twist)

    def _place(self, guess: np.ndarray, ends: Ends, twist: float) -> None:
        simulation, rod = self.simulation, self._rod
        held = [0, 1] + ([-2, -1] if self._held_end else [])
        nodes = resample(guess, np.clip(self.arclength, 0, 1))
        nodes[held] = self._clamped(ends)
        turned = np.linspace(0, twist, len(rod.edges)) if twist else None
        simulation.place(rod, nodes, twist=turned)
        self._origin, self._moved = nodes[held], np.zeros((len(held), 3))
        self._turned = 0.0
        simulation.move_node([self._nodes[k] for k in held], lambda time: self._moved)
        if not self.planar:
            simulation.fix_spin(rod.edges[0])
            if self._held_end:
                simulation.turn_edge(rod.edges[-1], lambda time: self._turned)

    def _clamped(self, ends: Ends) -> np.ndarray:
        """Positions of the nodes of clamped links."""
        first = self.arclength[:2, None]
        found = [ends.start + first * ends.start_direction]
        if self._held_end:
            last = self.arclength[-2:, None] - 1
            found.append(ends.end + last * ends.end_direction)
        return np.concatenate(found)

    def move(self, ends: Ends) -> None:
        """Moves and turns the clamps."""
        self._moved = self._clamped(ends) - self._origin

    def turn(self, angle: float) -> None:
        """Turns the end clamp about the cable, to this angle from the initial one (rad)."""
        self._turned = angle

    def set_stiffness(self, EI: float) -> None:
        """Sets EI; GJ in proportion. Values above 10 are treated as 10, which is nearly rigid."""
        EI = min(EI, _BOUND)
        for joint in self._joints:
            self.simulation.core.set_joint_stiffness(joint, (EI, EI), self._ratio * EI)

    def set_natural_curvature(self, curvature: float) -> None:
        """Sets the natural curvature (units of 1/L), > 0: counter-clockwise seen with x to the
        right. For planar cables."""
        angle = curvature * (self.arclength[1] - self.arclength[0])
        if self.discretisation.curvature == "tangent":
            angle = 2 * np.tan(angle / 2)
        self.simulation.set_natural_curvature(self._joints, (-angle, 0.0))

    def rest(self) -> bool:
        """Finds the equilibrium near the current shape; whether it is stable.

        Raises SolverError if none is found.
        """
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return bool(self.simulation.solve(nearby=True).stable)

    def settle(self) -> bool:
        """Lets the cable come to rest by large damped steps in time, which do not lead to other
        equilibria as iterations of statics may; whether the equilibrium is stable.

        Raises SolverError if none is found.
        """
        self.simulation.set_velocities(np.zeros((self.simulation.network.node_count, 3)))
        for _ in range(_SETTLING):
            self.simulation.step()
        return self.rest()

    @property
    def turning(self) -> float:
        """Total angle by which a planar cable turns from its first to its last link (rad)."""
        links = np.diff(self.nodes, axis=0)
        angles = np.unwrap(np.arctan2(links[:, 2], links[:, 0]))
        return float(angles[-1] - angles[0])

    @property
    def nodes(self) -> np.ndarray:
        """All nodes (n, 3), those of clamped links included."""
        return self.simulation.positions[self._nodes]

    @property
    def span(self) -> tuple[np.ndarray, np.ndarray]:
        """Arclengths (n,) and positions (n, 3) along the free span, ends included."""
        nodes, exact = self.nodes, self.discretisation.clamp == "exit"
        inner = slice(1, len(nodes) - 1 if self._held_end else None)
        arclength, positions = self.arclength[inner], nodes[inner]
        if exact:
            return arclength, positions
        # The clamped links' middles are the ends of the span.
        arclength = np.concatenate([[0.0], arclength])
        positions = np.concatenate([[nodes[:2].mean(axis=0)], positions])
        if self._held_end:
            arclength = np.append(arclength, 1.0)
            positions = np.concatenate([positions, [nodes[-2:].mean(axis=0)]])
        return arclength, positions

    def state(self) -> dict[str, Any]:
        """The state of the cable, for `restore`."""
        return self.simulation.core.save()

    def restore(self, state: dict[str, Any]) -> None:
        self.simulation.core.load(state)


def polyline_length(points: np.ndarray) -> float:
    """Length of the polyline through points (n, d)."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def resample(points: np.ndarray, fractions: np.ndarray) -> np.ndarray:
    """Points (m, d) at fractions (m,) of the length of the polyline through points (n, d)."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    place = np.concatenate([[0.0], np.cumsum(steps)])
    wanted = np.asarray(fractions) * place[-1]
    return np.column_stack([np.interp(wanted, place, column) for column in points.T])
