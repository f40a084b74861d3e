"""Motion of a simulation's obstacles along their paths."""

import dataclasses
from typing import Any

import numpy as np

from strand import _strand
from strand.errors import StrandError, checked
from strand.io.options import read, vector
from strand.simulation.obstacles import Obstacle, Path

_SAME = 1e-6  # m and rad, allowed distance of a path's start from the obstacle
_FAR = 1e-3  # m and rad: steps that move the obstacle less are not checked for jumps
_HALVINGS = 40
_JUMPS = 0.1  # a path jumps if more than this fraction of a change remains after _HALVINGS


@dataclasses.dataclass(eq=False)
class Driven:
    """One obstacle of a contact, driven before each step."""

    contact: _strand.ObstacleContact
    index: int
    shape: Obstacle
    name: str
    _begun: Path | None = None  # the path whose start has been checked

    @property
    def moves(self) -> bool:
        return self.shape.path is not None

    def pose(self) -> tuple[np.ndarray, np.ndarray]:
        """Current displacement (m) and rotation vector (rad) from the initial pose."""
        shift, turn = self.contact.pose(self.index)
        return np.array(shift), np.array(turn)

    def forget(self) -> None:
        """A state has been loaded: the path is checked again to start at the obstacle's pose."""
        self._begun = None

    def drive(self, start: float, end: float) -> None:
        """Moves the obstacle to its pose at `end` (s), for a step that begins at `start` (s)."""
        path = self.shape.path
        if path is None:
            return
        before = np.concatenate(self.pose())
        if self._begun is not path:
            self._check_jump(start, before, self._at(path, start), _SAME)
            self._begun = path
        after = self._at(path, end)
        if np.abs(after - before).max() > _FAR:
            self._check_continuous(path, start, end)
        checked(self.contact.drive, self.index, after[:3], after[3:])

    def _at(self, path: Path, time: float) -> np.ndarray:
        """Displacement (m) and rotation vector (rad) at a time, concatenated (6)."""
        value = path(time)
        where = f"path of {self.name} at t = {time:.6g} s"
        both = isinstance(value, tuple) and len(value) == 2
        given: Any = value if both else (value, (0.0, 0.0, 0.0))
        shift, turn = read(where, given[0], vector(3, "m")), read(where, given[1], vector(3, "rad"))
        return np.array([*shift, *turn])

    # Bisects the step towards the larger change: if that does not decrease, the path jumps.
    def _check_continuous(self, path: Path, start: float, end: float) -> None:
        first, last = self._at(path, start), self._at(path, end)
        most = _JUMPS * np.abs(last - first).max()
        for _ in range(_HALVINGS):
            if np.abs(last - first).max() <= most:
                return
            middle = 0.5 * (start + end)
            between = self._at(path, middle)
            if np.abs(between - first).max() > np.abs(last - between).max():
                end, last = middle, between
            else:
                start, first = middle, between
        self._check_jump(end, first, last, most)

    def _check_jump(self, time: float, before: np.ndarray, after: np.ndarray, most: float) -> None:
        if np.abs(after - before).max() > most:
            raise StrandError(
                f"path of {self.name}: got a jump at t = {time:.6g} s, from"
                f" {_text(before)} to {_text(after)}, allowed: continuous displacements (m) and"
                " rotation vectors (rad) that begin where the obstacle is"
            )


def _text(pose: np.ndarray) -> str:
    shift, turn = (" ".join(f"{value:.6g}" for value in part) for part in (pose[:3], pose[3:]))
    return f"({shift}; {turn})"
