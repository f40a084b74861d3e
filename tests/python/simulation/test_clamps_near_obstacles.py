"""Clamps beside and inside obstacles, which touch only what is drawn."""

import numpy as np
import pytest

from strand import meshes, straight
from strand.simulation import Network, Simulation, bodies, obstacles

WEIGHT = 1000 * np.pi * 0.004**2 * 0.2 * 9.81  # N


def rod(nodes: np.ndarray) -> tuple[Network, list[int]]:
    network = Network()
    made = network.rod(nodes, young=1e9, radius=0.004, density=1000)
    network.clamp(made, "start")
    return network, made.nodes


@pytest.mark.parametrize("edges", [5, 20])
@pytest.mark.parametrize("gap", [0.006, 0.015])
def test_a_wall_behind_a_clamp_is_not_touched(edges: int, gap: float) -> None:
    network, _ = rod(straight(0.2, edges))
    simulation = Simulation(network)
    contact = simulation.add_obstacles([obstacles.box((-gap - 0.1, 0, 0), (0.1, 0.3, 0.3))])
    simulation.solve()
    np.testing.assert_allclose(simulation.reactions[0], [0, 0, WEIGHT], atol=1e-6)
    assert contact.contacts == 0


def test_a_wall_behind_a_clamped_sheet_is_not_touched() -> None:
    network = Network()
    vertices, triangles = meshes.strip(0.1, 0.1, 0.03)
    sheet = network.shell(vertices, triangles, young=1e7, thickness=1e-3, density=1000)
    left = vertices[:, 0].min()
    held = [e for e in sheet.rim if (vertices[sheet.edge_nodes[e], 0] < left + 1e-9).all()]
    network.clamp_shell(sheet, held)
    simulation = Simulation(network)
    box = obstacles.box((left - 0.002 - 0.1, 0, 0), (0.1, 0.3, 0.3))
    contact = simulation.add_obstacles([box])
    simulation.solve()
    assert contact.contacts == 0
    assert simulation.reactions[:, 2].sum() == pytest.approx(1000 * 0.01 * 1e-3 * 9.81, rel=1e-5)


def test_a_ball_passes_behind_a_clamp() -> None:
    network, nodes = rod(straight(0.4, 4))
    ball = network.body(bodies.sphere(0.01), mass=0.01, position=(-0.03, 0, 0.05))
    simulation = Simulation(network)
    simulation.fix_node(nodes)
    simulation.add_contact(restitution=0)
    simulation.run(0.15)
    assert simulation.pose(ball)[0][2] == pytest.approx(0.05 - 0.5 * 9.81 * 0.15**2, abs=1e-4)


@pytest.mark.parametrize("ground", ["floor", "box"])
@pytest.mark.parametrize("held", ["clamp", "fix_node"])
@pytest.mark.parametrize("start", [0.0, -0.002])
def test_a_mast_is_planted_in_the_ground(ground: str, held: str, start: float) -> None:
    upright = np.outer(np.linspace(start, start + 0.2, 11), [0, 0, 1.0])
    network, nodes = rod(upright)
    simulation = Simulation(network)
    if held == "fix_node":
        simulation.fix_node(nodes[0])
    if ground == "floor":
        simulation.add_floor()
    else:
        simulation.add_obstacles([obstacles.box((0, 0, -0.1), (0.3, 0.3, 0.1))])
    simulation.load_node(nodes[-1], (1e-3, 0, 0))
    simulation.run(0.05)
    np.testing.assert_array_equal(simulation.positions[0], upright[0])
    assert 0 < simulation.positions[-1, 0] < 0.01
    assert abs(simulation.reactions[0]).max() < 3 * WEIGHT
