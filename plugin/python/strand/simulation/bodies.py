"""Shapes of rigid bodies: what they weigh and how they resist turning."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from strand.options import positive, read, vector


@dataclass(frozen=True)
class Shape:
    """A homogeneous shape about its centre of mass, its axes along x, y and z.

    volume: m^3. gyration: principal moments of inertia over the mass (m^2).
    """

    volume: float
    gyration: tuple[float, float, float]


def box(size: ArrayLike) -> Shape:
    """A box with edges of `size` (three, m) along x, y and z."""
    edges = np.array([read("size", edge, positive("m")) for edge in read("size", size, _SIZE)])
    square = edges**2
    return Shape(float(edges.prod()), tuple(((square.sum() - square) / 12).tolist()))


def sphere(radius: float) -> Shape:
    """A ball of `radius` (m)."""
    r = read("radius", radius, positive("m"))
    return Shape(4 / 3 * np.pi * r**3, (0.4 * r**2,) * 3)


def cylinder(radius: float, length: float) -> Shape:
    """A cylinder of `radius` and `length` (m) along z."""
    r, length = read("radius", radius, positive("m")), read("length", length, positive("m"))
    across = r**2 / 4 + length**2 / 12
    return Shape(np.pi * r**2 * length, (across, across, r**2 / 2))


def capsule(radius: float, length: float) -> Shape:
    """A cylinder of `radius` and `length` (m) along z with a half ball at both ends."""
    barrel, ball = cylinder(radius, length), sphere(radius)
    volume = barrel.volume + ball.volume
    outwards = length**2 / 4 + 3 / 8 * radius * length  # of the half balls from the middle
    away = (outwards, outwards, 0.0)
    moments = [
        (barrel.volume * of_barrel + ball.volume * (of_ball + shift)) / volume
        for of_barrel, of_ball, shift in zip(barrel.gyration, ball.gyration, away, strict=True)
    ]
    return Shape(volume, (moments[0], moments[1], moments[2]))


_SIZE = vector(3, "m")
