"""Rods and shells that start in another configuration than their rest shape."""

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from support.bad_arguments import BAD, expect_no_foreign_error
from support.checkpoints import assert_continues_bitwise

from strand import StrandError, meshes, straight
from strand.cable.shapes import helix, ring
from strand.scene import file as scene_file
from strand.simulation import Network, Simulation, obstacles

MATERIAL = {"young": 1e7, "radius": 0.01, "density": 1000.0}
EA = 1e7 * np.pi * 0.01**2
EI = EA * 0.01**2 / 4
GJ = 2 * EI / 3
WEIGHTLESS = {"gravity": (0, 0, 0), "dt": 5e-3}
SOMEHOW = Rotation.from_rotvec([1.1, -0.7, 2.0])


def of_rod(nodes, clamps=(), closed=False, material=MATERIAL, **options):
    network = Network()
    rod = network.rod(nodes, **material, closed=closed)
    for end in clamps:
        network.clamp(rod, end)
    return Simulation(network, **(WEIGHTLESS | options)), rod


def arc(length: float, angle: float, segments: int) -> np.ndarray:
    """Nodes of equal edges from the origin that turn evenly from x towards z by `angle` (rad)."""
    turned = angle * (np.arange(segments) + 0.5) / segments
    edges = np.column_stack([np.cos(turned), 0 * turned, np.sin(turned)]) * length / segments
    return np.vstack([np.zeros(3), np.cumsum(edges, axis=0)])


def test_a_cantilever_placed_bent_swings_like_a_released_one() -> None:
    bent, rod = of_rod(straight(1.0, 20), ["start"])
    bent.load_node(rod.nodes[-1], (0, 0.1, 0.5))
    bent.solve()
    bent.load_node(rod.nodes[-1], (0, 0, 0))
    placed, part = of_rod(straight(1.0, 20), ["start"])
    placed.place(part, bent.positions, turn_clamps=False)
    np.testing.assert_array_equal(placed.positions, bent.positions)
    assert placed.potential_energy == pytest.approx(bent.potential_energy, rel=1e-4)
    assert bent.positions[-1, 2] > 0.1
    for simulation in (bent, placed):
        simulation.run(1.0)
    np.testing.assert_allclose(placed.positions, bent.positions, atol=1e-4)
    assert bent.positions[-1, 2] < -0.1


def test_in_a_plane_with_rounding_errors() -> None:
    bent, rod = of_rod(straight(1.0, 20), ["start"])
    bent.load_node(rod.nodes[-1], (0, 0, 0.5))
    bent.solve()
    bent.load_node(rod.nodes[-1], (0, 0, 0))
    placed, part = of_rod(straight(1.0, 20), ["start"])
    placed.place(part, bent.positions, turn_clamps=False)
    assert placed.potential_energy == pytest.approx(bent.potential_energy, rel=1e-12)


def test_a_ring_placed_as_an_ellipse_has_the_energy_of_its_curvature_and_strain() -> None:
    radius, a, b, count = 0.5, 0.6, 0.45, 800
    simulation, rod = of_rod(ring(radius, count, 0)[:count], closed=True)
    angle = 2 * np.pi * (np.arange(count) + 0.5) / count
    turns = 0.3  # of the parameter, equal from node to node
    ellipse = np.column_stack([a * np.cos(angle + turns), b * np.sin(angle + turns), 0 * angle])
    simulation.place(rod, SOMEHOW.apply(ellipse) + np.array([1, 2, 3]))
    metric = (a * np.sin(angle)) ** 2 + (b * np.cos(angle)) ** 2
    strain, curvature = np.sqrt(metric) / radius - 1, a * b / metric - 1  # times the radius
    bending = EI / (2 * radius) * (curvature**2).mean() * 2 * np.pi
    stretching = EA * radius / 2 * (strain**2).mean() * 2 * np.pi
    assert simulation.potential_energy == pytest.approx(bending + stretching, rel=1e-4)
    simulation.place(rod, SOMEHOW.apply(ellipse * radius * 1.02 / np.sqrt(metric.mean())))
    simulation.solve()
    assert simulation.potential_energy < 1e-12 * bending  # it is a ring again


