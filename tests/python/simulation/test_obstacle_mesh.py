"""Triangle meshes as obstacles: rods and sheets rest, roll and are carried on them."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from strand import StrandError, meshes
from strand.simulation import Network, Simulation, obstacles

RADIUS, DENSITY, GRAVITY = 0.005, 1000.0, 9.81
SIZE = (0.4, 0.4, 0.1)  # m; the top is at z = .05, cut in two by a diagonal
WEIGHT = DENSITY * np.pi * RADIUS**2 * 0.2 * GRAVITY


def block(turn: Rotation | None = None) -> tuple[np.ndarray, np.ndarray]:
    made = trimesh.creation.box(SIZE)
    turn = turn or Rotation.identity()
    return turn.apply(np.array(made.vertices)), np.array(made.faces)


def rod_on(mesh, y=0.0, turn=None, friction=0.5, height=0.05 + 1.008 * RADIUS, dt=2e-3):
    """A rod along x on top of a block, close to its position of rest."""
    network = Network()
    turn = turn or Rotation.identity()
    nodes = turn.apply(np.linspace((-0.1, y, height), (0.1, y, height), 21))
    network.rod(nodes, young=1e6, radius=RADIUS, density=DENSITY)
    obstacle = network.obstacle_mesh(*mesh)
    simulation = Simulation(network, dt=dt)
    return simulation, obstacle, simulation.add_contact(friction=friction)


def test_a_mesh_supports_a_falling_rod() -> None:
    simulation, _, contact = rod_on(block(), height=0.056)
    simulation.run(0.5)
    assert contact.normal_force == pytest.approx(WEIGHT, rel=1e-3)
    assert np.ptp(simulation.positions[:, 2]) < 0.01 * RADIUS
    assert len(simulation.positions) == 21  # without the vertices of the mesh
    assert simulation.energy_made < 0


@pytest.mark.parametrize(("friction", "part"), [(0.0, 1.0), (0.5, 2 / 3)])
def test_a_rod_slides_or_rolls_down_a_slope(friction: float, part: float) -> None:
    slope = 0.2
    turn = Rotation.from_rotvec((slope, 0, 0))
    simulation, _, _ = rod_on(block(turn), 0.15, turn, friction)
    simulation.run(0.2)
    along = turn.inv().apply(simulation.positions)
    way = 0.5 * GRAVITY * np.sin(slope) * 0.2**2 * part
    np.testing.assert_allclose(0.15 - along[:, 1], way, rtol=4e-3)


@pytest.mark.parametrize("y", [0.0, 0.07, 0.15])  # nodes on the diagonal, and none
def test_it_carries_a_rod_that_rolls_on_it(y: float) -> None:
    simulation, mesh, _ = rod_on(block(), y)
    simulation.run(0.1)
    start, made = simulation.time, simulation.energy_made
    before = simulation.positions[:, 1]
    simulation.move_obstacle(mesh, lambda t: (0, 0.25 * (t - start) ** 2, 0))
    simulation.run(0.2)
    moved = simulation.positions[:, 1] - before
    np.testing.assert_allclose(moved, 0.25 * 0.04 / 3, rtol=1e-3)
    assert abs(simulation.energy_made - made) < 1e-3 * simulation.kinetic_energy


def test_a_rod_rolls_on_a_tray_that_tilts() -> None:
    simulation, mesh, _ = rod_on(block())
    simulation.move_obstacle(mesh, lambda t: ((0, 0, 0), (0.25 * t**2, 0, 0)))
    simulation.run(0.2)
    # 3/2 s'' = g theta - (h + r/2) theta'', s down the tray, h the height of the axis over the
    # pivot
    height = 0.05 + RADIUS
    down = (GRAVITY * 0.25 / 12 * 0.2**4 - (height + RADIUS / 2) * 0.25 * 0.2**2) / 1.5
    assert -simulation.positions[10, 1] == pytest.approx(down + height * 0.25 * 0.2**2, rel=2e-3)


def test_it_lifts_and_turns_a_rod_on_it() -> None:
    simulation, mesh, contact = rod_on(block())
    simulation.move_obstacle(
        mesh, lambda t: ((0, 0, 0.4 * t**2), (0, 0, 2 * t**2)), pivot=(0, 0, 0)
    )
    simulation.run(0.5)
    ends = simulation.positions[[0, -1]]
    expected = Rotation.from_rotvec((0, 0, 0.5)).apply([[-0.1, 0, 0], [0.1, 0, 0]])
    np.testing.assert_allclose(ends[:, :2], expected[:, :2], atol=1e-4)
    np.testing.assert_allclose(ends[:, 2], 0.15 + RADIUS, atol=1e-4)
    assert contact.normal_force == pytest.approx(WEIGHT * (1 + 0.8 / GRAVITY), rel=1e-3)


def test_a_coarse_rod_does_not_fall_over_a_peg_and_a_sheet_drapes(tmp_path: Path) -> None:
    ball = trimesh.creation.icosphere(subdivisions=3, radius=0.02)
    network = Network()
    vertices, triangles = meshes.strip(0.12, 0.12, 0.02)
    sheet = network.shell(
        vertices - (0.06, 0.06, -0.03), triangles, young=1e5, thickness=1e-3, density=1000
    )
    network.obstacle_mesh(np.array(ball.vertices), np.array(ball.faces))
    simulation = Simulation(network, dt=2e-3)
    simulation.add_contact(friction=0.5)
    simulation.run(0.5)
    distance = np.linalg.norm(simulation.positions, axis=1)
    assert distance.min() > 0.0195  # nothing has passed through it
    corner = simulation.positions[sheet.nodes][np.abs(vertices).sum(axis=1).argmin()]
    assert corner[2] < 0.018  # and the sheet hangs down beside it
    simulation.save(tmp_path / "state.npz")
    simulation.run(0.02)
    after = simulation.core.q.copy()
    simulation.load(tmp_path / "state.npz")
    simulation.run(0.02)
    np.testing.assert_array_equal(simulation.core.q, after)


def test_files_are_read(tmp_path: Path) -> None:
    made = trimesh.creation.box(SIZE)
    for name in ("a.stl", "a.obj", "a.ply", "a.off"):
        made.export(tmp_path / name)
        vertices, triangles = meshes.read(tmp_path / name, scale=2)
        assert (len(vertices), len(triangles)) == (8, 12), name
        np.testing.assert_allclose(np.ptp(vertices, axis=0), 2 * np.array(SIZE), rtol=1e-6)
    (tmp_path / "b.stl").write_text("solid nothing\nendsolid\n")
    (tmp_path / "c.obj").write_bytes(b"\x00\xff" * 50)
    for name in ("b.stl", "c.obj", "none.stl", "a.txt"):
        with pytest.raises(StrandError, match="path: got"):
            meshes.read(tmp_path / name)
    with pytest.raises(StrandError, match="scale: got"):
        meshes.read(tmp_path / "a.stl", scale=0)


def test_bad_meshes_and_paths_are_rejected() -> None:
    vertices, triangles = block()
    network = Network()
    for points, corners, words in [
        (vertices[:, :2], triangles, "vertices: got shape"),
        (vertices * np.nan, triangles, "not finite"),
        (vertices, triangles + 1, "vertex 8"),
        (vertices * (1, 1, 0), triangles, "area"),
        (vertices, triangles[:4], "in no triangle"),
    ]:
        with pytest.raises(StrandError, match=words):
            network.obstacle_mesh(points, corners)
    simulation, mesh, _ = rod_on(block())
    with pytest.raises(StrandError, match="mesh: got one of another network"):
        simulation.move_obstacle(rod_on(block())[1], lambda t: (0, 0, 0))
    floor = obstacles.plane((0, 0, -1), (0, 0, 1))
    with pytest.raises(StrandError, match=r"mesh: got a plane, .* their method `move\(path\)`"):
        simulation.move_obstacle(floor, lambda t: (0, 0, 0))
    with pytest.raises(StrandError, match="network: got another part after"):
        simulation.network.obstacle_mesh(vertices, triangles)
    simulation.move_obstacle(mesh, lambda t: (0, 0, 0.1))
    with pytest.raises(StrandError, match=r"path: got an obstacle 0\.1 m from where it is"):
        simulation.step()
    pierced = Network()
    pierced.rod([(0, 0, 0.2), (0, 0, 0)], young=1e6, radius=RADIUS, density=DENSITY)
    pierced.obstacle_mesh(vertices, triangles)
    with pytest.raises(StrandError, match="edge 0 passes through obstacle mesh 0, triangle"):
        Simulation(pierced).add_contact()
