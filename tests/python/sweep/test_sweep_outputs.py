"""Tables, plots and the JSON of sweeps."""

import csv
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from sweep_cases import of_function, write
from typer.testing import CliRunner

from strand import StrandError
from strand.cli import app
from strand.sweep import Outcome, Result, Row
from strand.sweep.plots import save_plot


def made(rows: list[tuple[dict, dict | str]]) -> Result:
    """A result of rows: parameters, and results or the reason of a failure."""
    outcomes = [
        Outcome(kind="exception", reason=end) if isinstance(end, str) else Outcome(results=end)
        for _, end in rows
    ]
    names = list(rows[0][0])
    made_rows = [
        Row(k, parameters, outcome)
        for k, ((parameters, _), outcome) in enumerate(zip(rows, outcomes, strict=True))
    ]
    return Result(names, made_rows, recorded=0)


MIXED = made(
    [
        ({"EI": 1e-3, "kind": "a", "pos": [1, 2]}, {"sag": 0.1 + 0.2, "radius": math.inf}),
        ({"EI": 2, "kind": 'b, "c"', "pos": [3, 4]}, "ValueError: no"),
        ({"EI": 3, "kind": "a", "pos": [5, 6]}, {"sag": -1.0}),
    ]
)


def test_the_table_has_the_points_that_succeeded() -> None:
    table = MIXED.table
    assert list(table) == ["point", "EI", "kind", "pos", "sag", "radius"]
    assert table["point"].tolist() == [0, 2]
    assert table["EI"].dtype == float and table["kind"].tolist() == ["a", "a"]
    assert table["pos"].tolist() == [[1, 2], [5, 6]]
    np.testing.assert_array_equal(table["radius"], [math.inf, math.nan])
    assert str(MIXED.failures[0]).startswith('point 1 (EI = 2, kind = b, "c", pos = [3, 4]): exc')
    assert MIXED.best("sag").index == 2
    with pytest.raises(StrandError, match="result: got 'sagg', allowed: sag, radius"):
        MIXED.best("sagg")


