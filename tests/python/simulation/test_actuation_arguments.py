"""Paths and indices of a simulation's controls are checked."""

import numpy as np
import pytest

from strand import StrandError, straight
from strand.simulation import Network, Rod, Simulation


def clamped() -> tuple[Simulation, Rod]:
    network = Network()
    rod = network.rod(straight(1.0, 10), radius=0.01, young=1e7, density=1000)
    network.clamp(rod, "start")
    return Simulation(network, dt=1e-2), rod


def test_a_number_is_no_vector() -> None:
    """It moved nodes along (1, 1, 1), and turned clamps about that axis."""
    simulation, rod = clamped()
    with pytest.raises(StrandError, match=r"path: got .*, allowed: numbers that fill shape"):
        simulation.move_node(rod.nodes[-1], lambda time: 1.0 * time)
    simulation, rod = clamped()
    with pytest.raises(StrandError, match=r"turn: got .*, allowed: numbers that fill shape"):
        simulation.turn_clamp(rod, "start", lambda time: 0.1 * time)
        simulation.run(0.1)


def test_the_hidden_edge_of_a_clamp_has_no_index() -> None:
    simulation, rod = clamped()
    with pytest.raises(StrandError, match="edge: got '10', allowed: 0 to 9"):
        simulation.set_rest_length([10], 0.2)
    simulation.set_rest_length([-1], 0.2)
    simulation.solve()
    last = np.diff(simulation.positions[rod.nodes], axis=0)[-1]
    assert np.linalg.norm(last) == pytest.approx(0.2, rel=1e-3)
