"""Scenes whose task can be judged in many worlds at once.

One formula serves a single world, whose arrays are those of mjData, and rows of worlds, whose
arrays have one axis more in front: formulas index from the last axis, and take no branches.
"""

import abc
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, Self

import mujoco
import numpy as np

import strand
from strand_studies.manipulation.scene import Scene

Figures = Mapping[str, Any]  # numbers, or arrays with an axis of worlds
State = Any  #: an mjData, or anything with arrays of the same names, with an axis of worlds or not


class CableShape(Protocol):
    """What figures need of a cable: strand.profile has it, too."""

    @property
    def nodes(self) -> np.ndarray:
        """(..., n + 1, 3), m."""

    @property
    def link_arclength(self) -> np.ndarray:
        """(n,), m: of the links' middles."""


class ManyWorlds(Scene):
    """A scene for many worlds, without hands."""

    stiffness_ranges: ClassVar[tuple[str, ...]]  #: names of the ranges that `stiffness` depends on

    @abc.abstractmethod
    def figures(self, model: mujoco.MjModel, data: State, cable: CableShape) -> Figures:
        """Figures of the task, SI units, each of shape (...)."""

    @abc.abstractmethod
    def done(self, figures: Figures) -> np.ndarray:
        """True where the task is done, (...)."""

    @abc.abstractmethod
    def stiffness(self, values: Mapping[str, Any]) -> tuple[Any, Any]:
        """Numbers proportional to EI and GJ of the cable with these values of the ranges, which may
        be arrays."""

    @abc.abstractmethod
    def coarse(self) -> Self:
        """The scene with fewer links, for machines without a GPU."""

    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """The figures, and the tension (N) at the cable's end."""
        cable = strand.profile(model, data)
        found = {name: float(each) for name, each in self.figures(model, data, cable).items()}
        return found | {"tension": float(cable.tension[-1])}

    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        return bool(self.done(self.measure(model, data)))
