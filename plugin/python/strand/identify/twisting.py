"""GJ/EI from the twist at which a hanging loop buckles."""

import dataclasses
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from strand.errors import StrandError
from strand.identify.bend_search import PUBLISHED
from strand.identify.held_cable import Discretisation
from strand.identify.interval import Estimate, cloud_size, cloud_size_norm, of_trials
from strand.identify.twisted_loop import Loop
from strand.io.options import FLAG, REALS, choice, count, optional, positive, read, vector
from strand.simulation import SolverError

if TYPE_CHECKING:
    from strand.draw.report import Report

#: The published test: GJ/EI from 0 to 3, to .01; a loop with this turn is held for 30 s, its joints
#: are damped by .01 N m s, and it buckles if it ever touches itself. Source: as for PUBLISHED.
RATIOS = 0.0, 3.0
TOLERANCE = 0.01
PUBLISHED_HOLD = 30.0  #: s
PUBLISHED_DAMPING = 0.01  #: N m s
CRITERIA = ("both", "stability", "contact")

_LINKS = 60
_THICKNESS = 1 / 150  #: diameter over length, that of the published model
_DAMPING, _HOLD = 5.0, 300.0  #: of the material, and duration, in units of sqrt(L / g)
_CLOSE = 1e-4  #: relative difference of critical twists at which the search ends
_MOST = 40  #: steps of the search
_FIRST_RATIO = 1.0


@dataclasses.dataclass(frozen=True)
class TwistFit:
    """GJ/EI for one critical twist."""

    twist: float  #: rad
    stability: float | None  #: GJ/EI at which the equilibrium becomes unstable
    contact: float | None  #: GJ/EI from which the released loop touches itself
    ends_by: str  #: what ends the path of stable equilibria: "unstable" or "contact"


@dataclasses.dataclass(frozen=True)
class Twist:
    """The ratio of twisting to bending stiffness of a cable."""

    stability: Estimate | None  #: GJ/EI, by loss of stability; mean over the critical twists
    contact: Estimate | None  #: GJ/EI, by first self-contact; mean over the critical twists
    at_mean: TwistFit  #: for the mean of the critical twists
    trials: list[TwistFit]  #: for each critical twist
    EI: float  #: N m^2, as given
    loop: Loop

    @property
    def GJ(self) -> Estimate:
        """Twisting stiffness (N m^2), by loss of stability if it was asked for; for the given EI,
        whose own uncertainty is not contained."""
        found = self.stability or self.contact
        if found is None:
            raise StrandError("GJ: got no criterion, allowed: stability or contact")
        return Estimate(*(self.EI * value for value in (found.value, found.low, found.high)))

    def cloud_sizes(self, criterion: str) -> tuple[float, float]:
        """Scatter of GJ/EI: mean absolute deviation, and 2-norm over the number of twists (%)."""
        values = [getattr(trial, criterion) for trial in self.trials]
        return cloud_size(values), cloud_size_norm(values)

    def report(self) -> "Report":
        """Rows for tables and JSON, and the plot."""
        from strand.identify.report import twist_report

        return twist_report(self)

    def plot(self, path: str | os.PathLike) -> None:
        """Writes GJ/EI against the critical twist as PNG."""
        self.report().plot(path)


def twist(
    critical_twist: float | Sequence[float],
    *,
    EI: float,
    mass_per_length: float,
    length: float,
    gap: float = 0.12,
    start_direction: Sequence[float] = (1.0, 0.0),
    end_direction: Sequence[float] = (1.0, 0.0),
    criterion: str = "both",
    links: int | None = None,
    published: bool = False,
    diameter: float | None = None,
    gravity: float = 9.81,
    progress: Callable[[str], None] | None = None,
) -> Twist:
    """Identifies GJ/EI from the turn of one end at which a hanging loop buckles.

    critical_twist: one turn or several, of repeated experiments (rad).
    EI: N m^2. mass_per_length: kg/m. length: of the loop between the clamps (m).
    gap: from the end clamp to the start clamp, which are at the same height (m, default 0.12).
    start_direction, end_direction: in which the cable leaves the start clamp and enters the end
        clamp (x and up; the end clamp is to the left). Default: both (1, 0), as in the published
        device. The loop turns clockwise.
    criterion: "stability": the path of equilibria from the untwisted loop ends at the critical
        twist (sharp, and independent of the motion). "contact": the loop, released from its plane
        with the whole turn, touches itself; bisection of GJ/EI between 0 and 3, to 0.01, as
        published. "both" (default).
    links: in the free span. Default: 60.
    published: as the published model: 50 links (or `links`), whose clamped ones end at the clamps,
        tangent as measure of curvature, damping of 0.01 N m s of every joint, a hold of 30 s.
    diameter: for contact (m). Default: length / 150.
    gravity: m/s^2 (default 9.81).
    progress: called with a text before each search.

    Raises StrandError if an argument is invalid, or if no ratio has this critical twist.
    """
    turns = _turns(critical_twist)
    criterion = read("criterion", criterion, choice(*CRITERIA))
    EI, length = read("EI", EI, positive("N m^2")), read("length", length, positive("m"))
    weight = read("mass_per_length", mass_per_length, positive("kg/m"))
    weight *= read("gravity", gravity, positive("m/s^2"))
    gap = read("gap", gap, positive("m")) / length
    if not gap < 1:
        raise StrandError(f"gap: got {gap * length:g}, allowed: less than the length {length:g} m")
    cut = PUBLISHED if read("published", published, FLAG) else Discretisation(_LINKS)
    if links is not None:
        cut = dataclasses.replace(cut, links=read("links", links, count(10, 2000)))
    loop = Loop(
        EI / (weight * length**3),
        gap,
        _angle("start_direction", start_direction),
        _angle("end_direction", end_direction),
        cut,
    )
    thick = read("diameter", diameter, optional(positive("m"))) or length * _THICKNESS
    if not thick < length:
        raise StrandError(f"diameter: got {thick:g}, allowed: less than the length {length:g} m")
    damping, hold = _DAMPING, _HOLD
    if published:
        unit = (length / gravity) ** 0.5
        damping = PUBLISHED_DAMPING * length / cut.links / EI / unit
        hold = PUBLISHED_HOLD / unit
    search = _Search(loop, criterion, thick / length, damping, hold, progress)
    trials = [search.fit(turn) for turn in turns]
    return Twist(
        stability=_mean([trial.stability for trial in trials]),
        contact=_mean([trial.contact for trial in trials]),
        at_mean=search.fit(float(np.mean(turns))),
        trials=trials,
        EI=EI,
        loop=loop,
    )


