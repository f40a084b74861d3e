"""Rigid bodies on obstacle meshes."""

import numpy as np
import pytest
import trimesh
from scipy.spatial.transform import Rotation

from strand import StrandError, meshes
from strand.simulation import Network, Simulation, bodies

GRAVITY, MASS, BALL = 9.81, 0.2, 0.03
SIDE = 0.06  # m, of the box
NONE = Rotation.identity()


def block(longest: float, turn: Rotation = NONE) -> meshes.file.Mesh:
    """0.6 x 0.6 x 0.1 m; its top is at z = .05."""
    made = trimesh.creation.box((0.6, 0.6, 0.1))
    vertices, triangles = meshes.refined(made.vertices, made.faces, longest)
    return turn.apply(vertices), triangles


def lying(shape: bodies.Shape, half: float, slope: float = 0.0, friction: float = 0.5, **options):
    turn = Rotation.from_rotvec((slope, 0, 0))
    network = Network()
    place = turn.apply((0.03, 0.1, 0.05 + half + 2e-4))
    body = network.body(shape, mass=MASS, position=place, rotation=(slope, 0, 0))
    mesh = network.obstacle_mesh(*block(options.pop("longest", 1.0), turn))
    simulation = Simulation(network, dt=2e-3)
    contact = simulation.add_contact(friction=friction, **options)
    return simulation, body, mesh, contact


def along(simulation: Simulation, body, slope: float) -> np.ndarray:
    return Rotation.from_rotvec((-slope, 0, 0)).apply(simulation.pose(body)[0])


def test_a_mesh_supports_a_dropped_ball() -> None:
    simulation, ball, _, contact = lying(bodies.sphere(BALL), 0.3)
    simulation.run(0.6)
    assert simulation.pose(ball)[0][2] == pytest.approx(0.05 + BALL, abs=0.01 * BALL)
    assert contact.normal_force == pytest.approx(MASS * GRAVITY, rel=1e-3)
    assert simulation.energy_made < 0


@pytest.mark.parametrize("dt", [2e-3, 2e-2])
def test_nothing_passes_through(dt: float) -> None:
    network = Network()
    box = network.body(bodies.box((SIDE,) * 3), mass=MASS, position=(0.03, 0.1, 3.0))
    network.obstacle_mesh(*block(SIDE))
    simulation = Simulation(network, dt=dt)
    simulation.add_contact()
    simulation.set_body_velocity(box, (0, 0, -10.0))
    simulation.run(0.6)
    assert simulation.pose(box)[0][2] > 0.05 + 0.4 * SIDE


@pytest.mark.parametrize(("friction", "part"), [(0.0, 1.0), (0.5, 5 / 7)])
def test_a_ball_slides_or_rolls_down_a_slope(friction: float, part: float) -> None:
    slope = 0.2
    simulation, ball, _, _ = lying(bodies.sphere(BALL), BALL, slope, friction)
    simulation.run(0.3)
    way = 0.5 * part * GRAVITY * np.sin(slope) * 0.3**2
    assert 0.1 - along(simulation, ball, slope)[1] == pytest.approx(way, rel=2e-3)
    fall = MASS * GRAVITY * 2e-4  # all losses occur where it lands on the mesh
    assert -fall < simulation.energy_made < 1e-3 * simulation.kinetic_energy


@pytest.mark.parametrize("friction", [0.2, 0.6])
def test_a_box_slides_or_sticks(friction: float) -> None:
    slope = 0.4  # tan: .42
    simulation, box, _, _ = lying(bodies.box((SIDE,) * 3), SIDE / 2, slope, friction, longest=SIDE)
    simulation.run(0.3)
    pull = max(0.0, np.sin(slope) - friction * np.cos(slope))
    way = 0.1 - along(simulation, box, slope)[1]
    assert way == pytest.approx(0.5 * GRAVITY * pull * 0.3**2, rel=2e-3, abs=1e-4)


def test_a_mesh_that_moves_and_turns_carries_a_box() -> None:
    simulation, box, mesh, _ = lying(bodies.box((SIDE,) * 3), SIDE / 2, longest=SIDE)
    simulation.run(0.1)
    start = simulation.pose(box)[0]
    begun = simulation.time
    simulation.move_obstacle(
        mesh,
        lambda t: ((0, 0, 0.4 * (t - begun) ** 2), (0, 0, (t - begun) ** 2)),
        pivot=(0, 0, 0),
    )
    simulation.run(0.4)
    turn = Rotation.from_rotvec((0, 0, 0.16))
    centre, axes = simulation.pose(box)
    np.testing.assert_allclose(centre, turn.apply(start) + np.array([0, 0, 0.064]), atol=1e-4)
    np.testing.assert_allclose(axes, turn.as_matrix(), atol=1e-3)


def test_large_triangles_are_named() -> None:
    with pytest.warns(UserWarning, match=r"body 0 lies on triangles of obstacle mesh 0 .* 0.849 m"):
        lying(bodies.box((SIDE,) * 3), SIDE / 2)


@pytest.mark.filterwarnings("error")
def test_a_ball_lies_on_any_triangle() -> None:
    lying(bodies.sphere(BALL), BALL)


def test_refined() -> None:
    vertices, triangles = block(0.1)
    corners = vertices[triangles]
    assert np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=-1).max() <= 0.1
    made = trimesh.Trimesh(vertices, triangles)
    assert made.is_watertight
    assert made.volume == pytest.approx(0.6 * 0.6 * 0.1)
    with pytest.raises(StrandError, match="longest: got 1e-05, allowed: lengths that need up to"):
        block(1e-5)
    with pytest.raises(StrandError, match="longest: got -1"):
        block(-1.0)
