"""Shells of a network in Python."""

import numpy as np
import pytest

from strand import meshes
from strand.errors import StrandError
from strand.simulation import Network, Simulation

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


def stretched(**options) -> tuple[float, float]:
    """E h (N/m) and Poisson's ratio of a sheet of random triangles, pulled along x."""
    vertices, triangles = meshes.strip(0.4, 0.2, 0.05, family="random")
    network = Network()
    network.shell(vertices, triangles, **SHEET, **options)
    simulation = Simulation(network, gravity=(0, 0, 0), tolerance=1e-10)
    left, right = (np.flatnonzero(np.isclose(vertices[:, 0], x)) for x in (0, 0.4))
    simulation.fix_node(range(len(vertices)), "z")
    simulation.fix_node(left, "x")
    simulation.fix_node(np.flatnonzero(np.isclose(vertices, 0).all(axis=1)), "y")
    along = vertices[right, 1]
    share = (np.roll(np.sort(along), -1) - np.roll(np.sort(along), 1)) / 2
    share[0], share[-1] = np.diff(np.sort(along))[[0, -1]] / 2
    for node, width in zip(right[np.argsort(along)], share, strict=True):
        simulation.load_node(int(node), (1e-4 * width, 0, 0))
    simulation.solve()
    moved = simulation.positions[: len(vertices)] - vertices
    strain = np.linalg.lstsq(vertices[:, :2], moved[:, :2], rcond=None)[0]
    return 1e-4 / strain[0, 0], -strain[1, 1] / strain[0, 0]


def test_a_sheet_stretches_with_its_own_young_and_poisson() -> None:
    for bending in ("mid_edge", "hinge"):
        found = stretched(poisson=0.2, bending=bending)
        np.testing.assert_allclose(found, (1e6 * 1e-3, 0.2), rtol=1e-5)


def test_published_springs_remain_available() -> None:
    springs = {"bending": "hinge", "membrane": "springs"}
    np.testing.assert_allclose(stretched(poisson=0.2, **springs), stretched(poisson=0.4, **springs))
    assert stretched(poisson=0.2, **springs)[0] == pytest.approx(1e3, rel=0.3)
    stiffness, _ = stretched(poisson=0.2, bending="mid_edge", membrane="springs")
    assert 2 < stiffness / 1e3 < 3


def test_an_unknown_membrane_is_rejected() -> None:
    with pytest.raises(StrandError, match=r"^membrane: got 'rubber', allowed: continuum, springs"):
        stretched(membrane="rubber")
