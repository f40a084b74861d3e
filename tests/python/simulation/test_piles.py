"""Heaps of rods: many contacts that stick, slide and part at once."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation


def heap(rods: int, dt: float, restitution: float = 1.0) -> Simulation:
    """Rods above each other that fall on a floor, each turned about the vertical."""
    random = np.random.default_rng(1)
    network = Network()
    for k in range(rods):
        angle = random.uniform(0, np.pi)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        nodes = straight(0.3, 15) - (0.15, 0, 0)
        nodes[:, :2] = nodes[:, :2] @ turn + random.uniform(-0.05, 0.05, 2)
        nodes[:, 2] = 0.02 + 0.013 * k
        network.rod(nodes, young=1e6, radius=0.005, density=1000)
    simulation = Simulation(network, dt=dt)
    simulation.add_floor(0.0, friction=0.4, restitution=restitution)
    simulation.add_contact(friction=0.4, restitution=restitution)
    return simulation


@pytest.mark.parametrize(
    ("dt", "restitution", "most"),
    [(2e-3, 1.0, 8), (5e-3, 1.0, 11), (2e-3, 0.5, 8), (2e-3, 0.0, 11)],
)
def test_steps_of_a_heap_take_few_iterations(dt: float, restitution: float, most: float) -> None:
    """Newton's method finds which contacts stick, slide and part, in each step and at once."""
    simulation = heap(10, dt, restitution)
    report = simulation.run(0.8)
    assert report.rejections <= 0.01 * report.steps
    assert report.iterations < most * report.steps
    assert simulation.positions[:, 2].min() > 0.8 * 0.005
    assert simulation.energy_made < 0
