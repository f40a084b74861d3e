"""Shapes of rigid bodies: what they weigh and how they resist turning."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked
from strand.options import optional, positive, read, vector


@dataclass(frozen=True)
class Shape:
    """A homogeneous shape about its centre of mass, its axes along x, y and z.

    volume: m^3. gyration: principal moments of inertia over the mass (m^2). rim: m, of which a
    tenth is the tolerance of its contact by default: a tenth of its radius, or a box's rounding.
    kind: sphere, capsule, cylinder or box; size (m): radius, half the length, or half the edges.
    """

    kind: str
    size: tuple[float, ...]
    volume: float
    gyration: tuple[float, float, float]
    rim: float
    core: _strand.Obstacle = field(repr=False)  #: in its own axes

    @property
    def lies_on(self) -> float:
        """Length (m) of the shortest face or side that it may lie on; a ball has none: infinite."""
        if self.kind == "sphere":
            return np.inf
        return 2 * (min(self.size) if self.kind == "box" else self.size[1])


def box(size: ArrayLike, rounding: float | None = None) -> Shape:
    """A box with edges of `size` (three, m) along x, y and z.

    `rounding` (m): radius of its edges where it touches (a twentieth of the shortest one).
    """
    edges = np.array([read("size", edge, positive("m")) for edge in read("size", size, _SIZE)])
    if read("rounding", rounding, optional(positive("m"))) is None:
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


def _ends(length: float) -> tuple[np.ndarray, np.ndarray]:
    return np.array((0, 0, -length / 2)), np.array((0, 0, length / 2))


_SIZE = vector(3, "m")
