"""The experiments of Table II and the peer's script, to the extent possible without a network."""

import importlib
import json
import sys
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.peers import assert_failed_install_is_reported
from typer.testing import CliRunner

from strand import StrandError, cli
from strand_studies.bench import batch, environments, scaling, table2, timing
from strand_studies.bench.table2 import CASES, cases, comparison, core
from strand_studies.bench.table2.figures import exact_kinetic_energy, exact_period

ANSWER = {
    "steps": 1500,
    "seconds": 0.06,
    "cpu_seconds": 0.03,
    "diverged_at": None,
    "kinetic_energy": 2.0,
    "times": [0.0, 1.0, 2.0],
    "tip_z": [0.0, -1.0, 0.5],
    "versions": {"pyelastica": "1.0.0", "numba": "0.68.1", "numpy": "2.4.6"},
}


def test_helix_is_that_of_the_paper() -> None:
    nodes = cases.helix()
    assert nodes.shape == (106, 3)
    lengths = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    np.testing.assert_allclose(lengths[0], 0.0250546, atol=1e-9)
    np.testing.assert_allclose(lengths[1:5], np.hypot(4e-3, 8e-5), atol=1e-12)
    np.testing.assert_allclose(lengths[5], np.hypot(4e-3, 32e-5), atol=1e-12)
    np.testing.assert_allclose(lengths[6:], 5.0446149e-3, atol=1e-9)
    np.testing.assert_allclose(lengths.sum(), 0.5444875, atol=1e-7)
    np.testing.assert_allclose(nodes[1], 0, atol=1e-15)
    np.testing.assert_allclose(nodes[6], [0, 0.02, 0], atol=1e-15)
    np.testing.assert_allclose(nodes[7], [0.0046534776, 0.0194510963, -0.0018686869], atol=1e-9)
    end = 3.7 * 2 * np.pi
    np.testing.assert_allclose(nodes[-1], [0.02 * np.sin(end), 0.02 * np.cos(end), -0.185])


def test_mode_shape_is_that_of_a_clamped_beam() -> None:
    places = np.linspace(0, 1, 2001)
    shape = cases.first_mode(places)
    step = places[1]
    assert (shape[0], shape[-1]) == (0, 1)
    assert (np.diff(shape) > 0).all()
    assert abs(shape[1]) < 2 * step**2  # clamped: no slope
    bend = np.diff(shape, 2) / step**2
    np.testing.assert_allclose(bend[-1], 0, atol=1e-3)  # free: no moment, no shear force
    np.testing.assert_allclose((bend[-1] - bend[-2]) / step, 0, atol=1e-2)
    # phi'''' = b^4 phi: bending balances the beam's own inertia.
    coarse = np.diff(shape[::20], 4) / (20 * step) ** 4
    np.testing.assert_allclose(coarse, 12.3623634 * shape[::20][2:-2], atol=5e-3)


