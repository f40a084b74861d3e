"""Splines compared with those of scipy, which have the same boundary conditions."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline
from scipy.spatial import cKDTree

import strand


@pytest.mark.parametrize("closed", (False, True))
@pytest.mark.parametrize("count", (3, 4, 5, 9, 30))
def test_nodes_lie_on_the_spline_of_scipy(count: int, closed: bool) -> None:
    points = np.random.default_rng(count).normal(size=(count, 3))
    knots = np.vstack([points, points[:1]]) if closed else points
    place = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(knots, axis=0), axis=1))])
    curve = CubicSpline(place, knots, bc_type="periodic" if closed else "not-a-knot")
    dense = curve(np.linspace(0, place[-1], 200_001))

    nodes = strand.spline(points, 40 * count, closed)
    apart = np.linalg.norm(np.diff(dense, axis=0), axis=1).max()
    distance, _ = cKDTree(dense).query(nodes)
    assert distance.max() < 0.51 * apart  # no farther than the sampling allows
    lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    assert np.ptp(lengths) < 1e-10 * lengths.mean()
    np.testing.assert_allclose(nodes[[0, -1]], knots[[0, -1]], atol=1e-12)
