"""Gaps between points and a planar obstacle, with gradient and Hessian."""

import numpy as np

from strand.vine.robot import Obstacle

#: gap (n,), gradient (n, 2) and Hessian (n, 2, 2) at n points
Gap = tuple[np.ndarray, np.ndarray, np.ndarray]


def gap_of(obstacle: Obstacle, points: np.ndarray) -> Gap:
    """The gap at points (n, 2) (m), singular as described in model/vine/planar_obstacle.h.

    |grad| = 1, so that the Hessian is the curvature of the gap's level line, in the direction of
    that line.
    """
    gaps, normal, curvature = obstacle.gap(np.ascontiguousarray(points))
    tangent = np.stack([-normal[:, 1], normal[:, 0]], axis=-1)
    along = np.einsum("ni,nj->nij", tangent, tangent)
    return gaps, normal, curvature[:, np.newaxis, np.newaxis] * along
