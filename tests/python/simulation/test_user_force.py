"""Forces of users in Python on the implicit core."""

import numpy as np
import pytest

from strand.cable.shapes import straight
from strand.errors import StrandError
from strand.simulation import Network, Simulation

STIFFNESS, DRAG, GRAVITY = 3.0, 0.4, 9.81  # N/m, N s/m, m/s^2


def falling(**options) -> tuple[Simulation, list[int], float]:
    """A free rod, its nodes, its mass (kg)."""
    network = Network()
    rod = network.rod(straight(0.2, 4), young=1e7, radius=2e-3, density=1000.0)
    simulation = Simulation(network, gravity=(0, 0, -GRAVITY), **options)
    mass = simulation.core.mass[[simulation.node_dofs(node)[0] for node in rod.nodes]].sum()
    return simulation, rod.nodes, mass


def springs_to(places):
    def force(positions, velocities, time, dv_dx):
        off = positions - places
        return 0.5 * STIFFNESS * off @ off, -STIFFNESS * off, -STIFFNESS * np.eye(len(off))

    return force


def drag(positions, velocities, time, dv_dx):
    return 0.0, -DRAG * velocities, -DRAG * dv_dx * np.eye(len(velocities))


def test_springs_hold_the_weight() -> None:
    simulation, nodes, mass = falling()
    drawn = simulation.positions[nodes]
    simulation.add_force(nodes, springs_to(drawn.ravel()), conservative=True)
    report = simulation.solve()
    assert report.iterations <= 8  # few, with the given Jacobian
    moved = (simulation.positions[nodes] - drawn).sum(axis=0)
    np.testing.assert_allclose(moved, (0, 0, -mass * GRAVITY / STIFFNESS), atol=1e-8)


def test_drag_ends_at_its_speed() -> None:
    simulation, nodes, mass = falling(dt=0.05, method="backward_euler")
    simulation.add_force(nodes, drag)
    simulation.run(2.0)
    speed = simulation.velocities[nodes, 2]  # it keeps bending slightly for longer
    np.testing.assert_allclose(speed.sum(), -mass * GRAVITY / DRAG, rtol=1e-4)


def test_arrays_of_another_size_are_rejected() -> None:
    simulation, nodes, _ = falling()
    simulation.add_force(nodes, lambda q, v, t, dv: (0.0, np.zeros(2), np.zeros((2, 2))))
    with pytest.raises((StrandError, ValueError, RuntimeError), match="user force"):
        simulation.solve()
