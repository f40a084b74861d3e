"""Two searches for the bending stiffness: golden section as published, and least squares."""

import dataclasses
from collections.abc import Callable

import numpy as np
import scipy

from strand.errors import StrandError
from strand.identify.bend_model import BendModel, Setup, same_spacing
from strand.identify.held_cable import Discretisation
from strand.identify.interval import Estimate, of_logarithm, of_residuals
from strand.identify.recorded import Trial
from strand.simulation import SolverError

#: The published search: 52 links of which 2 are in the clamps, 2 tan(phi / 2) as the measure of
#: curvature, EI (2 pi)^3 from 0 to 1 N m^2, to 1e-3. Source: the authors' program (qj25/
#: adapteddlo_muj, utils/optimize_utils.py and envs/realgrav_valid_test.py).
PUBLISHED = Discretisation(links=50, clamp="exit", curvature="tangent")
PUBLISHED_UNIT = (2 * np.pi) ** -3  #: N m^2
PUBLISHED_TOLERANCE = 1e-3

_GOLDEN = (1 + 5**0.5) / 2
_SCAN = np.log(10) * np.arange(1, -6.1, -0.5)  #: log(EI / (m g L^3)) to choose a start from
_SCAN_CURVATURE = (0.0, 1.0, 2.0, 4.0, -4.0, -2.0, -1.0)  #: times the length, likewise
_STEP = 1e-4  #: of differences, in all unknowns
_AHEAD = 1e-2  #: relative step of EI for the interval of a golden section
_RESOLVED = 4  #: links per bending length sqrt(EI / (m g L)), along which a clamp bends the cable
_LINKS = 200, 400  #: fewest and most, in the final fit
_SOFTEST = 1e-6  #: EI / (m g L^3)


@dataclasses.dataclass(frozen=True)
class TrialFit:
    """The fit of one trial. SI units."""

    name: str
    EI: Estimate  #: N m^2; the interval follows from the residuals of this trial
    natural_curvature: Estimate | None  #: 1/m
    length: float  #: m, of the cable between the clamps, or to the free end
    points: np.ndarray  #: (n, 2 or 3), measured
    curve: np.ndarray  #: (nodes, 2 or 3), fitted
    residuals: np.ndarray  #: (n,), distances of points from the curve
    at_limit: bool  #: the estimate is at a limit of the search
    evaluations: int  #: equilibria solved

    @property
    def rms(self) -> float:
        """Root mean square of the distances (m)."""
        return float(np.sqrt(np.mean(self.residuals**2)))