def test_cases_are_those_of_the_table() -> None:
    assert list(CASES) == ["a1", "a2", "b1", "b2", "c"]
    steps = [round(case.duration / case.peer_timestep) for case in CASES.values()]
    assert steps == [400_000, 666_667, 250_000, 2_000_000, 15_000]
    for name in ("a1", "a2"):
        case = CASES[name]
        assert case.nodes.shape == case.velocities.shape == (201, 3)
        np.testing.assert_allclose(case.velocities[-1], [0, 0, 5e-3])
        assert case.gravity == 0
    pushed = CASES["c"]
    mass = pushed.density * np.pi * pushed.radius**2 * 1.0
    np.testing.assert_allclose(mass, 1.0, atol=1e-5)
    assert pushed.nodes[0, 2] == pushed.radius
    np.testing.assert_allclose(pushed.shear_modulus, pushed.young / 3)


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A fake Python that saves the request in tmp_path/request and prints a given answer."""

    def make(answer: dict | str, complaint: str = "") -> Path:
        text = answer if isinstance(answer, str) else json.dumps(answer)
        (tmp_path / "answer").write_text(text)
        python = tmp_path / "python"
        python.write_text(
            f"#!/bin/sh\ncat > '{tmp_path}/request'\ncat '{tmp_path}/answer'\n"
            f"echo '{complaint}' >&2\n"
        )
        python.chmod(0o755)
        monkeypatch.setattr(environments, "find_python", lambda peer: python)
        return tmp_path / "request"

    return make


def test_a_fraction_of_the_steps_is_extrapolated(fake: Any) -> None:
    request = fake(ANSWER)
    found = table2.measure_peer(CASES["c"], budget=0.5)
    asked = json.loads(request.read_text())
    assert (asked["steps"], asked["timestep"], asked["budget"]) == (15_000, 1e-4, 0.5)
    assert (asked["clamped"], asked["friction"], asked["push"]) == (False, 0.4, 10.5)
    assert np.shape(asked["nodes"]) == (26, 3)
    assert asked["velocities"] is None
    assert (found["steps"], found["steps_measured"], found["whole"]) == (15_000, 1500, False)
    np.testing.assert_allclose(found["step_us"], 40)
    np.testing.assert_allclose([found["seconds"], found["cpu_seconds"]], [0.6, 0.3])
    assert found["kinetic_energy"] is None
    assert found["version"] == "1.0.0"


def test_a_complete_run_reports_the_path_of_the_tip(fake: Any) -> None:
    request = fake(ANSWER | {"steps": 250_000})
    found = table2.measure_peer(CASES["b1"], budget=float("inf"))
    assert json.loads(request.read_text())["budget"] == float("inf")
    assert found["whole"] is True
    assert (found["tip_low"], found["tip_high"], found["tip_end"]) == (-1.0, 0.5, 0.5)
    assert found["kinetic_energy"] == 2.0
    assert found["seconds"] == 0.06


def test_a_run_that_diverged_is_not_complete(fake: Any) -> None:
    fake(ANSWER | {"steps": 15_000, "diverged_at": 1.5, "kinetic_energy": None})
    found = table2.measure_peer(CASES["c"])
    assert (found["whole"], found["diverged_at"]) == (False, 1.5)
    assert found["tip_end"] is None


def test_errors_of_the_peer_are_told(fake: Any) -> None:
    fake({"error": "ValueError: no rod"})
    with pytest.raises(StrandError, match="peer pyelastica: ValueError: no rod"):
        table2.measure_peer(CASES["c"])
    fake("", "Killed\nModuleNotFoundError: elastica")
    with pytest.raises(StrandError, match="peer pyelastica: died: ModuleNotFoundError: elastica"):
        table2.measure_peer(CASES["c"])


def test_an_environment_that_cannot_be_made_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_failed_install_is_reported(
        lambda: table2.measure_peer(CASES["c"]), r"pyelastica==1\.0\.0", tmp_path, monkeypatch
    )


@pytest.mark.parametrize("budget", [0, -1.0, float("nan")])
def test_a_budget_has_to_be_positive(budget: float) -> None:
    with pytest.raises(StrandError, match="budget: got"):
        table2.measure_peer(CASES["c"], budget)


def test_period_of_the_tip() -> None:
    times = np.linspace(0, 10, 1001)
    figures = table2.tip_figures(times, 3 - 2 * np.cos(2 * np.pi * times / 1.3))
    np.testing.assert_allclose(figures["tip_period"], 1.3, rtol=1e-4)
    np.testing.assert_allclose([figures["tip_low"], figures["tip_high"]], [1, 5], atol=1e-3)
    assert table2.tip_figures(times, times)["tip_period"] is None


def test_sides_alternate_and_the_least_time_counts() -> None:
    order = []

    def side(name: str, seconds: list[float]) -> table2.Side:
        def run(case: table2.Case) -> dict:
            order.append(name)
            return {"seconds": seconds.pop(0), "case_seen": case.name}

        return run

    sides = {"peer": side("peer", [3.0, 1.0, 2.0]), "strand": side("strand", [0.5, 0.7, 0.2])}
    peer, strand = table2.measure(CASES["a1"], sides, repeats=3)
    assert order == ["peer", "strand"] * 3
    assert (peer["peer"], peer["case"], peer["case_seen"]) == ("peer", "a1", "a1")
    assert (peer["seconds"], peer["median_seconds"], peer["repeats"]) == (1.0, 2.0, 3)
    assert (strand["seconds"], strand["median_seconds"]) == (0.2, 0.5)
    with pytest.raises(StrandError, match="repeats: got 0"):
        table2.measure(CASES["a1"], sides, repeats=0)


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """The peer's script with an empty PyElastica."""
    empty = types.ModuleType("elastica")
    for name in ("BaseSystemCollection", "Constraints", "Forcing", "Contact", "CosseratRod"):
        setattr(empty, name, type(name, (), {}))
    monkeypatch.setitem(sys.modules, "elastica", empty)
    monkeypatch.delitem(sys.modules, "strand_studies.bench.table2.peer", raising=False)
    module = importlib.import_module("strand_studies.bench.table2.peer")
    # Later imports must not find the empty PyElastica.
    monkeypatch.delitem(sys.modules, "strand_studies.bench.table2.peer")
    return module


