"""Deflections of Kirchhoff's plates under a uniform pressure: the references for sheets."""

import numpy as np
from numpy.polynomial import legendre

_ALONG, _ACROSS = 20, 11  # polynomials of a strip: enough for four digits of the tip
_WAVES = 99  # highest wave number of Navier's series: ten digits


def rigidity(young: float, thickness: float, poisson: float) -> float:
    """D = E h^3 / 12 (1 - nu^2), N m."""
    return young * thickness**3 / (12 * (1 - poisson**2))


def square_centre(pressure: float, side: float, rigidity: float) -> float:
    """Deflection (m) of the middle of a square, simply supported on all sides: Navier's series.

    w = 16 q a^4 / (pi^6 D) sum over odd m, n of sin(m pi/2) sin(n pi/2) / (m n (m^2 + n^2)^2)
    [S. Timoshenko and S. Woinowsky-Krieger, Theory of Plates and Shells, art. 30].
    """
    odd = np.arange(1, _WAVES + 1, 2)
    sign = np.where(odd % 4 == 1, 1.0, -1.0)
    m, n = np.meshgrid(odd, odd)
    terms = np.outer(sign, sign) / (m * n * (m**2 + n**2) ** 2)
    return 16 * pressure * side**4 / (np.pi**6 * rigidity) * terms.sum()


def cantilever_tip(
    pressure: float, length: float, width: float, rigidity: float, poisson: float
) -> float:
    """Mean deflection (m) of the free end of a strip, clamped at the other end.

    Ritz's method: w = sum c_ij x^2 P_i(2 x / L - 1) P_j(2 y / b), Legendre's polynomials, makes
    D/2 int (w_xx^2 + w_yy^2 + 2 nu w_xx w_yy + 2 (1 - nu) w_xy^2) - q int w least.
    """
    x, along = legendre.leggauss(_ALONG + 3)
    y, across = legendre.leggauss(_ACROSS + 1)
    along, across = along * length / 2, across * width / 2
    f = _times_square((1 + x) / 2, _derivatives(x, _ALONG, length / 2), length)
    g = _derivatives(y, _ACROSS, width / 2)

    def products(i: int, j: int, k: int, l: int) -> np.ndarray:  # noqa: E741
        """Integrals of the i-th and j-th derivatives along times the k-th and l-th across."""
        return np.kron(f[i].T @ (along[:, None] * f[j]), g[k].T @ (across[:, None] * g[l]))

    mixed = products(2, 0, 0, 2) + products(0, 2, 2, 0)
    bends = products(2, 2, 0, 0) + products(0, 0, 2, 2) + poisson * mixed
    twists = 2 * (1 - poisson) * products(1, 1, 1, 1)
    load = pressure * np.kron(f[0].T @ along, g[0].T @ across)
    c = np.linalg.solve(rigidity * (bends + twists), load).reshape(_ALONG, _ACROSS)
    return c[:, 0].sum()  # P_i(1) = 1, and the mean of P_j is 0 for j > 0


def _derivatives(at: np.ndarray, count: int, scale: float) -> list[np.ndarray]:
    """Legendre polynomials: values and two derivatives by scale * at, each (len(at), count)."""
    unit = np.eye(count)
    return [legendre.legval(at, legendre.legder(unit, k, axis=0)).T / scale**k for k in range(3)]


def _times_square(part: np.ndarray, of: list[np.ndarray], length: float) -> list[np.ndarray]:
    """Values and two derivatives of part^2 times functions; part goes from 0 to 1 over `length`."""
    square = [part[:, None] ** 2, 2 * part[:, None] / length, 2 / length**2]
    return [
        square[0] * of[0],
        square[1] * of[0] + square[0] * of[1],
        square[2] * of[0] + 2 * square[1] * of[1] + square[0] * of[2],
    ]
