"""A vine robot as data for the writer of MJCF."""

import dataclasses

import numpy as np

from strand import vine


@dataclasses.dataclass(frozen=True, eq=False)
class Chain:
    """A VineRobot as it has been read: arrays (pairs,), and the extensions at the start."""

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
    extension: np.ndarray  #: s (m); growing at the tip: the part of the segment that is deployed