def test_directors_of_the_peer_are_frames_without_twist(script: types.ModuleType) -> None:
    edges = np.diff(cases.helix(), axis=0).T
    tangents = edges / np.linalg.norm(edges, axis=0)
    directors = script.transport(tangents)
    frames = np.moveaxis(directors, 2, 0)
    expected = np.broadcast_to(np.eye(3), frames.shape)
    np.testing.assert_allclose(frames @ frames.transpose(0, 2, 1), expected, atol=1e-14)
    np.testing.assert_allclose(np.linalg.det(frames), 1)
    np.testing.assert_allclose(frames[:, 2].T, tangents)
    # The rotation from each frame to the next has no component along the mean of the tangents.
    turns = np.einsum("kia,kib->kab", frames[1:], frames[:-1])
    spins = np.stack([turns[:, 2, 1] - turns[:, 1, 2], turns[:, 0, 2] - turns[:, 2, 0]], axis=1)
    spins = np.column_stack([spins, turns[:, 1, 0] - turns[:, 0, 1]])
    mean = frames[1:, 2] + frames[:-1, 2]
    np.testing.assert_allclose(np.einsum("ka,ka->k", spins, mean), 0, atol=1e-13)


class Falling:
    """Stands in for script.Simulation: a tip falls by 1 m per step and is lost below `lost`."""

    lost = -1e9

    def __init__(self, request: dict) -> None:
        self.rod = types.SimpleNamespace(position_collection=np.zeros((3, 4)))
        self.rod.compute_translational_energy = lambda: 7.0

    def advance(self, steps: int) -> None:
        self.rod.position_collection[2] -= steps

    @property
    def sound(self) -> bool:
        return self.rod.position_collection[2, -1] > self.lost


def test_script_runs_all_steps_and_samples_the_tip(
    script: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "Simulation", Falling)
    answer = script.measure({"steps": 2500, "timestep": 0.01, "budget": float("inf")})
    assert answer["steps"] == 2500
    assert answer["diverged_at"] is None
    assert answer["kinetic_energy"] == 7.0
    np.testing.assert_allclose(answer["times"][:2] + answer["times"][-1:], [0, 0.02, 25.0])
    np.testing.assert_allclose(answer["tip_z"], -100 * np.array(answer["times"]))


