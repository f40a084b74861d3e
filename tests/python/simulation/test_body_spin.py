"""Rigid bodies keep their spin: the rotation of free bodies, gyroscopes and rolling balls."""

import numpy as np
import pytest
import trimesh
from support.free_body import free_rotation
from support.momentum import angular_momentum

from strand.simulation import Network, Simulation, bodies

G = 9.81
BOX = bodies.box((0.1, 0.2, 0.3))


def thrown(shape, spin, dt, method="bdf2"):
    """A body of 2 kg without gravity that spins about axes of its own (rad/s)."""
    network = Network()
    body = network.body(shape, mass=2.0, rotation=(0.3, -0.2, 0.5))
    sim = Simulation(network, dt=dt, gravity=(0, 0, 0), method=method)
    _, axes = sim.pose(body)
    sim.set_body_velocity(body, (1.0, 2.0, 3.0), angular_velocity=axes @ spin)
    return sim, body


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
@pytest.mark.parametrize("dt", [1e-3, 5e-3])
@pytest.mark.parametrize(
    ("shape", "spin"),
    [
        (bodies.sphere(0.1), (0.0, 100.0, 0.0)),
        (bodies.cylinder(0.1, 0.02), (1.0, 2.0, 200.0)),
        (BOX, (1.0, 30.0, 0.5)),
        (bodies.capsule(0.01, 0.5), (100.0, 0.0, 0.0)),
    ],
)
def test_free_bodies_keep_their_angular_momentum(shape, spin, dt, method):
    """Up to a radian in each step, without an iteration."""
    sim, body = thrown(shape, np.array(spin), dt, method)
    momentum, energy = angular_momentum(sim), sim.kinetic_energy
    report = sim.run(1.0)
    kept = angular_momentum(sim)
    assert np.linalg.norm(kept - momentum) < 1e-9 * np.linalg.norm(momentum)
    assert sim.body_velocity(body)[0] == pytest.approx([1, 2, 3], rel=1e-10)
    assert report.iterations <= 0.1 * report.steps
    assert sim.kinetic_energy == pytest.approx(energy, rel=1e-3)


@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
def test_free_rotation_is_accurate_to_second_order(method):
    """About the middle axis, which flips (Dzhanibekov's effect)."""
    start, wrong = np.array([1.0, 8.0, 0.5]), []
    turned, spin = free_rotation(BOX.gyration, start, 1.0)
    assert spin[1] < -4
    for dt in (2e-3, 1e-3, 5e-4):
        sim, body = thrown(BOX, start, dt, method)
        _, axes = sim.pose(body)
        sim.run(1.0)
        _, now = sim.pose(body)
        off = np.linalg.norm(now - axes @ turned)
        spins = np.linalg.norm(now.T @ sim.body_velocity(body)[1] - spin)
        wrong.append([off, spins / 8])
    assert max(wrong[-1]) < 5e-3
    rates = np.log2(np.array(wrong[:-1]) / np.array(wrong[1:]))
    assert (rates > 1.7).all(), (wrong, rates)


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
@pytest.mark.parametrize(("radius", "speed", "dt"), [(0.01, 2.0, 1e-3), (0.05, 1.0, 5e-3)])
def test_a_rolling_ball_keeps_its_speed(radius, speed, dt, method):
    """Its momentum about the floor; it turns by 5 to 10 degrees in a step."""
    network = Network()
    ball = network.body(bodies.sphere(radius), mass=0.1, position=(0, 0, radius))
    sim = Simulation(network, dt=dt, method=method)
    sim.add_floor(friction=0.5)
    sim.run(0.05)
    sim.set_body_velocity(ball, (speed, 0, 0), angular_velocity=(0, speed / radius, 0))
    sim.run(1.0)
    velocity, spin = sim.body_velocity(ball)
    turn = speed / radius * dt
    about_floor = velocity[0] + 0.4 * radius * spin[1]
    assert about_floor == pytest.approx(1.4 * speed, rel=1e-3)
    assert velocity[0] == pytest.approx(radius * spin[1], rel=0.25 * turn**2)


