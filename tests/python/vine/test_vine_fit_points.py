"""Measured points of a growing robot: accepted and rejected input; chains and obstacles."""

from pathlib import Path

import numpy as np
import pytest
from vine_fit_cases import GROWING, assert_second_order, data, with_data

from strand import StrandError, vine
from strand.vine.fit import (
    MeasuredPoints,
    VineModel,
    interpolation_matrix,
    read_points,
)
from strand.vine.fit.model import axes
from strand.vine.fit.obstacle import gap_of
from strand.vine.fit.points import shapes_of_points

LINES = [
    "frame,t_s,point,x_mm,y_mm",
    "0,0.0,0,0,0",
    "0,0.0,1,1.5,2",
    "1,0.1,0,0,0",
    "1,0.1,1,1,3",
]


def written(tmp_path: Path, lines: list[str]) -> Path:
    path = tmp_path / "points.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_points_are_read_in_metres(tmp_path: Path) -> None:
    points = read_points(written(tmp_path, LINES))
    np.testing.assert_array_equal(points.times, [0, 0.1])
    np.testing.assert_allclose(points.positions[:, 1], [[1.5e-3, 2e-3], [1e-3, 3e-3]], rtol=1e-15)


@pytest.mark.parametrize(
    ("line", "text", "message"),
    (
        (
            0,
            "frame,t,point,x,y",
            "line 1: got the columns 'frame, t, point, x, y', allowed: frame, t_s",
        ),
        (2, "0,0.0,1,1.5", "line 3: got 4 fields, allowed: 5"),
        (2, "0,0.0,1,1.5,two", "line 3, y_mm: got 'two', allowed: a finite number"),
        (2, "0,0.0,1,nan,2", "line 3, x_mm: got 'nan', allowed: a finite number"),
        (2, "0,0.0,1.5,1,2", "line 3, point: got '1.5', allowed: a whole number"),
        (2, "0,0.0,2,1,2", "line 3, point: got 2, allowed: 1, the next of frame 0"),
        (2, "0,0.1,1,1,2", "line 3, t_s: got 0.1, allowed: 0.0, as in the rest of frame 0"),
        (1, "1,0.0,0,0,0", "line 2, frame: got 1, allowed: 0, the first"),
        (3, "2,0.1,0,0,0", "line 4, frame: got 2, allowed: 0 or 1"),
        (3, "1,0.0,0,0,0", "line 4, t_s: got 0.0, allowed: times that increase, more than 0.0"),
        (4, "", "line 4, point: got 'a frame of 1', allowed: 2 points in every frame"),
        (2, "", "line 4, point: got 'a frame of 1', allowed: 2 points in every frame"),
    ),
)
def test_bad_points_are_rejected(tmp_path: Path, line: int, text: str, message: str) -> None:
    path = written(tmp_path, [*LINES[:line], text, *LINES[line + 1 :]])
    with pytest.raises(StrandError) as caught:
        read_points(path)
    assert str(caught.value).startswith(f"{path}: {message}")


def test_files_that_hold_no_points(tmp_path: Path) -> None:
    with pytest.raises(StrandError, match=r"file: got .*missing\.csv.*allowed: a readable CSV"):
        read_points(tmp_path / "missing.csv")
    with pytest.raises(StrandError, match="rows: got none below the names"):
        read_points(written(tmp_path, LINES[:1]))


def test_frames_must_lie_on_time_steps() -> None:
    points = MeasuredPoints([1.0, 1.1, 1.25], np.zeros((3, 2, 2)))
    np.testing.assert_array_equal(points.steps(0.05), [0, 2, 5])
    with pytest.raises(StrandError, match=r"times: got 1\.25 s in frame 2, 2\.5 time steps after"):
        points.steps(0.1)


