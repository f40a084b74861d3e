"""Rigid obstacles for `Simulation.add_obstacles`. SI units."""

import dataclasses
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, REALS, read, vector

#: Function of time (s): displacement (3, m) from the initial pose, or a tuple of that and a
#: rotation vector (3, rad).
Path = Callable[[float], ArrayLike | tuple[ArrayLike, ArrayLike]]


@dataclasses.dataclass(eq=False)
class Obstacle:
    """A rigid obstacle, made by the functions of this module. At rest unless `move` is called."""

    kind: str  #: plane, sphere, capsule, cylinder or box
    geometry: dict[str, Any]  #: the arguments that it was made from
    core: _strand.Obstacle = dataclasses.field(repr=False)
    path: Path | None = dataclasses.field(default=None, init=False)  #: as set by `move`
    #: the contacts that it was added to, and its index there
    added: list[tuple[_strand.ObstacleContact, int]] = dataclasses.field(
        default_factory=list, init=False, repr=False, compare=False
    )

    @property
    def description(self) -> str:
        """Its kind and the arguments that it was made from."""
        given = {name: np.asarray(value, dtype=float) for name, value in self.geometry.items()}
        return " ".join([self.kind, *(f"{name} {value.tolist()}" for name, value in given.items())])

    def move(self, path: Path) -> Self:
        """Drives the obstacle along a prescribed path, whatever force that takes. Returns itself.

        path: function of time (s) that returns the displacement (3, m) from the initial pose, or a
            tuple (displacement, rotation vector), the latter being axis times angle (3, rad, global
            axes) about the obstacle's middle, or a plane's point. Both must be continuous, the
            rotation vector also beyond pi, and start at the current pose: at t = 0 both are zero.

        Rods and shells are pushed, and carried along by friction; `velocity` turns with the
        obstacle. Running raises StrandError if the path is not finite or jumps, and SolverError if
        it would crush something against a support.
        """
        self.path = read("path", path, FUNCTION)
        return self

    @property
    def velocity(self) -> np.ndarray:
        """Surface velocity (3, m/s), like that of a conveyor belt. It acts through friction only,
        and turns with the obstacle."""
        return np.array(self.core.velocity)

    @velocity.setter
    def velocity(self, velocity: ArrayLike) -> None:
        self.core.velocity = _vector("velocity", velocity, "m/s")
        for contact, index in self.added:
            contact.set_velocity(index, self.core.velocity)


def plane(point: ArrayLike, normal: ArrayLike) -> Obstacle:
    """The half-space behind the plane through `point` (m); `normal` points to the free side."""
    geometry = {"point": _vector("point", point), "normal": _vector("normal", normal, "1")}
    return _made("plane", _strand.half_space, geometry)


def sphere(centre: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """A ball (m). hollow: a spherical cavity with the rods inside (default False)."""
    geometry = {"centre": _vector("centre", centre), "radius": radius, "hollow": hollow}
    return _made("sphere", _strand.sphere, geometry)


def capsule(a: ArrayLike, b: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """All points within `radius` (m) of the segment from a to b (m).

    hollow: a pipe with round ends and the rods inside (default False).
    """
    ends = {"a": _vector("a", a), "b": _vector("b", b)}
    return _made("capsule", _strand.capsule, {**ends, "radius": radius, "hollow": hollow})


def cylinder(a: ArrayLike, b: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """A cylinder with flat ends; its axis is the segment from a to b (m).

    hollow: a can with the rods inside (default False).
    """
    ends = {"a": _vector("a", a), "b": _vector("b", b)}
    return _made("cylinder", _strand.cylinder, {**ends, "radius": radius, "hollow": hollow})


def box(centre: ArrayLike, half_extents: ArrayLike, rotation: ArrayLike | None = None) -> Obstacle:
    """A box.

    centre: m. half_extents: half the lengths of its edges (3, m). rotation: 3 x 3, its columns are
    the axes of the box (default: global axes).
    """
    axes = np.eye(3) if rotation is None else read("rotation", rotation, REALS)
    sizes = {
        "centre": _vector("centre", centre),
        "half_extents": _vector("half_extents", half_extents),
    }
    return _made("box", _strand.box, {**sizes, "rotation": axes})


def _vector(name: str, value: ArrayLike, unit: str = "m") -> np.ndarray:
    return np.array(read(name, value, vector(3, unit)))


def _made(kind: str, make: Any, geometry: dict[str, Any]) -> Obstacle:
    return Obstacle(kind, geometry, checked(make, *geometry.values()))
