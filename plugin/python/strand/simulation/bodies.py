"""Shapes of rigid bodies: what they weigh and how they resist turning."""

from dataclasses import dataclass, field

import numpy as np
import trimesh
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import REALS, optional, positive, read, vector


@dataclass(frozen=True)
class Surface:
    """A closed triangle mesh about its centre of mass, along its principal axes."""

    vertices: np.ndarray = field(repr=False)  #: N x 3, m
    triangles: np.ndarray = field(repr=False)  #: T x 3
    axes: np.ndarray  #: the principal axes in those of the mesh as given, columns
    rounding: float  #: m, by which it is larger than the mesh


@dataclass(frozen=True)
class Shape:
    """A homogeneous shape about its centre of mass, its axes along x, y and z.

    volume: m^3. gyration: principal moments of inertia over the mass (m^2). rim: m, of which a
    tenth is the tolerance of its contact by default: a tenth of its radius, or a box's rounding.
    kind: sphere, capsule, cylinder, box or mesh; size (m): radius, half the length, or half the
    edges (of a mesh: of the box about it). surface: of a mesh, which has axes of its own: it is
    given about its centre of mass, along its principal axes, and `axes` turns these to its own.
    """

    kind: str
    size: tuple[float, ...]
    volume: float
    gyration: tuple[float, float, float]
    rim: float
    core: _strand.Obstacle = field(repr=False)  #: in its own axes
    surface: "Surface | None" = None

    @property
    def lies_on(self) -> float:
        """Length (m) of the shortest face or side that it may lie on: infinite of a ball, which has
        none, and of a mesh, which lies on its own vertices."""
        if self.kind in ("sphere", "mesh"):
            return np.inf
        return 2 * (min(self.size) if self.kind == "box" else self.size[1])


def box(size: ArrayLike, rounding: float | None = None) -> Shape:
    """A box with edges of `size` (three, m) along x, y and z.

    `rounding` (m): radius of its edges where it touches (a twentieth of the shortest one).
    """
    edges = np.array([read("size", edge, positive("m")) for edge in read("size", size, _SIZE)])
    read("rounding", rounding, optional(positive("m")))
    if rounding is None:
        rounding = 0.05 * float(edges.min())
    core = checked(_strand.rounded_box, edges / 2, rounding)
    square = edges**2
    gyration = tuple(((square.sum() - square) / 12).tolist())
    return Shape("box", tuple((edges / 2).tolist()), float(edges.prod()), gyration, rounding, core)


def sphere(radius: float) -> Shape:
    """A ball of `radius` (m)."""
    r = read("radius", radius, positive("m"))
    core = checked(_strand.sphere, np.zeros(3), r, False)
    return Shape("sphere", (r,), 4 / 3 * np.pi * r**3, (0.4 * r**2,) * 3, r / 10, core)


def cylinder(radius: float, length: float) -> Shape:
    """A cylinder of `radius` and `length` (m) along z. Its ends are flat."""
    r, length = read("radius", radius, positive("m")), read("length", length, positive("m"))
    across = r**2 / 4 + length**2 / 12
    core = checked(_strand.cylinder, *_ends(length), r, False)
    return Shape(
        "cylinder", (r, length / 2), np.pi * r**2 * length, (across, across, r**2 / 2), r / 10, core
    )


def capsule(radius: float, length: float) -> Shape:
    """A cylinder of `radius` and `length` (m) along z with a half ball at both ends."""
    barrel, ball = cylinder(radius, length), sphere(radius)
    core = checked(_strand.capsule, *_ends(length), radius, False)
    volume = barrel.volume + ball.volume
    outwards = length**2 / 4 + 3 / 8 * radius * length  # of the half balls from the middle
    away = (outwards, outwards, 0.0)
    moments = [
        (barrel.volume * of_barrel + ball.volume * (of_ball + shift)) / volume
        for of_barrel, of_ball, shift in zip(barrel.gyration, ball.gyration, away, strict=True)
    ]
    size = (radius, length / 2)
    return Shape("capsule", size, volume, (moments[0], moments[1], moments[2]), ball.rim, core)


def mesh(vertices: ArrayLike, triangles: ArrayLike, rounding: float | None = None) -> Shape:
    """A solid of any form: a closed mesh of `triangles` (T x 3) over `vertices` (N x 3, m).

    Triangles run counter-clockwise as seen from outside (strand.meshes.read reads files). Its
    centre of mass need not be at the origin. It touches with a rim of the radius `rounding` (m; a
    hundredth of the shortest edge of the box about it) around the mesh. Rods are attached to its
    vertices. Time for contact grows with the triangles: take as few as show its form.
    """
    points, corners = read("vertices", vertices, REALS), read("triangles", triangles, REALS)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 4:
        raise StrandError(f"vertices: got shape {points.shape}, allowed: (n, 3), 4 or more")
    core = _strand.Network()
    checked(core.add_shell, points, corners.astype(int).tolist(), False)
    solid = trimesh.Trimesh(points, corners.astype(int), process=False)
    if not solid.is_watertight:
        raise StrandError("triangles: got an open surface, allowed: closed ones")
    if not solid.volume > 0:
        raise StrandError(
            f"triangles: got a volume of {solid.volume:g} m^3, allowed: more than 0: triangles that"
            " run counter-clockwise as seen from outside"
        )
    moments, axes = np.linalg.eigh(solid.moment_inertia / solid.volume)
    axes[:, 2] = np.cross(axes[:, 0], axes[:, 1])
    edges = np.ptp(points, axis=0)
    read("rounding", rounding, optional(positive("m")))
    if rounding is None:
        rounding = 0.01 * float(edges.min())
    surface = Surface((points - solid.center_mass) @ axes, corners.astype(int), axes, rounding)
    return Shape(
        "mesh",
        tuple((edges / 2).tolist()),
        float(solid.volume),
        tuple(moments.tolist()),
        0.05 * float(edges.min()),
        _strand.no_obstacle(),
        surface,
    )


def _ends(length: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array((0, 0, -length / 2)), np.array((0, 0, length / 2))


_SIZE = vector(3, "m")
