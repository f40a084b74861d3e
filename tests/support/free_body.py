"""The rotation of a free rigid body by Euler's equations."""

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.transform import Rotation


def free_rotation(
    inertia: ArrayLike, spin: ArrayLike, duration: float, steps: int = 4000
) -> tuple[np.ndarray, np.ndarray]:
    """The rotation (3 x 3) after `duration` (s), and the spin (rad/s) then, both in principal axes.

    inertia: principal moments, in any unit. spin: at the start. By the Runge-Kutta method.
    """
    moments, now = np.asarray(inertia, float), np.asarray(spin, float)
    h, turned = duration / steps, Rotation.identity()

    def rate(w: np.ndarray) -> np.ndarray:
        return np.cross(moments * w, w) / moments

    for _ in range(steps):
        a = rate(now)
        b = rate(now + h / 2 * a)
        c = rate(now + h / 2 * b)
        turned = turned * Rotation.from_rotvec(h * (now + h / 2 * b))
        now = now + h / 6 * (a + 2 * b + 2 * c + rate(now + h * c))
    return turned.as_matrix(), now
