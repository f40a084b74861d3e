"""Strand's solvers in cosseratbench: against its theory, held and driven ends, contact, words."""

import dataclasses
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from support.engine import needs_discrete
from typer.testing import CliRunner

from strand import StrandError, cli
from strand_studies.bench.cosserat import comparison

pytest.importorskip("cosseratbench", reason='needs cosseratbench: pip install "strand[bench]"')

from cosseratbench import registry
from cosseratbench.experiment import Result, run
from cosseratbench.metrics import twist_angles
from cosseratbench.scenario import (
    Cylinder,
    EndCondition,
    Material,
    Motion,
    Plane,
    PointLoad,
    Rod,
    Scenario,
)
from cosseratbench.solver import Diverged, Solver
from cosseratbench.trajectory import Trajectory

from strand_studies.bench.cosserat.core import StrandCore
from strand_studies.bench.cosserat.plugin import StrandMuJoCo

SOLVERS = (StrandMuJoCo, StrandCore)
BOTH = pytest.mark.parametrize(
    "solver", (pytest.param(StrandMuJoCo, marks=needs_discrete), StrandCore)
)
MATERIAL = Material(youngs_modulus=1e6, shear_modulus=4e5, density=1000.0)
RADIUS, ELEMENTS = 0.01, 12


def _rod(**changes: object) -> Rod:
    """A rod of 0.5 m along x, clamped at its start."""
    rod = Rod(
        centerline=((0.0, 0.0, 0.0), (0.5, 0.0, 0.0)),
        radius=RADIUS,
        material=MATERIAL,
        start=EndCondition.CLAMPED,
    )
    return dataclasses.replace(rod, **changes)


def _driven(displacement: tuple, rotation: tuple, slides_along: tuple | None = None) -> Motion:
    """A motion from rest to that displacement (m) and rotation vector (rad) within 1 s."""
    still = (0.0, 0.0, 0.0)
    return Motion((0.0, 1.0), (still, displacement), (still, rotation), slides_along)


def _moved(rod: Rod, solver: type, duration: float = 2.0, **scene: object) -> Trajectory:
    scenario = Scenario(rods=(rod,), duration=duration, quasi_static=True, **scene)
    return solver().run(scenario, n_elements=ELEMENTS, n_frames=5)


def _result(name: str, solver: Solver, n_elements: int) -> Result:
    return run(registry.load_experiment(name), solver, n_elements=n_elements)


@BOTH
def test_cantilever_and_catenary_meet_theory(solver: type) -> None:
    cantilever = _result("cantilever", solver(), 20)
    assert cantilever.metrics["tip_deflection_error"] < 1e-3  # 6e-4: the theory is linear
    catenary = _result("catenary", solver(), 20)
    # The chain cannot stretch, by which the cable sags 1.2 % more.
    assert catenary.metrics["sag_error"] < (2e-3 if solver is StrandCore else 0.013)
    for result in (cantilever, catenary):
        assert result.metrics["settling_residual"] < 1e-5
        assert result.settings["time_step"] > 0


@BOTH
def test_pendulum_keeps_its_swing(solver: type) -> None:
    result = _result("pendulum", solver(), 16)
    assert result.metrics["period_error"] < 2e-3
    assert abs(result.metrics["amplitude_change"]) < 2e-3


@BOTH
@pytest.mark.parametrize("slides", [False, True])
def test_driven_end_turns_the_material(solver: type, slides: bool) -> None:
    angle = 2.5
    motion = _driven((0.0, 0.0, 0.0), (angle, 0.0, 0.0), (1.0, 0.0, 0.0) if slides else None)
    load = (PointLoad((0.05, 0.0, 0.0)),)
    rod = _rod(end=EndCondition.CLAMPED, end_motion=motion, loads=load)
    moved = _moved(rod, solver)
    twist = twist_angles(moved.positions[0], moved.directors[0])[-1]
    # Between the middles of the first and last elements lie n - 1 of the rod's n elements.
    assert twist.sum() == pytest.approx(angle * (ELEMENTS - 1) / ELEMENTS, rel=0.01)
    assert np.ptp(twist) < 0.02 * twist.mean()
    np.testing.assert_allclose(moved.positions[0][-1][:, 1:], 0.0, atol=1e-4)
    if slides and solver is StrandCore:
        stretch = 0.05 / (MATERIAL.youngs_modulus * np.pi * RADIUS**2)
        assert moved.positions[0][-1][-1, 0] == pytest.approx(0.5 * (1 + stretch), rel=1e-5)


@BOTH
def test_driven_clamp_carries_the_rod(solver: type) -> None:
    rod = _rod(start_motion=_driven((0.0, 0.1, 0.2), (0.0, 0.0, np.pi / 2)))
    moved = _moved(rod, solver, duration=30.0)
    line = np.linspace(0.0, 0.5, ELEMENTS + 1)
    expected = np.stack([0 * line, 0.1 + line, 0.2 + 0 * line], axis=1)
    np.testing.assert_allclose(moved.positions[0][-1], expected, atol=2e-3)