def test_csv_has_all_points_without_loss(tmp_path: Path) -> None:
    MIXED.write(tmp_path / "a.csv")
    with (tmp_path / "a.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["point"] for row in rows] == ["0", "1", "2"]
    assert float(rows[0]["sag"]) == 0.1 + 0.2 and rows[0]["radius"] == "inf"
    assert rows[1]["sag"] == "" and rows[1]["failure"] == "exception: ValueError: no"
    assert rows[1]["kind"] == 'b, "c"' and json.loads(rows[1]["pos"]) == [3, 4]
    assert rows[0]["failure"] == "" and list(tmp_path.iterdir()) == [tmp_path / "a.csv"]


def test_parquet_has_the_same_as_csv(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    MIXED.write(tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert list(table) == ["point", "EI", "kind", "pos", "sag", "radius", "failure"]
    assert table["EI"] == [1e-3, 2.0, 3.0] and table["pos"] == [[1, 2], [3, 4], [5, 6]]
    assert table["sag"] == [0.1 + 0.2, None, -1.0] and table["radius"] == [math.inf, None, None]
    assert table["failure"] == [None, "exception: ValueError: no", None]


def test_other_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(StrandError, match=r"output: got 'a.xlsx', allowed: a path that ends in .c"):
        MIXED.write("a.xlsx")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(StrandError, match=r"allowed: .csv, or .parquet with pyarrow installed"):
        MIXED.write(tmp_path / "a.parquet")
    assert not list(tmp_path.iterdir())


def test_json_is_strict_and_complete() -> None:
    read = json.loads(MIXED.to_json(), parse_constant=pytest.fail)
    assert read["name"] == "sweep" and read["passed"] is False
    assert (read["points"], read["failed"], read["recorded"]) == (3, 1, 0)
    assert read["results"][0]["radius"] == "inf" and read["results"][1]["sag"] is None
    assert [case["passed"] for case in read["results"]] == [True, False, True]


GRID = made([({"x": x, "y": y}, {"z": x * y}) for x in (1, 2, 4) for y in (1e-3, 1e-1, 10.0)])
CASES = {
    "curve": made([({"x": x, "fixed": 1}, {"z": x**2, "w": x}) for x in (3, 1, 2)]),
    "names": made([({"x": x}, {"z": k}) for k, x in enumerate("abc")]),
    "map": GRID,
    "scatter": made([({"x": k / 7 % 1, "y": k / 3 % 1}, {"z": k}) for k in range(20)]),
    "matrix": made([({"x": k % 3, "y": k % 5, "u": str(k % 2)}, {"z": k}) for k in range(20)]),
    "with a failure": made([({"x": 1}, {"z": 1.0}), ({"x": 2}, "no"), ({"x": 3}, {"z": 2.0})]),
    "with inf": made([({"x": k}, {"z": math.inf if k == 1 else 1.0}) for k in range(3)]),
}


@pytest.mark.parametrize("case", CASES)
def test_a_plot_is_drawn(case: str, tmp_path: Path) -> None:
    save_plot(tmp_path / "a.png", CASES[case], "z")
    image = np.asarray(Image.open(tmp_path / "a.png").convert("RGB"))
    assert image.std() > 10


def test_cells_of_a_map_surround_their_points(monkeypatch: pytest.MonkeyPatch) -> None:
    from strand.sweep import plots

    drawn = {}
    monkeypatch.setattr(plots, "save_figure", lambda path, figure: drawn.update(figure=figure))
    plots.save_plot("a.png", GRID)
    axes, bar = drawn["figure"].axes
    assert (axes.get_xlabel(), axes.get_ylabel(), bar.get_ylabel()) == ("x", "y", "z")
    assert axes.get_yscale() == "log" and axes.get_xscale() == "linear"
    borders = axes.collections[0].get_coordinates()
    assert borders[:, 0, 1].tolist() == pytest.approx([1e-4, 1e-2, 1, 100])
    assert borders[0, :, 0].tolist() == pytest.approx([0.5, 1.5, 3, 5])
    assert axes.collections[0].get_array().tolist() == [[x * y for x in (1, 2, 4)]
                                                        for y in (1e-3, 1e-1, 10.0)]  # fmt: skip


def test_what_cannot_be_plotted_is_refused() -> None:
    with pytest.raises(StrandError, match="plot_result: got 'v', allowed: z"):
        save_plot("a.png", GRID, "v")
    with pytest.raises(StrandError, match=r"plot: got 'a.png', allowed: with two or more values"):
        save_plot("a.png", made([({"x": 1}, {"z": 1.0})]))
    with pytest.raises(StrandError, match="plot: got a sweep without results"):
        save_plot("a.png", made([({"x": 1}, "no")]))


def test_the_command_writes_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, of_function("sometimes", "[parameters.x]\ngrid = [0, 1, 8]"))
    options = ["--out", "a.csv", "--out", "b.csv", "--plot", "a.png", "--json", "a.json"]
    done = CliRunner().invoke(app, ["sweep", "a.sweep.toml", "--workers", "1", *options])
    assert done.exit_code == 1  # as one point fails
    assert "3 points\ny: 0 to 8\n" in done.output
    assert "failed: point 1 (x = 1): exception: ValueError: one is not allowed" in done.output
    for name in ("a.csv", "b.csv", "a.png", "a.json", "a.sweep.journal.jsonl"):
        assert Path(name).stat().st_size > 0
    again = CliRunner().invoke(app, ["sweep", "a.sweep.toml"])
    assert "3 points, 3 of them recorded before in a.sweep.journal.jsonl" in again.output


def test_the_command_refuses_bad_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path, of_function("square", "[parameters.x]\ngrid = [0]"))
    for options, error in (
        ([], "spec: got nothing, allowed: a .toml file, --schema or --example FILE"),
        (["none.toml"], "file: got 'none.toml', allowed: a readable TOML file (No such file or"),
        (["a.sweep.toml", "--out", "a.txt"], "out: got 'a.txt', allowed: a path that ends in .csv"),
        (["a.sweep.toml", "--out", "no/a.csv"], "out: got 'no/a.csv', allowed: a writable file"),
    ):
        done = CliRunner().invoke(app, ["sweep", *options])
        assert str(done.exception).startswith(error)
    assert not Path("executions.txt").exists()


def test_the_command_explains_specs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "[parameters.NAME]" in CliRunner().invoke(app, ["sweep", "--schema"]).output
    assert CliRunner().invoke(app, ["sweep", "--example", "s.toml"]).exit_code == 0
    assert "[run]" in Path("s.toml").read_text()
