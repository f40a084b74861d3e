"""Shapes of hanging cables with known stiffness, made by the core with its own clamps."""

import numpy as np

from strand import straight
from strand.identify.held_cable import resample
from strand.simulation import Network, Simulation

MASS_PER_LENGTH = 0.02  # kg/m


def stiffness(ratio: float, length: float, mass_per_length: float = MASS_PER_LENGTH) -> float:
    """EI (N m^2) of a cable whose EI / (m g L^3) is `ratio`."""
    return ratio * mass_per_length * 9.81 * length**3


def hanging(
    EI: float,
    length: float,
    gap: float | None,
    curvature: float = 0.0,
    mass_per_length: float = MASS_PER_LENGTH,
    links: int = 300,
) -> np.ndarray:
    """Nodes (links + 1, 2) of a cantilever (gap None), or of a loop whose clamps point along x."""
    network = Network()
    radius = 1e-3 * length
    rod = network.rod(
        straight(length, links), radius=radius, EI=EI, GJ=EI, mass_per_length=mass_per_length,
        EA=1e6 * mass_per_length * 9.81 * length, normal=(0, 1, 0),
    )  # fmt: skip
    network.clamp(rod, "start")
    if gap is not None:
        network.clamp(rod, "end")
    time = (length / 9.81) ** 0.5
    simulation = Simulation(
        network, plane="xz", rest_straight=True, dt=0.1 * time, method="backward_euler"
    )
    if gap is not None:
        simulation.place(rod, _ring(length, gap, links), turn_clamps=False)
    if curvature:
        simulation.set_natural_curvature(rod.joints, (-curvature * length / links, 0))
    # From a stiff cable on, so that a loop does not swing through itself.
    joints = range(network.core.joints)
    for factor in 10.0 ** np.arange(0 if gap is None else 4, -0.1, -0.5):
        for joint in joints:
            simulation.core.set_joint_stiffness(joint, (factor * EI, factor * EI), factor * EI)
        simulation.run(2 * time)
        simulation.solve()
    return simulation.positions[rod.nodes][:, [0, 2]]


def _ring(length: float, gap: float, links: int) -> np.ndarray:
    angles = -2 * np.pi * (np.arange(links) + 0.5) / links
    steps = np.column_stack([np.cos(angles), 0 * angles, np.sin(angles)]) * length / links
    nodes = np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    return nodes - np.linspace(0, gap, links + 1)[:, None] * [1.0, 0, 0]


def recorded(
    nodes: np.ndarray, count: int, rng: np.random.Generator, noise: float = 0.0
) -> np.ndarray:
    """Points (count, d) at unequal distances along nodes, with noise (m)."""
    inner = np.sort(rng.uniform(0.01, 0.99, count - 2))
    points = resample(nodes, np.concatenate([[0.0], inner, [1.0]]))
    return points + noise * rng.normal(size=points.shape)
