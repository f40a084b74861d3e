"""What runs points: an interface, and worker processes on this machine."""

import concurrent.futures
import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.process import BaseProcess
from typing import Protocol

from strand.sweep import worker
from strand.sweep.parameters import Value
from strand.sweep.task import Task
from strand.sweep.worker import Outcome

_POLL = 0.2  #: s, the longest wait, after which Python handles signals
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


class Pool(Protocol):
    """Runs points, several at once."""

    def free(self) -> int:
        """Number of points that can be submitted now."""

    def submit(self, index: int, parameters: Mapping[str, Value]) -> None:
        """Starts a point, known by its index."""

    def finished(self) -> dict[int, Outcome]:
        """Waits a short time for points; returns those that have finished, by index."""

    def close(self, kill: bool) -> None:
        """Ends the workers; kill: at once, with what they are doing."""


def timed_out(seconds: float) -> Outcome:
    return Outcome(kind="timeout", reason=f"not finished after {seconds:g} s", seconds=seconds)


def cores() -> int:
    """Number of cores that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed else os.cpu_count() or 1


class LocalPool:
    """Worker processes of this machine, each with one thread.

    Each worker is an executor of its own: if a process ends, it is known which point ended it, and
    the others run on.
    """

    def __init__(self, task: Task, workers: int, timeout: float | None) -> None:
        self._task, self._timeout = task, timeout
        self._context = contextlib.ExitStack()
        self._context.enter_context(_one_thread())
        self._lanes = [_Lane() for _ in range(workers)]

    def free(self) -> int:
        return sum(lane.is_idle for lane in self._lanes)

    def submit(self, index: int, parameters: Mapping[str, Value]) -> None:
        lane = next(lane for lane in self._lanes if lane.is_idle)
        lane.submit(index, self._task, parameters)

    def finished(self) -> dict[int, Outcome]:
        concurrent.futures.wait(
            [lane.future for lane in self._lanes if lane.future is not None],
            timeout=_POLL,
            return_when=concurrent.futures.FIRST_COMPLETED,
        )
        done = {}
        for k, lane in enumerate(self._lanes):
            index = lane.index
            outcome = lane.outcome(self._timeout)
            if outcome is not None and index is not None:
                done[index] = outcome
            if lane.is_broken:
                lane.close(kill=True)
                self._lanes[k] = _Lane()
        return done

    def close(self, kill: bool) -> None:
        for lane in self._lanes:
            lane.close(kill)
        self._context.close()


class _Lane:
    """One worker process."""

    def __init__(self) -> None:
        self._executor = ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn"), initializer=worker.begin
        )
        self._process: BaseProcess | None = None  #: known once it runs
        self._since = time.monotonic()
        self.index: int | None = None  #: of the point that it runs
        self.is_broken = False
        known = set(multiprocessing.active_children())
        with _sigint_blocked():  # workers inherit this, and ignore SIGINT before they load Python
            self.future: Future | None = self._executor.submit(os.getpid)
        (self._process,) = set(multiprocessing.active_children()) - known

    @property
    def is_idle(self) -> bool:
        return self.future is None and not self.is_broken

    def submit(self, index: int, task: Task, parameters: Mapping[str, Value]) -> None:
        self.index, self._since = index, time.monotonic()
        self.future = self._executor.submit(worker.evaluate, task, dict(parameters))

    def outcome(self, timeout: float | None) -> Outcome | None:
        """The outcome of its point, if that has ended now."""
        if self.future is None:
            return None
        spent = time.monotonic() - self._since
        if not self.future.done():
            if self.index is None or timeout is None or spent < timeout:
                return None
            self.is_broken = True
            return timed_out(timeout)
        future, self.future = self.future, None
        index, self.index = self.index, None
        try:
            result = future.result()
        except BrokenProcessPool:
            self.is_broken = True
            how = self._end()
            if index is None:
                raise RuntimeError(
                    f"a worker process {how} while it started; a script that runs a sweep needs "
                    'if __name__ == "__main__": around it'
                ) from None
            return Outcome(kind="killed", reason=f"the worker process {how}", seconds=spent)
        return result if index is not None else None

    def _end(self) -> str:
        """How the process ended, in words."""
        # The executor collects the exit code; asking for it at the same time could lose it.
        self._executor.shutdown(wait=True)
        code = None if self._process is None else self._process.exitcode
        if code is None or code >= 0:
            return f"exited with {code}"
        return f"was killed by {signal.Signals(-code).name}"

    def close(self, kill: bool) -> None:
        if kill and self._process is not None:
            self._process.kill()
        self._executor.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Processes that start within use one thread for linear algebra."""
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
