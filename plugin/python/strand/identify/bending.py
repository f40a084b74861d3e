"""EI, and natural curvature, from recorded shapes of a cable that hangs under its weight."""

import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from strand.errors import StrandError
from strand.identify.bend_model import Setup
from strand.identify.bend_search import (
    PUBLISHED,
    PUBLISHED_TOLERANCE,
    PUBLISHED_UNIT,
    TrialFit,
    search_golden,
    search_least_squares,
)
from strand.identify.held_cable import Discretisation
from strand.identify.interval import Estimate, cloud_size, cloud_size_norm, of_trials
from strand.identify.recorded import Trial, check_length, checked_trial, read_trials
from strand.io.options import FLAG, REALS, choice, count, numbers, optional, positive, read
from strand.simulation import SolverError

if TYPE_CHECKING:
    from strand.draw.report import Report

HOLDS = ("loop", "cantilever", "cta")
METHODS = ("lsq", "golden")
OBJECTIVES = ("distance", "squared")


@dataclasses.dataclass(frozen=True)
class Bend:
    """The bending stiffness of a cable. SI units."""

    EI: Estimate  #: N m^2; for several trials their mean, with a bootstrap interval over trials
    natural_curvature: Estimate | None  #: 1/m, > 0: counter-clockwise with x to the right, up up
    trials: list[TrialFit]
    method: str
    setup: Setup

    @property
    def values(self) -> list[float]:
        """EI of each trial (N m^2)."""
        return [trial.EI.value for trial in self.trials]

    @property
    def at_limit(self) -> list[str]:
        """Names of trials whose EI is at a limit of the search, towards which its interval is
        unbounded."""
        return [trial.name for trial in self.trials if trial.at_limit]

    @property
    def cloud_size(self) -> float:
        """Mean absolute deviation of the trials from their mean, relative to it (%)."""
        return cloud_size(self.values)

    @property
    def cloud_size_norm(self) -> float:
        """2-norm of the deviations, divided by the number of trials and the mean (%)."""
        return cloud_size_norm(self.values)

    @property
    def rms(self) -> float:
        """Root mean square distance of the points from the fitted curves (m)."""
        squares = [trial.rms**2 for trial in self.trials]
        return (sum(squares) / len(squares)) ** 0.5

    def report(self) -> "Report":
        """Rows for tables and JSON, and the plot."""
        from strand.identify.report import bend_report

        return bend_report(self)

    def plot(self, path: str | os.PathLike) -> None:
        """Writes shapes and residuals as PNG."""
        self.report().plot(path)


def bend(
    data: str | os.PathLike | Sequence[Any],
    *,
    mass_per_length: float,
    length: float | None = None,
    hold: str = "loop",
    gap: float = 0.12,
    start: Sequence[float] | None = None,
    end: Sequence[float] | None = None,
    start_direction: Sequence[float] | None = None,
    end_direction: Sequence[float] | None = None,
    method: str = "lsq",
    natural_curvature: bool = False,
    links: int | None = None,
    limits: tuple[float, float] = (0.0, PUBLISHED_UNIT),
    tolerance: float = PUBLISHED_TOLERANCE * PUBLISHED_UNIT,
    objective: str = "distance",
    gravity: float = 9.81,
    GJ_over_EI: float = 1.0,
    progress: Callable[[str], None] | None = None,
    **reading: Any,
) -> Bend:
    """Identifies EI from shapes of a cable at rest under its own weight.

    data: a CSV file (see `read_trials`, whose options may be given, too), or a list of trials: a
        Trial, or an array (n, 2) of x and up, or (n, 3) of x, y and up (m).
    mass_per_length: kg/m.
    length: of the cable between the clamps, or to its free end (m). None (default): unknown, and
        fitted; needed for method "golden".
    hold: "loop" (default), both ends clamped; "cantilever", clamped at the first point; "cta", both
        ends clamped horizontally, `gap` apart (m, default 0.12), pointing away from each other.
    start, end: places of the clamps (m), in the coordinates of the points. None (default): unknown,
        near the first and the last point.
    start_direction, end_direction: of the cable at the clamps, from start to end. None (default):
        unknown, and fitted. For hold "loop" and "cantilever".
    method: "lsq" (default): least squares of the distances of points from the curve, over EI and
        all that is unknown. "golden": golden section on EI alone, as published: equally spaced
        points against the nodes of a chain whose clamped links end at the clamps.
    natural_curvature: also fits a natural curvature, equal all along ("lsq", shapes in a plane).
    links: in the free span. Default: as many as the shape needs ("lsq"), 50 ("golden").
    limits, tolerance: of EI (N m^2), for "golden"; default: 0 to 1 and 1e-3, over (2 pi)^3.
    objective: of "golden": "distance" (default), mean distance of nodes, as in the authors'
        program; "squared", as in their paper.
    gravity: m/s^2 (default 9.81).
    GJ_over_EI: for shapes that are not planar (default 1). The cable is taken to be untwisted.
    progress: called with a text before each trial.

    Raises StrandError if an argument is invalid, or if the points cannot be such a cable.
    """
    setup = _setup(
        mass_per_length, gravity, hold, length, gap, start, end, start_direction, end_direction,
        GJ_over_EI,
    )  # fmt: skip
    method = read("method", method, choice(*METHODS))
    objective = read("objective", objective, choice(*OBJECTIVES))
    if links is not None:
        links = read("links", links, count(4, 2000))
    curved = read("natural_curvature", natural_curvature, FLAG)
    trials = _trials(data, reading)
    if setup.length is not None:
        check_length(trials, setup.length)
    if curved and (hold != "cantilever" or method != "lsq" or not trials[0].planar):
        # Between two clamps in a plane, its work is the curvature times the angle between them.
        raise StrandError(
            "natural_curvature: got it with another method, hold or shape, allowed: method lsq, "
            "hold cantilever and points in a plane; it does not change shapes between two clamps"
        )
    found: list[TrialFit] = []
    for trial in trials:
        if progress:
            progress(f"trial {trial.name or len(found) + 1}")
        _check_ends(trial, setup)
        try:
            if method == "golden":
                cut = PUBLISHED if links is None else dataclasses.replace(PUBLISHED, links=links)
                checked = _limits(limits, tolerance)
                found.append(search_golden(trial, setup, cut, *checked, objective))
            else:
                own = None if links is None else Discretisation(links)
                found.append(search_least_squares(trial, setup, own, curved))
        except SolverError as error:
            raise StrandError(
                f"trial {trial.name}: got points near which no equilibrium was found ({error}), "
                "allowed: a cable at rest under its own weight"
            ) from None
    return Bend(*_summary(found), found, method, setup)


