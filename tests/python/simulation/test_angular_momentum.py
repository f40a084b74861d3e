"""Free rods keep their angular momentum."""

import numpy as np
import pytest
from support.momentum import angular_momentum

from strand import StrandError
from strand.simulation import Network, Simulation

LENGTH, RADIUS, DENSITY = 0.2, 0.02, 1000.0


def top(dt: float, spin: float, tumble: float, method: str = "bdf2", edges: int = 4) -> Simulation:
    """A stiff straight rod that spins about itself and tumbles."""
    network = Network()
    line = np.zeros((edges + 1, 3))
    line[:, 0] = np.linspace(-LENGTH / 2, LENGTH / 2, edges + 1)
    network.rod(line, young=1e9, radius=RADIUS, density=DENSITY)
    simulation = Simulation(network, dt=dt, method=method, gravity=(0, 0, 0))
    velocity = np.zeros(simulation.core.size)
    velocity[simulation.node_dofs(range(edges + 1), "y")] = tumble * line[:, 0]
    velocity[simulation.spin_dofs(range(edges))] = spin
    simulation.core.set_velocity(velocity)
    return simulation


# A free symmetric top: its axis precesses about the angular momentum L at the rate L / I, I across
# the axis.
@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
def test_a_spinning_rod_precesses(method: str) -> None:
    spin, tumble, duration = 400.0, 10.0, 0.2
    wrong = []
    for dt in (4e-4, 2e-4, 1e-4):
        simulation = top(dt, spin, tumble, method)
        momentum = angular_momentum(simulation)
        mass = simulation.core.mass[simulation.node_dofs(range(5), "x")]
        across = mass @ simulation.positions[:, 0] ** 2
        simulation.run(duration)
        kept = angular_momentum(simulation)
        rate = np.linalg.norm(momentum) / across
        axis, along = momentum / np.linalg.norm(momentum), np.array([1.0, 0, 0])
        turned = np.cos(rate * duration) * (along - axis * axis[0])
        turned += np.sin(rate * duration) * np.cross(axis, along) + axis * axis[0]
        ends = simulation.positions[-1] - simulation.positions[0]
        wrong.append(
            [
                np.linalg.norm(kept - momentum) / np.linalg.norm(momentum),
                np.linalg.norm(ends / np.linalg.norm(ends) - turned),
            ]
        )
    assert wrong[-1][0] < 1e-3 and wrong[-1][1] < 0.02
    rates = np.log2(np.array(wrong[:-1]) / np.array(wrong[1:]))
    assert (rates > 1.7).all(), (wrong, rates)


# The energy does not grow, however coarsely the step resolves the spin.
@pytest.mark.parametrize("dt", [1e-4, 1e-3, 1e-2])
def test_spin_does_not_increase_energy(dt: float) -> None:
    simulation = top(dt, 300.0, 20.0)
    start = simulation.kinetic_energy + simulation.potential_energy
    simulation.run(1.0)
    assert simulation.kinetic_energy + simulation.potential_energy < 1.001 * start
    assert simulation.kinetic_energy > 0.1 * start


def curved(**options) -> Simulation:
    network = Network()
    angle = np.linspace(0, 1.5, 21)
    nodes = 0.1 * np.column_stack([np.sin(angle), 1 - np.cos(angle), 0 * angle])
    network.rod(nodes, young=1e7, radius=2e-3, density=1000)
    simulation = Simulation(network, dt=1e-4, gravity=(0, 0, 0), **options)
    velocities = np.zeros((21, 3))
    velocities[:, 2] = 3 * np.linspace(-1, 1, 21) ** 3
    simulation.set_velocities(velocities)
    return simulation


def test_a_curved_rod_keeps_its_angular_momentum() -> None:
    simulation = curved()
    momentum = angular_momentum(simulation)
    simulation.run(0.1)
    lost = np.linalg.norm(angular_momentum(simulation) - momentum)
    assert lost < 1e-3 * np.linalg.norm(momentum)


def test_without_twist_rods_are_straight_and_round() -> None:
    allowed = (
        "twist: got False, allowed: with rods that are naturally straight and have the same EI"
    )
    with pytest.raises(StrandError, match=allowed):
        curved(twist=False)
    curved(twist=False, rest_straight=True)
    network = Network()
    line = np.linspace((0, 0, 0), (0.1, 0, 0), 5)
    ribbon = {"second_moments": (1e-12, 2e-12)}
    network.rod(line, young=1e7, radius=1e-3, density=1000, **ribbon)
    with pytest.raises(StrandError, match=allowed):
        Simulation(network, twist=False)
    straight = Network()
    straight.rod(line, young=1e7, radius=1e-3, density=1000)
    simulation = Simulation(straight, twist=False)
    simulation.set_natural_curvature([0], (0, 0))
    with pytest.raises(StrandError, match="curvature: got some in a simulation with twist=False"):
        simulation.set_natural_curvature([0], (0.1, 0))
    simulation.run(0.01)


@pytest.mark.parametrize("edges", [1, 6])
def test_two_step_rules_regain_what_their_first_step_has_lost(edges: int) -> None:
    """A steel rod that turns by .15 rad per step. The first step is one of backward Euler, after
    which BDF2 gains a little: it was rejected for that, in every second step, and lost a quarter.
    """
    network = Network()
    line = np.linspace((-0.1, 0, 0), (0.1, 0, 0), edges + 1)
    network.rod(line, young=2e11, radius=3e-3, density=7800)
    simulation = Simulation(network, dt=5e-3, gravity=(0, 0, 0))
    simulation.set_velocities(np.cross((0, 0, 30), line))
    kept, start = [], angular_momentum(simulation)[2]
    for _ in range(14):
        simulation.step()
        kept.append(angular_momentum(simulation)[2] / start)
    # Two points on a circle by the formulas of the rule; with one edge it is the same.
    expected = [0.9889, 0.9713, 0.9731, 0.9734, 0.9734, 0.9732, 0.9730]
    assert kept[:7] == pytest.approx(expected, abs=1e-4 if edges == 1 else 1e-3)
    assert kept[-1] == pytest.approx(0.9716, abs=1e-4 if edges == 1 else 1e-3)
