"""Frequency and damping from a decaying oscillation."""

import dataclasses
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.identify.interval import Estimate, of_residuals
from strand.io.options import REALS, non_negative, read
from strand.io.tables import Table, read_table

if TYPE_CHECKING:
    from strand.draw.report import Report

_LEAST_POINTS = 12
_LEAST_PERIODS = 1.5  #: in the record, so that decay and offset can be told apart
_CANDIDATES = 3  #: peaks of the spectrum from which a fit is started
_DECAYS = 0.0, 1.0, 3.0  #: logarithmic decay over the record from which a fit is started
_GROWTH = 1e-3  #: of the amplitude over the record: less is a rounding error
_APART = 3  #: steps of the frequency scan between candidates


@dataclasses.dataclass(frozen=True)
class Damping:
    """A damped oscillation offset + a exp(-decay t) cos(2 pi frequency t + phase). SI units.

    damping_ratio and loss_time are arguments of Cable: of a mode of the angular frequency
    omega_0 (undamped), damping_ratio = loss_time omega_0 / 2.
    """

    frequency: Estimate  #: Hz, of the damped oscillation
    damping_ratio: Estimate  #: of critical damping
    loss_time: Estimate  #: s
    decay_rate: Estimate  #: 1/s
    amplitude: float  #: at the first time used, unit of the data
    phase: float  #: rad, at the first time used
    offset: float  #: unit of the data
    times: np.ndarray  #: (n,) (s), used
    displacements: np.ndarray  #: (n,), used
    fitted: np.ndarray  #: (n,)

    @property
    def residuals(self) -> np.ndarray:
        return self.fitted - self.displacements

    @property
    def rms(self) -> float:
        """Root mean square of the residuals (unit of the data)."""
        return float(np.sqrt(np.mean(self.residuals**2)))

    @property
    def grows(self) -> bool:
        """Whether the oscillation grows, with 95 % confidence: no material does this."""
        return bool(self.decay_rate.high * np.ptp(self.times) < -_GROWTH)

    def report(self) -> "Report":
        """Rows for tables and JSON, and the plot."""
        from strand.identify.report import damping_report

        return damping_report(self)

    def plot(self, path: str | os.PathLike) -> None:
        """Writes the oscillation and the residuals as PNG."""
        self.report().plot(path)


def damping(
    data: str | os.PathLike | tuple[ArrayLike, ArrayLike],
    *,
    column: str | None = None,
    skip: float = 0.0,
) -> Damping:
    """Identifies the damping of a mode from its decaying oscillation, by least squares.

    data: a CSV or XLSX file whose first column is the time (s), or times and displacements (any
        unit). Steps of time may differ.
    column: of the displacements, by name. Default: the second.
    skip: time (s) after the first sample that is left out, in which other modes decay (default 0).

    Offset, noise and unequal steps of time are allowed. The oscillation is that of one mode.
    Intervals are from a bootstrap over blocks of residuals. Raises StrandError if the record is too
    short or does not oscillate.
    """
    skip = read("skip", skip, non_negative("s"))
    times, values = _record(data, column)
    kept = times >= times[0] + skip
    times, values = times[kept], values[kept]
    if len(times) < _LEAST_POINTS:
        allowed = f"{_LEAST_POINTS} or more after the first {skip:g} s"
        raise StrandError(f"samples: got {len(times)}, allowed: {allowed}")
    spread = float(np.ptp(values))
    if not spread > 0:
        raise StrandError(f"displacement: got {values[0]:g} throughout, allowed: an oscillation")
    # In units of the record's duration and spread.
    duration, middle = float(np.ptp(times)), float(np.mean(values))
    t, y = (times - times[0]) / duration, (values - middle) / spread
    parameters, jacobian = _fit(t, y)
    cycles, decay = parameters[3], parameters[4]
    if not cycles >= _LEAST_PERIODS:
        raise StrandError(
            f"displacement: got {cycles:.2g} periods, allowed: {_LEAST_PERIODS:g} or more"
        )
    found = _intervals(parameters, jacobian, _curve(t, parameters) - y)
    cosine, sine, offset = parameters[:3]
    return Damping(
        frequency=_scaled(cycles, found["cycles"], 1 / duration),
        damping_ratio=_scaled(_ratio(cycles, decay), found["ratio"], 1.0),
        loss_time=_scaled(_loss(cycles, decay), found["loss"], duration),
        decay_rate=_scaled(decay, found["decay"], 1 / duration),
        amplitude=float(np.hypot(cosine, sine)) * spread,
        phase=float(np.arctan2(-sine, cosine)),
        offset=float(offset) * spread + middle,
        times=times,
        displacements=values,
        fitted=_curve(t, parameters) * spread + middle,
    )


