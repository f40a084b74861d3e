"""Everything is in the picture, and as large as it can be."""

import numpy as np
import pytest

from strand.draw.lens import Lens


@pytest.mark.parametrize("seed", range(20))
def test_everything_just_fits(seed: int) -> None:
    """Pinhole camera: x right, y up, both as fractions of half the picture's height."""
    draws = np.random.default_rng(seed)
    azimuth, elevation, fovy = draws.uniform([0, -80, 20], [360, 80, 70])
    size = tuple(draws.integers(100, 1000, 2).tolist())
    free = tuple(draws.uniform(0, 0.3, 2))
    points = draws.normal(size=(30, 3)) * draws.uniform(0.1, 3, 3)
    lens = Lens(azimuth, elevation, fovy, size, free)
    lookat = lens.middle(points)
    distance = lens.distance(points, lookat)
    turn, rise = np.radians([azimuth, elevation])
    ahead = np.array([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)])
    right = np.array([np.sin(turn), -np.cos(turn), 0])
    off = points - (lookat - distance * ahead)
    depth = np.tan(np.radians(fovy) / 2) * (off @ ahead)
    x, y = off @ right / depth, off @ np.cross(right, ahead) / depth
    assert (depth > 0).all()
    wide, (bottom, top) = size[0] / size[1], free
    borders = [[-wide, -1 + 2 * bottom], [wide, 1 - 2 * top]]
    inside = np.array([[x.min(), y.min()], [x.max(), y.max()]]) - borders
    gaps = inside * [[1], [-1]]
    assert gaps.min() == pytest.approx(0, abs=1e-9)
    # Both borders of one side are touched; what is between the others is nearly in their middle.
    assert gaps.max(axis=0).min() == pytest.approx(0, abs=1e-9)


def test_balls_need_more_distance() -> None:
    lens, origin = Lens(90, 0, 60, (100, 100)), np.zeros((1, 3))
    assert lens.distance(origin, origin[0]) == 0
    # A ball touches a border at 30 degrees from the axis.
    assert lens.distance(origin, origin[0], 0.5) == pytest.approx(1.0)
    assert lens.middle(origin, 0.5) == pytest.approx(0)