def test_a_ring_placed_out_of_its_plane_twists_evenly() -> None:
    flat = ring(0.1, 64, 0)[:64]
    bent = flat * (1.3, 0.75, 1)
    bent[:, 2] += 3 * flat[:, 0] * flat[:, 1] / 0.1
    simulation, rod = of_rod(flat, closed=True)
    simulation.place(rod, bent)
    twist = simulation.twist
    assert np.ptp(twist) < 1e-12
    assert 0.01 < abs(twist.sum()) <= np.pi
    again, rod = of_rod(bent, closed=True)  # this rest shape may be moved rigidly
    again.place(rod, SOMEHOW.apply(bent))
    assert again.potential_energy < 1e-12 * simulation.potential_energy


def test_twist_of_many_turns_counts() -> None:
    simulation, rod = of_rod(straight(1.0, 10))
    simulation.place(rod, arc(1.0, 1.0, 10), twist=np.linspace(0, 7 * 2 * np.pi, 10))
    per_joint = 14 * np.pi / 9
    np.testing.assert_allclose(simulation.twist, per_joint, rtol=1e-12)
    energy = 9 * (GJ * per_joint**2 + EI * 0.1**2) / (2 * 0.1)
    assert simulation.potential_energy == pytest.approx(energy, rel=1e-3)
    np.testing.assert_allclose(simulation.angles, np.linspace(0, 14 * np.pi, 10))


def test_a_stretched_rod_has_the_energy_of_its_strain() -> None:
    simulation, rod = of_rod(straight(1.0, 10))
    simulation.place(rod, SOMEHOW.apply(1.1 * straight(1.0, 10)))
    assert simulation.potential_energy == pytest.approx(EA * 0.1**2 / 2, rel=1e-12)
    assert abs(simulation.twist).max() < 1e-12


def test_the_equilibrium_is_that_of_the_rest_shape() -> None:
    drawn, _ = of_rod(straight(1.0, 20), ["start"], gravity=(0, 0, -9.81))
    drawn.solve()
    placed, rod = of_rod(straight(1.0, 20), ["start"], gravity=(0, 0, -9.81))
    placed.place(rod, arc(1.1, 0.8, 20), twist=np.linspace(0, 2.0, 20), turn_clamps=False)
    placed.solve()
    np.testing.assert_allclose(placed.positions, drawn.positions, atol=1e-8)
    assert abs(placed.twist).max() < 1e-6


@pytest.mark.parametrize("shape", [helix(0.1, 0.05, 2, 40), arc(1.0, 2.0, 10)])
@pytest.mark.parametrize("clamps", [[], ["start", "end"]])
def test_a_naturally_curved_rod_may_be_moved_rigidly(shape: np.ndarray, clamps: list) -> None:
    simulation, rod = of_rod(shape, clamps)
    simulation.place(rod, SOMEHOW.apply(shape) + np.array([0.1, 0.2, 0.3]))
    assert simulation.potential_energy < 1e-20
    drawn = of_rod(shape)[0].directors
    np.testing.assert_allclose(simulation.directors, SOMEHOW.apply(drawn), atol=1e-9)


def test_rods_joined_to_others_are_moved_with_their_directors() -> None:
    network = Network()
    along, across = straight(1.0, 5), np.array([[1.0, 0, 0], [1, 1, 0]])
    rods = [network.rod(nodes, **MATERIAL) for nodes in (along, across)]
    network.connect(rods[0], -1, rods[1], 0)
    simulation = Simulation(network, **WEIGHTLESS)
    drawn = simulation.directors
    for rod, nodes in zip(rods, (along, across), strict=True):
        simulation.place(rod, SOMEHOW.apply(nodes), normal=SOMEHOW.apply(drawn[rod.edges[0]]))
    assert simulation.potential_energy < 1e-20
    np.testing.assert_allclose(simulation.positions[-1], SOMEHOW.apply([1, 1, 0]), atol=1e-12)


