"""What a fit has found: estimates with their bounds, whether they mean anything, and the errors."""

import dataclasses
from typing import Any

import numpy as np
from scipy.linalg import qr
from scipy.optimize import OptimizeResult

#: An estimate tells something where zero is at least two standard deviations away from it.
RELATIVE_LIMIT = 0.5


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A number found by a fit."""

    value: float
    deviation: float  #: standard deviation by the Cramer-Rao bound; infinite: nothing is known
    at_bound: bool  #: zero, its least value, to a thousandth of the deviation


@dataclasses.dataclass(frozen=True)
class Identifiability:
    """What the data say of K and C, all other unknowns being free.

    `singular_values` (descending) are those of the residuals' Jacobian, in standard deviations of
    the noise, by K and C in units of `scale`, less what the other unknowns can undo. Their inverses
    are the standard deviations, in these units, along the columns of `directions`.

    All this takes the points' errors for independent. Those of points on a curve that was drawn
    through a picture are not (each frame of the published film is three numbers), nor are those of
    a model that is wrong: bounds are then too narrow.
    """

    covariance: np.ndarray  #: (2, 2), of K (N m) and C (N m s): the Cramer-Rao bound
    singular_values: np.ndarray  #: (2,)
    directions: np.ndarray  #: (2, 2)
    scale: np.ndarray  #: (2,) (N m, N m s): the estimates; where at a bound, the search's start


@dataclasses.dataclass(frozen=True)
class VineFit:
    """The result of fit_oscillation or fit_growth. SI units."""

    stiffness: Estimate  #: K, of each joint (N m)
    damping: Estimate  #: C, of each joint (N m s)
    identifiability: Identifiability
    identifiable: bool  #: K and C both
    reason: str  #: why, in words
    noise: np.ndarray  #: (2,), standard deviations of measured x and y that the bounds are for (m)
    times: np.ndarray  #: (steps + 1,) (s), of the trajectory
    poses: np.ndarray  #: (steps + 1, bodies, 3): x, y (m) and heading (rad)
    rates: np.ndarray  #: (steps + 1, bodies, 3); NaN where unknown: before the first step of growth
    impulses: np.ndarray  #: (steps,) (N s), of the tip's contact; NaN where unknown: the first
    gaps: np.ndarray  #: (steps + 1,), of the tip (m); infinite without an obstacle
    residuals: np.ndarray  #: (frames, points, 2), fitted less measured (m)
    cost: float  #: half the sum of squares, in standard deviations
    converged: bool
    evaluations: int
    message: str  #: the optimiser's

    @property
    def tip_mae(self) -> np.ndarray:
        """Mean absolute error of the tip over the frames (m), (2,): in x and in y."""
        return np.abs(self.residuals[:, -1]).mean(axis=0)

    @property
    def rms(self) -> float:
        """Root mean square distance of fitted and measured points, all points and frames (m)."""
        return float(np.sqrt((self.residuals**2).sum(axis=-1).mean()))

    def __str__(self) -> str:
        lines = [
            f"{name} {value.value:.6g} +- {value.deviation:.3g} {unit}"
            + (" (at its bound)" if value.at_bound else "")
            for name, value, unit in (
                ("stiffness", self.stiffness, "N m"),
                ("damping", self.damping, "N m s"),
            )
        ]
        values = ", ".join(f"{value:.4g}" for value in self.identifiability.singular_values)
        lines += [
            f"singular values {values}",
            f"{'identifiable' if self.identifiable else 'not identifiable'}: {self.reason}",
            f"tip mean absolute error x {1e3 * self.tip_mae[0]:.4g} mm, "
            f"y {1e3 * self.tip_mae[1]:.4g} mm; rms {1e3 * self.rms:.4g} mm",
        ]
        return "\n".join(lines)


def identify(jacobian: np.ndarray, scale: np.ndarray) -> Identifiability:
    """From a whitened Jacobian (rows, unknowns) whose last two columns are dr/dK and dr/dC.

    That K, C or impulses cannot be negative is not counted. What the other columns span is
    projected out (pivoted QR of the columns at unit length; a column that adds less than 1e-10 of
    its length to the others' span is left out).
    """
    others, chosen = jacobian[:, :-2], jacobian[:, -2:] * scale
    size = np.linalg.norm(others, axis=0)
    basis, triangle, _ = qr(others[:, size > 0] / size[size > 0], mode="economic", pivoting=True)
    basis = basis[:, np.abs(np.diag(triangle)) > 1e-10]
    for _ in range(2):  # twice is enough for orthogonality to the last digit
        chosen = chosen - basis @ (basis.T @ chosen)
    _, values, directions = np.linalg.svd(chosen, full_matrices=False)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1 / values**2
        covariance = np.zeros((2, 2))
        for weight, direction in zip(inverse, directions, strict=True):
            if np.isfinite(weight):
                covariance += weight * np.outer(direction, direction)
            else:
                covariance[np.ix_(direction != 0, direction != 0)] = np.inf
    return Identifiability(covariance * np.outer(scale, scale), values, directions.T, scale)


def assemble(
    search: OptimizeResult,
    jacobian: np.ndarray,
    values: np.ndarray,
    scale: np.ndarray,
    **found: Any,
) -> VineFit:
    """The result of a search that ended at `values` of K and C, in `scale` when it began.

    `jacobian` (rows, unknowns): whitened, K and C last, in SI units. `found`: fields of VineFit.
    """
    values = np.array(values)
    deviations = np.sqrt(np.diag(identify(jacobian, scale).covariance))
    at_bound = values <= np.where(np.isfinite(deviations), 1e-3 * deviations, 0)
    identified = identify(jacobian, np.where(at_bound, scale, values))
    identifiable, reason = judge(values, deviations, at_bound)
    estimates = zip(values, deviations, at_bound, strict=True)
    stiffness, damping = (Estimate(float(v), float(d), bool(b)) for v, d, b in estimates)
    return VineFit(
        stiffness=stiffness,
        damping=damping,
        identifiability=identified,
        identifiable=identifiable,
        reason=reason,
        converged=search.status > 0,
        message=search.message,
        **found,
    )


def judge(values: np.ndarray, deviations: np.ndarray, at_bound: np.ndarray) -> tuple[bool, str]:
    """Whether K and C are identifiable, and why, in words."""
    faults, facts = [], []
    for name, value, deviation, bound in zip(
        ("stiffness", "damping"), values, deviations, at_bound, strict=True
    ):
        if bound:
            faults.append(
                f"the data pull {name} below zero, where no robot is: its estimate is the bound "
                f"(standard deviation {deviation:.2g})"
            )
        elif not deviation <= RELATIVE_LIMIT * value:
            part = 100 * deviation / value
            faults.append(
                f"the standard deviation of {name} is {part:.3g} % of its estimate, more than "
                f"{100 * RELATIVE_LIMIT:g} %"
            )
        else:
            facts.append(f"{name} is known to {100 * deviation / value:.2g} %")
    return not faults, "; ".join(faults or facts)
