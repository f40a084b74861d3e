"""Shells of a network, as Python sees them."""

import numpy as np

from strand import meshes
from strand.simulation import Network

SHEET = {"young": 1e6, "thickness": 1e-3, "density": 1000.0}


def test_the_rim_is_the_outline_clamped_or_not() -> None:
    vertices, triangles = meshes.strip(0.4, 0.2, 0.1)
    network = Network()
    network.shell(vertices, triangles, **SHEET)
    sheet = network.shell(np.add(vertices, (0, 0, 1)), triangles, **SHEET)
    rim = sheet.rim
    ends = vertices[sheet.edge_nodes[rim] - sheet.nodes[0]]
    low, high = vertices.min(axis=0)[:2], vertices.max(axis=0)[:2]
    on_side = np.isclose(ends[:, :, :2], low) | np.isclose(ends[:, :, :2], high)
    assert on_side.all(axis=1).any(axis=1).all()
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    np.testing.assert_allclose(lengths.sum(), 2 * (high - low).sum())
    network.clamp_shell(sheet, rim[:3])
    assert sheet.rim == rim


def test_edges_are_numbered_as_they_appear() -> None:
    network = Network()
    network.shell([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)], **SHEET)
    square = [(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    shell = network.shell(square, [(0, 1, 2), (0, 2, 3)], **SHEET)
    assert shell.nodes == [3, 4, 5, 6] and shell.edges == [3, 4, 5, 6, 7]
    expected = np.array([(1, 2), (2, 0), (0, 1), (2, 3), (3, 0)]) + 3
    np.testing.assert_array_equal(shell.edge_nodes, expected)
    np.testing.assert_array_equal(shell.triangles, np.array([(0, 1, 2), (0, 2, 3)]) + 3)
    assert shell.rim == [0, 2, 3, 4]
