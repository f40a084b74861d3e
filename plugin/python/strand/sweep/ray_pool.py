"""Runs points on a Ray cluster."""

import socket
import time
from collections.abc import Mapping
from typing import Any

from strand.errors import StrandError
from strand.sweep import worker
from strand.sweep.parameters import Value
from strand.sweep.pool import cores, timed_out
from strand.sweep.task import Task
from strand.sweep.worker import Outcome

_POLL = 0.2  #: s, the longest wait
_LONGEST = 10.0  #: s, to connect
LOCAL = "local"  #: the address that starts a cluster on this machine


class RayPool:
    """Tasks of a Ray cluster, one core each.

    address: of the cluster; "auto" finds a running one, "local" starts one on this machine. If this
        process is connected to a cluster already, that one is used.
    workers: most points at once; None: as many as the cluster has cores.
    """

    def __init__(
        self, task: Task, address: str, workers: int | None, timeout: float | None
    ) -> None:
        self._ray = _ray(address)
        self._timeout = timeout
        self._started = not self._ray.is_initialized()
        if self._started:
            _connect(self._ray, address, workers)
        found = int(self._ray.cluster_resources().get("CPU", 0))
        self._slots = found if workers is None else workers
        if self._slots < 1:
            raise StrandError(f"ray: got '{address}' without CPUs, allowed: a cluster with some")
        # A worker that ends is a failure of its point, as on one machine: it is not repeated.
        self._evaluate = self._ray.remote(num_cpus=1, max_retries=0)(worker.evaluate)
        self._task = self._ray.put(task)
        self._running: dict[Any, tuple[int, float]] = {}  #: index and start by reference

    def free(self) -> int:
        return self._slots - len(self._running)

    def submit(self, index: int, parameters: Mapping[str, Value]) -> None:
        reference = self._evaluate.remote(self._task, dict(parameters))
        self._running[reference] = (index, time.monotonic())

    def finished(self) -> dict[int, Outcome]:
        references = list(self._running)
        ready, waiting = self._ray.wait(references, num_returns=1, timeout=_POLL)
        done = {self._running[each][0]: self._outcome(each) for each in ready}
        for reference in waiting:
            index, begin = self._running[reference]
            if self._timeout is not None and time.monotonic() - begin >= self._timeout:
                self._ray.cancel(reference, force=True)
                done[index] = timed_out(self._timeout)
                del self._running[reference]
        for reference in ready:
            del self._running[reference]
        return done

    def _outcome(self, reference: Any) -> Outcome:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except (errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError) as error:
            spent = time.monotonic() - self._running[reference][1]
            reason = f"the worker process ended ({' '.join(str(error).split()):.200})"
            return Outcome(kind="killed", reason=reason, seconds=spent)
        except errors.RayError as error:  # evaluate() raises nothing itself
            reason = " ".join(str(error).split())
            raise RuntimeError(f"Ray could not run a point: {reason:.500}") from None

    def close(self, kill: bool) -> None:
        for reference in self._running if kill else ():
            self._ray.cancel(reference, force=True)
        if self._started:
            self._ray.shutdown()


def _ray(address: str) -> Any:
    try:
        import ray
    except ImportError:
        raise StrandError(
            f"ray: got '{address}', allowed: with Ray installed only (pip install 'strand[ray]')"
        ) from None
    return ray


def _connect(ray: Any, address: str, workers: int | None) -> None:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if address == LOCAL:
        options |= {"num_cpus": workers or cores(), "include_dashboard": False}
    try:
        _knock(address)
        ray.init(address=address, **options)
    except (OSError, RuntimeError, ValueError) as error:
        cause = " ".join(str(error).split())
        raise StrandError(
            f"ray: got '{address}', allowed: the address of a running cluster, auto or local "
            f"({cause:.300})"
        ) from None


def _knock(address: str) -> None:
    """Raises OSError if nothing listens at HOST:PORT. Ray itself would try for minutes."""
    host, _, port = address.rpartition("//")[2].rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host, int(port)), timeout=_LONGEST).close()
