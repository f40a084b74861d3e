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


def test_arguments_of_the_constructor_stay() -> None:
    """Assignments had no effect, and nobody said so."""
    simulation, _ = clamped()
    with pytest.raises(StrandError, match=r"gravity: got an assignment, .* set_gravity"):
        simulation.gravity = (0, 0, 0)
    with pytest.raises(StrandError, match="method: got an assignment"):
        simulation.method = "midpoint"
    simulation.dt = 1e-3


def test_the_last_node_carries_a_mass() -> None:
    simulation, rod = clamped()
    simulation.add_mass(-1, 0.1)
    simulation.solve()
    weight = 9.81 * (0.1 + np.pi * 0.01**2 * 1000)
    assert simulation.reactions[rod.nodes[0]][2] == pytest.approx(weight, rel=1e-6)


def test_contact_is_added_once() -> None:
    """The forces of a second one came on top of those of the first."""
    simulation, _ = clamped()
    simulation.add_contact()
    with pytest.raises(StrandError, match="add_contact: got a second call"):
        simulation.add_contact(friction=0.3)
