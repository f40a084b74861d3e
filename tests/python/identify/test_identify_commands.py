"""The commands `strand identify`: JSON, plots, exit codes."""

import json
from pathlib import Path

import numpy as np
import pytest
from identify_cases import hanging, stiffness
from typer.testing import CliRunner

from strand import StrandError
from strand.cli import app
from strand.identify import fit_simulation, fit_spec


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    nodes = hanging(stiffness(1e-2, 1.0), 1.0, 0.1, links=50)
    rows = [f"{1000 * x},{-1000 * up}" for x, up in nodes]
    Path("loop.csv").write_text("\n".join(["x_mm,y_down_mm", *rows]))
    times = np.linspace(0, 4, 200)
    values = np.exp(-0.3 * times) * np.cos(7 * times)
    rows = [f"{t},{y}" for t, y in zip(times, values, strict=True)]
    Path("tip.csv").write_text("\n".join(["time,y", *rows]))
    return tmp_path


def run(*words: str) -> dict:
    """The results by quantity of a command that passes."""
    result = CliRunner().invoke(app, ["identify", *words, "--json", "a.json", "--plot", "a.png"])
    assert result.exit_code == 0, (result.output, result.exception)
    assert Path("a.png").stat().st_size > 1000
    document = json.loads(Path("a.json").read_text())
    assert document["passed"]
    return {row["quantity"]: row for row in document["results"]}


def test_bend(folder: Path) -> None:
    options = ("--mass-per-length", "0.02", "--hold", "cta", "--gap", "0.1", "--length", "1")
    found = run("bend", "loop.csv", *options)["EI"]
    assert found["value"] == pytest.approx(stiffness(1e-2, 1.0), rel=0.01)
    assert found["low"] < found["value"] < found["high"] and found["unit"] == "N m^2"


def test_a_limit_fails(folder: Path) -> None:
    words = ["identify", "bend", "loop.csv", "--mass-per-length", "0.02", "--hold", "cta"]
    words += ["--gap", "0.1", "--length", "1", "--method", "golden", "--limit", "1e-5"]
    assert CliRunner().invoke(app, words).exit_code == 1


def test_twist(folder: Path) -> None:
    options = ("--EI", "6.6e-4", "--mass-per-length", "0.02", "--length", "1.5")
    found = run("twist", "700,710", *options, "--criterion", "stability", "--links", "30")
    assert found["GJ"]["value"] == pytest.approx(6.6e-4 * found["GJ/EI"]["value"])
    assert found["GJ/EI, twist mean"]["twist_deg"] == pytest.approx(705)


def test_damping(folder: Path) -> None:
    found = run("damping", "tip.csv", "--skip", "0.2")
    assert found["frequency"]["value"] == pytest.approx(7 / (2 * np.pi))
    assert found["decay rate"]["value"] == pytest.approx(0.3)


def test_fit(folder: Path) -> None:
    for command in ("generate --example cable.toml", "identify fit --example fit.toml"):
        assert CliRunner().invoke(app, command.split()).exit_code == 0
    Path("tip.csv").write_text("node,z\n-1,0\n20,0\n")
    given = fit_spec.load("fit.toml")
    tip, middle = fit_simulation.simulated(given, fit_spec.changed(given.cable, {"young": 2e7}))
    Path("tip.csv").write_text(f"node,z\n-1,{tip[0]}\n20,{middle[0]}\n")
    assert run("fit", "fit.toml")["young"]["value"] == pytest.approx(2e7, rel=0.01)


def test_a_parameter_without_an_effect_fails(folder: Path) -> None:
    for command in ("generate --example cable.toml", "identify fit --example fit.toml"):
        assert CliRunner().invoke(app, command.split()).exit_code == 0
    spec = Path("fit.toml")
    spec.write_text(spec.read_text().replace('"young"', '"friction"').replace("1e8", "1e7"))
    Path("tip.csv").write_text("node,z\n-1,0.85\n20,0.95\n")
    result = CliRunner().invoke(app, ["identify", "fit", "fit.toml", "--json", "a.json"])
    assert result.exit_code == 1 and "the data do not depend on it" in result.output
    row = json.loads(Path("a.json").read_text())["results"][0]
    assert row["identifiable"] is False and row["high"] is None


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("bend nowhere.csv --mass-per-length 1", "file: got 'nowhere.csv'"),
        ("bend loop.csv --mass-per-length 1 --where wire", "where: got 'wire'"),
        ("bend loop.csv --mass-per-length 1 --unit km", "unit: got 'km'"),
        ("bend loop.csv --mass-per-length 1 --unit m", "is the unit right"),
        ("twist abc --EI 1 --mass-per-length 1 --length 1", "critical_twist: got 'abc'"),
        ("damping tip.csv --column z", "column: got 'z'"),
        ("fit", "spec: got nothing"),
    ],
)
def test_bad_arguments(folder: Path, words: str, error: str) -> None:
    result = CliRunner().invoke(app, ["identify", *words.split()])
    assert isinstance(result.exception, StrandError) and error in str(result.exception)
