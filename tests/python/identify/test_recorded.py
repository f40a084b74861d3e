"""Files of recorded shapes: columns, units and trials; bad data is rejected with its place."""

from pathlib import Path

import numpy as np
import pytest

from strand import StrandError, identify

SHAPE = np.column_stack([np.linspace(0, 0.5, 9), -0.3 * np.linspace(0, 1, 9) ** 2])


def write(path: Path, header: str, rows: np.ndarray) -> Path:
    lines = [",".join(map(str, row)) for row in rows.tolist()]
    path.write_text("\n".join([header, *lines]) + "\n")
    return path


@pytest.mark.parametrize(
    ("header", "change", "options"),
    [
        ("x,y", lambda s: s, {}),
        ("x_m,y_down_m", lambda s: s * [1, -1], {}),
        ("y_down_mm,x_mm", lambda s: (1000 * s * [1, -1])[:, ::-1], {}),
        ("a,b", lambda s: 100 * s[:, ::-1], {"columns": ["b", "a"], "unit": "cm"}),
        ("x,y", lambda s: s * [1, -1], {"up": "-y"}),
        ("x_in,z_in", lambda s: s / 0.0254, {}),
    ],
)
def test_columns_and_units(tmp_path: Path, header: str, change, options: dict) -> None:
    path = write(tmp_path / "a.csv", header, change(SHAPE))
    (trial,) = identify.read_trials(path, **options)
    assert trial.points == pytest.approx(SHAPE, abs=1e-12)


def test_points_in_space_keep_their_handedness(tmp_path: Path) -> None:
    rows = np.random.default_rng(0).normal(size=(8, 3)).cumsum(axis=0)
    path = write(tmp_path / "a.csv", "x_m,y_depth_m,z_up_m", rows)
    assert identify.read_trials(path)[0].points == pytest.approx(rows)
    turned = identify.read_trials(path, up="-y")[0].points
    assert turned[:, 2] == pytest.approx(-rows[:, 1])
    volume = np.linalg.det(np.diff(rows, axis=0)[:3])
    assert np.linalg.det(np.diff(turned, axis=0)[:3]) == pytest.approx(volume)


def test_trials_and_cables(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = [
        f"{wire},{trial},{x},{y}" for wire in ("red", "blue") for trial in (0, 1) for x, y in SHAPE
    ]
    path.write_text("\n".join(["wire,trial,x,y", *rows]))
    assert [one.name for one in identify.read_trials(path, where={"wire": "red"})] == ["0", "1"]
    with pytest.raises(StrandError, match="where: got rows with wire = blue, red, allowed: choose"):
        identify.read_trials(path)
    with pytest.raises(StrandError, match="where: got wire=green, which no row has"):
        identify.read_trials(path, where={"wire": "green"})


def crossing() -> np.ndarray:
    angle = np.linspace(0, 2 * np.pi, 20)
    return np.column_stack([np.sin(angle), np.sin(2 * angle)]) + 0.01 * angle[:, None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "rows: got none"),
        ("x,y\n", "rows: got none"),
        ("x,y\n0,0\n", "points: got 1, allowed: 5 or more"),
        ("x,y\n0,0\nnan,1\n", "row 3, x: got 'nan', allowed: a finite number"),
        ("x,y\n0,0\n1,\n", "row 3, y: got nothing, allowed: a finite number"),
        ("x,y\n0,0\n1,one\n", "row 3, y: got 'one', allowed: a finite number"),
        ("u,v\n0,0\n", "columns: got u, v, allowed: two or three named x, y, z"),
        ("x_m,y_mm\n0,0\n", "unit: got columns in m, mm, allowed: one unit"),
    ],
)
def test_bad_files(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(StrandError, match=words) as caught:
        identify.bend(path, mass_per_length=0.1)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (crossing(), "got a line that crosses itself after points"),
        (1000 * SHAPE, "length: got 601.9 m along the points, allowed: 0.01 to 100 m; is the unit"),
        (SHAPE / 1000, "length: got 0.0006.* m along the points, allowed: 0.01 to 100 m"),
        (np.repeat(SHAPE, 2, axis=0), "got points 0 and 1 at the same place"),
        (np.full((9, 2), np.nan), "points: got nan, allowed: finite numbers"),
        (SHAPE[:, :1], r"points: got shape \(9, 1\)"),
    ],
)
def test_bad_points(points: np.ndarray, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        identify.bend([points], mass_per_length=0.1)


def test_a_missing_file() -> None:
    with pytest.raises(StrandError, match=r"file: got .nowhere\.csv., allowed: a readable CSV"):
        identify.read_trials("nowhere.csv")
