"""How a rod that is fed out of a mouth comes free: shares of joints and nodes, and their stiffness.

u = s / l is the place of a joint or node beyond the mouth (s, < 0: behind it) in links (l). The
share outside of the length that belongs to it is

    phi(u) = integral of max(0, 1 - |u|),  0 at u = -1, 1/2 at the mouth, 1 at u = 1.

At any place of the rod the shares of all joints and of half the last link sum to the length
outside, and their centre is at its middle: a bent rod is one that is clamped at the mouth, to
second order in l, and its weight and the force of the feed are continuous. (A share that grows
linearly over a single link has both errors of first order: of l / 2 in the arm of the moment.)
"""

import numpy as np

#: Compliance of a joint whose share is 0, as a fraction of its whole compliance.
LEAST = 1e-4
#: The same of the stretching of a link.
LEAST_STRETCH = 1e-3


def share(u: np.ndarray) -> np.ndarray:
    """phi(u)."""
    inside = np.clip(u, -1.0, 1.0)
    return np.where(inside < 0, (1 + inside) ** 2 / 2, 1 - (1 - inside) ** 2 / 2)


def share_slope(u: np.ndarray) -> np.ndarray:
    """d phi / du."""
    return np.maximum(0.0, 1 - np.abs(u))


def factor(u: np.ndarray) -> np.ndarray:
    """Stiffness of a joint over that of the free rod: its compliance is its share."""
    return (1 + LEAST) / (share(u) + LEAST)


def factor_rate(u: np.ndarray) -> np.ndarray:
    """d(log factor) / du."""
    return -share_slope(u) / (share(u) + LEAST)


def stretch_factor(u: float) -> float:
    """Stretching stiffness of the link whose end is at u (0 to 1) over that of a free one: its
    compliance is the part of the link that is outside."""
    return (1 + LEAST_STRETCH) / (u + LEAST_STRETCH)


def stretch_factor_rate(u: float) -> float:
    """d(log stretch_factor) / du."""
    return -1 / (u + LEAST_STRETCH)
