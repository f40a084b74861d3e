"""Gaps of points to circles and boxes, with gradient and Hessian.

    circle   |p - o| - r
    box      distance of its boundary, < 0 inside (there the nearest face's)

|grad| = 1. The Hessian is zero along a face and (I - n n') / distance of the centre or the corner.
Singular: a circle's centre; inside a box the lines as far from two faces. As model/vine/
planar_obstacle.h, which has gap and normal.
"""

import dataclasses

import numpy as np

from strand.vine.fit.model import numbers

#: gap (n,), gradient (n, 2) and Hessian (n, 2, 2) at n points
Gap = tuple[np.ndarray, np.ndarray, np.ndarray]


@dataclasses.dataclass(frozen=True)
class Circle:
    """Solid disc. Raises StrandError unless all numbers are finite and radius > 0."""

    centre: tuple[float, float]  #: (m)
    radius: float  #: (m)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", numbers("centre", self.centre, (2,)))
        numbers("radius", self.radius, (), above=0)

    def gap(self, points: np.ndarray) -> Gap:
        """At points (n, 2) (m)."""
        distance, normal, hessian = _from_point(points - self.centre)
        return distance - self.radius, normal, hessian


@dataclasses.dataclass(frozen=True)
class Box:
    """`length` along (cos angle, sin angle), `width` across; both > 0, or StrandError.

    The published program turns the other way: its angle is minus this one.
    """

    centre: tuple[float, float]  #: (m)
    angle: float  #: (rad)
    length: float  #: (m)
    width: float  #: (m)

    def __post_init__(self) -> None:
        object.__setattr__(self, "centre", numbers("centre", self.centre, (2,)))
        numbers("angle", self.angle, ())
        numbers("length", self.length, (), above=0)
        numbers("width", self.width, (), above=0)

    def gap(self, points: np.ndarray) -> Gap:
        """At points (n, 2) (m)."""
        turn = np.array(
            [[np.cos(self.angle), np.sin(self.angle)], [-np.sin(self.angle), np.cos(self.angle)]]
        )
        local = (points - self.centre) @ turn.T
        side = np.where(local < 0, -1.0, 1.0)
        beyond = np.abs(local) - 0.5 * np.array([self.length, self.width])
        face = beyond.argmax(axis=1)
        gap = beyond.max(axis=1)
        normal = np.eye(2)[face] * side
        hessian = np.zeros((len(points), 2, 2))
        corner = (beyond > 0).all(axis=1)
        gap[corner], normal[corner], hessian[corner] = _from_point((side * beyond)[corner])
        return gap, normal @ turn, turn.T @ hessian @ turn


def _from_point(offset: np.ndarray) -> Gap:
    distance = np.linalg.norm(offset, axis=-1)
    normal = offset / distance[:, np.newaxis]
    tangent = np.stack([-normal[:, 1], normal[:, 0]], axis=-1)
    hessian = np.einsum("ni,nj->nij", tangent, tangent) / distance[:, np.newaxis, np.newaxis]
    return distance, normal, hessian
