"""Networks from text geometry: which edges form rods, which triangles shells, and joints."""

import os
from pathlib import Path

import numpy as np
import pytest

from strand import StrandError, meshes
from strand.io import text_geometry
from strand.io.text_geometry import TextGeometry
from strand.simulation import Network, Simulation
from strand.simulation.geometry_network import network_from_text_geometry

DATA = os.environ.get("STRAND_DATA")
with_data = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")

ROD = {"young": 1e7, "radius": 1e-3, "density": 1500.0}
SHELL = {"young": 1e9, "thickness": 1e-3, "density": 1500.0}


def make(nodes, edges=(), triangles=(), joint: str = "rigid"):
    network = Network()
    geometry = TextGeometry(nodes, edges, triangles)
    return network, *network_from_text_geometry(network, geometry, ROD, SHELL, joint)


def circle(count: int) -> np.ndarray:
    angle = 2 * np.pi / count * np.arange(count)
    return np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])


def test_a_rod_runs_along_its_first_edge_whatever_the_order() -> None:
    line = np.column_stack([np.arange(5.0), np.zeros((5, 2))])
    network, (rod,), shells, node_index = make(line, [[3, 2], [4, 3], [1, 2], [0, 1]])
    assert node_index.tolist() == [4, 3, 2, 1, 0] and shells == []
    assert rod.nodes == [0, 1, 2, 3, 4] and len(rod.joints) == 3
    np.testing.assert_array_equal(Simulation(network).positions[node_index], line)


def test_rods_end_where_three_meet_and_are_joined_in_pairs() -> None:
    nodes = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [-1, 1, 0], [-1, -1, 0]]
    edges = [[0, 1], [1, 2], [3, 0], [0, 4]]
    network, rods, _, node_index = make(nodes, edges)
    assert [[*map(node_index.tolist().index, rod.nodes)] for rod in rods] == [
        [0, 1, 2],
        [3, 0],
        [0, 4],
    ]
    assert network.core.nodes == 5 and network.core.joints == 1 + 3
    assert network.joint_stiffness() == {}
    hinged, *_ = make(nodes, edges, joint="hinged")
    assert [*hinged.joint_stiffness().values()] == [((0.0, 0.0), 0.0)] * 3


def test_rings_are_closed_and_loops_joined_to_themselves() -> None:
    ring = [[k, (k + 1) % 5] for k in range(5)]
    _, (rod,), _, node_index = make(circle(5), ring)
    assert len(rod.edges) == len(rod.joints) == 5
    assert [*map(node_index.tolist().index, rod.nodes)] == [0, 1, 2, 3, 4]
    # With a tail, the ring is a rod that starts and ends at the node of the tail.
    network, rods, _, _ = make(np.vstack([circle(5), [2, 0, 0]]), [*ring, [0, 5]])
    assert [len(rod.edges) for rod in rods] == [5, 1] and network.core.nodes == 6
    assert rods[0].nodes[0] == rods[0].nodes[-1] == rods[1].nodes[0]
    assert network.core.joints == 4 + 1 + 2  # along the ring, where it closes, with the tail


TRIANGLES = [[1, 2, 3], [3, 2, 4]]
PLATE = np.array([[-1, 0, 0], [0, 0, 0], [1, -0.5, 0], [1, 0.5, 0], [2, 0, 0], [3, 0, 0]], float)


def test_a_rod_is_attached_where_it_meets_a_shell() -> None:
    network, (rod, other), (shell,), node_index = make(PLATE, [[0, 1], [4, 5]], TRIANGLES)
    assert shell.nodes == node_index[1:5].tolist() and network.core.nodes == 6
    assert (rod.nodes[1], other.nodes[0]) == (shell.nodes[0], shell.nodes[3])
    assert len(network.core.ribs) == 4  # two edges of a triangle at each node
    hinged, *_ = make(PLATE, [[0, 1], [4, 5]], TRIANGLES, "hinged")
    assert len(hinged.core.ribs) == hinged.core.joints == 0


def test_rods_that_meet_on_a_shell_are_attached_and_joined() -> None:
    nodes = np.vstack([PLATE, [-1, 1, 0]])
    network, rods, _, _ = make(nodes, [[0, 1], [1, 6], [4, 5]], TRIANGLES)
    assert [len(rod.edges) for rod in rods] == [2, 1]  # one runs through the shared node
    # The joint of the rod, each edge with two ribs, the ribs; at the far end one edge and two ribs.
    assert network.core.joints == (1 + 4 + 1) + 3


