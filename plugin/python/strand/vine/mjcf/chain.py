"""The data of a vine robot for the MJCF writer."""

import dataclasses

import numpy as np

from strand import vine


@dataclasses.dataclass(frozen=True, eq=False)
class Chain:
    """A VineRobot with checked values: arrays of shape (pairs,), and the initial extensions."""

    pairs: int
    half_length: np.ndarray
    mass: np.ndarray
    inertia: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    diameter: float
    natural_angle: np.ndarray
    start_angle: np.ndarray
    base: list[float]
    base_heading: float
    growth: str
    shape: str
    friction: float
    contype: int
    conaffinity: int
    obstacles: list[vine.Obstacle]
    pos: list[float]
    quat: list[float]
    prefix: str
    timestep: float
    integrator: str
    gravity: list[float]
    rgba: list[float]
    visible: bool
    extension: np.ndarray  #: s (m); with growth "tip": the deployed length of each segment
