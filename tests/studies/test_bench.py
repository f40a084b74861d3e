"""The benchmark of the plugin's overhead, at settings so small that its figures mean little."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from strand import StrandError, cli
from strand_studies.bench import overhead, scaling, scenes, stepping, timing

FIGURES = {
    "overhead_percent": float,
    "low": float,
    "high": float,
    "call_us": float,
    "call_low": float,
    "call_high": float,
    "step_us": float,
}


def test_command_writes_json_and_a_plot(tmp_path: Path) -> None:
    json_file, plot = tmp_path / "overhead.json", tmp_path / "overhead.png"
    arguments = ["bench", "overhead", "--segments", "10,20", "--repeats", "3"]
    arguments += ["--cases", "lhb,cantilever", "--json", str(json_file), "--plot", str(plot)]
    result = CliRunner().invoke(cli.app, arguments)
    report = json.loads(json_file.read_text())
    assert report["name"] == "overhead"
    assert result.exit_code == (0 if report["passed"] else 1)
    assert report["passed"] == all(entry["passed"] for entry in report["results"])
    cases = [(entry["case"], entry["segments"]) for entry in report["results"]]
    assert cases == [("lhb", 10), ("lhb", 20), ("cantilever", 10), ("cantilever", 20)]
    for entry in report["results"]:
        assert all(isinstance(entry[name], kind) for name, kind in FIGURES.items())
        assert entry["low"] <= entry["overhead_percent"] <= entry["high"]
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_only_calls_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overhead, "CALL_SEGMENTS", (10, 60))
    report = overhead.run(segments=[20], repeats=15, cases=["call"])
    found = [(entry["root"], entry["segments"]) for entry in report.results]
    assert found == [(root, n) for root in ("end", "middle") for n in (10, 20, 60)]
    for entry in report.results:
        assert entry["overhead_percent"] is None
        assert entry["call_us"] > 0
    json.loads(report.to_json())


def test_both_sides_move_identically() -> None:
    scene = scenes.cantilever(12)
    states = []
    for plugin in (True, False):
        work = overhead.Stepping(scene, plugin, count=3)  # then constant torques no longer fit
        work.prepare()
        work.run()
        states.append(work.data.qpos.copy())
    moved = np.abs(states[0] - scene.data.qpos).max()
    assert np.abs(states[0] - states[1]).max() < 0.05 * moved


def test_scene_without_plugin_has_the_same_dynamics() -> None:
    scene = scenes.buckled(12)
    one, other = scene.with_plugin, scene.without
    assert (one.nplugin, other.nplugin) == (1, 0)
    for field in ("body_mass", "body_inertia", "dof_damping", "jnt_stiffness", "eq_solref"):
        np.testing.assert_array_equal(getattr(one, field), getattr(other, field))
    assert one.opt.integrator == other.opt.integrator


def test_median_interval_contains_the_median() -> None:
    samples = np.random.default_rng(1).normal(5, 1, 400)
    value, low, high = timing.median_interval(samples)
    assert low <= value <= high
    assert abs(value - 5) < 0.2
    assert high - low < 0.5


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"segments": []}, "segments"),
        ({"segments": [1000]}, "segments"),
        ({"repeats": 0}, "repeats"),
        ({"cases": ["none"]}, "cases"),
    ],
)
def test_bad_input_names_the_field(arguments: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"{field}: got"):
        overhead.run(**arguments)


def test_help_states_the_limit_of_the_verdict() -> None:
    result = CliRunner().invoke(cli.app, ["bench", "scaling", "--help"])
    assert f"the power {scaling.SLOPE_LIMIT} of" in " ".join(result.output.split())


def test_stepping_methods_are_as_documented() -> None:
    report = stepping.run((40, 80))
    assert report.passed
    fall = {row["method"]: row for row in report.results if row["case"] == "fall"}
    assert fall["midpoint"]["ends"].endswith("the motion explodes")
    assert fall["bdf2"]["ends"] == fall["backward_euler"]["ends"] == "swings"
    kept = {row["method"]: row["kept"] for row in report.results if row.get("steps") == 80}
    assert kept["backward_euler"] < 0.2 < 0.95 < kept["bdf2"] < 1.0
    with pytest.raises(StrandError, match=r"steps: got \[5\]"):
        stepping.run((5,))
