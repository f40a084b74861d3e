"""Results of fits: estimates with their bounds, identifiability, and errors."""

import dataclasses
from typing import Any

import numpy as np
from scipy.linalg import qr
from scipy.optimize import OptimizeResult

#: Largest ratio of standard deviation to estimate, so that zero is two standard deviations away.
RELATIVE_LIMIT = 0.5


@dataclasses.dataclass(frozen=True)
class Estimate:
    """An estimated parameter."""

    value: float
    deviation: float  #: standard deviation by the Cramer-Rao bound; infinite: not determined
    at_bound: bool  #: the value is 0, its lower bound, within a thousandth of the deviation


@dataclasses.dataclass(frozen=True)
class Identifiability:
    """How well the data determine K and C, with all other unknowns free.

    `singular_values` (descending) are those of the Jacobian of the residuals, in standard
    deviations of the noise, by K and C in units of `scale`, after the span of the other unknowns is
    projected out. Their inverses are the standard deviations, in these units, along the columns of
    `directions`.

    Errors of points are assumed to be independent. For points on a curve drawn through a picture
    they are not (each frame of the published film is three numbers), nor are they for a wrong
    model: the bounds are then too narrow.
    """

    covariance: np.ndarray  #: (2, 2), of K (N m) and C (N m s): the Cramer-Rao bound
    singular_values: np.ndarray  #: (2,)
    directions: np.ndarray  #: (2, 2)
    scale: np.ndarray  #: (2,) (N m, N m s): the estimates, or the initial value if at the bound


@dataclasses.dataclass(frozen=True)
class VineFit:
    """The result of fit_oscillation or fit_growth. SI units."""

    stiffness: Estimate  #: K, of each joint (N m)
    damping: Estimate  #: C, of each joint (N m s)
    identifiability: Identifiability
    identifiable: bool  #: True if both K and C are
    reason: str  #: explains `identifiable`
    noise: np.ndarray  #: (2,), standard deviations of measured x and y used for the bounds (m)
    times: np.ndarray  #: (steps + 1,) (s), of the trajectory
    poses: np.ndarray  #: (steps + 1, bodies, 3): x, y (m) and heading (rad)
    rates: np.ndarray  #: (steps + 1, bodies, 3); NaN where unknown: before the first step of growth
    impulses: np.ndarray  #: (steps,) (N s), of the tip's contact; NaN where unknown: the first
    gaps: np.ndarray  #: (steps + 1,), of the tip (m); infinite without an obstacle
    residuals: np.ndarray  #: (frames, points, 2), fitted less measured (m)
    cost: float  #: half the sum of squares, in standard deviations
    converged: bool
    evaluations: int
    message: str  #: of the optimiser

    @property
    def tip_mae(self) -> np.ndarray:
        """Mean absolute error of the tip over the frames (m), (2,): in x and in y."""
        return np.abs(self.residuals[:, -1]).mean(axis=0)

    @property
    def rms(self) -> float:
        """Root mean square distance of fitted and measured points, over points and frames (m)."""
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
    """Identifiability from a whitened Jacobian (rows, unknowns), whose last two columns are dr/dK
    and dr/dC.

    The bounds K, C, impulses >= 0 are ignored. The span of the other columns is projected out by
    pivoted QR of the normalised columns; columns that add less than 1e-10 of their length to the
    span of the others are omitted.
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
    """The result of a search.

    values: final K and C. scale: initial K and C. jacobian: whitened (rows, unknowns), K and C
    last, in SI units. found: other fields of VineFit.
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
    """Whether K and C are identifiable, and the explanation."""
    faults, facts = [], []
    for name, value, deviation, bound in zip(
        ("stiffness", "damping"), values, deviations, at_bound, strict=True
    ):
        if bound:
            faults.append(
                f"the best fit has {name} below zero, which is impossible: its estimate is the "
                f"bound (standard deviation {deviation:.2g})"
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
