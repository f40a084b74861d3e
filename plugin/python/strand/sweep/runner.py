"""Runs a sweep."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from strand.errors import StrandError
from strand.io import options
from strand.io.options import count, optional, positive
from strand.sweep import spec as spec_file
from strand.sweep.journal import Journal
from strand.sweep.plan import Plan, Point
from strand.sweep.pool import LocalPool, Pool, cores
from strand.sweep.result import Result, Row
from strand.sweep.spec import Spec
from strand.sweep.worker import Outcome


@dataclass(frozen=True)
class Progress:
    """How far a sweep is."""

    done: int
    total: int  #: of a search: at most
    failed: int
    recorded: int  #: points of an earlier run, which were not run again

    def __str__(self) -> str:
        failed = f", {self.failed} failed" if self.failed else ""
        return f"{self.done} of {self.total} points{failed}"


def run(
    spec: Spec | str | os.PathLike,
    *,
    workers: int | None = None,
    ray: str | None = None,
    journal: str | os.PathLike | None = None,
    restart: bool = False,
    retry_failed: bool = False,
    timeout: float | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Result:
    """Runs all points of a sweep, and returns their results.

    spec: a Spec, or the path of its TOML file.
    workers: processes with one thread each; None (default): one per core.
    ray: address of a Ray cluster that runs the points, "auto" for a running one, "local" for one on
        this machine; None (default): processes of this machine.
    journal: file that records every finished point. If it has points of this spec, they are not run
        again. None (default): nothing is recorded.
    restart: discards what the journal has (default False).
    retry_failed: runs recorded points again that have failed (default False).
    timeout: wall-clock time (s) after which a point is stopped and has failed; None (default): the
        spec's.
    progress: function that is called after each point.

    A script that calls this needs `if __name__ == "__main__":` around it, as workers import it.
    A point that fails is in `failures` of the result and does not stop the others. Raises
    StrandError if the spec is invalid or the journal is of another spec. On KeyboardInterrupt, all
    finished points are in the journal.
    """
    read = spec if isinstance(spec, Spec) else spec_file.load(spec)
    workers = options.read("workers", workers, optional(count(1, 100_000)))
    timeout = options.read("timeout", timeout, optional(positive("s")))
    read.check()
    recorded = None if journal is None else Journal(journal, read.identity, restart)
    try:
        sweep = _Sweep(read, recorded, retry_failed, progress)
        limit = read.timeout if timeout is None else timeout
        sweep.run(lambda points: _pool(read, points, workers, ray, limit))
    finally:
        if recorded is not None:
            recorded.close()
    return Result([each.name for each in read.parameters], sweep.rows, sweep.recorded)


def _pool(
    spec: Spec, points: int, workers: int | None, ray: str | None, timeout: float | None
) -> Pool:
    if ray is not None:
        from strand.sweep.ray_pool import RayPool

        return RayPool(spec.task, ray, workers, timeout)
    return LocalPool(spec.task, min(workers or cores(), points), timeout)


class _Sweep:
    """A sweep while it runs."""

    def __init__(
        self,
        spec: Spec,
        journal: Journal | None,
        retry_failed: bool,
        progress: Callable[[Progress], None] | None,
    ) -> None:
        self._journal, self._progress = journal, progress
        self._plan: Plan = spec.plan()
        self._known = {
            key: outcome
            for key, outcome in (journal.outcomes if journal else {}).items()
            if not (retry_failed and outcome.failed)
        }
        self._pool: Pool | None = None
        self.rows: list[Row] = []
        self.recorded = 0  #: number of points that were not run, as the journal has them

    def run(self, make_pool: Callable[[int], Pool]) -> None:
        kill = True
        try:
            while points := self._plan.batch():
                outcomes = {
                    each.index: self._known[each.key] for each in points if each.key in self._known
                }
                self.recorded += len(outcomes)
                missing = [each for each in points if each.index not in outcomes]
                self._add(points, outcomes)
                if missing and self._pool is None:
                    left = self._plan.total - len(self.rows)
                    self._pool = make_pool(max(left, len(missing)))
                self._evaluate(missing, outcomes)
                self._plan.tell(points, outcomes)
            kill = False
        finally:
            if self._pool is not None:
                self._pool.close(kill)
        self.rows.sort(key=lambda row: row.index)

    def _add(self, points: Sequence[Point], outcomes: Mapping[int, Outcome]) -> None:
        for point in points:
            if point.index in outcomes:
                self.rows.append(Row(point.index, point.parameters, outcomes[point.index]))
        if self._progress and outcomes:
            failed = sum(row.outcome.failed for row in self.rows)
            total = max(self._plan.total, len(self.rows))
            self._progress(Progress(len(self.rows), total, failed, self.recorded))

    def _evaluate(self, missing: Sequence[Point], outcomes: dict[int, Outcome]) -> None:
        """Runs points, and adds their outcomes."""
        waiting = list(reversed(missing))
        running: dict[int, Point] = {}
        while waiting or running:
            assert self._pool is not None
            while waiting and self._pool.free():
                point = waiting.pop()
                running[point.index] = point
                self._pool.submit(point.index, point.parameters)
            for index, outcome in self._pool.finished().items():
                point = running.pop(index)
                self._check(outcome)
                if self._journal is not None:
                    self._journal.append(point.key, index, point.parameters, outcome)
                outcomes[index] = outcome
                self._add([point], {index: outcome})

    def _check(self, outcome: Outcome) -> None:
        """A missing result is an error of the spec, unless other points have it."""
        if outcome.kind == "missing result" and all(row.outcome.failed for row in self.rows):
            raise StrandError(outcome.reason)