def test_clamps_turn_with_the_ends_and_bend_the_rod_between_them() -> None:
    simulation, rod = of_rod(straight(1.0, 20), ["start", "end"])
    simulation.place(rod, arc(1.0, 1.5, 20))
    assert simulation.potential_energy == pytest.approx(EI * 1.5**2 / 2, rel=1e-9)
    simulation.run(0.05)
    simulation.solve()
    assert simulation.potential_energy == pytest.approx(EI * 1.5**2 / 2, rel=1e-4)
    moments = simulation.clamp_moments
    np.testing.assert_allclose(abs(moments[[0, -1], 1]), EI * 1.5, rtol=1e-3)


def test_clamps_that_keep_their_direction_move_with_their_nodes() -> None:
    simulation, rod = of_rod(straight(1.0, 20), ["start", "end"])
    simulation.place(rod, straight(1.0, 20) + np.array([0, 0, 0.2]), turn_clamps=False)
    assert simulation.potential_energy < 1e-20
    simulation.move_node(rod.nodes[0], lambda time: (0, 0, 0.001 * min(time / 0.1, 1)))
    simulation.run(0.2)
    simulation.solve()
    rise = simulation.positions[:, 2]
    assert rise[0] == pytest.approx(0.201) and rise[-1] == pytest.approx(0.2)
    expected = 12 * EI * 0.001 / 1.0**3  # of a beam with fixed ends
    assert simulation.reactions[0, 2] == pytest.approx(expected, rel=0.02)


def test_locked_nodes_are_locked_where_they_are_placed() -> None:
    simulation, rod = of_rod(straight(1.0, 10), gravity=(0, 0, -9.81))
    simulation.fix_node([0, -1])
    ends = straight(1.0, 10) + np.array([0, 1, 0])
    simulation.place(rod, ends)
    simulation.run(0.05)
    np.testing.assert_array_equal(simulation.positions[[0, -1]], ends[[0, -1]])
    assert simulation.positions[5, 2] < 0


def test_earlier_history_has_no_effect() -> None:
    simulation, rod = of_rod(straight(1.0, 10), ["start"], gravity=(0, 0, -9.81))
    simulation.run(0.1)
    simulation.set_velocities(np.zeros((11, 3)))
    simulation.place(rod, straight(1.0, 10))
    assert simulation.energy_made == 0
    simulation.run(0.1)
    fresh, _ = of_rod(straight(1.0, 10), ["start"], gravity=(0, 0, -9.81))
    fresh.run(0.1)
    np.testing.assert_allclose(simulation.positions, fresh.positions, atol=1e-9)
    assert abs(simulation.energy_made) < 1e-3


def sheet(bending: str, **options):
    network = Network()
    vertices, triangles = meshes.strip(0.2, 0.1, 0.02)
    shell = network.shell(
        vertices, triangles, young=1e7, thickness=1e-3, density=1000.0, bending=bending, poisson=0.3
    )
    at_x0 = [k for k in shell.rim if abs(vertices[shell.edge_nodes[k], 0]).max() < 1e-9]
    network.clamp_shell(shell, at_x0)
    return Simulation(network, **(WEIGHTLESS | options)), shell, vertices


@pytest.mark.parametrize("bending", ["hinge", "mid_edge"])
def test_shells_are_moved_and_stretched_with_their_clamps(bending: str) -> None:
    simulation, shell, vertices = sheet(bending)
    simulation.place(shell, SOMEHOW.apply(vertices) + np.array([1, 0, 0]))
    assert simulation.potential_energy < 1e-18
    simulation.place(shell, SOMEHOW.apply(vertices * [1.1, 1, 1]))
    green = (1.1**2 - 1) / 2
    energy = 1e7 * 1e-3 / (1 - 0.3**2) / 2 * green**2 * 0.2 * np.ptp(vertices[:, 1])
    assert simulation.potential_energy == pytest.approx(energy, rel=0.05)
    simulation.place(shell, SOMEHOW.apply(vertices))
    simulation.solve()
    np.testing.assert_allclose(simulation.positions, SOMEHOW.apply(vertices), atol=1e-9)


