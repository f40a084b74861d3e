"""Driven obstacles carry, push and turn the bodies they touch."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from strand.errors import StrandError
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation, obstacles
from strand.simulation.obstacle_drawing import drawn

RADIUS = 0.002  # m
SETTLING = 0.1  # s
IMPLICIT = ("bdf2", "backward_euler", "midpoint")


def _rod(start, end, edges: int, radius: float = RADIUS, young: float = 1e7) -> Network:
    network = Network()
    network.rod(
        np.linspace(start, end, edges + 1), young=young, poisson=0.5, radius=radius, density=1000.0
    )
    return network


def _on_a_plate(
    path, friction: float, duration: float, method: str = "bdf2", **options
) -> Simulation:
    """A rod at rest on a plate, which then moves along path(time since)."""
    sim = Simulation(_rod((0, 0, 0.00195), (0.2, 0, 0.00195), 20), method=method)
    plate = obstacles.plane((0, 0, 0), (0, 0, 1))
    sim.add_obstacles([plate], friction=friction, **options)
    sim.run(SETTLING)
    plate.move(lambda time: path(max(time - SETTLING, 0.0)))
    sim.run(duration)
    return sim


def _centre(sim: Simulation) -> np.ndarray:
    return sim.positions.mean(axis=0) - (0.1, 0, 0)


@pytest.mark.parametrize("method", IMPLICIT)
@pytest.mark.parametrize("acceleration", [3.0, 8.0])
def test_a_plate_carries_up_to_the_friction_limit(method: str, acceleration: float) -> None:
    friction, duration = 0.5, 0.4
    sim = _on_a_plate(lambda t: (0.5 * acceleration * t**2, 0, 0), friction, duration, method)
    expected = 0.5 * min(acceleration, friction * 9.81) * duration**2
    assert _centre(sim)[0] == pytest.approx(expected, rel=0.02 if method == "midpoint" else 0.005)
    assert abs(sim.energy_made) < 0.02 * sim.kinetic_energy


@pytest.mark.parametrize("method", IMPLICIT)
def test_a_plate_lifts(method: str) -> None:
    # A bounce without losses (midpoint) is chaotic: 1e-13 m at the start become 0.5 mm.
    sim = _on_a_plate(lambda t: (0, 0, 1.5 * t**2), 0.3, 0.4, method, restitution=0.0)
    assert _centre(sim)[2] - RADIUS == pytest.approx(0.24, abs=3e-4)


def test_sticking_rods_are_carried_exactly() -> None:
    """No creep: after a second of shaking, the rod is at its original place on the plate."""
    sim = _on_a_plate(lambda t: (0.01 * (1 - math.cos(20 * t)), 0, 0), 0.8, 20 * math.pi / 20)
    assert np.abs(_centre(sim)[:2]).max() < 2e-6


def test_a_turning_plate_carries_a_sticking_rod() -> None:
    """The plate makes half a turn about its point; a sticking rod follows, its anchors rotated."""
    turn = lambda t: (0, 0, math.pi / 2 * (1 - math.cos(math.pi / 2 * t)))  # noqa: E731
    sim = _on_a_plate(lambda t: ((0, 0, 0), turn(t)), 0.8, 2.0, rolling=False)
    positions = sim.positions
    np.testing.assert_allclose(positions[:, 0], -np.linspace(0, 0.2, 21), atol=2e-4)
    np.testing.assert_allclose(positions[:, 1], 0, atol=2e-4)


def test_a_rod_on_a_plate_that_moves_across_rolls() -> None:
    """A round rod moves at a third of the plate's speed."""
    sim = _on_a_plate(lambda t: (0, 0.5 * 3.0 * t**2, 0), 0.8, 0.4)
    assert _centre(sim)[1] == pytest.approx(0.5 * 1.0 * 0.4**2, rel=0.005)


