"""Runs many variants of a scene, a cable or a function: on all cores, or on a Ray cluster.

from strand import sweep

if __name__ == "__main__":
    result = sweep.run("stiffness.sweep.toml", journal="stiffness.journal.jsonl")
    print(result.table["end_z"], result.failures)
"""

from strand.sweep.result import Failure, Result, Row
from strand.sweep.runner import Progress, run
from strand.sweep.spec import Spec, from_toml, load
from strand.sweep.worker import Outcome

__all__ = [
    "Failure",
    "Outcome",
    "Progress",
    "Result",
    "Row",
    "Spec",
    "from_toml",
    "load",
    "run",
]