def test_a_shell_placed_bent_springs_back() -> None:
    simulation, shell, vertices = sheet("mid_edge")
    x = vertices[:, 0]
    simulation.place(shell, vertices + np.outer(x**2, [0, 0, 1.0]), turn_clamps=False)
    assert simulation.potential_energy > 1e-6
    simulation.solve()
    np.testing.assert_allclose(simulation.positions, vertices, atol=1e-7)


def test_a_rod_on_a_shell_moves_with_its_node() -> None:
    network = Network()
    vertices, triangles = meshes.strip(0.2, 0.1, 0.05)
    shell = network.shell(vertices, triangles, young=1e7, thickness=1e-3, density=1000.0)
    tip = int(np.argmax(vertices[:, 0]))
    drawn = vertices[tip] + straight(0.1, 4)
    rod = network.rod(drawn, **MATERIAL)
    network.attach(rod, 0, shell, tip)
    simulation = Simulation(network, **WEIGHTLESS)
    directors_drawn = simulation.directors
    simulation.place(shell, SOMEHOW.apply(vertices))
    np.testing.assert_allclose(simulation.positions[rod.nodes[0]], SOMEHOW.apply(drawn[0]))
    np.testing.assert_allclose(simulation.positions[rod.nodes[1]], drawn[1])
    first = SOMEHOW.apply(directors_drawn[rod.edges[0]])
    simulation.place(rod, SOMEHOW.apply(drawn), normal=first)
    assert simulation.potential_energy < 1e-18


def two_rods(apart: float):
    network = Network()
    rods = [network.rod(straight(1.0, 10) + np.array([0, y, 0]), **MATERIAL) for y in (0, apart)]
    return Simulation(network, **WEIGHTLESS), rods


def test_contact_uses_the_placed_positions() -> None:
    simulation, rods = two_rods(0.5)
    simulation.place(rods[1], straight(1.0, 10) + np.array([0, 0.015, 0]))
    with pytest.raises(StrandError, match=r"positions: got .*rod 0, edge 0.*0\.015"):
        simulation.add_contact()
    simulation.place(rods[1], straight(1.0, 10) + np.array([0, 0.03, 0]))
    ball = obstacles.sphere((0, 0.03, 0.2), 0.3)
    with pytest.raises(StrandError, match="positions: got 'rod 0, node 0"):
        simulation.add_obstacles([ball])
    crossing, rods = two_rods(0.0)
    crossing.place(rods[1], straight(1.0, 10) + np.array([0, 0, 0.1]))
    crossing.add_contact()
    crossing.add_floor(-0.02)
    with pytest.raises(StrandError, match="place: got a call after contact was added"):
        crossing.place(rods[1], straight(1.0, 10))


def test_a_placed_run_continues_bitwise(tmp_path: Path) -> None:
    def make():
        simulation, rod = of_rod(straight(1.0, 10), ["start"], gravity=(0, 0, -9.81))
        simulation.place(rod, arc(1.0, 1.0, 10), twist=np.linspace(0, 3.0, 10))
        return simulation

    whole, restarted = assert_continues_bitwise(make, tmp_path)
    np.testing.assert_array_equal(whole.twist, restarted.twist)