def test_a_rod_rolls_off_a_turning_drum() -> None:
    """phi around the drum: 1.5 (R + r) phi'' = R Theta'' / 2 + g sin(phi), from the top."""
    sim = Simulation(_rod((0, -0.05, 0.05199), (0, 0.05, 0.05199), 6))
    drum = obstacles.cylinder((0, -0.2, 0), (0, 0.2, 0), 0.05)
    sim.add_obstacles([drum], friction=0.8)
    duration, spin_up = 0.2, 8.0
    drum.move(lambda time: ((0, 0, 0), (0, 0.5 * spin_up * time**2, 0)))
    sim.run(duration)

    def rate(_, state):
        return state[1], (0.05 * spin_up / 2 + 9.81 * math.sin(state[0])) / (1.5 * 0.052)

    phi = solve_ivp(rate, (0, duration), (0, 0), rtol=1e-9).y[0, -1]
    place = sim.positions.mean(axis=0)
    assert math.atan2(place[0], place[2]) == pytest.approx(phi, rel=0.01)
    spin = (0.052 * phi - 0.05 * 0.5 * spin_up * duration**2) / 0.002
    np.testing.assert_allclose(sim.angles, spin, rtol=0.01)


def test_a_rod_in_a_turning_drum_spins_where_it_lies() -> None:
    sim = Simulation(_rod((0, -0.05, -0.0479), (0, 0.05, -0.0479), 6))
    drum = obstacles.cylinder((0, -0.2, 0), (0, 0.2, 0), 0.05, hollow=True)
    sim.add_obstacles([drum], friction=0.8)
    drum.move(lambda time: ((0, 0, 0), (0, 2 * time - math.sin(2 * time), 0)))
    sim.run(1.5)
    turned = 3 - math.sin(3)
    np.testing.assert_allclose(sim.angles, 0.05 / 0.002 * turned, rtol=0.03)
    assert np.abs(sim.positions[:, 0]).max() < 0.01


@pytest.mark.parametrize("method", IMPLICIT)
@pytest.mark.parametrize("speed", [1.0, 10.0])
def test_a_fast_box_pushes_a_thin_rod(method: str, speed: float) -> None:
    """Up to five diameters per step: the rod flies ahead of the box, and gains no more speed than
    from an elastic impact."""
    sim = Simulation(
        _rod((0, -0.1, 0), (0, 0.1, 0), 20, radius=0.001), gravity=(0, 0, 0), method=method
    )
    box = obstacles.box((-0.06, 0, 0), (0.02, 0.02, 0.02))
    sim.add_obstacles([box.move(lambda time: (speed * time, 0, 0))])
    middle = []
    sim.run(0.1 / speed, each=lambda s: middle.append(s.positions[10, 0] - speed * s.time + 0.04))
    assert min(middle) > 0
    assert sim.positions[10, 0] > 0.03
    mass = 1000 * math.pi * 0.001**2 * 0.2
    assert sim.kinetic_energy < 0.5 * mass * (2 * speed) ** 2
    assert sim.energy_made < 1e-3 * sim.core.energy_supplied


def test_a_plate_pushes_at_its_speed() -> None:
    """Drag balances the push of a wall that moves at v: the rod gets its speed and its force."""
    viscosity, speed = 2.0, 0.3
    sim = Simulation(
        _rod((0.003, -0.1, 0), (0.003, 0.1, 0), 20), gravity=(0, 0, 0), viscosity=viscosity
    )
    wall = obstacles.plane((0, 0, 0), (1, 0, 0))
    contact = sim.add_obstacles([wall])
    wall.move(lambda time: (speed * time, 0, 0))
    sim.run(0.4)
    np.testing.assert_allclose(sim.velocities[:, 0], speed, rtol=1e-3)
    assert contact.normal_force == pytest.approx(viscosity * speed * 0.2, rel=0.02)


def test_an_accelerating_wedge_lifts() -> None:
    """On a frictionless slope that accelerates sideways with a, the rod climbs with a cos - g sin
    along the slope."""
    angle, acceleration = math.radians(30), 15.0
    normal = np.array([-math.sin(angle), 0, math.cos(angle)])
    along = np.array([math.cos(angle), 0, math.sin(angle)])
    start, half = normal * 0.00195, np.array([0, 0.05, 0])
    sim = Simulation(_rod(start - half, start + half, 10))
    wedge = obstacles.plane((0, 0, 0), normal)
    wedge.move(lambda time: (-0.5 * acceleration * time**2, 0, 0))
    sim.add_obstacles([wedge])
    sim.run(0.2)
    moved = sim.positions.mean(axis=0) - start
    moved += (0.5 * acceleration * sim.time**2, 0, 0)
    expected = 0.5 * (acceleration * math.cos(angle) - 9.81 * math.sin(angle)) * sim.time**2
    assert moved @ along == pytest.approx(expected, rel=0.01)
    assert abs(moved @ normal) < 1e-4


