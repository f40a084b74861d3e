"""Rigid bodies of a network."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import instance, positive, read, vector
from strand.simulation.bodies import Shape, Surface
from strand.simulation.shell import Sheet, Shell


@dataclass(frozen=True)
class Body:
    """One rigid body of a network.

    Its `carriers`, four nodes of a quarter of its mass each, move with it and have its moments of
    inertia; `points` are nodes without mass that are fixed in it.
    """

    index: int
    mass: float  #: kg
    shape: Shape
    core: _strand.Network = field(repr=False)
    surface: Shell | None = None  #: of a mesh: it moves with the body, and touches

    @property
    def carriers(self) -> list[int]:
        return list(self.core.body(self.index).carrier)

    @property
    def points(self) -> list[int]:
        return self.core.body(self.index).point

    def pose(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Its centre of mass (m), and the rotation matrix that takes its shape's axes there, where
        the network's nodes are at `positions` (N x 3, m)."""
        places = positions[self.carriers]
        slope = _strand.carrier_signs / (4 * self.core.body(self.index).spread)
        left, _, right = np.linalg.svd(places.T @ slope)  # the nearest rotation
        return places.mean(axis=0), left @ right @ self.own_axes.T

    @property
    def own_axes(self) -> np.ndarray:
        """Its principal axes in those of its shape, columns."""
        return np.eye(3) if self.shape.surface is None else self.shape.surface.axes


def rotation_matrix(rotation: Sequence[float] | np.ndarray) -> np.ndarray:
    """Of a rotation vector (rad), by Rodrigues' formula."""
    x, y, z = rotation
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.linalg.norm(rotation)
    half = np.sinc(angle / (2 * np.pi))
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half**2 * cross @ cross


def mass_of(shape: Shape, mass: float | None, density: float | None) -> float:
    """kg. StrandError unless one of the two is given."""
    if (mass is None) == (density is None):
        raise StrandError("body: got both or none of mass and density, allowed: one of them")
    if mass is not None:
        return read("mass", mass, positive("kg"))
    return shape.volume * read("density", density, positive("kg/m^3"))


class NetworkBodies:
    """The part of a Network that is about rigid bodies."""

    core: _strand.Network
    bodies: list[Body]
    _rigidity: list[float]  #: J per body; 0: by itself
    _shells: list[Sheet]
    _check_open: Callable[[], None]

    def body(
        self,
        shape: Shape,
        *,
        mass: float | None = None,
        density: float | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike = (0.0, 0.0, 0.0),
        stiffness: float | None = None,
    ) -> Body:
        """Adds a rigid body (strand.simulation.bodies) of `mass` (kg) or `density` (kg/m^3).

        `position` (m) of its centre of mass, `rotation`: vector (rad) that turns it there about it.
        A mesh comes with a shell, the body's `surface`: its vertices are nodes, and rods are
        attached to those (`attach`).
        `stiffness` (J): a moment M strains it by about M / stiffness; by default accelerations of
        100 m/s^2 do so by 1e-6.
        """
        read("shape", shape, instance(Shape, "a shape of strand.simulation.bodies"))
        weight = mass_of(shape, mass, density)
        place = np.array(read("position", position, vector(3, "m")))
        turned = rotation_matrix(read("rotation", rotation, vector(3, "rad")))
        rigid = 0.0 if stiffness is None else read("stiffness", stiffness, positive("J"))
        self._check_open()
        inertia = weight * np.array(shape.gyration)
        across = checked(_strand.carrier_spread, weight, inertia)
        axes = turned if shape.surface is None else turned @ shape.surface.axes
        index = checked(self.core.add_body, place, axes, across)
        self._rigidity.append(rigid)
        surface = None
        if shape.surface is not None:
            surface = self._surface(shape.surface, index, place, axes)
        self.bodies.append(Body(index, weight, shape, self.core, surface))
        return self.bodies[-1]

    def _surface(self, of: Surface, body: int, place: np.ndarray, axes: np.ndarray) -> Shell:
        """A shell without mass and stiffness that is fixed in the body."""
        vertices = place + of.vertices @ axes.T
        index = checked(self.core.add_shell, vertices, of.triangles.tolist(), False)
        self._shells.append(Sheet(young=0.0, poisson=0.0, thickness=2 * of.rounding, density=0.0))
        for vertex in range(len(vertices)):
            checked(self.core.attach_shell_to_body, index, vertex, body)
        return Shell(index, self.core)

    def body_point(self, body: Body, place: ArrayLike) -> int:
        """Adds a node without mass that is fixed in a body at `place` (m, where it is drawn)."""
        place = np.array(read("place", place, vector(3, "m")))
        index = self._my_body(body)
        self._check_open()
        return checked(self.core.add_body_point, index, place)

    def body_material(self) -> np.ndarray:
        """Rows mass, stiffness, one per body."""
        masses = [body.mass for body in self.bodies]
        return np.column_stack([masses, self._rigidity]).astype(float).reshape(-1, 2)

    def _my_body(self, body: Body) -> int:
        allowed = "a body of this network"
        read("body", body, instance(Body, allowed))
        if body.core is not self.core:
            raise StrandError(f"body: got one of another network, allowed: {allowed}")
        return body.index
