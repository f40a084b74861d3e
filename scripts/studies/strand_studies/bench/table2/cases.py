"""The five experiments of DisMech's Table II (Choi et al., 2024, section IV).

a1, a2: a cantilever that swings in its first mode; b1, b2: a hanging helix that starts to sag; c: a
rod pushed along a floor with friction. Parameters that the paper does not state are those of its
code.
"""

from dataclasses import dataclass

import numpy as np

from strand_studies.validation.vibration import BETA_L

GRAVITY = 9.8  #: m/s^2, along -z
POISSON = 0.5  #: so G = E / 3

CANTILEVER_LENGTH, CANTILEVER_NODES = 1.0, 201  #: m, 1
TIP_VELOCITY = 5e-3  #: m/s
HELIX_RADIUS, HELIX_PITCH, HELIX_HEIGHT, HELIX_NODES = 0.02, 0.05, 0.185, 100  #: m, m, m, 1
HELIX_DROP = 0.0250546  #: m, the vertical edge that is clamped
ARM_EDGES, ARM_RISE = 5, 8e-5  #: 1, m per edge: the arm from the helix's axis to its start


@dataclass(frozen=True, eq=False)
class Case:
    """A rod with circular section, whose rest shape is given by its nodes."""

    name: str
    nodes: np.ndarray  #: shape (n, 3), m: rest shape and initial positions
    radius: float  #: m
    young: float  #: Pa
    density: float  #: kg/m^3
    duration: float  #: s of motion
    timestep: float  #: s, of Strand and DisMech
    peer_timestep: float  #: s, of PyElastica: the largest that the paper found stable
    #: s, run time of the original for `duration`, measured on an idle machine with two cores (its
    #: symbolic code replaced by generated C++, its compiler flags unchanged)
    dismech_seconds: float
    velocities: np.ndarray | None = None  #: shape (n, 3), m/s: initial; None: at rest
    gravity: float = GRAVITY  #: m/s^2, along -z
    clamped: bool = True  #: whether position and direction of the first edge are fixed
    friction: float | None = None  #: coefficient of Coulomb's law on a floor at z = 0
    slip_tolerance: float = 1e-3  #: m/s, of that law as the original regularises it
    contact_tolerance: float = 5e-4  #: m, distance at which the floor begins to push back
    push: float = 0.0  #: N along x, in total, distributed evenly over the edges
    method: str = "midpoint"  #: of Strand: it preserves the energy of a swing

    @property
    def shear_modulus(self) -> float:
        """Pa."""
        return self.young / (2 * (1 + POISSON))


def straight(length: float, count: int, height: float = 0.0) -> np.ndarray:
    """Nodes along x, shape (count, 3), m."""
    nodes = np.zeros((count, 3))
    nodes[:, 0] = np.linspace(0, length, count)
    nodes[:, 2] = height
    return nodes


def first_mode(places: np.ndarray) -> np.ndarray:
    """The first bending mode of a clamped-free beam at places 0 .. 1 along it, 1 at the tip.

    phi = cosh bx - cos bx - s (sinh bx - sin bx), s = (cosh b + cos b) / (sinh b + sin b)
    (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1).
    """
    b = BETA_L[0]
    s = (np.cosh(b) + np.cos(b)) / (np.sinh(b) + np.sin(b))

    def shape(x: np.ndarray | float) -> np.ndarray | float:
        return np.cosh(b * x) - np.cos(b * x) - s * (np.sinh(b * x) - np.sin(b * x))

    return shape(places) / shape(1.0)


def helix() -> np.ndarray:
    """The helical rod's nodes, shape (106, 3), m.

    A vertical edge down to the origin, an arm along y out to the helix's radius, and a helix about
    the z axis, downwards. Like the paper's, the arm rises slightly, except at its last node.
    """
    arm = np.zeros((ARM_EDGES, 3))
    arm[:, 1] = np.arange(ARM_EDGES) * HELIX_RADIUS / ARM_EDGES
    arm[:, 2] = np.arange(ARM_EDGES) * ARM_RISE
    depth = np.linspace(0, HELIX_HEIGHT, HELIX_NODES)
    angle = 2 * np.pi * depth / HELIX_PITCH
    coil = np.column_stack([HELIX_RADIUS * np.sin(angle), HELIX_RADIUS * np.cos(angle), -depth])
    return np.vstack([[0, 0, HELIX_DROP], arm, coil])


def _cantilever(name: str, young: float, **times: float) -> Case:
    nodes = straight(CANTILEVER_LENGTH, CANTILEVER_NODES)
    velocities = np.zeros_like(nodes)
    velocities[:, 2] = TIP_VELOCITY * first_mode(nodes[:, 0] / CANTILEVER_LENGTH)
    return Case(name, nodes, 0.02, young, 500.0, velocities=velocities, gravity=0.0, **times)


def _helix(name: str, radius: float, young: float, **times: float) -> Case:
    # With the midpoint rule at these steps, the energy of b1 grows to twice its value by 10 s.
    return Case(name, helix(), radius, young, 1273.52, method="bdf2", **times)


def _pushed() -> Case:
    """One of the paper's 44 runs, which differ in the push only: the largest push along +x."""
    return Case(
        "c",
        straight(1.0, 26, height=0.025),
        radius=0.025,
        young=1e5,
        density=509.2985,  # so that the rod has 1 kg, to 5 mg
        duration=1.5,
        timestep=5e-3,
        peer_timestep=1e-4,
        dismech_seconds=0.23,
        clamped=False,
        friction=0.4,
        push=10.5,
    )


_ALL = (
    _cantilever(
        "a1", 1e5, duration=100.0, timestep=0.5, peer_timestep=2.5e-4, dismech_seconds=0.61
    ),
    _cantilever("a2", 1e7, duration=20.0, timestep=0.05, peer_timestep=3e-5, dismech_seconds=1.22),
    _helix("b1", 5e-3, 1e7, duration=10.0, timestep=6e-3, peer_timestep=4e-5, dismech_seconds=6.6),
    _helix("b2", 1e-3, 1e9, duration=2.0, timestep=3e-3, peer_timestep=1e-6, dismech_seconds=2.58),
    _pushed(),
)
CASES = {case.name: case for case in _ALL}
