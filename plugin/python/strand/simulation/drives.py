"""What is done before each step, and the paths that degrees of freedom follow."""

from collections.abc import Callable

import numpy as np

from strand import _strand
from strand.errors import checked


class Drives:
    """Functions that are called before each step with a time (s).

    Those that `lead` adds drive degrees of freedom, to where they are at the end of the step. Each
    of these follows the path that it was given last, until it is fixed or released. Loads, which
    `load` adds, are called with the time at which the method evaluates forces: the end of the step,
    or, if `centred`, its middle.
    """

    def __init__(self, core: _strand.System, centred: bool) -> None:
        self._core, self._centred = core, centred
        self._functions: list[Callable[[float], None]] = []
        self._loads: list[Callable[[float], None]] = []
        self._drives: dict[int, Callable[[float], None]] = {}  # the function that drives a dof

    def __bool__(self) -> bool:
        return bool(self._functions or self._loads)

    def __call__(self, time: float) -> None:
        """Calls all functions for a step that ends at `time` (s), and begins now."""
        for function in tuple(self._functions):
            function(time)
        for load in tuple(self._loads):
            load(self.time_of_loads(time))

    def time_of_loads(self, time: float) -> float:
        """The time (s) whose loads a step has that ends at `time` (s), and begins now."""
        return 0.5 * (self._core.time + time) if self._centred else time

    def load(self, function: Callable[[float], None]) -> None:
        """Adds a function that sets loads, natural shapes and the like."""
        self._loads.append(function)

    def add(self, function: Callable[[float], None], dofs: list[int] | None = None) -> None:
        """Adds a function, and the degrees of freedom that it drives on its own."""
        self.end(dofs or [])
        self._functions.append(function)
        self._drives.update(dict.fromkeys(dofs or [], function))

    def lead(
        self,
        dofs: list[int],
        path: Callable[[float], np.ndarray],
        led: Callable[[np.ndarray], None] | None = None,
    ) -> None:
        """Makes locked degrees of freedom follow `path(t)`, one value for each.

        `led` gets the values at which they will be, those that no longer follow included.
        """
        at = np.array(dofs, dtype=int)

        def drive(time: float) -> None:
            follows = np.array([self._drives.get(dof) is drive for dof in dofs])
            values = np.where(follows, path(time), self._core.q[at])
            checked(self._core.drive, at[follows].tolist(), values[follows])
            if led:
                led(values)

        self.add(drive, dofs)

    def end(self, dofs: list[int]) -> None:
        """Degrees of freedom follow their paths no longer."""
        ended = {self._drives.pop(dof) for dof in dofs if dof in self._drives}
        ended -= set(self._drives.values())
        self._functions = [each for each in self._functions if each not in ended]

    def any_of(self, dofs: set[int]) -> bool:
        """Whether any of these degrees of freedom is driven."""
        return not dofs.isdisjoint(self._drives)