def test_script_stops_when_its_budget_is_spent(
    script: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(np.arange(0, 1000, 0.5))
    monkeypatch.setattr(script, "Simulation", Falling)
    stub = types.SimpleNamespace(perf_counter=lambda: next(clock), process_time=lambda: 0.0)
    monkeypatch.setattr(script, "time", stub)
    answer = script.measure({"steps": 5000, "timestep": 0.01, "budget": 2.0})
    assert (answer["steps"], answer["seconds"]) == (20, 2.0)


def test_script_reports_when_the_rod_is_lost(
    script: types.ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script, "Simulation", Falling)
    monkeypatch.setattr(Falling, "lost", -500)
    answer = script.measure({"steps": 2000, "timestep": 0.1, "budget": float("inf")})
    np.testing.assert_allclose(answer["diverged_at"], 50.0)
    assert answer["kinetic_energy"] is None
    assert len(answer["times"]) == len(answer["tip_z"]) == 250


@pytest.mark.parametrize("name", ["a1", "a2"])
def test_strand_swings_at_the_beam_s_period(name: str) -> None:
    case = CASES[name]
    found = table2.measure_strand(case)
    assert (found["steps"], found["halved_steps"]) == (round(case.duration / case.timestep), 0)
    np.testing.assert_allclose(found["tip_period"], exact_period(case), rtol=1e-3)
    speed = 2 * np.pi / exact_period(case)
    np.testing.assert_allclose(found["tip_high"], 5e-3 / speed, rtol=0.02)
    assert 1 <= found["newton_per_step"] <= 3
    np.testing.assert_allclose(found["newton_us"] * found["newton_per_step"], found["step_us"])


def test_strand_s_helix_sags_to_its_static_position() -> None:
    simulation = core.make_simulation(CASES["b2"])
    simulation.solve()
    np.testing.assert_allclose(simulation.positions[-1, 2], -0.188681, atol=1e-6)


def test_strand_s_rod_on_the_floor_slides_like_a_block() -> None:
    found = table2.measure_strand(CASES["c"])
    np.testing.assert_allclose(found["kinetic_energy"], exact_kinetic_energy(CASES["c"]), rtol=1e-4)
    np.testing.assert_allclose(exact_kinetic_energy(CASES["c"]), 48.708, rtol=1e-4)


def test_comparison_has_ratios_and_a_verdict(fake: Any, tmp_path: Path) -> None:
    # PyElastica takes a day, longer than Strand on any machine, and its period is 2 % off: Strand
    # is faster and more accurate.
    times = np.linspace(0, 20, 2001)
    heights = 1e-3 * np.sin(2 * np.pi * times / 1.29)
    motion = {"times": times.tolist(), "tip_z": heights.tolist()}
    fake(ANSWER | motion | {"steps": 666_667, "seconds": 86400.0, "cpu_seconds": 86400.0})
    out, plot = tmp_path / "a.json", tmp_path / "a.png"
    arguments = ["bench", "table2", "--case", "a2", "--repeats", "1", "--whole"]
    result = CliRunner().invoke(cli.app, [*arguments, "--json", str(out), "--plot", str(plot)])
    rows = {row["peer"]: row for row in json.loads(out.read_text())["results"]}
    assert list(rows) == ["strand", "pyelastica", "dismech"], result.output
    ours, peer, quoted = rows.values()
    assert ours["passed"] is True and abs(ours["period_error"]) < 1e-3
    np.testing.assert_allclose(peer["period_error"], 1.29 / exact_period(CASES["a2"]) - 1, 1e-3)
    np.testing.assert_allclose(peer["ratio"], 86400 / ours["cpu_seconds"])
    assert peer["passed"] is True and peer["bar"] == 380
    np.testing.assert_allclose(quoted["ratio"], 1.22 / ours["cpu_seconds"])
    assert quoted["passed"] is bool(quoted["ratio"] >= 15)
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_a_faster_or_more_accurate_peer_fails_the_verdict(fake: Any) -> None:
    times = np.linspace(0, 20, 2001)
    heights = 1e-3 * np.sin(2 * np.pi * times / exact_period(CASES["a2"]))
    motion = {"times": times.tolist(), "tip_z": heights.tolist()}
    fake(ANSWER | motion | {"steps": 666_667, "seconds": 0.1, "cpu_seconds": 0.1})
    report = comparison.run(["a2"], 1, ["strand", "pyelastica"], whole=True)
    assert [row["passed"] for row in report.results] == [False, False]
    assert not report.passed


def test_the_rod_on_the_floor_is_judged_by_its_kinetic_energy(fake: Any) -> None:
    fake(ANSWER)
    ours = comparison.run(["c"], 1).results[0]
    assert ours["peer"] == "strand" and ours["passed"] is True
    assert abs(ours["kinetic_error"]) < 1e-4


@pytest.mark.parametrize(
    ("arguments", "field"),
    [({"cases": ["d"]}, "case"), ({"cases": []}, "case"), ({"peers": ["rope"]}, "peers")],
)
def test_bad_input_of_the_comparison_names_the_field(arguments: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"{field}: got"):
        comparison.run(**arguments)


def test_scaling_measures_each_size_in_a_process(tmp_path: Path) -> None:
    out, plot = tmp_path / "a.json", tmp_path / "a.png"
    arguments = ["bench", "scaling", "--nodes", "50,1000,2000", "--repeats", "1"]
    arguments += ["--json", str(out), "--plot", str(plot)]
    result = CliRunner().invoke(cli.app, arguments)
    rows = json.loads(out.read_text())["results"]
    assert [row["nodes"] for row in rows] == [50, 1000, 2000], result.output
    assert len({row["newton_per_step"] for row in rows}) == 1
    assert [row["passed"] for row in rows[:2]] == [None, None]
    assert rows[2]["passed"] is (rows[2]["slope"] <= scaling.SLOPE_LIMIT)
    assert 0 < rows[1]["memory_mb"] < rows[2]["memory_mb"] < 1000
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_power_is_the_slope_of_the_logarithms() -> None:
    rows = [{"nodes": n, "step_us": 3 * n**1.5} for n in (10, 100, 1000)]
    np.testing.assert_allclose(timing.power(rows, "nodes", "step_us"), 1.5)
    assert timing.power(rows[:1], "nodes", "step_us") is None


def test_threads_end_where_one_does(tmp_path: Path) -> None:
    out, plot = tmp_path / "a.json", tmp_path / "a.png"
    arguments = ["bench", "batch", "--rods", "4", "--nodes", "12", "--threads", "2"]
    arguments += ["--repeats", "1", "--json", str(out), "--plot", str(plot)]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    one, two = json.loads(out.read_text())["results"]
    assert (one["threads"], two["threads"], two["passed"]) == (1, 2, True)
    assert two["rod_steps_per_second"] == pytest.approx(4 * batch.STEPS / two["seconds"])
    assert plot.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("run", "arguments", "field"),
    [
        (scaling.run, {"sizes": [3]}, "nodes"),
        (scaling.run, {"sizes": []}, "nodes"),
        (batch.run, {"rods": 0}, "rods"),
        (batch.run, {"threads": -1}, "threads"),
    ],
)
def test_bad_sizes_name_the_field(run: Any, arguments: dict, field: str) -> None:
    with pytest.raises(StrandError, match=f"{field}.*: got"):
        run(**arguments)
