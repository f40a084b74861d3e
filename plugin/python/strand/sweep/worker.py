"""Evaluates points in worker processes."""

import math
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from strand.sweep.function import ResultMissing
from strand.sweep.parameters import Value
from strand.sweep.prepare import prepared
from strand.sweep.task import Task

#: What a failure was: an exception, a result that is NaN, a worker that ended, too long a run, or a
#: result that a function does not return.
KINDS = ("exception", "nan", "killed", "timeout", "missing result")


@dataclass(frozen=True)
class Outcome:
    """How a point ended: its results, or why it has none."""

    results: dict[str, float] = field(default_factory=dict)
    kind: str = ""  #: of the failure, one of KINDS; "": none
    reason: str = ""  #: of the failure
    seconds: float = 0.0  #: wall-clock time

    @property
    def failed(self) -> bool:
        return bool(self.kind)


def evaluate(task: Task, parameters: Mapping[str, Value]) -> Outcome:
    """Evaluates a point. Whatever it raises becomes the reason of a failure."""
    begin = time.monotonic()
    outcome: dict[str, Any]
    try:
        results = prepared(task)(parameters)
        nan = [name for name, value in results.items() if math.isnan(value)]
        outcome = {"results": results}
        if nan:
            outcome = {"kind": "nan", "reason": f"{', '.join(nan)}: NaN"}
    except ResultMissing as error:
        outcome = {"kind": "missing result", "reason": str(error)}
    except (Exception, SystemExit) as error:
        outcome = {"kind": "exception", "reason": f"{type(error).__name__}: {error}{_where(error)}"}
    return Outcome(**outcome, seconds=time.monotonic() - begin)


def _where(error: BaseException) -> str:
    """The file and line that raised an error, for errors of user code."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or "strand" in trace.tb_frame.f_globals.get("__name__", "").split("."):
        return ""
    return f" ({os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})"


def begin() -> None:
    """Prepares a local worker: it leaves SIGINT to its parent, and ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A killed parent cannot shut its workers down; without this they would wait for ever.
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
