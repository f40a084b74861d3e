"""Tendons: cables through rings on rods, driven by tension or length."""

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

#: The tension or length of a tendon: a number, or a function of time (s).
Course = float | Callable[[float], float]

_TENSION, _LENGTH, _STIFFNESS = non_negative("N"), positive("m"), positive("N")


@dataclass(frozen=True)
class Ring:
    """A ring that guides a tendon, fixed to the middle of a rod's edge.

    edge: index as in `Rod.edges`. offset: position relative to the rod's axis along the edge's m1
    and m2 (2, m; default (0, 0)); it turns with the edge.
    """

    edge: int
    offset: Sequence[float] | np.ndarray = (0.0, 0.0)

    def __post_init__(self) -> None:
        across = read("offset", self.offset, vector(2, "m"))
        object.__setattr__(self, "edge", read("edge", self.edge, INTEGER))
        object.__setattr__(self, "offset", tuple(across))


def _at(name: str, course: Course, kind: Kind[float], time: float) -> float:
    """The value of a tension or length at a time (s). Raises StrandError if it is invalid."""
    if callable(course):
        return read(f"{name} at t = {time:.6g} s", course(time), kind)
    return read(name, course, Kind(f"{kind.allowed}, or a function of time", kind.read))


class Tendon:
    """A tendon of a simulation, as returned by `Simulation.add_tendon`."""

    def __init__(
        self,
        simulation: Addressing,
        handle: _strand.Tendon,
        path: list[tuple[int, int, np.ndarray]],
        stiffness: float | None,
    ) -> None:
        self._simulation, self._core, self._handle = simulation, simulation.core, handle
        self._path, self._stiffness = path, stiffness
        self._set: Callable[[float], None] | None = None  # sets the value of a function of time
        self._pulled = False  # by its tension

    @property
    def length(self) -> float:
        """Current length of the path (m)."""
        return self._handle.length(self._core)

    @property
    def tension(self) -> float:
        """Current tension (N); 0 if the tendon is slack."""
        return self._handle.tension(self._core)

    def points(self, positions: np.ndarray, directors: np.ndarray) -> np.ndarray:
        """The path (n x 3, m) for given positions of the nodes (N x 3, m) and directors of the
        edges (E x 3), as Simulation.positions and directors."""
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
        """Prescribes the tension, whatever the length.

        tension: N, >= 0: a number, or a function of time (s). Work is done by whatever maintains
        the tension.
        """
        self._drive("tension", tension, _TENSION, self._handle.set_tension)

    def set_length(self, length: Course, stiffness: float | None = None) -> None:
        """Prescribes the natural length.

        length: m, > 0: a number, to which the tendon is pulled in or let out during the next step,
            or a function of time (s). If the tendon was driven by its tension before, it has this
            natural length at once.
        stiffness: EA (N); the tension is EA times the strain, and zero if the tendon is slack.
            Default: the stiffness given before.

        If the tendon is much stiffer than the rod, `Simulation.solve` is faster with several load
        steps with a fraction of the change in each (`ramp`).
        Raises StrandError if no stiffness has been given.
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
        self._pulled = name == "tension"

    def follow(self, end: float, of_loads: float) -> None:
        """Sets the value of a function of time, for a step that ends at `end` (s) and evaluates
        forces at `of_loads` (s). A length changes during the step, a tension is constant."""
        if self._set is not None:
            self._set(of_loads if self._pulled else end)

    @property
    def is_driven(self) -> bool:
        """True if a function of time drives the tendon, so that steps are taken one by one."""
        return self._set is not None


class TendonControls(Addressing):
    """The part of a Simulation that handles tendons."""

    tendons: list[Tendon]
    _twists: bool  #: False: rods do not twist
    _scene: dict[str, Any]  #: description of the scene for checkpoints

    def add_tendon(
        self,
        points: Sequence[Ring | int | ArrayLike],
        *,
        tension: Course | None = None,
        length: Course | None = None,
        stiffness: float | None = None,
    ) -> Tendon:
        """Adds a tendon: a cable without mass or friction that runs through points.

        points: two or more, in order: a `Ring` on a rod's edge; the index of a node (of a rod, a
            shell, or fixed in a body: `Network.body_point`); or a point fixed in space (3, m).
        tension: N, >= 0; or
        length: natural length (m, > 0). One of the two must be given, as a number or as a function
            of time (s).
        stiffness: EA (N), required with a length. The tendon pulls only while it is stretched.

        `Tendon.set_tension` and `Tendon.set_length` change the drive later. Returns the tendon.
        Raises StrandError, which names the invalid argument.
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
                _at(name, course, kind, self.core.time)  # rejected before anything is added
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
        """A point as the core takes it: edge or -1, node or -1, offset or position."""
        if isinstance(at, Ring):
            if not self._twists and any(at.offset):
                raise StrandError(
                    f"{name}.offset: got {at.offset} in a simulation with twist=False, allowed:"
                    " (0, 0), since the moment about the rod's axis would have no effect"
                )
            edge = self._edge(at.edge) % len(self._edge_dofs)
            return edge, -1, np.array([*at.offset, 0.0])
        if isinstance(at, (int, np.integer)) and not isinstance(at, bool):
            return -1, self._nodes(int(at))[0], np.zeros(3)
        place = Kind("a Ring, the index of a node, or 3 finite numbers (m)", vector(3, "m").read)
        return -1, -1, np.array(read(name, at, place))
