"""Rigid bodies of the implicit core compared with the Euler equations and closed forms."""

import numpy as np
import pytest
from support.checkpoints import assert_continues_bitwise
from support.free_body import free_rotation
from support.momentum import angular_momentum

from strand.errors import StrandError
from strand.simulation import Network, Simulation, bodies

STILL = (0.0, 0.0, 0.0)
BOX = bodies.box((0.1, 0.2, 0.3))


def alone(**options):
    network = Network()
    body = network.body(BOX, mass=2.0, position=(1, -2, 0.5), rotation=(0.3, -0.2, 0.9))
    return Simulation(network, **options), body


@pytest.mark.parametrize(
    ("shape", "volume", "gyration"),
    [
        (bodies.box((1, 2, 3)), 6, (13 / 12, 10 / 12, 5 / 12)),
        (bodies.sphere(0.5), np.pi / 6, (0.1, 0.1, 0.1)),
        (bodies.cylinder(0.5, 2), np.pi / 2, (0.0625 + 1 / 3, 0.0625 + 1 / 3, 0.125)),
    ],
)
def test_shapes(shape, volume, gyration):
    assert shape.volume == pytest.approx(volume, rel=1e-14)
    assert shape.gyration == pytest.approx(gyration, rel=1e-14)


def test_capsule_is_the_integral_over_its_slices():
    radius, length = 0.3, 1.1
    shape = bodies.capsule(radius, length)
    half = length / 2 + radius
    z = (np.arange(200000) + 0.5) / 200000 * 2 * half - half
    square = radius**2 - np.maximum(np.abs(z) - length / 2, 0) ** 2
    slices = np.pi * square * 2 * half / len(z)
    assert shape.volume == pytest.approx(slices.sum(), rel=1e-8)
    across = (slices * (square / 4 + z**2)).sum() / slices.sum()
    about = (slices * square / 2).sum() / slices.sum()
    assert shape.gyration == pytest.approx((across, across, about), rel=1e-8)


def test_free_fall():
    sim, body = alone(dt=1e-2, method="midpoint")
    start, turned = sim.pose(body)
    sim.run(1.0)
    centre, rotation = sim.pose(body)
    # Newton's method stops at 1e-7 of the change in a step.
    assert centre - start == pytest.approx([0, 0, -9.81 / 2], abs=1e-7 * 9.81 / 2)
    assert np.abs(rotation - turned).max() < 1e-7


def test_spin_about_the_middle_axis_flips_like_the_euler_equations():
    """Dzhanibekov's effect, with energy and angular momentum."""
    sim, body = alone(dt=5e-4, gravity=STILL, method="midpoint", tolerance=1e-10)
    _, start = sim.pose(body)
    spin = np.array([1.0, 8.0, 0.5])  # the middle axis; rad/s, along the principal axes
    sim.set_body_velocity(body, angular_velocity=start @ spin)
    energy, momentum = sim.kinetic_energy, angular_momentum(sim)
    inertia = 2.0 * np.array(BOX.gyration)
    assert energy == pytest.approx(0.5 * inertia @ spin**2, rel=1e-12)
    least = spin[1]
    for _ in range(10):
        sim.run(0.1)
        _, rotation = sim.pose(body)
        assert np.abs(rotation.T @ rotation - np.eye(3)).max() < 1e-12
        _, now = sim.body_velocity(body)
        _, expected = free_rotation(inertia, spin, sim.time, steps=2000)
        assert rotation.T @ now == pytest.approx(expected, abs=1e-3)
        least = min(least, expected[1])
    assert least < -4  # it has flipped
    assert angular_momentum(sim) == pytest.approx(momentum, abs=1e-8 * np.linalg.norm(momentum))
    assert sim.kinetic_energy == pytest.approx(energy, rel=1e-3)


def test_hanging_body_supports_its_weight_without_strain():
    """A body fixed at one point hangs below it, with a strain of less than 1e-6."""
    network = Network()
    body = network.body(bodies.box((0.1, 0.2, 0.3)), density=1000)
    top = network.body_point(body, (0, 0, 0.15))
    sim = Simulation(network, dt=1e-2, method="backward_euler")
    sim.fix_node(top)
    sim.run(0.1)
    assert sim.reactions[top] == pytest.approx([0, 0, 6 * 9.81], rel=1e-6, abs=1e-6)
    places = sim.positions[body.carriers]
    drawn = BOX.gyration
    spread = np.sqrt(((places - places.mean(axis=0)) ** 2).mean(axis=0))
    second = np.sqrt(np.sum(drawn) / 2 - np.array(drawn))
    assert spread == pytest.approx(second, rel=1e-6)


