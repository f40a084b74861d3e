"""Rigid obstacles for `Simulation.add_obstacles`. SI units."""

import numpy as np
from numpy.typing import ArrayLike

from strand import _strand
from strand.errors import checked


def plane(point: ArrayLike, normal: ArrayLike) -> _strand.Obstacle:
    """Everything behind the plane through `point`; `normal` points to the free side."""
    return checked(_strand.half_space, np.asarray(point, float), np.asarray(normal, float))


def sphere(centre: ArrayLike, radius: float, hollow: bool = False) -> _strand.Obstacle:
    """A ball; hollow: its cavity, with the rods inside."""
    return checked(_strand.sphere, np.asarray(centre, float), radius, hollow)


def capsule(a: ArrayLike, b: ArrayLike, radius: float, hollow: bool = False) -> _strand.Obstacle:
    """All points within `radius` of the segment from a to b; hollow: a pipe with round ends."""
    return checked(_strand.capsule, np.asarray(a, float), np.asarray(b, float), radius, hollow)


def box(
    centre: ArrayLike, half_extents: ArrayLike, rotation: ArrayLike | None = None
) -> _strand.Obstacle:
    """A box; the columns of `rotation` (3 x 3) are its axes."""
    axes = np.eye(3) if rotation is None else np.asarray(rotation, float)
    return checked(_strand.box, np.asarray(centre, float), np.asarray(half_extents, float), axes)
