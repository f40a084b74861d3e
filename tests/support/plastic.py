"""Moments of elastic-perfectly plastic sections over those of first yield, against strains over
those of first yield."""

import math


def circle(x: float) -> float:
    """A circle in bending."""
    if x <= 1:
        return x
    root = math.sqrt(1 - x**-2)
    return 2 / (3 * math.pi) * ((5 - 2 * x**-2) * root + 3 * x * math.asin(1 / x))


def rectangle(x: float) -> float:
    """A rectangle in bending about an axis of symmetry."""
    return x if x <= 1 else 1.5 - 0.5 * x**-2


def circle_in_torsion(x: float) -> float:
    return x if x <= 1 else 4 / 3 - x**-3 / 3
