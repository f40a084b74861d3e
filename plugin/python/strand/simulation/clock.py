"""Intervals of wall-clock time."""

import contextlib
import time
from collections.abc import Iterator

_SHARE = 0.1  # largest fraction of the time that the work may take


class Clock:
    """Due every `period` s, or less often if the work would take more than a tenth of the time."""

    def __init__(self, period: float) -> None:
        self._period, self._next = period, time.monotonic() + period

    def due(self) -> bool:
        return time.monotonic() >= self._next

    @contextlib.contextmanager
    def work(self) -> Iterator[None]:
        begin = time.monotonic()
        yield
        now = time.monotonic()
        self._next = now + max(self._period, (now - begin) / _SHARE)
