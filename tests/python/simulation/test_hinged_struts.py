"""Rods of few edges, joined only at their nodes: nothing resists their spin."""

import numpy as np
import pytest

from strand import meshes
from strand.simulation import Network, Simulation, SolverError

MATERIAL = {"young": 1e8, "radius": 5e-3, "density": 1000}


def points(start: np.ndarray, end: np.ndarray, edges: int) -> np.ndarray:
    return start + np.linspace(0, 1, edges + 1)[:, None] * (end - start)


@pytest.mark.parametrize("edges", [1, 2, 5])
def test_a_strut_between_vertices_of_a_sheet(edges: int) -> None:
    shapes = []
    for held in (True, False):
        network = Network()
        vertices, triangles = meshes.strip(0.4, 0.2, 0.1)
        sheet = network.shell(vertices, triangles, young=1e7, thickness=2e-3, density=1000)
        near, far = (
            int(np.argmin(np.linalg.norm(vertices - [x, 0.1, 0], axis=1))) for x in (0.1, 0.4)
        )
        rod = network.rod(points(vertices[near], vertices[far], edges), **MATERIAL)
        network.attach(rod, 0, sheet, near, "hinged")
        network.attach(rod, -1, sheet, far, "hinged")
        simulation = Simulation(network)
        simulation.fix_node(np.flatnonzero(vertices[:, 0] < 1e-9))
        if held:
            simulation.fix_spin(rod.edges[0])
        simulation.solve()
        shapes.append(simulation.positions)
    assert shapes[0][:, 2].min() < -0.1
    np.testing.assert_allclose(shapes[1], shapes[0], atol=1e-6)


# A square frame with one diagonal, pulled at a corner: expected forces by the method of joints.
def test_a_truss_of_single_edges() -> None:
    corners = np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1.0]])
    network = Network()
    bars = [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]
    node_of: dict[int, tuple] = {}
    rods = []
    for pair in bars:
        rod = network.rod(corners[list(pair)], **MATERIAL)
        rods.append(rod)
        for end, corner in enumerate(pair):
            if corner in node_of:
                network.connect(*node_of[corner], rod, end, EI=0.0, GJ=0.0)
            else:
                node_of[corner] = rod, end
    simulation = Simulation(network, gravity=(0, 0, 0))
    at = {corner: rod.nodes[end] for corner, (rod, end) in node_of.items()}
    simulation.fix_node([at[0], at[1]])
    simulation.fix_node([at[2], at[3]], "y")
    force = 1.0
    simulation.load_node(at[2], (force, 0, 0))
    simulation.solve()
    stiffness = MATERIAL["young"] * np.pi * MATERIAL["radius"] ** 2
    x = simulation.positions
    tension = [
        stiffness
        * (np.linalg.norm(x[at[b]] - x[at[a]]) / np.linalg.norm(corners[b] - corners[a]) - 1)
        for a, b in bars
    ]
    np.testing.assert_allclose(tension, [0, -force, 0, 0, np.sqrt(2) * force], atol=2e-3)


@pytest.mark.parametrize("edges", [1, 3])
def test_a_moment_on_an_unsupported_spin_has_no_equilibrium(edges: int) -> None:
    network = Network()
    rod = network.rod(points(np.zeros(3), np.array([1.0, 0, 0]), edges), **MATERIAL)
    simulation = Simulation(network, gravity=(0, 0, 0))
    simulation.fix_node(rod.nodes)
    simulation.load_spin(0, 1e-4)
    with pytest.raises(SolverError, match="a moment turns rod 0, edge 0, whose spin nothing holds"):
        simulation.solve()
    simulation.fix_spin(edges - 1)
    assert simulation.solve().stable
