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

    Its `carriers` are four nodes, each with a quarter of its mass, that move with the body and have
    its moments of inertia. Its `points` are massless nodes that are fixed in the body.
    """

    index: int
    mass: float  #: kg
    shape: Shape
    core: _strand.Network = field(repr=False)
    surface: Shell | None = None  #: for a mesh: the shell that moves with the body and touches

    @property
    def carriers(self) -> list[int]:
        return list(self.core.body(self.index).carrier)

    @property
    def points(self) -> list[int]:
        return self.core.body(self.index).point

    def pose(self, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The centre of mass (m), and the rotation matrix from the shape's axes to the world's.

        positions: of the network's nodes (N x 3, m).
        """
        places = positions[self.carriers]
        slope = _strand.carrier_signs / (4 * self.core.body(self.index).spread)
        left, _, right = np.linalg.svd(places.T @ slope)  # left @ right: the nearest rotation
        return places.mean(axis=0), left @ right @ self.own_axes.T

    @property
    def own_axes(self) -> np.ndarray:
        """The body's principal axes in the axes of its shape (3 x 3, columns)."""
        return np.eye(3) if self.shape.surface is None else self.shape.surface.axes


def rotation_matrix(rotation: Sequence[float] | np.ndarray) -> np.ndarray:
    """The rotation matrix of a rotation vector (rad), by Rodrigues' formula."""
    x, y, z = rotation
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.linalg.norm(rotation)
    half = np.sinc(angle / (2 * np.pi))
    return np.eye(3) + np.sinc(angle / np.pi) * cross + 0.5 * half**2 * cross @ cross


def mass_of(shape: Shape, mass: float | None, density: float | None) -> float:
    """The mass of a body (kg). Raises StrandError unless just one of mass, density is given."""
    if (mass is None) == (density is None):
        raise StrandError("body: got both or none of mass and density, allowed: one of them")
    if mass is not None:
        return read("mass", mass, positive("kg"))
    return shape.volume * read("density", density, positive("kg/m^3"))


class NetworkBodies:
    """The part of a Network that handles rigid bodies."""

    core: _strand.Network
    bodies: list[Body]
    _rigidity: list[float]  #: stiffness of each body (J); 0: chosen by the core
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
        """Adds a rigid body.

        shape: of strand.simulation.bodies. A mesh comes with a shell, the body's `surface`; rods
            are attached to its vertices (`attach`).
        mass, density: kg or kg/m^3; one of them.
        position: of the centre of mass (m; default the origin).
        rotation: rotation vector (rad) about the centre of mass (default none).
        stiffness: J; a moment M strains the body by about M / stiffness. The default limits the
            strain from accelerations of 100 m/s^2 to 1e-6, and is at least a thousand times the
            stiffness of the rods and shells that are attached.
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
        """Adds a shell without mass and stiffness that is fixed in the body."""
        vertices = place + of.vertices @ axes.T
        index = checked(self.core.add_shell, vertices, of.triangles.tolist(), False)
        self._shells.append(Sheet(young=0.0, poisson=0.0, thickness=2 * of.rounding, density=0.0))
        for vertex in range(len(vertices)):
            checked(self.core.attach_shell_to_body, index, vertex, body)
        return Shell(index, self.core)

    def body_point(self, body: Body, place: ArrayLike) -> int:
        """Adds a massless node that is fixed in a body. Returns its index.

        place: its initial position (3, m, world).
        """
        place = np.array(read("place", place, vector(3, "m")))
        index = self._body_index(body)
        self._check_open()
        return checked(self.core.add_body_point, index, place)

    def body_material(self) -> np.ndarray:
        """One row per body: mass (kg), stiffness (J; 0: chosen by the core)."""
        masses = [body.mass for body in self.bodies]
        return np.column_stack([masses, self._rigidity]).astype(float).reshape(-1, 2)

    def _body_index(self, body: Body) -> int:
        allowed = "a body of this network"
        read("body", body, instance(Body, allowed))
        if body.core is not self.core:
            raise StrandError(f"body: got one of another network, allowed: {allowed}")
        return body.index
