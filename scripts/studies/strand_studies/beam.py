"""Planar elastica of a clamped-free rod by its differential equation: a reference for chains."""

import numpy as np
from scipy.integrate import solve_bvp


def second_moment(radius: float) -> float:
    """Second moment of area of a full circle about its diameter, m^4, from its radius (m)."""
    return np.pi / 4 * radius**4


def tip_deflection(tip_load: float = 0.0, weight: float = 0.0) -> tuple[float, float]:
    """Tip of a horizontal cantilever: (w / L downwards, u / L towards the clamp).

    `tip_load` = P L^2 / EI, `weight` = q L^3 / EI (both downwards, dimensionless). Solves
    theta'' = -(P + q (1 - s)) cos(theta), theta(0) = 0, theta'(1) = 0, where theta is the downward
    slope. The load is applied in ten increments; the relative accuracy is 1e-8.
    """
    s = np.linspace(0, 1, 101)
    guess = np.zeros((2, s.size))
    for fraction in np.linspace(0.1, 1.0, 10):
        load = fraction * tip_load
        line = fraction * weight

        def slope(x, y, load=load, line=line):
            return np.vstack([y[1], -(load + line * (1 - x)) * np.cos(y[0])])

        solution = solve_bvp(
            slope, lambda a, b: np.array([a[0], b[1]]), s, guess, tol=1e-9, max_nodes=100000
        )
        s, guess = solution.x, solution.y
    fine = np.linspace(0, 1, 20001)
    theta = solution.sol(fine)[0]
    w = _simpson(np.sin(theta), fine)
    return w, 1 - _simpson(np.cos(theta), fine)


def _simpson(values: np.ndarray, x: np.ndarray) -> float:
    from scipy.integrate import simpson

    return float(simpson(values, x=x))