def _record(
    data: str | os.PathLike | tuple[ArrayLike, ArrayLike], column: str | None
) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(data, str | os.PathLike):
        if "\0" in os.fspath(data):
            raise StrandError(f"file: got {data!r}, allowed: a path")
        table: Table = read_table(data)
        return table.values[:, 0], table.column(column or table.columns[1])
    if not isinstance(data, Sequence) or len(data) != 2:
        raise StrandError(
            f"data: got {type(data).__name__}, allowed: a file, or (times, displacements)"
        )
    times = read("times", data[0], REALS)
    values = read("displacements", data[1], REALS)
    if times.ndim != 1 or times.shape != values.shape:
        raise StrandError(
            f"data: got shapes {times.shape} and {values.shape}, allowed: (n,) and (n,)"
        )
    for name, part in (("times", times), ("displacements", values)):
        if not np.isfinite(part).all():
            wrong = float(part[~np.isfinite(part)][0])
            raise StrandError(f"{name}: got {wrong!r}, allowed: finite numbers")
    if not len(times) or (np.diff(times) <= 0).any():
        raise StrandError("times: got none, or times that do not increase, allowed: increasing (s)")
    return times, values


def _curve(t: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    cosine, sine, offset, cycles, decay = parameters
    angle = 2 * np.pi * cycles * t
    return offset + np.exp(-decay * t) * (cosine * np.cos(angle) + sine * np.sin(angle))


def _slopes(t: np.ndarray, parameters: np.ndarray) -> np.ndarray:
    """Derivatives of the curve by the parameters (n, 5)."""
    cosine, sine, _, cycles, decay = parameters
    angle, falling = 2 * np.pi * cycles * t, np.exp(-decay * t)
    c, s = falling * np.cos(angle), falling * np.sin(angle)
    by_cycles = 2 * np.pi * t * (sine * c - cosine * s)
    return np.column_stack([c, s, np.ones_like(t), by_cycles, -t * (cosine * c + sine * s)])


def _fit(t: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The best of fits from several starts: parameters (5,) and the Jacobian (n, 5)."""
    best = None
    for cycles in _peaks(t, y):
        for decay in _DECAYS:
            shape = _slopes(t, np.array([0.0, 0.0, 0.0, cycles, decay]))[:, :3]
            linear = np.linalg.lstsq(shape, y, rcond=None)[0]
            start = np.array([*linear, cycles, decay])
            found = scipy.optimize.least_squares(
                lambda p: _curve(t, p) - y, start, lambda p: _slopes(t, p)
            )
            if best is None or found.cost < best.cost:
                best = found
    if best is None or not best.x[4] > -1 or not best.x[3] > 0:
        raise StrandError("displacement: got no decaying oscillation, allowed: one")
    return best.x, best.jac


def _peaks(t: np.ndarray, y: np.ndarray) -> list[float]:
    """The cycles in the record of the highest peaks of its spectrum (t from 0 to 1)."""
    most = len(t) / 2  # the mean Nyquist frequency
    cycles = np.arange(0.5, most, 0.1)
    power = scipy.signal.lombscargle(t, y, 2 * np.pi * cycles, floating_mean=True)
    found: list[int] = []
    for k in np.argsort(power)[::-1]:
        if all(abs(k - other) > _APART for other in found):
            found.append(int(k))
        if len(found) == _CANDIDATES:
            break
    return [float(cycles[k]) for k in found]


def _ratio(cycles: np.ndarray, decay: np.ndarray) -> np.ndarray:
    return decay / np.hypot(2 * np.pi * cycles, decay)


def _loss(cycles: np.ndarray, decay: np.ndarray) -> np.ndarray:
    return 2 * decay / ((2 * np.pi * cycles) ** 2 + decay**2)


def _intervals(
    parameters: np.ndarray, jacobian: np.ndarray, residuals: np.ndarray
) -> dict[str, np.ndarray]:
    """Intervals (2,) of the cycles, the decay, the damping ratio and the loss time."""
    cycles, decay = parameters[3], parameters[4]
    step = 1e-6 * max(cycles, 1.0)
    rows = {}
    for name, function in (
        ("cycles", lambda c, d: c),
        ("decay", lambda c, d: d),
        ("ratio", _ratio),
        ("loss", _loss),
    ):
        # The quantity replaces one of the parameters, so that its interval is that of a parameter.
        slope = np.zeros(5)
        slope[3] = (function(cycles + step, decay) - function(cycles - step, decay)) / (2 * step)
        slope[4] = (function(cycles, decay + step) - function(cycles, decay - step)) / (2 * step)
        place = 3 if name == "cycles" else 4
        mix = np.eye(5)
        mix[place] = slope
        centre = parameters.copy()
        centre[place] = function(cycles, decay)
        turned = jacobian @ np.linalg.inv(mix)
        rows[name] = of_residuals(centre, turned, residuals)[place]
    return rows


def _scaled(value: Any, interval: np.ndarray, factor: float) -> Estimate:
    return Estimate(float(value) * factor, *(float(end) * factor for end in interval))
