"""Estimates with intervals, and the scatter of repeated experiments."""

import dataclasses
from collections.abc import Sequence

import numpy as np
import scipy

from strand.errors import StrandError

LEVEL = 0.95  #: of all intervals
DRAWS = 2000  #: of a bootstrap
_SEED = 20240901
_NO_EFFECT = 1e-10  #: singular value, of the largest, of a direction without an effect
_CONTAINED = 1e-4  #: component of a parameter in such a direction, else it is a rounding error


@dataclasses.dataclass(frozen=True)
class Estimate:
    """An estimated value and the interval that contains the true one with 95 % confidence."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.5g} ({self.low:.5g} to {self.high:.5g})"


def of_logarithm(value: float, row: np.ndarray) -> Estimate:
    """An estimate from the interval of its logarithm (2,), whose ends may be infinite."""
    with np.errstate(over="ignore"):
        low, high = np.exp(row)
    return Estimate(value, float(low), float(high))


def of_trials(values: Sequence[float], positive: bool = True) -> Estimate:
    """The mean of repeated experiments, with a bootstrap interval over them.

    The bootstrap's standard deviation of the mean is corrected for the number of values (Student's
    t): the percentiles of a bootstrap over 5 values contain the true mean in only 4 of 5 cases.
    positive: values are > 0, and their logarithms are used for the interval. For one value the
    interval is unbounded.
    """
    found = np.asarray(values, dtype=float)
    size, mean = len(found), float(np.mean(found))
    if size < 2:
        return Estimate(mean, 0.0 if positive else -np.inf, np.inf)
    rng = np.random.default_rng(_SEED)
    shown = np.log(found) if positive else found
    draws = shown[rng.integers(size, size=(DRAWS, size))].mean(axis=1)
    deviation = float(draws.std()) * np.sqrt(size / (size - 1))
    reach = float(scipy.stats.t.ppf(0.5 + LEVEL / 2, size - 1)) * deviation
    if positive:
        return Estimate(mean, mean * float(np.exp(-reach)), mean * float(np.exp(reach)))
    return Estimate(mean, mean - reach, mean + reach)


def of_residuals(
    parameters: np.ndarray, jacobian: np.ndarray, residuals: np.ndarray, per_point: int = 1
) -> np.ndarray:
    """Intervals of least-squares parameters (p, 2), by a bootstrap over blocks of residuals.

    parameters: (p,). jacobian: (n, p). residuals: (n,), in order along the cable or in time, the
    `per_point` ones of a point next to each other.

    Blocks of neighbouring residuals (circular, of the cube root of the number of points) are drawn
    with both signs, and the change of the parameters is that of the linearised fit. Blocks keep the
    correlation of neighbours. Residuals are scaled for the degrees of freedom that the fit uses,
    and the result for Student's distribution. Source: Davison and Hinkley, Bootstrap Methods and
    their Application (1997), sections 6.3 and 8.2.

    The interval of a parameter on which the residuals do not depend, alone or combined with others,
    is unbounded.
    """
    size, count = len(residuals), len(parameters)
    free = size - count
    if free < 1:
        raise StrandError(f"points: got {size} residuals, allowed: more than {count} unknowns")
    rng = np.random.default_rng(_SEED)
    block = per_point * max(1, round((size / per_point) ** (1 / 3)))
    blocks = -(-size // block)
    starts = rng.integers(size, size=(DRAWS, blocks, 1))
    places = ((starts + np.arange(block)) % size).reshape(DRAWS, -1)[:, :size]
    signs = np.repeat(rng.choice([-1.0, 1.0], size=(DRAWS, blocks)), block, axis=1)[:, :size]
    drawn = residuals[places] * signs * np.sqrt(size / free)
    changes = drawn @ np.linalg.pinv(jacobian).T
    widened = float(
        scipy.stats.t.ppf(0.5 + LEVEL / 2, free) / scipy.stats.norm.ppf(0.5 + LEVEL / 2)
    )
    low, high = np.quantile(changes, [0.5 - LEVEL / 2, 0.5 + LEVEL / 2], axis=0) * widened
    low, high = np.where(_determined(jacobian), [low, high], [[-np.inf], [np.inf]])
    return np.column_stack([parameters + low, parameters + high])


def _determined(jacobian: np.ndarray) -> np.ndarray:
    """Which parameters (p,) the residuals determine: no change of the parameters that leaves the
    residuals as they are, to first order, contains one of them."""
    sizes = np.linalg.norm(jacobian, axis=0)
    _, effects, changes = np.linalg.svd(jacobian / np.where(sizes > 0, sizes, 1.0))
    free = changes[effects <= _NO_EFFECT * effects.max()]
    return np.linalg.norm(free, axis=0) < _CONTAINED


def cloud_size(values: Sequence[float]) -> float:
    """Mean absolute deviation from the mean, relative to it (%).

    Source: Eq. (6) of Chen, Bretl and Pham, "Accurate Simulation and Parameter Identification of
    Deformable Linear Objects using Discrete Elastic Rods in Generalized Coordinates", whose Table
    II prints `cloud_size_norm` instead.
    """
    found = np.asarray(values, dtype=float)
    return float(100 * np.abs(found - found.mean()).mean() / found.mean())


def cloud_size_norm(values: Sequence[float]) -> float:
    """2-norm of the deviations from the mean, divided by their number and the mean (%)."""
    found = np.asarray(values, dtype=float)
    return float(100 * np.linalg.norm(found - found.mean()) / len(found) / found.mean())
