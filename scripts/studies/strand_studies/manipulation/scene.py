"""What every manipulation scene has: a model, a scripted controller, a criterion, figures.

A scene has no memory: everything that changes sits in mjData (positions, `act`, `eq_active`) and in
the controller that it makes. So the same scene drives a film, a study over seeds, or an environment
for learning, whose action is the vector `ctrl`: velocities of the hands, and forces of the fingers.
"""

import abc
import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple, Protocol

import mujoco
import numpy as np

from strand.draw.stage import set_stage
from strand.errors import StrandError
from strand.mujoco_versions import discrete
from strand_studies.manipulation import gripper, overlap


class View(NamedTuple):
    """The camera of a scene's pictures."""

    lookat: Sequence[float]  #: m
    distance: float  #: m
    azimuth: float  #: degrees
    elevation: float  #: degrees


@dataclasses.dataclass(frozen=True)
class Range:
    """A quantity that is drawn anew, uniformly, for every seed; its middle is the nominal value."""

    low: float
    high: float

    def __post_init__(self) -> None:
        if not -np.inf < self.low <= self.high < np.inf:
            raise StrandError(
                f"range: got {self.low!r} to {self.high!r}, allowed: finite numbers, low <= high"
            )

    def draw(self, rng: np.random.Generator | None) -> float:
        """A random value; the middle of the range without a generator."""
        return (
            (self.low + self.high) / 2 if rng is None else float(rng.uniform(self.low, self.high))
        )


class Controller(Protocol):
    """Decides what the actuators do."""

    def act(self, data: mujoco.MjData) -> np.ndarray:
        """The vector `ctrl`, shape (nu,), for the next control period."""


class Idle:
    """A controller that does nothing: all velocities and forces are zero."""

    def act(self, data: mujoco.MjData) -> np.ndarray:
        return np.zeros_like(data.ctrl)


@dataclasses.dataclass
class Scene(abc.ABC):
    """A manipulation scene. Fields of type Range are randomised by `build`."""

    duration: ClassVar[float] = 0.0  #: s, at most 20
    view: ClassVar[View]  #: of the pictures
    timestep: ClassVar[float] = 0.002  #: s
    control_period: ClassVar[float] = 0.02  #: s, during which `ctrl` is constant

    @property
    def name(self) -> str:
        """As in SCENES, if it is one of them."""
        return type(self).__name__.lower()

    def draw(self, rng: np.random.Generator | None) -> Any:
        """The values of all fields of type Range by name, in the order of the fields."""
        ranges = ((f.name, getattr(self, f.name)) for f in dataclasses.fields(self))
        return {name: each.draw(rng) for name, each in ranges if isinstance(each, Range)}

    def stage(self, mjcf: str = "<mujoco/>", floor: float | None = 0.0) -> mujoco.MjSpec:
        """The MJCF with floor and light, and the options that make friction hold."""
        spec = mujoco.MjSpec.from_string(mjcf)
        spec.option.integrator = discrete("manipulation")
        spec.option.timestep = self.timestep
        spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.impratio = 20
        overlap.reserve(spec)
        set_stage(spec, floor)
        return spec

    @abc.abstractmethod
    def build(self, rng: np.random.Generator | None = None) -> mujoco.MjSpec:
        """The scene, randomised by `rng`; with the nominal values if that is None."""

    @abc.abstractmethod
    def controller(self, model: mujoco.MjModel, data: mujoco.MjData) -> Controller:
        """A scripted controller that starts at the time of `data`."""

    @abc.abstractmethod
    def success(self, model: mujoco.MjModel, data: mujoco.MjData) -> bool:
        """True if the task is done in the present state."""

    @abc.abstractmethod
    def measure(self, model: mujoco.MjModel, data: mujoco.MjData) -> dict[str, float]:
        """Figures of the task in the present state, SI units."""

    def apply(self, model: mujoco.MjModel, data: mujoco.MjData, ctrl: np.ndarray) -> None:
        """Sets the controls of the next control period, and the welds of hands that close."""
        overlap.note(model, data)
        data.ctrl[:] = ctrl
        gripper.update_welds(model, data)