@needs_discrete
def test_sliding_end_of_the_chain_follows_across_its_rail() -> None:
    motion = _driven((0.0, 0.03, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    moved = _moved(_rod(end=EndCondition.CLAMPED, end_motion=motion), StrandMuJoCo)
    end = moved.positions[0][-1][-1]
    assert end[1] == pytest.approx(0.03, abs=1e-4)
    assert 0.49 < end[0] < 0.4999  # pulled in, since the chain keeps its length


@BOTH
def test_first_frame_is_the_scenario(solver: type) -> None:
    rod = _rod(centerline=((0, 0, 0), (0.2, 0.1, 0), (0.4, 0.1, 0.1)), normal=(0.0, 0.0, 1.0))
    start = _moved(rod, solver, duration=0.01)
    np.testing.assert_allclose(start.positions[0][0], rod.nodes(ELEMENTS), atol=1e-9)
    np.testing.assert_allclose(start.directors[0][0], rod.directors(ELEMENTS), atol=1e-6)


@BOTH
@pytest.mark.parametrize("friction", [0.0, 0.5])
def test_rod_rests_on_a_tilted_plane(solver: type, friction: float) -> None:
    normal = np.array([0.0, -np.sin(0.3), np.cos(0.3)])
    plane = Plane(point=tuple(-1.001 * RADIUS * normal), normal=tuple(normal), friction=friction)
    rod = _rod(start=EndCondition.FREE)
    # The length keeps it from rolling: the plane falls along the rod.
    along = tuple(map(tuple, [[0.0, 0.0, 0.0], 0.5 * np.array([0.0, np.cos(0.3), np.sin(0.3)])]))
    rod = dataclasses.replace(rod, centerline=along, normal=(1.0, 0.0, 0.0))
    moved = _moved(rod, solver, duration=0.5, gravity=(0.0, 0.0, -9.81), obstacles=(plane,))
    nodes = moved.positions[0]
    heights = (nodes[-1] - np.asarray(plane.point)) @ normal
    assert heights.min() > 0.9 * RADIUS
    slid = np.linalg.norm(nodes[-1] - nodes[0], axis=1).max()
    assert slid < 2e-3 if friction else slid > 0.1


@BOTH
def test_cylinder_carries_a_rod(solver: type) -> None:
    cylinder = Cylinder((0.25, 0.0, -0.051 - RADIUS), (0.0, 1.0, 0.0), 0.05, 0.2)
    rod = _rod(start=EndCondition.PINNED, end=EndCondition.PINNED)
    moved = _moved(rod, solver, gravity=(0.0, 0.0, -9.81), obstacles=(cylinder,))
    assert moved.positions[0][-1][:, 2].min() > -0.02


@BOTH
def test_rope_that_starts_inside_a_drum_is_not_thrown_off(solver: type) -> None:
    """Its elements start inside the drum, between nodes on the surface; friction then holds it."""
    scenario = dataclasses.replace(registry.load_experiment("capstan").scenario, duration=0.5)
    light = solver().run(scenario, n_elements=100, n_frames=11).positions[0][:, 0, 2]
    assert np.ptp(light) < 5e-4


def test_what_is_unsupported_is_said() -> None:
    sliding = _driven((0.0, 0.03, 0.0), (0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    with pytest.raises(NotImplementedError, match="sliding end"):
        _moved(_rod(end=EndCondition.CLAMPED, end_motion=sliding), StrandCore)
    rods = (_rod(friction=0.1), _rod(centerline=((0, 1, 0), (0.5, 1, 0)), friction=0.2))
    with pytest.raises(NotImplementedError, match="coefficients of friction"):
        StrandCore().run(Scenario(rods=rods, duration=0.1), n_elements=4, n_frames=2)
    for solver in SOLVERS:
        result = _result("cantilever", solver(), 1)
        assert result.outcome == "unsupported"
        assert "fewer than 2 elements" in result.missing[0]


@needs_discrete
def test_divergence_is_reported() -> None:
    still, far = (0.0, 0.0, 0.0), (0.0, 1e4, 0.0)
    thrown = Motion((0.0, 1e-2), (still, far), (still, still))
    with pytest.raises(Diverged) as raised:
        _moved(_rod(start_motion=thrown), StrandMuJoCo, duration=0.1)
    assert 0 < raised.value.time <= 0.1


def test_bad_options_are_named() -> None:
    for solver in SOLVERS:
        with pytest.raises(StrandError, match="time_step_scale: got 0"):
            solver(time_step_scale=0)
    for arguments, word in (
        ({"experiments": ["cantilevers"]}, "experiments: got 'cantilevers'"),
        ({"solvers": ["strand"]}, "solvers: got 'strand'"),
        ({"segments": [1]}, "segments: got "),
    ):
        with pytest.raises(StrandError, match=word):
            comparison.run(**arguments)


@needs_discrete
def test_smaller_steps_on_request() -> None:
    scenario = registry.load_experiment("cantilever").scenario
    for solver in SOLVERS:
        steps = [
            solver(scale).settings(scenario, n_elements=8, n_frames=101)["time_step"]
            for scale in (1.0, 0.25)
        ]
        assert steps[1] < 0.3 * steps[0]


@needs_discrete
def test_command_prints_one_row_per_run(tmp_path: Path) -> None:
    file = tmp_path / "cosserat.json"
    arguments = ["bench", "cosserat", "--experiments", "cantilever", "--segments", "4,8"]
    arguments += ["--solvers", "strand-mujoco,strand-core,mujoco", "--json", str(file)]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    rows = json.loads(file.read_text())["results"]
    assert [(row["solver"], row["segments"]) for row in rows] == [
        (solver, count) for count in (4, 8) for solver in ("strand-mujoco", "strand-core", "mujoco")
    ]
    for row in rows:
        if row["solver"] == "mujoco":
            assert row["passed"] is None
            continue
        assert (row["outcome"], row["passed"]) == ("completed", True)
        assert row["wall_s"] > 0
        assert row["tip_deflection_error"] < 0.05


def test_missing_benchmark_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cosseratbench", None)
    with pytest.raises(StrandError, match=r'pip install "strand\[bench\]"'):
        comparison.run()
