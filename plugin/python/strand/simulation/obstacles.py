"""Rigid obstacles for `Simulation.add_obstacles`. SI units."""

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.io.options import FUNCTION, REALS, read, vector

#: Displacement (3, m) from where it was made, or that and a rotation vector (3, rad).
Path = Callable[[float], ArrayLike | tuple[ArrayLike, ArrayLike]]


@dataclasses.dataclass(eq=False)
class Obstacle:
    """A rigid shape, as the functions below make it. It stays where it is, unless it is moved."""

    kind: str  #: plane, sphere, capsule, cylinder or box
    geometry: dict[str, Any]  #: the arguments it was made of
    core: _strand.Obstacle = dataclasses.field(repr=False)
    path: Path | None = dataclasses.field(default=None, init=False)  #: as of `move`

    def move(self, path: Path) -> None:
        """Drives it along `path(t)`, t in s, by whatever pushes it: nothing slows it down.

        path(t): displacement (m) from where it was made, or (displacement, rotation vector): axis
        times angle (rad, global axes) about its middle, a plane about its point. Both continuous,
        the rotation vector beyond pi, too, and where the obstacle is when it sets out: at t = 0
        none. Rods and shells are pushed, and carried along by friction; a surface velocity is that
        of the obstacle's own axes. Running raises StrandError where the path is not finite, or
        jumps; SolverError where it would crush something against what is held.
        """
        self.path = read("path", path, FUNCTION)

    @property
    def velocity(self) -> np.ndarray:
        """Of its surface (m/s), like a conveyor's: friction alone feels it. Turns with it."""
        return np.array(self.core.velocity)

    @velocity.setter
    def velocity(self, velocity: ArrayLike) -> None:
        self.core.velocity = _vector("velocity", velocity, "m/s")


def plane(point: ArrayLike, normal: ArrayLike) -> Obstacle:
    """Everything behind the plane through `point`; `normal` points to the free side."""
    geometry = {"point": _vector("point", point), "normal": _vector("normal", normal, "1")}
    return _made("plane", _strand.half_space, geometry)


def sphere(centre: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """A ball; hollow: its cavity, with the rods inside."""
    geometry = {"centre": _vector("centre", centre), "radius": radius, "hollow": hollow}
    return _made("sphere", _strand.sphere, geometry)


def capsule(a: ArrayLike, b: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """All points within `radius` of the segment from a to b; hollow: a pipe with round ends."""
    ends = {"a": _vector("a", a), "b": _vector("b", b)}
    return _made("capsule", _strand.capsule, {**ends, "radius": radius, "hollow": hollow})


def cylinder(a: ArrayLike, b: ArrayLike, radius: float, hollow: bool = False) -> Obstacle:
    """A cylinder with flat ends, its axis from a to b; hollow: a can, with the rods inside."""
    ends = {"a": _vector("a", a), "b": _vector("b", b)}
    return _made("cylinder", _strand.cylinder, {**ends, "radius": radius, "hollow": hollow})


def box(centre: ArrayLike, half_extents: ArrayLike, rotation: ArrayLike | None = None) -> Obstacle:
    """A box; the columns of `rotation` (3 x 3) are its axes."""
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
