"""Rainflow counting after ASTM E1049-85 (2017), section 5.4.4: load cycles in a series of values.

`rainflow` counts one whole series, by the standard's own steps. `RainflowCounter` counts many
series at the same time while they grow. Of each it keeps only the turning points that are not yet
part of a closed cycle, and it closes a cycle when its range is not larger than the ranges before
and after it (the four-point method: C. Amzallag et al., Standardization of the rainflow counting
method for fatigue analysis, Int. J. Fatigue 16, 287-293, 1994). With the ranges that remain as half
cycles, the two give the same counts of the same ranges. The four-point method also keeps the
turning points that the standard counts as half cycles at once, so that a series can be repeated.
"""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from strand.errors import StrandError
from strand.io.options import REALS, count, read

_FIRST_DEPTH = 16  # turning points per series; doubles when they are full


class Cycles(NamedTuple):
    """Cycles of one series."""

    ranges: np.ndarray  #: largest minus smallest value, (cycles,)
    means: np.ndarray  #: of the largest and the smallest value, (cycles,)
    counts: np.ndarray  #: 1: a whole cycle, 0.5: half of one, (cycles,)


class Counted(NamedTuple):
    """Cycles of several series."""

    series: np.ndarray  #: index of the series of each cycle, (cycles,)
    ranges: np.ndarray
    means: np.ndarray
    counts: np.ndarray


_NONE = Counted(np.zeros(0, int), *np.zeros((3, 0)))


def rainflow(series: ArrayLike) -> Cycles:
    """The cycles of a series (n,), in the order in which they close, and then its half cycles.

    Equal values in succession are one. Raises StrandError if the values are not finite.
    """
    values = read("series", series, REALS)
    if values.ndim != 1 or not np.isfinite(values).all():
        raise StrandError(
            f"series: got an array {values.shape}, allowed: an array (n,) of finite numbers"
        )
    found = list(_cycles(turning_points(values).tolist()))
    ranges, means, counts = np.array(found).reshape(-1, 3).T
    return Cycles(ranges, means, counts)


def turning_points(values: np.ndarray) -> np.ndarray:
    """The peaks and valleys of a series (n,), with its first and its last value."""
    if not len(values):
        return values
    values = values[np.append(True, np.diff(values) != 0)]
    up = np.diff(values) > 0
    return values[np.concatenate([[True], up[1:] != up[:-1], [True]])] if len(up) else values


def _cycles(turns: list[float]) -> Iterator[tuple[float, float, float]]:
    """Range, mean and count of each cycle: steps 1 to 6 of the standard."""
    points: list[float] = []  # the first one is the standard's S
    for turn in turns:
        points.append(turn)
        while len(points) >= 3:
            a, b, c = points[-3:]
            if abs(c - b) < abs(b - a):
                break
            holds_start = len(points) == 3
            yield abs(b - a), (a + b) / 2, 0.5 if holds_start else 1.0
            points[-3:] = [b, c] if holds_start else [c]
    for a, b in itertools.pairwise(points):
        yield abs(b - a), (a + b) / 2, 0.5


