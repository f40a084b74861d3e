"""Shapes of rigid bodies: volume, moments of inertia, and contact geometry."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import REALS, optional, positive, read, vector


@dataclass(frozen=True)
class Surface:
    """A closed triangle mesh, relative to its centre of mass and along its principal axes."""

    vertices: np.ndarray = field(repr=False)  #: N x 3, m
    triangles: np.ndarray = field(repr=False)  #: T x 3
    axes: np.ndarray  #: 3 x 3, columns: the principal axes in the axes of the mesh as given
    rounding: float  #: m, by which the contact surface lies outside the mesh


@dataclass(frozen=True)
class Shape:
    """A homogeneous shape with its centre of mass at the origin and its axes along x, y and z.

    kind: sphere, capsule, cylinder, box or mesh.
    size: m: the radius; radius and half the length; or half the edges (mesh: of the bounding box).
    volume: m^3.
    gyration: principal moments of inertia over the mass (m^2).
    rim: m; the default contact tolerance is a tenth of it. It is a tenth of the radius, the
        rounding of a box, or a twentieth of the shortest edge of a mesh's bounding box.
    surface: the Surface of a mesh, which is along its principal axes; surface.axes transforms these
        to the axes of the mesh as given.
    """

    kind: str
    size: tuple[float, ...]
    volume: float
    gyration: tuple[float, float, float]
    rim: float
    core: _strand.Obstacle = field(repr=False)  #: in the axes of the shape
    surface: "Surface | None" = None

    @property
    def lies_on(self) -> float:
        """Length (m) of the shortest face or side on which the shape can lie: infinite for a ball,
        which has none, and for a mesh, which touches with its vertices."""
        if self.kind in ("sphere", "mesh"):
            return np.inf
        return 2 * (min(self.size) if self.kind == "box" else self.size[1])


def box(size: ArrayLike, rounding: float | None = None) -> Shape:
    """A box.

    size: lengths of its edges along x, y and z (3, m). rounding: radius of its edges in contact
    (m). Default: a twentieth of the shortest edge.
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
    """A cylinder of `radius` and `length` (m) along z, with flat ends."""
    r, length = read("radius", radius, positive("m")), read("length", length, positive("m"))
    across = r**2 / 4 + length**2 / 12
    core = checked(_strand.cylinder, *_ends(length), r, False)
    return Shape(
        "cylinder", (r, length / 2), np.pi * r**2 * length, (across, across, r**2 / 2), r / 10, core
    )


def capsule(radius: float, length: float) -> Shape:
    """A cylinder of `radius` and `length` (m) along z, with a hemisphere at each end.

    On a face, and under a body that lies on it, it touches in one point, so that friction does not
    resist a turn about the normal there.
    """
    barrel, ball = cylinder(radius, length), sphere(radius)
    core = checked(_strand.capsule, *_ends(length), radius, False)
    volume = barrel.volume + ball.volume
    outwards = length**2 / 4 + 3 / 8 * radius * length  # of the hemispheres from the middle
    away = (outwards, outwards, 0.0)
    moments = [
        (barrel.volume * of_barrel + ball.volume * (of_ball + shift)) / volume
        for of_barrel, of_ball, shift in zip(barrel.gyration, ball.gyration, away, strict=True)
    ]
    size = (radius, length / 2)
    return Shape("capsule", size, volume, (moments[0], moments[1], moments[2]), ball.rim, core)


def mesh(vertices: ArrayLike, triangles: ArrayLike, rounding: float | None = None) -> Shape:
    """A solid of any form, bounded by a closed mesh.

    vertices: N x 3, m; the centre of mass need not be at the origin.
    triangles: T x 3, indices of vertices, counter-clockwise as seen from outside.
    rounding: distance of the contact surface from the mesh (m). Default: a hundredth of the
        shortest edge of the bounding box.

    strand.meshes.read reads meshes from files. Rods are attached to vertices. The cost of contact
    grows with the number of triangles: use as few as the form needs. Raises StrandError if the
    surface is open or its triangles run clockwise.
    """
    import trimesh

    points, corners = read("vertices", vertices, REALS), read("triangles", triangles, REALS)
    if points.ndim != 2 or points.shape[1] != 3 or len(points) < 4:
        raise StrandError(f"vertices: got shape {points.shape}, allowed: (n, 3), 4 or more")
    core = _strand.Network()
    checked(core.add_shell, points, corners.astype(int).tolist(), False)
    solid = trimesh.Trimesh(points, corners.astype(int), process=False)
    if not solid.is_watertight:
        raise StrandError("triangles: got an open surface, allowed: a closed surface")
    if not solid.volume > 0:
        raise StrandError(
            f"triangles: got a volume of {solid.volume:g} m^3, allowed: more than 0, with triangles"
            " that run counter-clockwise as seen from outside"
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