def _setup(
    mass_per_length: float,
    gravity: float,
    hold: str,
    length: float | None,
    gap: float,
    start: Sequence[float] | None,
    end: Sequence[float] | None,
    start_direction: Sequence[float] | None,
    end_direction: Sequence[float] | None,
    ratio: float,
) -> Setup:
    hold = read("hold", hold, choice(*HOLDS))
    given = {"end": end, "start_direction": start_direction, "end_direction": end_direction}
    useless = {"cta": tuple(given), "cantilever": ("end", "end_direction"), "loop": ()}[hold]
    for name in useless:
        if given[name] is not None:
            raise StrandError(f"{name}: got one with hold {hold!r}, allowed: none")
    return Setup(
        mass_per_length=read("mass_per_length", mass_per_length, positive("kg/m")),
        gravity=read("gravity", gravity, positive("m/s^2")),
        hold=hold,
        length=read("length", length, optional(positive("m"))),
        gap=read("gap", gap, positive("m")),
        start=start,
        GJ_over_EI=read("GJ_over_EI", ratio, positive("1")),
        **given,
    )


def _trials(data: str | os.PathLike | Sequence[Any], reading: dict[str, Any]) -> list[Trial]:
    if isinstance(data, (str, os.PathLike)):
        return read_trials(data, **reading)
    if reading:
        raise StrandError(f"{min(reading)}: got it without a file, allowed: with a CSV file only")
    rows = data if not isinstance(data, np.ndarray) or data.ndim else None
    if not isinstance(rows, Sequence | np.ndarray) or not len(rows):
        got = "no trials" if isinstance(data, Sequence) else type(data).__name__
        raise StrandError(f"data: got {got}, allowed: a CSV file, or a list of trials")
    return [
        trial
        if isinstance(trial, Trial)
        else checked_trial(str(number), read(f"data[{number}]", trial, REALS))
        for number, trial in enumerate(rows)
    ]


def _limits(limits: tuple[float, float], tolerance: float) -> tuple[tuple[float, float], float]:
    low, high = read("limits", limits, numbers(2, 2, "two numbers, low < high (N m^2)"))
    if not 0 <= low < high < float("inf"):
        raise StrandError(f"limits: got {low:g}, {high:g}, allowed: 0 <= low < high (N m^2)")
    return (low, high), read("tolerance", tolerance, positive("N m^2"))


def _check_ends(trial: Trial, setup: Setup) -> None:
    """Raises StrandError if the ends of a trial are not where the clamps are."""
    if setup.hold != "cta":
        return
    points = trial.points
    apart = abs(points[-1, 0] - points[0, 0])
    if abs(apart - setup.gap) > 0.1 * (setup.length or trial.length):
        where = f"trial {trial.name}: " if trial.name else ""
        raise StrandError(
            f"{where}gap: got ends {apart:.4g} m apart, allowed: about {setup.gap:g} m"
        )


def _summary(found: list[TrialFit]) -> tuple[Estimate, Estimate | None]:
    """EI and natural curvature of all trials."""
    if len(found) == 1:
        return found[0].EI, found[0].natural_curvature
    curvatures = [fit.natural_curvature for fit in found]
    mean = None
    if all(curvature is not None for curvature in curvatures):
        mean = of_trials([one.value for one in curvatures if one], positive=False)
    EI = of_trials([fit.EI.value for fit in found])
    ends = [fit.EI for fit in found if fit.at_limit]
    # A trial at a limit is known to one side only, and so is the mean.
    low, high = (
        min([EI.low, *(end.low for end in ends)]),
        max([EI.high, *(end.high for end in ends)]),
    )
    return Estimate(EI.value, low, high), mean