def test_pendulum_on_a_string():
    """A ball on a light string has the period of a point mass plus the ball's own inertia."""
    network = Network()
    string = network.rod(
        np.linspace((0, 0, 0), (0, 0, -0.5), 2), young=1e9, radius=5e-4, density=1e-3
    )
    ball = network.body(bodies.sphere(0.05), mass=1.0, position=(0, 0, -0.55))
    network.attach_to_body(string, -1, ball)
    sim = Simulation(network, dt=2e-3)
    sim.fix_node(string.nodes[0])
    sim.set_body_velocity(ball, (0.02, 0, 0))
    crossings = []
    before = 0.0
    while len(crossings) < 3 and sim.time < 5:
        sim.step()
        x = sim.pose(ball)[0][0]
        if before * x < 0:
            crossings.append(sim.time - sim.dt * x / (x - before))
        before = x
    frequency = np.pi / (crossings[2] - crossings[1])
    # The slow mode of string (0.5 m) and ball (0.05 m from the knot to its centre).
    length, arm, gyration, g = 0.5, 0.05, 0.4 * 0.05**2, 9.81
    mass = np.array([[length**2, length * arm], [length * arm, arm**2 + gyration]])
    slow = np.sqrt(np.linalg.eigvals(np.linalg.solve(mass, np.diag([g * length, g * arm]))).min())
    assert frequency == pytest.approx(slow, rel=2e-2)


def test_driven_body_moves_its_points():
    network = Network()
    body = network.body(bodies.sphere(0.1), mass=1.0)
    corner = network.body_point(body, (0.1, 0, 0))
    sim = Simulation(network, dt=1e-2)
    sim.move_body(body, lambda t: ((t, 0, 0), (0, 0, np.pi / 2 * t)))
    sim.run(1.0)
    assert sim.positions[corner] == pytest.approx([1, 0.1, 0], abs=1e-12)
    centre, rotation = sim.pose(body)
    assert centre == pytest.approx([1, 0, 0], abs=1e-12)
    assert rotation @ (1, 0, 0) == pytest.approx([0, 1, 0], abs=1e-12)


def test_a_run_continues_bitwise_from_its_checkpoint(tmp_path):
    def spun():
        sim, body = alone(dt=1e-3)
        sim.set_body_velocity(body, (1, 0, 0), (1, 5, 0.3))
        return sim

    assert_continues_bitwise(spun, tmp_path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "mass and density"),
        ({"mass": 1.0, "density": 1.0}, "mass and density"),
        ({"mass": -1.0}, "mass: got -1.0"),
        ({"density": 0.0}, "density: got 0.0"),
        ({"mass": 1.0, "position": (0, 0)}, "position"),
        ({"mass": 1.0, "stiffness": 0.0}, "stiffness: got 0.0"),
    ],
)
def test_bad_bodies_are_rejected(given, words):
    with pytest.raises(StrandError, match=words.replace("(", r"\(")):
        Network().body(BOX, **given)


def test_bodies_of_other_networks_are_rejected():
    other = Network().body(BOX, mass=1.0)
    sim, _ = alone()
    with pytest.raises(StrandError, match="another network"):
        sim.pose(other)
    with pytest.raises(StrandError, match="size"):
        bodies.box((1, 2, 0))


def test_a_node_belongs_to_one_body():
    network = Network()
    rod = network.rod(np.linspace((0, 0, 0), (1, 0, 0), 3), young=1e7, radius=0.01, density=1000)
    body = network.body(BOX, mass=1.0)
    network.attach_to_body(rod, 0, body)
    with pytest.raises(StrandError, match="rod 0, node 0"):
        network.attach_to_body(rod, 0, body)
    with pytest.raises(StrandError, match="node"):
        network.attach_to_body(rod, 3, body)


def test_recordings_contain_the_poses_of_bodies(tmp_path):
    """Two bodies of a run, one of them turned about the vertical axis at constant speed."""
    network = Network()
    network.body(BOX, mass=2.0, position=(1, 0, 0))
    turning = network.body(bodies.sphere(0.1), mass=1.0, position=(0, 0, 2), rotation=(0, 0, 0.5))
    sim = Simulation(network, dt=1e-3, gravity=STILL, method="midpoint")
    sim.set_body_velocity(turning, (0.5, 0, 0), (0, 0, 2.0))
    with sim.record(tmp_path / "run.npz", every=0.1, series=["body_pose"]):
        sim.run(0.2)
    run = np.load(tmp_path / "run.npz")
    assert run["body0_position"] == pytest.approx(np.tile([1, 0, 0], (3, 1)), abs=1e-12)
    assert run["body0_rotation"] == pytest.approx(np.zeros((3, 3)), abs=1e-12)
    assert run["body1_position"][:, 0] == pytest.approx([0, 0.05, 0.1], abs=1e-9)
    assert run["body1_rotation"][:, 2] == pytest.approx([0.5, 0.7, 0.9], abs=1e-6)


def test_poses_of_bodies_need_bodies(tmp_path):
    network = Network()
    network.rod([(0, 0, 0), (0.5, 0, 0), (1, 0, 0)], radius=0.01, young=1e7, density=1000)
    sim = Simulation(network)
    with pytest.raises(StrandError, match="got body_pose, allowed: only if bodies were added"):
        sim.record(tmp_path / "run.npz", series=["body_pose"])
