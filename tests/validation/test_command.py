"""The command `strand validate`."""

import json

import pytest
from support.engine import needs_discrete
from typer.testing import CliRunner

import strand
from strand.cli import app


def run(*arguments):
    return CliRunner().invoke(app, ["validate", *arguments])


@needs_discrete
def test_writes_json_and_plot(tmp_path):
    result = run(
        "cantilever", "--segments", "8,40", "--json", str(tmp_path / "a.json"),
        "--plot", str(tmp_path / "a.png"),
    )  # fmt: skip
    assert result.exit_code == 0
    document = json.loads((tmp_path / "a.json").read_text())
    assert document["name"] == "cantilever" and document["passed"] is True
    assert [case["segments"] for case in document["results"]] == [8, 40]
    assert (tmp_path / "a.png").exists()


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        (("lhb", "--backend", "core"), "backend"),
        (("nothing",), "name"),
        (("all", "--segments", "40"), "segments"),
        (("lhb", "--segments", "forty"), "segments"),
        (("lhb", "--segments", "-3"), "segments"),
        (("mbi", "--segments", "40,60"), "segments"),
        (("mbi", "--ratios", "nan"), "ratios"),
        (("lhb", "--ratios", "0.5"), "ratios"),
        (("lhb", "--curvature", "straight"), "curvature"),
        (("mbi", "--twisting", "ends"), "twisting"),
    ],
)
def test_bad_arguments_are_reported(arguments, field):
    result = run(*arguments)
    assert isinstance(result.exception, strand.StrandError)
    assert str(result.exception).startswith(f"{field}: got ")


@needs_discrete
def test_an_unwritable_file_loses_no_results(tmp_path):
    result = run("cantilever", "--segments", "4", "--json", str(tmp_path / "no" / "a.json"))
    assert isinstance(result.exception, strand.StrandError)
    assert "no/a.json" in str(result.exception)
