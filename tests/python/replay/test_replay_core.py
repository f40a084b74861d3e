"""Replays of the core: simulations, scenes, growing robots, recordings."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest
import trimesh
from support.replays import Page
from typer.testing import CliRunner

import strand
from strand import StrandError, vine
from strand.cli import app
from strand.replay import Recorder, record
from strand.replay.parts import Ground, Instances, Part, Surface, from_z, turned
from strand.simulation import Network, Ring, Simulation, obstacles

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("viser") is None, reason="viser is missing: pip install viser"
)

SCENES = Path(__file__).parents[3] / "assets" / "scenes"


def cantilever(**options: object) -> Simulation:
    network = Network()
    rod = network.rod(strand.straight(0.5, 10), young=1e7, radius=0.004, density=1000.0)
    network.clamp(rod, "start")
    simulation = Simulation(network, dt=5e-3, **options)
    simulation.fix_node(0)
    return simulation


def by_name(parts: tuple[Part, ...]) -> dict[str, Part]:
    return {part.name: part for part in parts}


def test_rods_follow_the_nodes() -> None:
    simulation = cantilever()
    recorder, seen = Recorder(simulation, fps=50), [simulation.positions]

    def each(simulation: Simulation) -> None:
        recorder.capture(simulation)
        seen.append(simulation.positions)

    recorder.capture(simulation)
    simulation.run(0.4, each)
    replay = recorder.replay()
    nodes = np.array(seen[::4])
    assert len(replay.times) == len(nodes) == 21
    parts = by_name(replay.parts)
    np.testing.assert_allclose(parts["rods_joints"].positions, nodes, atol=1e-6)
    rods = parts["rods"]
    along = nodes[:, 1:] - nodes[:, :-1]
    np.testing.assert_allclose(rods.positions, (nodes[:, 1:] + nodes[:, :-1]) / 2, atol=1e-6)
    tips = turned(rods.quats, np.broadcast_to([0, 0, 1.0], along.shape)) * rods.scales[..., 2:]
    np.testing.assert_allclose(tips, along, atol=1e-6)
    np.testing.assert_allclose(rods.scales[..., :2], 0.004, rtol=1e-6)
    shown = Page(replay.html())
    _, places = shown.values("/rods_joints", "batched_positions")
    np.testing.assert_allclose(np.reshape(places[-1], (-1, 3)), nodes[-1], atol=1e-5)
    assert shown.duration == pytest.approx(0.4 + 1 / 50)


def test_any_direction_is_reached_from_z() -> None:
    rng = np.random.default_rng(0)
    along = np.vstack([rng.normal(size=(50, 3)), np.eye(3), -np.eye(3), np.zeros((1, 3))])
    length = np.linalg.norm(along, axis=1)
    quats = from_z(along, length)
    np.testing.assert_allclose(np.linalg.norm(quats, axis=1), 1, rtol=1e-12)
    z = turned(quats, np.broadcast_to([0, 0, 1.0], along.shape))
    np.testing.assert_allclose(z[:-1] * length[:-1, None], along[:-1], atol=1e-9)


def test_curvature_colours_rods_of_the_core() -> None:
    replay = record(cantilever(), seconds=0.4, color="curvature")
    assert replay.scale.unit == "1/m" and replay.scale.most > 0.1
    rgba = by_name(replay.parts)["rods"].rgba
    assert rgba.shape == (13, 10, 4)
    np.testing.assert_allclose(rgba[0], np.tile(replay.scale.colors([0.0]), (10, 1)), atol=1e-6)
    with pytest.raises(StrandError, match="color: got 'moment', allowed here: none, curvature"):
        record(cantilever(), color="moment")
    with pytest.raises(StrandError, match="color: got 'curvature', allowed here: none"):
        record(SCENES / "vine_at_a_wall.scene.toml", color="curvature")


def test_obstacles_meshes_and_tendons_move() -> None:
    network = Network()
    rod = network.rod(strand.straight(0.5, 10), young=1e7, radius=0.004, density=1000.0)
    network.clamp(rod, "start")
    block = trimesh.creation.box((0.1, 0.1, 0.1))
    mesh = network.obstacle_mesh(block.vertices - [0, 0, 1], np.array(block.faces))
    simulation = Simulation(network, dt=5e-3, gravity=(0, 0, 0))
    simulation.fix_node(0)
    floor = obstacles.plane((0, 0, -2), (0, 0, 1))
    wall = obstacles.plane((0, -1, 0), (0, 1, 0))
    ball = obstacles.sphere((0, 1, 0), 0.1)
    wheel = obstacles.cylinder((1, 1, 0), (1, 2, 0), 0.2)
    simulation.add_obstacles([floor, wall, ball, wheel], friction=0.0)
    recorder = Recorder(simulation, fps=20)
    recorder.capture(simulation)
    # Begin later, so that the first frames lack the tendon, and have a floor at rest.
    simulation.add_tendon([(0.0, 0.02, 0.0), Ring(5, (0.02, 0))], tension=0.0)
    floor.move(lambda t: (0, 0, -t))
    ball.move(lambda t: (t, 0, 0))
    simulation.move_obstacle(mesh, lambda t: (0, 0, -2 * t))
    simulation.run(0.5, recorder.capture)
    parts: dict[str, list[Part]] = {}
    for part in recorder.replay().parts:
        parts.setdefault(part.name, []).append(part)
    moved = parts["sphere"][0].positions
    np.testing.assert_allclose(moved[:, 0, 0], np.arange(11) / 20, atol=1e-6)
    np.testing.assert_allclose(moved[:, 0, 1:], [[1, 0]] * 11, atol=1e-6)
    (vertices,) = (part.vertices for part in parts["obstacle"])
    np.testing.assert_allclose(np.diff(vertices[:, :, 2], axis=0), -0.1, atol=1e-6)
    heights = sorted(part.poses[-1, 2] for part in parts["wall"])
    assert heights[0] == pytest.approx(-2.5)
    wheels = parts["cylinder"][0]
    np.testing.assert_allclose(wheels.scales, [[[0.2, 0.2, 0.5]]])
    np.testing.assert_allclose(wheels.positions, [[[1, 1.5, 0]]], atol=1e-6)
    axis = turned(wheels.quats, np.array([[[0, 0, 1.0]]]))
    np.testing.assert_allclose(np.abs(axis), [[[0, 1, 0]]], atol=1e-6)
    assert len(parts["tendon"]) == 1 and "floor" not in parts
    assert Page(recorder.replay().html()).duration > 0.5


def test_bodies_are_drawn() -> None:
    ball = by_name(record(SCENES / "weight_on_a_rope.scene.toml", seconds=0.2).parts)["sphere"]
    assert len(ball.positions) == 7
    assert ball.scales.max() == pytest.approx(np.abs(ball.scales).min())


def test_a_scene_with_a_shell() -> None:
    replay = record(SCENES / "sheet_on_a_ball.scene.toml", seconds=0.1)
    parts = by_name(replay.parts)
    sheet, ball = parts["shell"], parts["sphere"]
    assert isinstance(sheet, Surface) and isinstance(ball, Instances)
    assert len(sheet.vertices) == len(replay.times) == 4 and len(ball.positions) == 1
    shown = Page(replay.html())
    times, _ = shown.values("/shell", "vertices")
    assert len(times) == 4


def test_a_scene_runs_as_long_as_it_says() -> None:
    replay = record(SCENES / "hanging_loop.scene.toml")
    assert replay.duration == pytest.approx(1.0) and replay.title == "hanging_loop.scene.toml"


def test_a_growing_robot() -> None:
    replay = record(SCENES / "vine_at_a_wall.scene.toml", seconds=2.0)
    parts = by_name(replay.parts)
    robot, floor = parts["robot"], parts["floor"]
    length = robot.scales[..., 2].sum(axis=1)
    assert length[-1] > 1.2 * length[0] > 0
    assert isinstance(floor, Ground) and floor.poses[0, 2] < 0
    assert isinstance(parts["wall"], Surface)


def test_walls_of_a_robot_are_as_wide_as_they_are() -> None:
    chain = vine.chain(15, 0.1 / 15, 1e-3, 2e-4, stiffness=0.5, damping=3e-5)
    robot = vine.Robot(
        chain, [vine.circle((0.47, 0.025), 0.06), vine.box((0.3, -0.2), (0.1, 0.05))]
    )
    recorder = Recorder(robot)
    recorder.capture(robot)
    parts = by_name(recorder.replay().parts)
    np.testing.assert_allclose(parts["cylinder"].scales[0, 0, :2], 0.06)
    corners = parts["wall"].vertices[0]
    np.testing.assert_allclose(corners.min(axis=0)[:2], [0.3, -0.2], atol=1e-6)
    np.testing.assert_allclose(corners.max(axis=0)[:2], [0.4, -0.15], atol=1e-6)


def test_a_recording(tmp_path: Path) -> None:
    path, scene = tmp_path / "a.npz", SCENES / "hanging_loop.scene.toml"
    done = CliRunner().invoke(app, ["simulate", str(scene), "--out", str(path), "--every", "0.02"])
    assert done.exit_code == 0, done.output
    with np.load(path) as arrays:
        times, positions = arrays["time"], arrays["positions"]
    replay = record(path, fps=1000)
    np.testing.assert_allclose(replay.times, times - times[0])
    joints = by_name(replay.parts)["rods_joints"].positions
    np.testing.assert_allclose(joints, positions[:, np.unique(record_edges(path))], atol=1e-6)
    part = record(path, seconds=0.5, fps=10)
    np.testing.assert_allclose(part.times, np.arange(6) / 10, atol=0.011)
    page = tmp_path / "a.html"
    done = CliRunner().invoke(app, ["replay", str(path), "-o", str(page), "--color", "curvature"])
    assert done.exit_code == 0, done.output
    assert Page(page.read_text()).duration == pytest.approx(times[-1] - times[0] + 1 / 30, abs=0.03)


def record_edges(path: Path) -> np.ndarray:
    with np.load(path) as arrays:
        return arrays["edges"]


def test_files_that_are_no_recordings(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    path.write_text("nothing")
    with pytest.raises(StrandError, match=r"file: got .*, allowed: a recording of strand simulate"):
        record(path)
    np.savez(path, time=[0.0], positions=np.full((1, 2, 3), np.nan), edges=[[0, 1]], radius=[0.1])
    with pytest.raises(StrandError, match="allowed: a recording with samples, all finite"):
        record(path)
    with pytest.raises(StrandError, match="color: got 'twist'"):
        record(path, color="twist")


def test_a_state_of_another_simulation_is_refused() -> None:
    recorder = Recorder(cantilever())
    with pytest.raises(StrandError, match=r"state: got .*, allowed: the simulation itself"):
        recorder.capture(cantilever())