@pytest.mark.parametrize("law", ["anchored", "regularised"])
def test_a_turning_drum_drags_a_rope(law: str) -> None:
    """Tensions of a rope on half a turn of a slipping drum have the ratio e^(mu pi) (capstan)."""
    radius, rope, friction, weight = 0.05, 0.001, 0.3, 1.0
    angle = np.linspace(0, math.pi, 61)
    arc = (radius + rope) * np.column_stack([np.cos(angle), 0 * angle, np.sin(angle)])
    side = np.linspace(-0.05, 0, 21)[:-1, None] * (0, 0, 1)
    points = np.concatenate([arc[0] + side, arc, arc[-1] + side[::-1]])
    network = Network()
    slender = dict(area=1e-6, second_moments=(1e-15, 1e-15), torsion_constant=2e-15)
    network.rod(points, young=1e9, radius=rope, density=2e4, **slender)
    sim = Simulation(network, plane="xz", gravity=(0, 0, 0))
    drum = obstacles.cylinder((0, -0.1, 0), (0, 0.1, 0), radius)
    sim.add_obstacles([drum], friction=friction, law=law, tolerance=2e-4)
    sim.fix_node(0)
    sim.load_node(len(points) - 1, (0, 0, -weight))
    # The top moves towards the load: it pulls at the fixed end.
    drum.move(lambda time: ((0, 0, 0), (0, -10 * time, 0)))
    forces = []
    sim.run(0.3, each=lambda s: forces.append(-s.reactions[0, 2]))
    held = np.mean(forces[-100:])
    assert held == pytest.approx(weight * math.exp(friction * math.pi), rel=0.05)


def test_the_pose_of_an_obstacle_is_saved(tmp_path: Path) -> None:
    def make() -> Simulation:
        sim = Simulation(_rod((0, 0, 0.00195), (0.2, 0, 0.00195), 20))
        drum = obstacles.cylinder((0.05, -0.1, -0.05), (0.05, 0.1, -0.05), 0.05)
        drum.move(lambda time: ((0.1 * time, 0, 0.05 * time), (0, 2 * time, 0)))
        sim.add_obstacles([drum], friction=0.4)
        return sim

    first = make()
    first.run(0.1)
    first.save(tmp_path / "state.npz")
    first.run(0.1)
    second = make()
    second.load(tmp_path / "state.npz")
    np.testing.assert_allclose(second.obstacle_poses, [[0.01, 0, 0.005, 0, 0.2, 0]], rtol=1e-9)
    second.run(0.1)
    assert (first.positions == second.positions).all()
    assert (first.velocities == second.velocities).all()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        (lambda t: (math.nan, 0, 0), "path of obstacle 0 (plane) at t = 0 s: got"),
        (lambda t: (0, 0), "allowed: 3 finite numbers (m)"),
        (lambda t: ((0, 0, 0), (0, math.inf, 0)), "allowed: 3 finite numbers (rad)"),
        (lambda t: (0, 0, -0.1), "got a jump at t = 0 s"),
        (lambda t: (0, 0, -0.1 if t > 0.0123 else 0), "got a jump at t = 0.0123 s"),
    ],
)
def test_bad_paths_are_rejected_by_name(path, words: str) -> None:
    sim = Simulation(_rod((0, 0, 0.003), (0.2, 0, 0.003), 5))
    plate = obstacles.plane((0, 0, 0), (0, 0, 1))
    plate.move(path)
    sim.add_obstacles([plate])
    with pytest.raises(StrandError) as error:
        sim.run(0.1)
    assert words in str(error.value)


def test_explicit_methods_reject_moving_obstacles() -> None:
    sim = Simulation(_rod((0, 0, 0.003), (0.2, 0, 0.003), 5), method="verlet", dt=1e-5, twist=False)
    plate = obstacles.plane((0, 0, 0), (0, 0, 1))
    plate.move(lambda t: (0, 0, -t))
    sim.add_obstacles([plate])
    with pytest.raises(StrandError, match="method: got 'an explicit one'"):
        sim.step()


