"""Tendons: cables through rings on rods, and what drives them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import INTEGER, LIST, Kind, non_negative, optional, positive, read, vector
from strand.simulation import checkpoint
from strand.simulation.addressing import Addressing

#: What a tendon is driven by: a number, or a function of time (s).
Course = float | Callable[[float], float]

_TENSION, _LENGTH, _STIFFNESS = non_negative("N"), positive("m"), positive("N")


@dataclass(frozen=True)
class Ring:
    """A ring for a tendon at the middle of a rod's `edge`, as of `Rod.edges`.

    It lies `offset` (2, m) along the edge's m1 and m2 from the rod's axis, and turns with the edge.
    """

    edge: int
    offset: Sequence[float] | np.ndarray = (0.0, 0.0)

    def __post_init__(self) -> None:
        across = read("offset", self.offset, vector(2, "m"))
        object.__setattr__(self, "edge", read("edge", self.edge, INTEGER))
        object.__setattr__(self, "offset", tuple(across))


def _at(name: str, course: Course, kind: Kind[float], time: float) -> float:
    """What drives a tendon, at a time (s)."""
    if callable(course):
        return read(f"{name} at t = {time:.6g} s", course(time), kind)
    return read(name, course, Kind(f"{kind.allowed}, or a function of time", kind.read))


class Tendon:
    """A tendon of a simulation: what `Simulation.add_tendon` returns."""

    def __init__(
        self,
        simulation: Addressing,
        handle: _strand.Tendon,
        path: list[tuple[int, int, np.ndarray]],
        stiffness: float | None,
    ) -> None:
        self._simulation, self._core, self._handle = simulation, simulation.core, handle
        self._path, self._stiffness = path, stiffness
        self._set: Callable[[float], None] | None = None  # what a function of time drives

    @property
    def length(self) -> float:
        """Of its path, now (m)."""
        return self._handle.length(self._core)

    @property
    def tension(self) -> float:
        """With which it pulls, now (N); 0 where it is slack."""
        return self._handle.tension(self._core)

    def points(self, positions: np.ndarray, directors: np.ndarray) -> np.ndarray:
        """Its path (n x 3, m) where the nodes are at `positions` (N x 3, m), edges have `directors`
        (E x 3), as of Simulation.positions and directors."""
        ends = self._simulation.network.edge_nodes
        places = []
        for edge, node, place in self._path:
            if edge >= 0:
                first, last = positions[ends[edge]]
                along = (last - first) / np.linalg.norm(last - first)
                m1 = directors[edge]
                offset = place[0] * m1 + place[1] * np.cross(along, m1)
                places.append((first + last) / 2 + offset)
            else:
                places.append(positions[node] if node >= 0 else place)
        return np.array(places)

    def set_tension(self, tension: Course) -> None:
        """From now on it pulls with this (N, >= 0), or with that of a function of time (s).

        Whatever its length: energy comes from what holds the tension.
        """
        self._drive("tension", tension, _TENSION, self._handle.set_tension)

    def set_length(self, length: Course, stiffness: float | None = None) -> None:
        """It is drawn in, or paid out, to this natural length (m, > 0) in the next step, or goes on
        as a function of time (s) says. If its tension has driven it so far, it has it now.

        It pulls with `stiffness` (EA, N; left out: as before) times its strain, and never pushes.
        Where it is much stiffer than the rod, `Simulation.solve` needs more iterations than usual
        (`max_iterations`), or several steps, with a part of the way set in each by its ramp.
        Raises StrandError where no stiffness has been given yet.
        """
        given = read("stiffness", stiffness, optional(_STIFFNESS)) or self._stiffness
        if given is None:
            raise StrandError(f"stiffness: got none, allowed: {_STIFFNESS.allowed}, with a length")
        self._drive("length", length, _LENGTH, lambda value: self._handle.set_length(value, given))
        self._stiffness = given

    def _drive(
        self, name: str, course: Course, kind: Kind[float], set_to: Callable[[float], None]
    ) -> None:
        def follow(time: float) -> None:
            checked(set_to, _at(name, course, kind, time))

        follow(self._core.time)
        self._set = follow if callable(course) else None

    def follow(self, time: float) -> None:
        """Sets what a function drives, for a step that ends at `time` (s)."""
        if self._set is not None:
            self._set(time)

    @property
    def is_driven(self) -> bool:
        """Whether a function drives it, so that steps are taken one by one."""
        return self._set is not None


class TendonControls(Addressing):
    """The part of a Simulation that is about tendons."""

    tendons: list[Tendon]
    _twists: bool  #: False: rods without twisting
    _scene: dict[str, Any]  #: what a checkpoint is bound to

    def add_tendon(
        self,
        points: Sequence[Ring | int | ArrayLike],
        *,
        tension: Course | None = None,
        length: Course | None = None,
        stiffness: float | None = None,
    ) -> Tendon:
        """Adds a cable without mass or friction that runs through `points`, two or more, in order.

        Each is a `Ring` on a rod's edge, the index of a node (of a rod, a shell, or fixed in a
        body: `Network.body_point`), or a place fixed in space (3, m). It is driven by its `tension`
        (N, >= 0), or by its natural `length` (m, > 0) with a `stiffness` (EA, N), and then pulls
        only where it is stretched: numbers, or functions of time (s). `Tendon.set_tension` and
        `Tendon.set_length` change that as it runs. Raises StrandError that names what is wrong.
        """
        if (tension is None) == (length is None):
            got = "none" if tension is None else "both"
            raise StrandError(f"tendon: got {got}, allowed: one of tension and length")
        given = read("stiffness", stiffness, optional(_STIFFNESS))
        path = [
            self._point(f"points[{k}]", at) for k, at in enumerate(read("points", points, LIST))
        ]
        if length is not None and given is None:
            raise StrandError(f"stiffness: got none, allowed: {_STIFFNESS.allowed}, with a length")
        for name, course, kind in (("tension", tension, _TENSION), ("length", length, _LENGTH)):
            if course is not None:
                _at(name, course, kind, self.core.time)  # what is refused leaves nothing behind
        handle = checked(self.core.add_tendon, path)
        rows = [(len(self.tendons), edge, node, *place) for edge, node, place in path]
        self._scene[checkpoint.TENDONS] = np.vstack([self._scene[checkpoint.TENDONS], rows])
        tendon = Tendon(self, handle, path, given)
        if tension is not None:
            tendon.set_tension(tension)
        elif length is not None:
            tendon.set_length(length)
        self.tendons.append(tendon)
        return tendon

    def _point(self, name: str, at: Ring | int | ArrayLike) -> tuple[int, int, np.ndarray]:
        """As the core takes it: edge or -1, node or -1, offset or place."""
        if isinstance(at, Ring):
            if not self._twists and any(at.offset):
                raise StrandError(
                    f"{name}.offset: got {at.offset} in a simulation with twist=False, allowed:"
                    " (0, 0); the moment about the rod would turn nothing"
                )
            edge = self._edge(at.edge) % len(self._edge_dofs)
            return edge, -1, np.array([*at.offset, 0.0])
        if isinstance(at, (int, np.integer)) and not isinstance(at, bool):
            return -1, self._nodes(int(at))[0], np.zeros(3)
        place = Kind("a Ring, the index of a node, or 3 finite numbers (m)", vector(3, "m").read)
        return -1, -1, np.array(read(name, at, place))
