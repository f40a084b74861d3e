"""Rigid bodies of any shape: closed meshes, and shells attached to bodies."""

from pathlib import Path

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from strand import StrandError, meshes
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation, bodies

GRAVITY = 9.81


def block(size: tuple[float, float, float], shift: tuple[float, float, float] = (0, 0, 0)):
    """A box as a mesh."""
    made = trimesh.creation.box(size)
    return np.array(made.vertices) + shift, np.array(made.faces)


def wedge(depth: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """A right triangle of legs .2 and .1 m in x and z, extruded along y."""
    outline = trimesh.creation.extrude_triangulation(
        [[0, 0], [0.2, 0], [0, 0.1]], [[0, 1, 2]], height=depth
    )
    outline.apply_transform(trimesh.transformations.rotation_matrix(np.pi / 2, [1, 0, 0]))
    return np.array(outline.vertices), np.array(outline.faces)


def test_a_box_as_a_mesh_has_mass_and_inertia_of_a_box() -> None:
    size = (0.3, 0.1, 0.2)
    mesh, box = bodies.mesh(*block(size, (5, -2, 1))), bodies.box(size)
    assert mesh.volume == pytest.approx(box.volume)
    np.testing.assert_allclose(sorted(mesh.gyration), sorted(box.gyration))
    poses = []
    for shape in (mesh, box):
        network = Network()
        body = network.body(shape, density=500, position=(0.1, 0.2, 0.3), rotation=(0.3, -0.2, 0.5))
        simulation = Simulation(network, dt=1e-3, gravity=(0, 0, 0))
        simulation.set_body_velocity(body, (1, 0, 0.5), (2, 5, -3))
        simulation.run(0.5)
        poses.append(simulation.pose(body))
    np.testing.assert_allclose(poses[0][0], poses[1][0], atol=1e-9)
    np.testing.assert_allclose(poses[0][1], poses[1][1], atol=2e-4)


@pytest.mark.parametrize("size", [(0.06, 0.1, 0.04), (0.04, 0.06, 0.1), (0.1, 0.04, 0.06)])
@pytest.mark.parametrize("axes", ["body", "world"])
def test_couples_act_about_the_axes_of_the_shape(size: tuple, axes: str) -> None:
    """Whichever of them is the longest: M t / I about each."""
    turn = Rotation.from_rotvec((0.3, -0.2, 0.5))
    couple = np.array([1e-3, -2e-3, 1.5e-3])
    for along in range(3):
        spins = []
        for shape in (bodies.mesh(*block(size)), bodies.box(size)):
            network = Network()
            body = network.body(shape, mass=0.3, rotation=turn.as_rotvec())
            simulation = Simulation(network, gravity=(0, 0, 0))
            own = couple * np.eye(3)[along]
            given = own if axes == "body" else turn.apply(own)
            simulation.load_body_torque(body, given, axes=axes)
            simulation.run(0.05)
            spins.append(simulation.pose(body)[1].T @ simulation.body_velocity(body)[1])
        inertia = 0.3 / 12 * (sum(x * x for x in size) - size[along] ** 2)
        expected = own * 0.05 / inertia
        np.testing.assert_allclose(spins, [expected] * 2, rtol=1e-3, atol=1e-6)


def test_its_pose_is_that_of_the_given_mesh() -> None:
    vertices, triangles = wedge()
    network = Network()
    turn = np.array([0.2, 0.7, -0.4])
    body = network.body(
        bodies.mesh(vertices, triangles), density=800, position=(1, 2, 3), rotation=turn
    )
    simulation = Simulation(network)
    centre, axes = simulation.pose(body)
    np.testing.assert_allclose(centre, (1, 2, 3), atol=1e-12)
    np.testing.assert_allclose(axes, Rotation.from_rotvec(turn).as_matrix(), atol=1e-12)
    middle = trimesh.Trimesh(vertices, triangles).center_mass
    np.testing.assert_allclose(
        simulation.positions[body.surface.nodes], centre + (vertices - middle) @ axes.T, atol=1e-12
    )


@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_a_wedge_lands_on_the_floor_and_rests(friction: float) -> None:
    network = Network()
    body = network.body(bodies.mesh(*wedge()), density=500, position=(0, 0, 0.08))
    simulation = Simulation(network, dt=2e-3)
    floor = simulation.add_floor(friction=friction)
    simulation.run(1.5)
    rim = body.shape.surface.rounding
    low = simulation.positions[body.surface.nodes, 2].min()
    assert low == pytest.approx(rim, abs=0.1 * rim)
    assert floor.normal_force == pytest.approx(body.mass * GRAVITY, rel=1e-3)
    velocity, spin = simulation.body_velocity(body)
    assert np.abs(velocity[2]) < 1e-4 and np.linalg.norm(spin) < 1e-3
    assert abs(simulation.pose(body)[0][2] - (0.1 / 3 + rim)) < 0.1 * rim


@pytest.mark.parametrize(("friction", "slides"), [(0.4, True), (0.6, False)])
def test_it_slides_on_a_slope_by_coulombs_law(friction: float, slides: bool) -> None:
    slope = 0.5  # tangent
    network = Network()
    body = network.body(bodies.mesh(*block((0.1, 0.08, 0.04))), density=500)
    simulation = Simulation(
        network, dt=2e-3, gravity=GRAVITY / np.hypot(1, slope) * np.array([slope, 0, -1])
    )
    rim = body.shape.surface.rounding
    simulation.add_floor(height=-0.02 - rim, friction=friction)
    simulation.run(0.6)
    speed = simulation.body_velocity(body)[0][0]
    wanted = 0.6 * GRAVITY / np.hypot(1, slope) * (slope - friction) if slides else 0
    assert speed == pytest.approx(wanted, rel=0.02, abs=1e-4)


def test_it_supports_a_rod() -> None:
    network = Network()
    table = network.body(bodies.mesh(*block((0.3, 0.3, 0.05))), mass=1.0, position=(0, 0, 0.03))
    line = np.linspace(-0.1, 0.1, 11)[:, None] * [1.0, 0, 0] + np.array([0, 0, 0.07])
    rod = network.rod(line, young=1e7, radius=5e-3, density=1000)
    simulation = Simulation(network, dt=2e-3)
    floor = simulation.add_floor(friction=0.5)
    contact = simulation.add_contact(friction=0.5)
    simulation.run(1.0)
    weight = 1000 * np.pi * 25e-6 * 0.2 * GRAVITY
    assert contact.normal_force == pytest.approx(weight, rel=0.01)
    assert floor.normal_force == pytest.approx(weight + GRAVITY, rel=0.005)
    rim = table.shape.surface.rounding
    gap = simulation.positions[rod.nodes, 2].mean() - simulation.pose(table)[0][2] - 0.025
    assert gap == pytest.approx(rim + 5e-3, abs=2e-4)


def test_bodies_of_all_kinds_stack_on_it() -> None:
    network = Network()
    below = network.body(bodies.mesh(*block((0.3, 0.3, 0.05))), mass=1.0, position=(0, 0, 0.03))
    shapes = [
        bodies.sphere(0.02),
        bodies.box((0.04, 0.04, 0.04)),
        bodies.mesh(*block((0.04, 0.05, 0.04))),
        bodies.capsule(0.015, 0.04),
    ]
    on_top = [
        network.body(shape, mass=0.1, position=(x, y, 0.095))
        for shape, (x, y) in zip(
            shapes, [(-0.1, -0.1), (0.1, -0.1), (-0.1, 0.1), (0.1, 0.1)], strict=True
        )
    ]
    simulation = Simulation(network, dt=2e-3)
    floor = simulation.add_floor(friction=0.5)
    simulation.add_contact(friction=0.5)
    simulation.run(1.0)
    assert floor.normal_force == pytest.approx(1.4 * GRAVITY, rel=0.01)
    top = simulation.pose(below)[0][2] + 0.025 + below.shape.surface.rounding
    heights = [simulation.pose(body)[0][2] - top for body in on_top]
    np.testing.assert_allclose(heights[:2], [0.02, 0.02], atol=5e-4)
    assert heights[2] == pytest.approx(0.02 + on_top[2].shape.surface.rounding, abs=5e-4)


def test_a_rod_hangs_on_a_vertex() -> None:
    network = Network()
    body = network.body(bodies.mesh(*block((0.1, 0.1, 0.1))), mass=0.5)
    vertex = int(np.argmax(body.shape.surface.vertices @ (body.own_axes.T @ [1, 1, 1])))
    place = np.array([0.05, 0.05, 0.05])
    rod = network.rod(
        place + np.linspace(0, 0.3, 7)[:, None] * [0, 0, 1.0], young=1e9, radius=2e-3, density=1000
    )
    network.attach(rod, 0, body.surface, vertex, "hinged")
    simulation = Simulation(network, dt=5e-3, viscosity=1.0)
    simulation.fix_node(rod.nodes[-1])
    simulation.add_contact()
    top = simulation.positions[rod.nodes[-1]]
    simulation.run(3.0)
    pulls: list[float] = []  # it still swings: by a tenth, with an accurate dt by a third
    simulation.run(1.0, lambda sim: pulls.append(sim.reactions[rod.nodes[-1], 2]))
    weight = (0.5 + 1000 * np.pi * 4e-6 * 0.3) * GRAVITY
    assert np.mean(pulls) == pytest.approx(weight, rel=0.02)
    centre, axes = simulation.pose(body)
    diagonal = axes @ np.array([1, 1, 1]) / np.sqrt(3)
    assert diagonal[2] > 0.9  # it hangs from its corner
    assert np.linalg.norm(centre[:2] - top[:2]) < 0.03


def test_a_sheet_is_carried_by_a_body() -> None:
    network = Network()
    vertices, triangles = meshes.strip(0.2, 0.1, 0.05)
    sheet = network.shell(vertices, triangles, young=1e7, thickness=2e-3, density=1000)
    body = network.body(bodies.box((0.05, 0.1, 0.02)), mass=0.2, position=(0.025, 0.05, 0))
    held = np.flatnonzero(vertices[:, 0] < 0.05 + 1e-9)
    network.attach_shell_to_body(sheet, held, body)
    simulation = Simulation(network, dt=2e-3, gravity=(0, 0, 0))
    simulation.set_body_velocity(body, (0, 0, 1.0), (0, 0, 3.0))
    simulation.run(0.3)
    centre, axes = simulation.pose(body)
    drawn = vertices[held] - [0.025, 0.05, 0]
    np.testing.assert_allclose(
        simulation.positions[sheet.nodes][held], centre + drawn @ axes.T, atol=1e-5
    )
    mass = simulation.core.mass[simulation.node_dofs(range(network.node_count), "x")]
    assert (mass @ simulation.velocities)[2] > 0.2


def test_bad_meshes_are_rejected() -> None:
    vertices, triangles = block((1, 1, 1))
    for given, words in [
        ((vertices, triangles[:-1]), "triangles: got an open surface"),
        ((vertices, triangles[:, ::-1]), "triangles: got a volume of -1"),
        ((vertices[:, :2], triangles), "vertices: got shape"),
        ((vertices * np.nan, triangles), "vertex 1: got .not finite"),
        ((vertices, triangles + 5), "triangle"),
    ]:
        with pytest.raises(StrandError, match=words):
            bodies.mesh(*given)
    with pytest.raises(StrandError, match="rounding: got"):
        bodies.mesh(vertices, triangles, rounding=-1)
    network = Network()
    body = network.body(bodies.mesh(vertices, triangles), mass=1)
    rod = network.rod([[1, 1, 1], [2, 2, 2]], young=1e6, radius=0.01, density=1000)
    with pytest.raises(StrandError, match=r"body: got a mesh, allowed: .*body.surface"):
        network.attach_to_body(rod, 0, body)


def test_a_scene_reads_one(tmp_path: Path) -> None:
    trimesh.Trimesh(*wedge()).export(tmp_path / "wedge.stl")
    text = """
[simulation]
dt = 2e-3
duration = 0.2
[[body]]
name = "wedge"
density = 500
pos = [0, 0, 0.1]
[body.shape]
type = "mesh"
file = "wedge.stl"
[floor]
friction = 0.3
"""
    simulation = scene_file.from_toml(text, tmp_path).simulation
    (body,) = simulation.network.bodies
    assert body.mass == pytest.approx(500 * 0.001)
    simulation.run(0.2)
    with pytest.raises(StrandError, match=r"nowhere\.stl"):
        scene_file.from_toml(text.replace("wedge.stl", "nowhere.stl"), tmp_path)
