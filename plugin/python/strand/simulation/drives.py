"""What is done before each step, and the paths that degrees of freedom follow."""

from collections.abc import Callable

import numpy as np

from strand import _strand
from strand.errors import checked


class Drives:
    """Functions that are called before each step with the time (s) at which it ends.

    Those that `lead` adds drive degrees of freedom. Each of these follows the path that it was
    given last, until it is fixed or released.
    """

    def __init__(self, core: _strand.System) -> None:
        self._core = core
        self._functions: list[Callable[[float], None]] = []
        self._drives: dict[int, Callable[[float], None]] = {}  # the function that drives a dof

    def __bool__(self) -> bool:
        return bool(self._functions)

    def __call__(self, time: float) -> None:
        for function in tuple(self._functions):
            function(time)

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