def golden_section(
    function: Callable[[float], float], low: float, high: float, tolerance: float
) -> float:
    """The middle of the last interval, at most `tolerance` wide, around a minimum."""
    inner = [high - (high - low) / _GOLDEN, low + (high - low) / _GOLDEN]
    values = [function(x) for x in inner]
    while high - low > tolerance:
        if values[0] < values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - (high - low) / _GOLDEN
            values[0] = function(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + (high - low) / _GOLDEN
            values[1] = function(inner[1])
    return (low + high) / 2


def search_golden(
    trial: Trial,
    setup: Setup,
    cut: Discretisation,
    limits: tuple[float, float],
    tolerance: float,
    objective: str,
) -> TrialFit:
    """Golden section on EI within `limits` (N m^2), node by node against equal arclengths.

    objective: "distance": mean distance of nodes, as in the authors' program; "squared": mean
    squared distance, as in their Eq. (5).
    """
    model = BendModel(trial, setup, cut, curved=False, only_EI=True)
    if setup.length is None:
        raise StrandError("length: got none, allowed: the length (m) for method golden")
    unit, power = setup.stiffness_unit(model.length), 1 if objective == "distance" else 2
    arclength, _ = model.cable.span
    measured = same_spacing(trial, len(arclength)) / model.length
    if model.cut.clamp != "exit":
        raise StrandError("clamp: got middle, allowed for method golden: exit")

    def curve(EI: float) -> np.ndarray:
        return model.curve(np.array([np.log(max(EI / unit, _SOFTEST))]))[1]

    def distances(EI: float) -> np.ndarray:
        return np.linalg.norm(curve(EI) - measured, axis=1)

    def cost(EI: float) -> float:
        try:
            return float(np.mean(distances(EI) ** power))
        except SolverError:
            return np.inf

    found = golden_section(cost, *limits, tolerance)
    at_limits = found - limits[0] <= tolerance, limits[1] - found <= tolerance
    axes = [0, 2] if trial.planar else [0, 1, 2]
    vectors = (curve(found) - measured)[:, axes]
    ahead = (curve(found * (1 + _AHEAD)) - measured)[:, axes]
    slopes = ((ahead - vectors) / np.log1p(_AHEAD)).reshape(-1, 1)
    rows = of_residuals(np.array([np.log(found)]), slopes, vectors.ravel(), vectors.shape[1])
    return TrialFit(
        name=trial.name,
        EI=of_logarithm(found, _opened(rows[0], at_limits)),
        natural_curvature=None,
        length=model.length,
        points=measured[:, axes] * model.length,
        curve=curve(found)[:, axes] * model.length,
        residuals=distances(found) * model.length,
        at_limit=any(at_limits),
        evaluations=model.evaluations,
    )


def search_least_squares(
    trial: Trial, setup: Setup, cut: Discretisation | None, curved: bool
) -> TrialFit:
    """Least squares of the points' distances from the curve, over all unknowns.

    cut: None: as many links as the bending length of the fitted cable needs.
    """
    model = BendModel(trial, setup, cut or Discretisation(), curved, only_EI=False)
    if model.residual_count <= len(model.first):
        raise StrandError(
            f"points: got {len(trial.points)}, allowed: more, as {len(model.first)} values are "
            "unknown (give length, places or directions)"
        )
    found = _minimize(model, _start(model))
    evaluations = model.evaluations
    if cut is None:
        needed = _RESOLVED * np.exp(-found.x[0] / 2)
        links = int(np.clip(needed, *_LINKS))
        model = BendModel(trial, setup, Discretisation(links), curved, only_EI=False)
        found = _minimize(model, found.x)
        evaluations += model.evaluations
    return _fitted(model, found, evaluations)


def _start(model: BendModel) -> np.ndarray:
    """The unknowns with the best of several stiffnesses and natural curvatures."""
    best, least = model.first, np.inf
    for curvature in _SCAN_CURVATURE if model.curved else (0.0,):
        for value in _SCAN:
            unknowns = model.first
            unknowns[0] = value
            if model.curved:
                unknowns[1] = curvature
            cost = float((model.residuals(unknowns) ** 2).sum())
            if cost < least:
                best, least = unknowns, cost
    return best


def _opened(row: np.ndarray, at_limits: tuple[bool, bool]) -> np.ndarray:
    """An interval (2,), which is open where the search has ended at a lower or upper limit."""
    return np.where(at_limits, [-np.inf, np.inf], row)


def _minimize(model: BendModel, start: np.ndarray) -> "scipy.optimize.OptimizeResult":
    def residuals(unknowns: np.ndarray) -> np.ndarray:
        return model.residuals(unknowns).ravel()

    def jacobian(unknowns: np.ndarray) -> np.ndarray:
        here, steps = residuals(unknowns), np.full(len(unknowns), _STEP)
        if unknowns[0] + _STEP > _SCAN[0]:
            steps[0] = -_STEP  # a cable cannot be stiffer: see HeldCable.set_stiffness
        changes = [residuals(unknowns + step) - here for step in np.diag(steps)]
        return np.array(changes).T / steps

    wide = np.full(len(start), np.inf)
    low, high = -wide, wide.copy()
    low[0], high[0] = _SCAN[-1] - 1e-9, _SCAN[0] + 1e-9
    limits = (low, high)
    found = scipy.optimize.least_squares(
        residuals, start, jacobian, limits, xtol=1e-8, ftol=1e-10, x_scale="jac"
    )
    if found.status <= 0:
        name = f"trial {model.trial.name}: " if model.trial.name else ""
        raise StrandError(f"{name}fit: got no minimum ({found.message}), allowed: a cable's shape")
    return found


def _fitted(model: BendModel, found: "scipy.optimize.OptimizeResult", evaluations: int) -> TrialFit:
    trial, vectors = model.trial, model.residuals(found.x)
    jacobian = model.independent(found.jac.reshape(*vectors.shape, len(found.x)))
    left, per_point = model.independent(vectors), vectors.shape[1] - 1
    rows = of_residuals(found.x, jacobian, left, per_point)
    length, axes = model.length_at(found.x), [0, 2] if trial.planar else [0, 1, 2]
    EI = model.stiffness_at(found.x)
    # EI / (m g L^3) is fitted, so that the interval of EI contains that of the length.
    at_limits = found.x[0] - _SCAN[-1] < 1e-6, _SCAN[0] - found.x[0] < 1e-6
    interval = _opened(_interval_of_EI(model, found, jacobian, left), at_limits)
    curvature = None
    if model.curved:
        low, high = sorted(rows[1] / length)
        curvature = Estimate(float(found.x[1] / length), float(low), float(high))
    return TrialFit(
        name=trial.name,
        EI=of_logarithm(EI, interval),
        natural_curvature=curvature,
        length=length,
        points=trial.points,
        curve=model.curve(found.x)[1][:, axes] * model.length,
        residuals=np.linalg.norm(vectors, axis=1) * model.length,
        at_limit=any(at_limits),
        evaluations=evaluations,
    )


def _interval_of_EI(
    model: BendModel,
    found: "scipy.optimize.OptimizeResult",
    jacobian: np.ndarray,
    residuals: np.ndarray,
) -> np.ndarray:
    """Interval of log(EI in N m^2) = log(EI / (m g L^3)) + 3 log(L) + const (2,)."""
    change = np.zeros(len(found.x))
    change[0] = 1
    if model.setup.length is None:
        change[1 + model.curved] = 3
    # Unknowns are combined so that the first one is log(EI).
    mix = np.eye(len(found.x))
    mix[0] = change
    turned = jacobian @ np.linalg.inv(mix)
    centre = np.zeros(len(found.x))
    centre[0] = np.log(model.stiffness_at(found.x))
    return of_residuals(centre, turned, residuals, 1 if model.trial.planar else 2)[0]