def _turns(critical_twist: float | Sequence[float]) -> list[float]:
    turns = np.atleast_1d(read("critical_twist", critical_twist, REALS))
    if turns.ndim != 1 or not len(turns) or not (np.isfinite(turns) & (turns > 0)).all():
        raise StrandError(f"critical_twist: got {critical_twist}, allowed: numbers > 0 (rad)")
    return turns.tolist()


def _angle(name: str, direction: Sequence[float]) -> float:
    x, up = read(name, direction, vector(2, "1"))
    if not np.hypot(x, up) > 0:
        raise StrandError(f"{name}: got {direction}, allowed: a vector that is not 0")
    return float(np.arctan2(up, x))


def _mean(values: list[float | None]) -> Estimate | None:
    found = [value for value in values if value is not None]
    return of_trials(found) if found else None


class _Search:
    """Searches for GJ/EI; remembers what it has found."""

    def __init__(
        self,
        loop: Loop,
        criterion: str,
        diameter: float,
        damping: float,
        hold: float,
        progress: Callable[[str], None] | None,
    ) -> None:
        self._loop, self._criterion, self._diameter = loop, criterion, diameter
        self._release = damping, hold
        self._progress = progress
        self._found: dict[float, TwistFit] = {}
        self._ends: dict[float, float] = {}  #: critical turn (rad) by GJ/EI, of all paths so far

    def fit(self, turn: float) -> TwistFit:
        if turn not in self._found:
            stability, contact, ends_by = None, None, ""
            if self._progress:
                self._progress(f"{np.degrees(turn):.6g} degrees")
            try:
                if self._criterion != "contact":
                    stability, ends_by = self._by_stability(turn)
                if self._criterion != "stability":
                    contact = self._by_contact(turn)
            except SolverError as error:
                raise StrandError(
                    f"EI: got {self._loop.EI:.4g} m g L^3, for which the loop could not be solved "
                    f"({error}), allowed: a cable that hangs in a loop"
                ) from None
            self._found[turn] = TwistFit(turn, stability, contact, ends_by)
        return self._found[turn]

    def _by_stability(self, turn: float) -> tuple[float, str]:
        """GJ/EI for which the path ends at `turn`."""
        ratio = self._ratio(turn)
        for _ in range(_MOST):
            critical, reason = self._loop.critical_turn(ratio, self._diameter)
            self._ends[ratio] = critical
            if abs(critical - turn) < _CLOSE * turn + np.radians(0.05):
                return ratio, reason
            ratio = self._ratio(turn)
        raise StrandError(
            f"critical_twist: got {np.degrees(turn):.6g} degrees, at which no GJ/EI makes the loop "
            f"unstable (the nearest: {ratio:.4g}), allowed: the twist of such a loop"
        )

    def _ratio(self, turn: float) -> float:
        """A guess of GJ/EI: its product with the critical turn, which changes little, interpolated
        between the paths so far."""
        if not self._ends:
            return _FIRST_RATIO
        ends = sorted((critical, ratio * critical) for ratio, critical in self._ends.items())
        turns, products = np.transpose(ends)
        return float(np.interp(turn, turns, products)) / turn

    def _by_contact(self, turn: float) -> float:
        low, high = RATIOS
        if not self._loop.touches(high, turn, self._diameter, *self._release):
            raise StrandError(
                f"critical_twist: got {np.degrees(turn):.6g} degrees, at which the loop does not "
                f"touch itself even with GJ/EI = {high:g}, allowed: more"
            )
        while high - low > TOLERANCE:
            middle = (low + high) / 2
            if self._loop.touches(middle, turn, self._diameter, *self._release):
                high = middle
            else:
                low = middle
        return (low + high) / 2