@with_data
def test_matrix_is_the_published_one() -> None:
    published = np.genfromtxt(data("vine/interp_matrix_A.csv"), delimiter=",", skip_header=1)
    np.testing.assert_allclose(interpolation_matrix(10, 21), published, atol=1e-15)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    (
        ("pairs", 0, "pairs: got 0, allowed: whole numbers >= 1"),
        ("mass", -1.0, r"mass: got -1\.0, allowed: finite numbers > 0"),
        ("inertia", [1.0, 2.0], r"inertia: got an array of shape \(2,\), allowed: \(3,\)"),
        ("dt", np.nan, "dt: got nan, allowed: a finite number > 0"),
    ),
)
def test_bad_models_are_rejected(field: str, value, message: str) -> None:
    good = {"pairs": 3, "half_length": 0.01, "mass": 0.001, "inertia": 1e-4, "dt": 0.01}
    with pytest.raises(StrandError, match=message):
        VineModel(**{**good, field: value})


def test_chains_pass_through_their_own_points() -> None:
    matrix = interpolation_matrix(10, 21)
    headings = np.array([[1.2, 1.1, 1.0, 0.9, 0.7]])
    extensions = np.full((1, 5), 0.038)
    positions = matrix @ GROWING.distal_ends(headings, extensions)
    found, lengths = shapes_of_points(GROWING, matrix, positions)
    np.testing.assert_allclose(found, headings, atol=0.02)
    np.testing.assert_allclose(lengths, extensions, rtol=5e-3)


def test_poses_are_joined() -> None:
    """Pins and prismatic joints hold: ends of bodies meet, pairs are in line and s apart."""
    headings, extensions = np.array([0.3, -0.2, 0.8]), np.array([0.05, 0.06, 0.07])
    model = VineModel(3, [0.01, 0.02, 0.03], 1.0, 1.0, 0.01, base=(0.1, 0.2))
    poses = model.poses(headings, extensions)
    arm = np.repeat(model.half_length, 2)[:, np.newaxis] * axes(poses[:, 2])
    near, far = poses[:, :2] - arm, poses[:, :2] + arm
    np.testing.assert_allclose(near[::2], [[0.1, 0.2], *far[1:-1:2]], atol=1e-15)
    apart = poses[1::2, :2] - poses[::2, :2]
    np.testing.assert_allclose(apart, extensions[:, np.newaxis] * axes(headings), atol=1e-15)
    np.testing.assert_allclose(model.distal_ends(headings, extensions), far, atol=1e-15)


@pytest.mark.parametrize(
    "obstacle", (vine.circle((0.1, 0.2), 0.3), vine.rotated_box((0.1, 0.2), 0.4, 0.6, 0.2))
)
@pytest.mark.parametrize("place", ((0.9, 0.7), (0.15, 0.75), (-0.7, 0.4)))
def test_gaps_have_their_derivatives(obstacle, place: tuple[float, float]) -> None:
    point, direction = np.array(place), np.array([0.03, -0.02])

    def gap(p):
        return gap_of(obstacle, p[np.newaxis])

    slope = [
        (gap(point + h * direction)[0] - gap(point - h * direction)[0]) / (2 * h) for h in (1e-3,)
    ]
    np.testing.assert_allclose(gap(point)[1] @ direction, slope[0], rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(gap(point)[1]), 1, rtol=1e-14)
    if np.abs(gap(point)[2]).max() > 0:
        assert_second_order(lambda p: gap(p)[1][0], lambda p: gap(p)[2][0], point, direction)


def test_gap_of_a_box_by_hand() -> None:
    box = vine.rotated_box((0.0, 0.0), np.pi / 2, 4.0, 2.0)  # 2 wide along x, 4 high
    points = np.array([[3.0, 0.5], [0.0, -3.0], [4.0, 6.0], [0.75, 0.0]])
    gaps, normals, _ = gap_of(box, points)
    np.testing.assert_allclose(gaps, [2, 1, 5, -0.25], atol=1e-15)
    np.testing.assert_allclose(normals, [[1, 0], [0, -1], [0.6, 0.8], [1, 0]], atol=1e-15)
