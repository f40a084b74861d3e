"""Rods in hollow cylinders: the curvature of the wall holds them at the bottom."""

import warnings

import numpy as np
import pytest

from strand.simulation import Network, Simulation, obstacles

YOUNG, RADIUS, DENSITY, TUBE = 1e8, 0.003, 1200.0, 0.013
CLEARANCE = TUBE - RADIUS
WEIGHT = DENSITY * np.pi * RADIUS**2 * 9.81  # N/m
EULER = np.pi**2 * YOUNG * np.pi * RADIUS**4 / 4  # N, of a length of 1 m


@pytest.mark.parametrize("load", [1.2, 4.0])
@pytest.mark.parametrize("shape", [obstacles.cylinder, obstacles.capsule])
@pytest.mark.parametrize("aside", [0.0, 1e-4])
def test_a_pressed_rod_stays_at_the_bottom(load: float, shape, aside: float) -> None:
    """Below 2 sqrt(EI w / r) a rod in a tube does not buckle (Dawson and Paslay 1984), though above
    Euler's load; with an obstacle whose wall has no curvature no equilibrium was found."""
    edges = 40
    network = Network()
    line = np.zeros((edges + 1, 3))
    line[:, 0], line[:, 2] = np.linspace(0, 1, edges + 1), -CLEARANCE
    rod = network.rod(line, radius=RADIUS, young=YOUNG, density=DENSITY)
    simulation = Simulation(network, dt=2e-3)
    simulation.add_obstacles([shape((-0.05, 0, 0), (1.05, 0, 0), TUBE, hollow=True)])
    simulation.fix_node(rod.nodes[0], "xyz")
    simulation.fix_node(rod.nodes[-1], "yz")
    simulation.fix_spin(rod.edges[0])
    force = load * EULER
    assert force < 0.3 * 2 * np.sqrt(EULER / np.pi**2 * WEIGHT / CLEARANCE)
    simulation.load_node(rod.nodes[-1], (-force, 0, 0))
    simulation.load_node(rod.nodes[edges // 2], (0, aside * WEIGHT, 0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        report = simulation.solve()
    assert report.stable
    assert report.iterations < 20
    assert np.abs(simulation.positions[:, 1]).max() < 1e-3 * CLEARANCE