def test_bad_placements_are_rejected() -> None:
    simulation, rod = of_rod(straight(1.0, 4), ["start"])
    nodes = straight(1.0, 4)
    doubled = nodes[[0, 1, 1, 3, 4]]
    other, foreign = of_rod(nodes)
    for call, message in (
        (lambda: simulation.place(rod, nodes[:3]), r"nodes: got shape \(3, 3\), allowed: \(5, 3\)"),
        (lambda: simulation.place(rod, nodes[0]), r"nodes: got shape \(3,\), allowed: \(n, 3\)"),
        (lambda: simulation.place(rod, nodes * np.nan), r"nodes: got 'node 0 not finite'"),
        (lambda: simulation.place(rod, doubled), r"nodes: got 'nodes 1 and 2 at distance 0"),
        (lambda: simulation.place(foreign, nodes), r"part: got one of another network"),
        (lambda: simulation.place(0, nodes), r"part: got 0, allowed: a rod or a shell"),
        (lambda: simulation.place(rod, nodes, twist=[0.0]), r"twist: got shape \(1,\), allowed: 4"),
        (lambda: simulation.place(rod, nodes, normal=(1, 0, 0)), r"normal: got 'a direction along"),
    ):
        with pytest.raises(StrandError, match=message):
            call()
    np.testing.assert_array_equal(simulation.positions, nodes)
    for name in ("part", "nodes", "twist", "normal", "turn_clamps"):
        for value in BAD:
            arguments = {"part": rod, "nodes": nodes} | {name: value}
            expect_no_foreign_error(lambda arguments=arguments: simulation.place(**arguments))
    simulation.turn_clamp(rod, "start", lambda time: (0, 0, time))
    with pytest.raises(StrandError, match="place: got a part that is driven"):
        simulation.place(rod, nodes)
    other.move_node(0, lambda time: (time, 0, 0))
    with pytest.raises(StrandError, match="place: got a part that is driven"):
        other.place(foreign, nodes)


def test_shells_that_collapse_are_rejected() -> None:
    simulation, shell, vertices = sheet("mid_edge")
    with pytest.raises(StrandError, match=r"nodes: got 'a triangle without an area: shell 0, ver"):
        simulation.place(shell, vertices * [1, 0, 0])
    with pytest.raises(StrandError, match="twist: not allowed for a shell"):
        simulation.place(shell, vertices, twist=[0.0])


SCENE = """\
[simulation]
dt = 0.005
gravity = [0, 0, 0]
[[rod]]
name = "a"
young = 1e7
radius = 0.01
density = 1000.0
shape = { type = "straight", length = 1.0, segments = 4 }
"""


@pytest.mark.parametrize(
    "table",
    [
        "nodes = [[0, 0, 0], [0, 0.3, 0], [0, 0.6, 0], [0, 0.9, 0], [0, 1.2, 0]]",
        'file = "nodes.csv"',
        'shape = { type = "straight", length = 1.2, segments = 4 }\nquat = [1, 0, 0, 1]',
    ],
)
def test_a_scene_places_rods(table: str, tmp_path: Path) -> None:
    rows = np.column_stack([np.zeros(5), np.linspace(0, 1.2, 5), np.zeros(5)])
    np.savetxt(tmp_path / "nodes.csv", rows, delimiter=",", header="x,y,z", comments="")
    text = f'{SCENE}[[place]]\nrod = "a"\n{table}\ntwist = 0.5\n'
    simulation = scene_file.from_toml(text, tmp_path).simulation
    np.testing.assert_allclose(simulation.positions, rows, atol=1e-12)
    np.testing.assert_allclose(simulation.angles, 0.5)
    assert simulation.potential_energy == pytest.approx(EA * 0.2**2 / 2, rel=1e-9)


def test_a_scene_moves_rods_and_names_errors(tmp_path: Path) -> None:
    moved = scene_file.from_toml(f'{SCENE}[[place]]\nrod = "a"\npos = [0, 0, 1]\n', tmp_path)
    np.testing.assert_allclose(moved.simulation.positions[:, 2], 1)
    for table, message in (
        ("nodes = [[0, 0, 0]]", r"place\[0\].nodes: got shape \(1, 3\), allowed: \(5, 3\)"),
        ("nodes = [0, 0, 0]", r"place\[0\].nodes: got shape \(3,\), allowed: \(n, 3\)"),
        ('file = "gone.csv"', r"place\[0\].file: got 'gone.csv', allowed: a readable file"),
        ('file = "a"\nnodes = [[0, 0, 0]]', r"place\[0\]: got nodes and file, allowed: one"),
        ("twist = [0.1, 0.2]", r"place\[0\].twist: got shape \(2,\), allowed: 4 angles"),
    ):
        with pytest.raises(StrandError, match=message):
            scene_file.from_toml(f'{SCENE}[[place]]\nrod = "a"\n{table}\n', tmp_path)