def test_connected_triangles_are_shells() -> None:
    moved = PLATE[1:5] + np.array([0, 0, 1])
    second = [[4, 5, 6], [6, 5, 7]]
    nodes = np.vstack([PLATE[1:5], moved])
    network, _, shells, node_index = make(nodes, (), [second[0], [0, 1, 2], second[1], [2, 1, 3]])
    assert [len(shell.triangles) for shell in shells] == [2, 2]
    assert node_index.tolist() == [4, 5, 6, 7, 0, 1, 2, 3]
    np.testing.assert_array_equal(Simulation(network).positions[node_index], nodes)


def test_the_parachute_generated() -> None:
    geometry = meshes.parachute(divisions=3, rope_edges=4)
    network, rods, (canopy,), node_index = make(geometry.nodes, geometry.edges, geometry.triangles)
    assert [len(rod.edges) for rod in rods] == [4] * 6
    assert {rod.nodes[0] for rod in rods} == {node_index[0]}
    assert {rod.nodes[-1] for rod in rods} < set(canopy.nodes)
    np.testing.assert_array_equal(Simulation(network).positions[node_index], geometry.nodes)


@pytest.mark.parametrize(
    ("arguments", "materials", "words"),
    [
        ({"edges": [[0, 1]]}, {}, "rod: got nothing, allowed: a material for the edges"),
        ({"triangles": [[0, 1, 2]]}, {"rod": ROD}, "shell: got nothing, allowed: a material for"),
        ({"edges": [[0, 9]]}, {"rod": ROD}, "edges: got node 9, allowed: 0 to 5"),
        ({"edges": [[-1, 0]]}, {"rod": ROD}, "edges: got node -1, allowed: 0 to 5"),
        ({"edges": [[0, 1]]}, {"rod": ROD}, "nodes: got node 2 in no edge or triangle, allowed"),
    ],
)
def test_bad_geometry_is_rejected(arguments: dict, materials: dict, words: str) -> None:
    with pytest.raises(StrandError) as caught:
        network_from_text_geometry(Network(), TextGeometry(PLATE, **arguments), **materials)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("edges", [[[0, 0]], [[0, 1], [1, 0]]])
def test_degenerate_edges_are_rejected(edges: list) -> None:
    nodes = PLATE[: 1 + np.max(edges)]
    with pytest.raises(StrandError, match=r"^nodes: got '. nodes', allowed: at least 3"):
        make(nodes, edges)


@with_data
def test_the_published_parachute() -> None:
    path = Path(DATA) / "rod_shell/matlab/parachute/hexparachute_n6_python.txt"
    geometry = text_geometry.read(path)
    network, rods, (canopy,), node_index = make(
        geometry.nodes, geometry.edges, geometry.triangles, "published"
    )
    assert [len(rod.edges) for rod in rods] == [11] * 6 and len(canopy.triangles) == 216
    assert {rod.nodes[0] for rod in rods} == {node_index[0]}
    assert sorted(node_index) == list(range(188))
    simulation = Simulation(network)
    np.testing.assert_array_equal(simulation.positions[node_index], geometry.nodes)
    # The authors' model weighs 4.0793 kg, with a payload of 100 times the 1.3107 g of its node.
    of_node = simulation.core.mass[simulation.node_dofs(range(188), "x")]
    np.testing.assert_allclose(of_node[node_index[0]], 1.3107e-3, rtol=5e-5)
    np.testing.assert_allclose(of_node.sum() + 99 * of_node[node_index[0]], 4.0793, atol=5e-5)


@with_data
def test_a_jellyfish_with_seven_arms() -> None:
    geometry = text_geometry.read(Path(DATA) / "rod_shell/python_imc/input_full_jellyfish.txt")
    _, rods, (bell,), _ = make(geometry.nodes, geometry.edges, geometry.triangles)
    assert [len(rod.edges) for rod in rods] == [5] * 7
    assert all(len({rod.nodes[0], rod.nodes[-1]} & set(bell.nodes)) == 1 for rod in rods)
