"""What one point of a sweep runs, in a form that can be sent to other processes and machines."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from strand.sweep.parameters import Parameter, Value

#: Evaluates a point: its results by name, from its parameters by name.
Evaluate = Callable[[Mapping[str, Value]], dict[str, float]]


@dataclasses.dataclass(frozen=True, eq=False)
class Task:
    """What one point runs: a cable or a scene with changed keys, or a function."""

    digest: str  #: of the spec; tasks with the same digest are the same
    kind: str  #: cable, scene or function
    target: str  #: path of the file, or MODULE:FUNCTION, FILE.py:FUNCTION
    folder: Path  #: of the spec, to which paths are relative
    document: dict[str, Any]  #: tables of the cable or scene
    parameters: tuple[Parameter, ...]
    results: tuple[str, ...]  #: requested results; empty: all that a function returns
    backend: str = "plugin"
    seconds: float | None = None
    equilibrium: bool = False

    def __hash__(self) -> int:
        return hash(self.digest)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and other.digest == self.digest