SCENE = """\
[simulation]
duration = 0.1
[[rod]]
name = "rod"
young = 1e7
radius = 0.002
density = 1000.0
shape = { type = "straight", length = 0.2, segments = 10 }
pos = [0, 0, 0.002]
[[obstacles]]
friction = 0.8
[[obstacles.shapes]]
type = "plane"
point = [0, 0, 0]
normal = [0, 0, 1]
"""


def test_scenes_move_obstacles(tmp_path: Path) -> None:
    constant = scene_file.from_toml(SCENE + "move = { velocity = [0, 0.1, 0], rate = [0, 0, 2] }")
    constant.simulation.run(0.1)
    np.testing.assert_allclose(
        constant.simulation.obstacle_poses, [[0, 0.01, 0, 0, 0, 0.2]], rtol=1e-9
    )
    turning = scene_file.from_toml(SCENE + "move = { rate = [0, 0, 2] }").simulation
    turning.run(0.1)
    np.testing.assert_allclose(turning.obstacle_poses, [[0, 0, 0, 0, 0, 0.2]], rtol=1e-9)
    (tmp_path / "hand.csv").write_text("t,x,y,z,u,v,w\n0,0,0,0,0,0,0\n0.2,0,0,0.01,0,0,0.1\n")
    (tmp_path / "scene.toml").write_text(SCENE + 'move = { file = "hand.csv" }')
    tabled = scene_file.load(tmp_path / "scene.toml").simulation
    with tabled.record(tmp_path / "run.npz", every=0.05, series=["obstacle_pose"]):
        tabled.run(0.1)
    assert tabled.positions[:, 2].min() > 0.0065
    recorded = np.load(tmp_path / "run.npz")
    np.testing.assert_allclose(
        recorded["obstacle0_displacement"].reshape(3, 3)[:, 2], [0, 0.0025, 0.005], atol=1e-12
    )
    np.testing.assert_allclose(
        recorded["obstacle0_rotation"].reshape(3, 3)[:, 2], [0, 0.025, 0.05], atol=1e-12
    )


@pytest.mark.parametrize(
    ("move", "words"),
    [
        ("{ }", "shapes[0].move: got none, allowed: one of velocity and file"),
        ("{ rate = [1, 2] }", "move.rate: got [1, 2], allowed: 3 finite numbers (rad/s)"),
        ('{ file = "a.csv", rate = [0, 0, 1] }', "move.rate: not allowed together"),
        ('{ file = "a.csv", between = "step" }', "move.between: got 'step', allowed: linear"),
    ],
)
def test_scenes_reject_bad_moves_by_name(move: str, words: str) -> None:
    with pytest.raises(StrandError) as error:
        scene_file.from_toml(f"{SCENE}move = {move}")
    assert words in str(error.value)


def test_moving_obstacles_are_drawn_at_their_pose() -> None:
    shapes = [
        obstacles.plane((0, 0, 0), (0, 0, 1)),
        obstacles.capsule((0, 0, 0), (0, 0, 2), 0.1),
        obstacles.box((1, 0, 0), (0.1, 0.2, 0.3)),
    ]
    shapes[0].move(lambda time: (0, 0, time))
    poses = np.zeros((3, 6))
    poses[:, :3], poses[1:, 3] = (0, 0, 1), math.pi / 2
    plane, capsule, box = drawn(shapes, poses, np.array([[-1.0, 0, 0], [1, 0, 0]]))["obstacles"]
    assert plane.pos[2] == 1
    np.testing.assert_allclose(capsule.pos, (0, 0, 2))
    np.testing.assert_allclose(np.abs(capsule.quat), np.sqrt([0.5, 0.5, 0, 0]), atol=1e-12)
    np.testing.assert_allclose(box.pos, (1, 0, 1))
    np.testing.assert_allclose(box.quat, np.sqrt([0.5, 0.5, 0, 0]), atol=1e-12)
    still = [obstacles.plane((0, 0, 0.5), (0, 0, 1))]
    assert drawn(still, np.zeros((1, 6)), np.zeros((1, 3)))["floor"] == 0.5