class RainflowCounter:
    """Counts the cycles of many series at the same time, while they grow.

    series: their number. depth: turning points kept of each series, at most. They are few, unless
    each swing is smaller than the one before, as of a bell. When they are full, the first range
    counts as half a cycle, as at the end of the series, and is forgotten.
    """

    def __init__(self, series: int, depth: int = 1024) -> None:
        series = read("series", series, count(1))
        self.depth = read("depth", depth, count(4))
        self._points = np.zeros((series, min(_FIRST_DEPTH, self.depth)))
        self._size = np.zeros(series, int)  # of the points
        self._last = np.zeros(series)
        self._way = np.zeros(series)  # sign of the last change

    @property
    def series(self) -> int:
        """The number of series."""
        return len(self._size)

    def add(self, values: np.ndarray) -> Counted:
        """Adds one finite value to each series, (series,). Returns the cycles that close by it."""
        if not self._size[0]:
            self._points[:, 0] = self._last = np.array(values, dtype=float)
            self._size[:] = 1
            return _NONE
        change = values - self._last
        turned = np.flatnonzero(change * self._way < 0)
        found = self._turn(turned, self._last[turned]) if len(turned) else []
        np.sign(change, out=self._way, where=change != 0)
        self._last = np.array(values, dtype=float)
        return _joined(found) if found else _NONE

    def rest(self) -> Counted:
        """The cycles that are counted besides the closed ones if the series end now. The series
        can go on."""
        end = self.copy()
        moved = np.flatnonzero(end._way)
        found = end._turn(moved, end._last[moved])
        places = np.arange(end._points.shape[1] - 1)
        series, place = np.nonzero(places < end._size[:, None] - 1)
        before, after = end._points[series, place], end._points[series, place + 1]
        return _joined([*found, _cycle(series, before, after, 0.5)])

    def repeated(self) -> Counted:
        """The cycles that close besides those that have closed, for each time that the series are
        repeated from their first to their last value. The series can go on."""
        again = self.copy()
        again._repeat(self)  # until the last value is known to be a turning point, or not
        return _joined(again._repeat(self))

    def copy(self) -> "RainflowCounter":
        """A counter that goes on from here without changing this one."""
        other = RainflowCounter(self.series, self.depth)
        other.restore({name: values.copy() for name, values in self.state().items()})
        return other

    def state(self) -> dict[str, np.ndarray]:
        """All that `restore` needs."""
        used = self._points[:, : max(int(self._size.max()), 1)]
        return {"points": used, "size": self._size, "last": self._last, "way": self._way}

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Goes on from a state of a counter with as many series."""
        points, room = np.array(state["points"], float), self._points.shape[1]
        if len(points) != self.series:
            raise StrandError(f"points: got {len(points)} series, allowed: {self.series}")
        missing = max(room - points.shape[1], 0)
        self._points = np.pad(points, ((0, 0), (0, missing)))
        self._size = np.array(state["size"], int)
        self._last, self._way = np.array(state["last"], float), np.array(state["way"], float)

    def _turn(self, series: np.ndarray, values: np.ndarray) -> list[Counted]:
        """Adds a turning point to some series. Returns the cycles that close by it."""
        found = self._make_room(series)
        self._points[series, self._size[series]] = values
        self._size[series] += 1
        while len(series := series[self._size[series] >= 4]):
            size = self._size[series]
            a, b, c, d = (self._points[series, size - k] for k in (4, 3, 2, 1))
            inner = np.abs(c - b)
            closes = (inner <= np.abs(b - a)) & (inner <= np.abs(d - c))
            series = series[closes]
            if len(series):
                found.append(_cycle(series, b[closes], c[closes], 1.0))
                self._points[series, size[closes] - 3] = d[closes]
                self._size[series] -= 2
        return found

    def _repeat(self, other: "RainflowCounter") -> list[Counted]:
        """Adds what another counter holds. Returns the cycles that close by it."""
        found = []
        for k in range(other._size.max() + 1):
            points = other._points[:, min(k, other._points.shape[1] - 1)]
            # A series with fewer points waits at its last value, which changes nothing.
            found.append(self.add(np.where(k < other._size, points, other._last)))
        return found

    def _make_room(self, series: np.ndarray) -> list[Counted]:
        """For one more point of each. Returns the half cycles that are forgotten."""
        room = self._points.shape[1]
        full = series[self._size[series] == room]
        if not len(full):
            return []
        if room < self.depth:
            more = min(room, self.depth - room)
            self._points = np.pad(self._points, ((0, 0), (0, more)))
            return []
        first, second = self._points[full, 0], self._points[full, 1]
        self._points[full, :-1] = self._points[full, 1:]
        self._size[full] -= 1
        return [_cycle(full, first, second, 0.5)]


def _cycle(series: np.ndarray, a: np.ndarray, b: np.ndarray, counted: float) -> Counted:
    return Counted(series, np.abs(b - a), (a + b) / 2, np.full(len(series), counted))


def _joined(parts: list[Counted]) -> Counted:
    if len(parts) == 1:
        return parts[0]
    return Counted(*(np.concatenate(each) for each in zip(_NONE, *parts, strict=True)))
