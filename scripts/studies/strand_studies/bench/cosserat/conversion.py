"""What both adapters take from a scenario of cosseratbench, and give back. SI units."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from cosseratbench.scenario import Motion, Obstacle, Rod, Scenario
from cosseratbench.solver import Capability
from cosseratbench.trajectory import Trajectory

from strand.io.options import positive, read

#: Time steps in which a rod that starts inside something leaves it without gaining speed. Elements
#: between nodes on the surface of a cylinder start inside it, and would be thrown out.
START_STEPS = 30
LEAST_ELEMENTS = 2  #: a rod of one element has no joint

#: What both solvers can model; the core's rods also stretch.
CONTACT = frozenset(
    {
        Capability.ROD_CONTACT,
        Capability.ROD_FRICTION,
        Capability.CYLINDER_CONTACT,
        Capability.PLANE_CONTACT,
    }
)
#: Function of time (s): displacement (m) and rotation vector (rad) of a driven end.
Drive = Callable[[float], tuple[np.ndarray, np.ndarray]]


def time_step_scale(value: float) -> float:
    """The option of that name. Raises StrandError if it is not a positive number."""
    return read("time_step_scale", value, positive("1"))


def check_elements(n_elements: int) -> None:
    """Raises NotImplementedError for a rod without a joint."""
    if n_elements < LEAST_ELEMENTS:
        raise NotImplementedError(f"rods of fewer than {LEAST_ELEMENTS} elements")


def bending_stiffness(rod: Rod) -> float:
    """EI (N m^2)."""
    return rod.material.youngs_modulus * rod.second_moment_of_area


def twisting_stiffness(rod: Rod) -> float:
    """GJ (N m^2) of the circular section, whose polar second moment is 2 I."""
    return 2 * rod.material.shear_modulus * rod.second_moment_of_area


def mass(rod: Rod) -> float:
    """Mass of the rod (kg)."""
    return rod.material.density * rod.area * rod.length


def damping_rate(scenario: Scenario) -> float:
    """Damping force per mass and speed (1/s): critical for the slowest mode where the equilibrium
    is asked for, none where the motion is."""
    return 2 * scenario.slowest_frequency() if scenario.quasi_static else 0.0


def start_steps(scenario: Scenario) -> int:
    """The number of first steps without speed, for rods that overlap something at the start: a kind
    of damping, and thus none where the motion is the result."""
    return START_STEPS if scenario.quasi_static else 0


def time_steps(scenario: Scenario, n_frames: int, longest: float) -> tuple[float, int]:
    """Time step (s), at most `longest`, and the number of steps between two frames."""
    interval = scenario.duration / (n_frames - 1)
    count = math.ceil(interval / longest * (1 - 1e-9))
    return interval / count, count


def drive(motion: Motion) -> Drive:
    """The motion of an end as a function of time, linear between the motion's times."""
    times = np.asarray(motion.times, dtype=float)
    displacement = np.asarray(motion.displacement, dtype=float)
    rotation = np.asarray(motion.rotation, dtype=float)

    def at(time: float) -> tuple[np.ndarray, np.ndarray]:
        moved = [np.interp(time, times, column) for column in displacement.T]
        turned = [np.interp(time, times, column) for column in rotation.T]
        return np.array(moved), np.array(turned)

    return at


def frictions(rods: Sequence[Rod], obstacles: Sequence[Obstacle]) -> set[float]:
    """Coulomb coefficients of all pairs of these rods with these obstacles, or, without obstacles,
    with each other: of two coefficients the larger one counts."""
    others = obstacles or rods
    return {max(rod.friction, other.friction) for rod in rods for other in others}


def rods_may_touch(scenario: Scenario) -> bool:
    """Whether rods can touch each other or themselves."""
    return scenario.self_contact or len(scenario.rods) > 1


class Recording:
    """Frames of all rods, and the trajectory that they make."""

    def __init__(self, scenario: Scenario, n_frames: int) -> None:
        self._times = np.linspace(0.0, scenario.duration, n_frames)
        self._nodes: list[list[np.ndarray]] = [[] for _ in scenario.rods]
        self._directors: list[list[np.ndarray]] = [[] for _ in scenario.rods]

    def add(self, nodes: Sequence[np.ndarray], directors: Sequence[np.ndarray]) -> None:
        """Adds a frame: positions of the nodes (m) and directors of the elements, by rod."""
        for rod, (points, across) in enumerate(zip(nodes, directors, strict=True)):
            self._nodes[rod].append(np.array(points))
            self._directors[rod].append(np.array(across))

    def trajectory(self) -> Trajectory:
        return Trajectory(
            self._times,
            tuple(np.stack(frames) for frames in self._nodes),
            tuple(np.stack(frames) for frames in self._directors),
        )
