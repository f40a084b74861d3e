"""Forces that supply energy, which no potential accounts for, are not taken for an explosion."""

import numpy as np
import pytest

from strand import straight
from strand.simulation import Network, Simulation, bodies, obstacles

STIFFNESS, MASS, SPEED = 1000.0, 0.5, 0.3  # N/m, kg, m/s


def oscillator(conservative: bool) -> tuple[np.ndarray, Simulation]:
    """Heights of a mass at the tip of a cantilever, on a user's spring, 140 steps a period."""
    network = Network()
    rod = network.rod(straight(0.4, 20), young=1e8, radius=0.004, density=1000)
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0))
    tip = rod.nodes[-1]
    simulation.add_mass(tip, MASS)
    hessian = np.diag([0, 0, STIFFNESS])

    def spring(x, v, time, rate):
        potential = 0.5 * STIFFNESS * x[2] ** 2 if conservative else 0.0
        return potential, -hessian @ [0, 0, x[2]], -hessian

    simulation.add_force([tip], spring, conservative=conservative)
    velocities = np.zeros_like(simulation.positions)
    velocities[rod.nodes, 2] = SPEED * np.linspace(0, 1, 21) ** 2
    simulation.set_velocities(velocities)
    heights = []
    simulation.run(1.0, each=lambda state: heights.append(state.positions[tip, 2]))
    return np.array(heights), simulation


def test_a_spring_of_the_users_keeps_its_energy_without_a_potential() -> None:
    expected, _ = oscillator(True)
    heights, simulation = oscillator(False)
    np.testing.assert_allclose(heights, expected, atol=2e-3 * expected.max())
    assert abs(simulation.energy_made) < 0.03 * 0.5 * MASS * SPEED**2


@pytest.mark.parametrize(("speed", "radius"), [(1.0, 0.02), (2.0, 0.02), (1.0, 0.01)])
def test_a_ball_on_a_belt_rolls_at_two_sevenths_of_its_speed(speed: float, radius: float) -> None:
    """Put on at rest: its angular momentum about the line of contact stays 0."""
    network = Network()
    ball = network.body(bodies.sphere(radius), mass=0.1, position=(0, 0, radius))
    simulation = Simulation(network)
    belt = obstacles.plane((0, 0, 0), (0, 0, 1))
    belt.velocity = (speed, 0, 0)
    simulation.add_obstacles([belt], friction=0.3, restitution=0)
    simulation.run(1.0)
    velocity, spin = simulation.body_velocity(ball)
    assert velocity[0] / speed == pytest.approx(2 / 7, rel=0.02)
    assert spin[1] * radius / speed == pytest.approx(-5 / 7, rel=0.02)


LENGTH, RADIUS, YOUNG = 0.5, 0.004, 1e7
CRITICAL = 20.05 * YOUNG * np.pi * RADIUS**4 / 4 / LENGTH**2  # N: Beck, 1952


def flutter(load: float, duration: float, method: str) -> float:
    """The largest deflection of the tip of a column under a load along its end, late in a run."""
    network = Network()
    rod = network.rod(straight(LENGTH, 20), young=YOUNG, radius=RADIUS, density=1000)
    network.clamp(rod, "start")
    simulation = Simulation(network, gravity=(0, 0, 0), method=method)

    def follower(x, v, time, rate):
        edge = x[3:] - x[:3]
        length = np.linalg.norm(edge)
        along = edge / length
        turn = -load * (np.eye(3) - np.outer(along, along)) / length
        jacobian = np.zeros((6, 6))
        jacobian[3:, 3:], jacobian[3:, :3] = turn, -turn
        return 0.0, np.r_[np.zeros(3), -load * along], jacobian

    simulation.add_force([rod.nodes[-2], rod.nodes[-1]], follower)
    velocities = np.zeros_like(simulation.positions)
    velocities[:, 2] = 1e-3 * np.linspace(0, 1, 21) ** 2
    simulation.set_velocities(velocities)
    late = []
    simulation.run(duration, each=lambda state: late.append(abs(state.positions[-1, 2])))
    return max(late[len(late) // 2 :])


def test_a_column_under_a_follower_load_flutters_above_becks_load() -> None:
    assert flutter(0.9 * CRITICAL, 2.0, "bdf2") < 1e-3
    swing = flutter(1.2 * CRITICAL, 3.0, "bdf2")
    assert swing > 0.1
    assert swing == pytest.approx(flutter(1.2 * CRITICAL, 3.0, "midpoint"), rel=0.02)


def test_a_run_with_a_belt_continues_bitwise(tmp_path) -> None:
    def ball_on_belt() -> Simulation:
        network = Network()
        network.body(bodies.sphere(0.02), mass=0.1, position=(0, 0, 0.02))
        simulation = Simulation(network, dt=2e-3)
        belt = obstacles.plane((0, 0, 0), (0, 0, 1))
        belt.velocity = (1.0, 0, 0)
        simulation.add_obstacles([belt], friction=0.3)
        return simulation

    whole = ball_on_belt()
    whole.run(0.05)
    whole.save(tmp_path / "state.npz")
    whole.run(0.05)
    rest = ball_on_belt()
    rest.load(tmp_path / "state.npz")
    rest.run(0.05)
    np.testing.assert_array_equal(rest.positions, whole.positions)
    assert rest.energy_made == whole.energy_made
