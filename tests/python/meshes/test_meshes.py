"""Meshes: topology, sizes, angles, rows; the published shapes, where STRAND_DATA has them."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree
from support.triangles import (
    area,
    assert_disc,
    edge_lengths,
    edges,
    least_angle,
    normals,
    rim,
)

from strand import StrandError, meshes
from strand.io import text_geometry

DATA = os.environ.get("STRAND_DATA")
with_data = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")

#: The smallest angle (degrees) of each kind of strip whose sides are multiples of the size. Chew's
#: bound for random points is 30 if the size is uniform.
LEAST_ANGLE = {
    "equilateral": 30,
    "random": 30,
    "right_isosceles": 45,
    "equilateral_aligned": 26,
    "non_uniform": 28,
}

families = pytest.mark.parametrize("family", meshes.FAMILIES)


def width_of(family: str) -> float:
    """Five rows of equilateral triangles, or four edges."""
    return 0.0125 * np.sqrt(3) if family == "equilateral" else 0.02


def assert_line(x: float, vertices: np.ndarray, triangles: np.ndarray) -> None:
    """Edges at this x lead from side to side."""
    ends = vertices[edges(triangles)]
    along = ends[(ends[:, :, 0] == x).all(axis=1)]
    length = np.abs(along[:, 1, 1] - along[:, 0, 1]).sum()
    np.testing.assert_allclose(length, np.ptp(vertices[:, 1]), rtol=1e-12)


def assert_faces_up(vertices: np.ndarray, triangles: np.ndarray) -> None:
    np.testing.assert_array_equal(vertices[:, 2], 0)
    assert (normals(vertices, triangles)[:, 2] > 0).all()


@families
@pytest.mark.parametrize("size", (0.005, 0.0025))
@pytest.mark.parametrize("rows", ((), (0.01,), (0.01, 0.07)))
def test_strips_fill_their_rectangle(family: str, size: float, rows: tuple) -> None:
    width = width_of(family)
    vertices, triangles = meshes.strip(0.1, width, size, family, rows)
    assert_disc(vertices, triangles)
    assert_faces_up(vertices, triangles)
    np.testing.assert_array_equal(vertices.min(axis=0), [0, 0, 0])
    np.testing.assert_array_equal(vertices.max(axis=0), [0.1, width, 0])
    np.testing.assert_allclose(area(vertices, triangles), 0.1 * width, rtol=1e-12)
    assert least_angle(vertices, triangles) > LEAST_ANGLE[family] - 1e-6
    for x in (0, *rows, 0.1):
        assert_line(x, vertices, triangles)


@families
def test_edges_of_strips_are_of_the_size(family: str) -> None:
    lengths = edge_lengths(*meshes.strip(0.1, width_of(family), 0.005, family))
    assert 0.9 < lengths.mean() / 0.005 < 1.2
    spread = lengths.max() / lengths.min()
    if family == "non_uniform":
        assert spread > 2.5
    elif family == "random":
        assert 1.5 < spread < 2.5
    elif family == "right_isosceles":
        np.testing.assert_allclose(spread, np.sqrt(2))
    else:
        # Whole edges; at the border halves of edges and heights of triangles.
        kinds = np.array([1, 1 / 2, np.sqrt(3) / 2]) * 0.005
        assert np.abs(lengths[:, np.newaxis] / kinds - 1).min(axis=1).max() < 0.01
        assert np.mean(np.abs(lengths / 0.005 - 1) < 0.01) > 0.75


def test_rows_of_equilateral_strips_are_turned() -> None:
    """Triangles have edges along x, or along y."""
    for family, axis in (("equilateral", 1), ("equilateral_aligned", 0)):
        vertices, triangles = meshes.strip(0.1, width_of(family), 0.005, family)
        ends = vertices[edges(triangles)]
        along = (np.abs(ends[:, 1] - ends[:, 0])[:, axis] < 1e-12).mean()
        assert 0.3 < along < 0.4


def test_edges_of_non_uniform_strips_are_shortest_in_the_middle() -> None:
    vertices, triangles = meshes.strip(0.2, 0.02, 0.0025, "non_uniform")
    ends = vertices[edges(triangles)]
    middle = np.abs(ends.mean(axis=1)[:, 0] - 0.1)
    lengths = edge_lengths(vertices, triangles)
    # The mean edge of random points equals the size within a few per cent.
    np.testing.assert_allclose(lengths[middle < 0.01].mean(), 0.75 * 0.0025, rtol=0.1)
    np.testing.assert_allclose(lengths[middle > 0.09].mean(), 1.5 * 0.0025, rtol=0.1)


@pytest.mark.parametrize("family", ("random", "non_uniform"))
@pytest.mark.parametrize("seed", range(12))
def test_random_strips_have_no_slivers(family: str, seed: int) -> None:
    side = (0.02, 0.1, 0.033)[seed % 3]
    vertices, triangles = meshes.strip(0.1, side, 0.005, family, (0.02, 0.071), seed=seed)
    assert_disc(vertices, triangles)
    np.testing.assert_allclose(area(vertices, triangles), 0.1 * side, rtol=1e-12)
    assert least_angle(vertices, triangles) > LEAST_ANGLE[family]


@pytest.mark.parametrize("family", ("random", "non_uniform"))
def test_a_seed_determines_the_mesh(family: str) -> None:
    first, again, other = (meshes.strip(0.1, 0.02, 0.005, family, seed=s) for s in (3, 3, 4))
    for a, b in zip(first, again, strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(first[0], other[0])


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"length": 0}, "length"),
        ({"width": float("nan")}, "width"),
        ({"size": -1}, "size"),
        ({"size": 0.03}, "size"),
        ({"family": "hexagonal"}, "family"),
        ({"rows": (0.05, 0.01)}, "rows"),
        ({"rows": (0.001,)}, "rows"),
        ({"rows": (0.1,)}, "rows"),
        ({"rows": "0.05"}, "rows"),
        ({"seed": -1}, "seed"),
        ({"seed": 0.5}, "seed"),
    ],
)
def test_bad_strips_are_rejected(change: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"^{field}: got .*, allowed: "):
        meshes.strip(**({"length": 0.1, "width": 0.02, "size": 0.005} | change))


@pytest.mark.parametrize("divisions", (1, 2, 6))
def test_hexagons_consist_of_equilateral_triangles(divisions: int) -> None:
    vertices, triangles = meshes.hexagon(2.0, divisions)
    assert_disc(vertices, triangles)
    assert_faces_up(vertices, triangles)
    assert len(triangles) == 6 * divisions**2
    np.testing.assert_allclose(edge_lengths(vertices, triangles), 2 / divisions, rtol=1e-12)
    np.testing.assert_allclose(vertices.max(axis=0), [2, np.sqrt(3), 0], rtol=1e-12)
    np.testing.assert_allclose(vertices.mean(axis=0), 0, atol=1e-12)


def test_parachutes_hang_by_straight_ropes() -> None:
    chute = meshes.parachute(side=1.0, divisions=6, depth=0.2, rope_edges=11)
    assert chute.nodes.shape == (188, 3)
    assert chute.edges.shape == (66, 2) and chute.triangles.shape == (216, 3)
    np.testing.assert_array_equal(chute.nodes[0], [0, 0, -0.2])
    ends = chute.nodes[chute.edges]
    np.testing.assert_allclose(
        np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1), np.sqrt(1.04) / 11, rtol=1e-12
    )
    canopy = np.unique(chute.triangles)
    assert_disc(chute.nodes[canopy], np.searchsorted(canopy, chute.triangles))
    for rope in chute.edges.reshape(6, 11, 2):
        assert rope[0, 0] == 0 and rope[-1, 1] in canopy
        np.testing.assert_array_equal(rope[1:, 0], rope[:-1, 1])
        np.testing.assert_allclose(np.linalg.norm(chute.nodes[rope[-1, 1]]), 1, rtol=1e-12)
        assert not np.isin(rope[:-1, 1], canopy).any()
    assert len({rope[-1, 1] for rope in chute.edges.reshape(6, 11, 2)}) == 6


def test_a_rope_may_be_one_edge() -> None:
    chute = meshes.parachute(divisions=1, rope_edges=1)
    assert chute.nodes.shape == (8, 3) and chute.edges.shape == (6, 2)


@pytest.mark.parametrize("divisions", (1, 4, 10, 20, 50))
def test_mantas_are_symmetric_with_edges_on_their_axis(divisions: int) -> None:
    vertices, triangles = meshes.manta(divisions)
    assert_disc(vertices, triangles)
    assert_faces_up(vertices, triangles)
    assert_line(0.0, vertices, triangles)
    assert np.count_nonzero(vertices[:, 0] == 0) == divisions + 1
    assert least_angle(vertices, triangles) > 12
    mirrored = vertices * [-1, 1, 1]
    np.testing.assert_allclose(cKDTree(vertices).query(mirrored)[0], 0, atol=1e-15)


def test_mantas_converge_to_the_area_between_their_edges() -> None:
    # The integral of t / 2 + (10/81) t^2 (9 - 5 t) over the span.
    exact = np.sqrt(3) * (1 / 4 + 10 / 81 * (3 - 5 / 4))
    errors = [abs(area(*meshes.manta(n)) - exact) for n in (5, 10, 20)]
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2, atol=0.05)


@pytest.mark.parametrize("divisions", (1, 2, 5))
def test_hemispheres_end_in_a_clean_rim(divisions: int) -> None:
    vertices, triangles = meshes.hemisphere(2.0, divisions)
    assert_disc(vertices, triangles)
    assert len(triangles) == 40 * divisions**2
    np.testing.assert_allclose(np.linalg.norm(vertices, axis=1), 2, rtol=1e-14)
    np.testing.assert_array_equal(vertices[0], [0, 0, 2])
    on_rim = np.unique(rim(triangles))
    assert len(on_rim) == 10 * divisions
    np.testing.assert_array_equal(on_rim, np.flatnonzero(vertices[:, 2] == 0))
    assert (vertices[:, 2] >= 0).all()
    outward = normals(vertices, triangles) * vertices[triangles].mean(axis=1)
    assert (outward.sum(axis=1) > 0).all()
    assert least_angle(vertices, triangles) > 54
    lengths = edge_lengths(vertices, triangles)
    assert lengths.max() / lengths.min() < 1.45


def test_hemispheres_converge_to_the_area_of_the_sphere() -> None:
    errors = [2 * np.pi - area(*meshes.hemisphere(1.0, n)) for n in (2, 4, 8)]
    np.testing.assert_allclose(np.log2(np.divide(errors[:-1], errors[1:])), 2, atol=0.05)


@pytest.mark.parametrize(
    ("make", "field"),
    [
        (lambda: meshes.hexagon(0, 3), "side"),
        (lambda: meshes.hexagon(1, 0), "divisions"),
        (lambda: meshes.parachute(depth=-1), "depth"),
        (lambda: meshes.parachute(rope_edges=1.5), "rope_edges"),
        (lambda: meshes.manta(0), "divisions"),
        (lambda: meshes.hemisphere("1", 3), "radius"),
        (lambda: meshes.hemisphere(1, True), "divisions"),
    ],
)
def test_bad_shapes_are_rejected(make, field: str) -> None:
    with pytest.raises(StrandError, match=f"^{field}: got .*, allowed: "):
        make()


def published(name: str) -> text_geometry.TextGeometry:
    return text_geometry.read(Path(DATA, "rod_shell", "matlab", name))


def assert_same_mesh(theirs: text_geometry.TextGeometry, nodes, triangles) -> np.ndarray:
    """Checks for equal meshes up to numbering and the digits of the file. Returns our number of
    each node of theirs."""
    distance, ours_of = cKDTree(nodes).query(theirs.nodes)
    assert distance.max() < 1e-6
    assert len(set(ours_of)) == len(nodes)
    first = [np.roll(t, -np.argmin(t)) for t in (*ours_of[theirs.triangles], *triangles)]
    assert len(np.unique(first, axis=0)) == len(triangles) == len(theirs.triangles)
    return ours_of


@with_data
def test_parachute_is_the_published_one_up_to_numbering() -> None:
    theirs = published("parachute/hexparachute_n6_python.txt")
    ours = meshes.parachute()
    ours_of = assert_same_mesh(theirs, ours.nodes, ours.triangles)
    assert set(map(tuple, ours_of[theirs.edges])) == set(map(tuple, ours.edges))


@with_data
def test_manta_is_the_published_one_up_to_numbering() -> None:
    theirs = published("stingRay/curve_input/stingray_n10_python.txt")
    vertices, triangles = meshes.manta(10)
    ours_of = assert_same_mesh(theirs, vertices, triangles)
    assert np.array_equal(np.round(vertices, 6)[ours_of], theirs.nodes)