@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
@pytest.mark.parametrize("dt", [2e-3, 1e-3])
def test_a_gyroscope_precesses(dt, method):
    """A disc on a ball joint, with its axis horizontal: steadily, at m g a / L."""
    arm, spin = 0.1, 200.0
    network = Network()
    disc = bodies.cylinder(0.05, 0.01)
    stand = network.rod(np.array([(-0.1, 0, 0), (0, 0, 0)]), young=1e9, radius=2e-3, density=1000)
    body = network.body(disc, mass=1.0, position=(arm, 0, 0), rotation=(0, np.pi / 2, 0))
    network.attach_to_body(stand, -1, body)
    sim = Simulation(network, dt=dt, method=method)
    for node in stand.nodes:
        sim.fix_node(node)
    rate = G * arm / (disc.gyration[2] * spin)
    sim.set_body_velocity(body, (0, arm * rate, 0), angular_velocity=(spin, 0, rate))
    sim.run(0.5)
    centre, _ = sim.pose(body)
    assert np.arctan2(centre[1], centre[0]) == pytest.approx(0.5 * rate, rel=2e-3)
    assert abs(centre[2]) < 1e-3 * arm * (dt / 1e-3) ** 2
    assert np.linalg.norm(sim.body_velocity(body)[1]) == pytest.approx(spin, rel=2e-3)


@pytest.mark.parametrize("dt", [1e-3, 2e-3])
@pytest.mark.parametrize(
    "shape",
    [bodies.cylinder(0.004, 0.2), bodies.capsule(0.01, 0.4), bodies.cylinder(0.1, 0.005)],
    ids=["pencil", "baton", "disc"],
)
def test_tumbling_bodies_keep_the_spin_about_their_own_axis(shape, dt):
    """An error of the axis relative to the angular momentum appears in this spin a hundredfold."""
    sim, body = thrown(shape, np.array([20.0, 0, 20]), dt)
    sim.run(1.0)
    about = sim.body_velocity(body)[1] @ sim.pose(body)[1][:, 2]
    assert about == pytest.approx(20, rel=1e-6)


@pytest.mark.parametrize("method", ["bdf2", "midpoint"])
def test_a_wheel_in_a_plane_keeps_its_spin(method):
    network = Network()
    body = network.body(bodies.box((0.1, 0.02, 0.3)), mass=2.0, rotation=(0.3, -0.2, 0.5))
    sim = Simulation(network, dt=2e-3, gravity=(0, 0, 0), plane="xz", method=method)
    sim.set_body_velocity(body, (1.0, 0, 0), angular_velocity=(0, 100.0, 0))
    energy = sim.kinetic_energy
    sim.run(1.0)
    velocity, spin = sim.body_velocity(body)
    assert velocity == pytest.approx([1, 0, 0], abs=1e-9)
    assert spin == pytest.approx([0, 100, 0], rel=1e-9, abs=1e-9)
    assert sim.kinetic_energy == pytest.approx(energy, rel=1e-9)


@pytest.mark.parametrize("method", ["bdf2", "backward_euler", "midpoint"])
def test_points_of_bodies_turn_with_them(method):
    """A mesh has a massless node at each vertex, which moved along chords."""
    network = Network()
    wheel = trimesh.creation.cylinder(radius=0.1, height=0.03, sections=12)
    body = network.body(bodies.mesh(wheel.vertices, wheel.faces), mass=1.0)
    sim = Simulation(network, dt=1e-3, gravity=(0, 0, 0), method=method)
    sim.set_body_velocity(body, angular_velocity=(0, 0, 300.0))
    report = sim.run(0.1)
    assert sim.body_velocity(body)[1] == pytest.approx([0, 0, 300], rel=1e-6, abs=1e-6)
    assert report.iterations <= 0.1 * report.steps


@pytest.mark.parametrize(("radius", "dt"), [(0.01, 5e-3), (0.02, 5e-3), (0.02, 2e-3)])
def test_a_torque_spins_up_a_flywheel_on_a_steel_shaft(radius, dt):
    """The shaft makes the wheel's carriers so stiff that Newton's method stopped before it had
    found the wheel's rotation."""
    network = Network()
    ends = np.linspace((0.01, 0, 0), (0.1, 0, 0), 5)
    shafts = [
        network.rod(side * ends[::side], young=2e11, radius=radius, density=7800)
        for side in (-1, 1)
    ]
    wheel = network.body(bodies.cylinder(0.05, 0.02), mass=0.5, rotation=(0, np.pi / 2, 0))
    network.attach_to_body(shafts[0], -1, wheel, joint="rigid")
    network.attach_to_body(shafts[1], 0, wheel, joint="rigid")
    sim = Simulation(network, dt=dt, gravity=(0, 0, 0))
    sim.fix_node([shafts[0].nodes[0], shafts[1].nodes[-1]])
    sim.load_body_torque(wheel, (0.1, 0, 0))
    sim.run(0.5)
    assert angular_momentum(sim)[0] == pytest.approx(0.1 * sim.time, rel=1e-5)
