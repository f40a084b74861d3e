"""Compared figures of a motion: the range and the period of the tip, the kinetic energy."""

import numpy as np

from strand_studies.bench.table2.cases import CANTILEVER_LENGTH, Case
from strand_studies.validation.vibration import BETA_L

TIP_FIGURES = ("tip_low", "tip_high", "tip_end", "tip_period")


def tip_figures(times: np.ndarray, heights: np.ndarray) -> dict[str, float | None]:
    """The lowest, highest and last height of the tip (m), and its mean period (s).

    The period is that between upward crossings of the middle; None for fewer than two crossings.
    """
    low, high = float(heights.min()), float(heights.max())
    above = heights - (low + high) / 2
    before = np.flatnonzero((above[:-1] < 0) & (above[1:] >= 0))
    share = above[before] / (above[before] - above[before + 1])
    crossings = times[before] + share * (times[before + 1] - times[before])
    period = float(np.diff(crossings).mean()) if len(crossings) > 1 else None
    return dict(zip(TIP_FIGURES, (low, high, float(heights[-1]), period), strict=True))


def exact_kinetic_energy(case: Case) -> float | None:
    """Kinetic energy (J) at the end of a rod pushed over a floor: (F - mu m g)^2 T^2 / 2 m
    (DisMech, eq. 18).

    None for the cases without a floor.
    """
    if case.friction is None:
        return None
    length = float(np.linalg.norm(np.diff(case.nodes, axis=0), axis=1).sum())
    mass = case.density * np.pi * case.radius**2 * length
    force = max(abs(case.push) - case.friction * mass * case.gravity, 0.0)
    return (force * case.duration) ** 2 / (2 * mass)


def exact_period(case: Case) -> float | None:
    """Period (s) of a cantilever's first mode: 2 pi / (beta^2 sqrt(EI / (rho A))), Blevins, table
    8-1.

    None for the other cases.
    """
    if case.velocities is None:
        return None
    speed = case.radius / 2 * np.sqrt(case.young / case.density)  # sqrt(EI / (rho A)) of a circle
    return float(2 * np.pi / ((BETA_L[0] / CANTILEVER_LENGTH) ** 2 * speed))
