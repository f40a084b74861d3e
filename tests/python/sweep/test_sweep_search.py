"""Searches by CMA-ES."""

import math
from pathlib import Path

import pytest
from sweep_cases import of_function, write

from strand import StrandError, sweep
from strand.sweep import Outcome
from strand.sweep.plan import Plan, Point

pytest.importorskip("cmaes")

PARAMETERS = "[parameters.a]\nuniform = [-1.0, 1.0]\n[parameters.b]\nloguniform = [0.1, 100.0]\n"
SEARCH = '[cmaes]\nminimise = "height"\nevaluations = {}\nseed = 4\n'


def valley(point: Point) -> Outcome:
    a, b = float(point.parameters["a"]), float(point.parameters["b"])
    return Outcome(results={"height": (a - 0.3) ** 2 + 100 * math.log(b / 2) ** 2})


def searched(plan: Plan, evaluate=valley) -> list[tuple[Point, Outcome]]:
    """All points of a plan with their outcomes."""
    found = []
    while points := plan.batch():
        outcomes = {point.index: evaluate(point) for point in points}
        plan.tell(points, outcomes)
        found += [(point, outcomes[point.index]) for point in points]
    return found


def plan(folder: Path, evaluations: int, parameters: str = PARAMETERS) -> Plan:
    text = of_function("valley", parameters + SEARCH.format(evaluations))
    return sweep.load(write(folder, text)).plan()


def test_a_search_finds_the_minimum_within_its_limits(tmp_path: Path) -> None:
    found = searched(plan(tmp_path, 400))
    assert len(found) <= 400
    best = min(found, key=lambda each: each[1].results["height"])[0]
    assert best.parameters["a"] == pytest.approx(0.3, abs=1e-3)
    assert best.parameters["b"] == pytest.approx(2, rel=1e-3)
    assert all(-1 <= point.parameters["a"] <= 1 for point, _ in found)
    assert all(0.1 <= point.parameters["b"] <= 100 for point, _ in found)


def test_a_minimum_at_a_limit_is_found(tmp_path: Path) -> None:
    def slope(point: Point) -> Outcome:
        return Outcome(results={"height": float(point.parameters["a"])})

    one = "[parameters.a]\nuniform = [-1.0, 1.0]\n"
    found = searched(plan(tmp_path, 200, one), slope)
    assert min(outcome.results["height"] for _, outcome in found) == pytest.approx(-1, abs=1e-3)


def test_a_search_depends_on_its_seed_alone(tmp_path: Path) -> None:
    first, again = searched(plan(tmp_path, 60)), searched(plan(tmp_path, 60))
    assert [point for point, _ in first] == [point for point, _ in again]


def test_failed_points_count_as_worst(tmp_path: Path) -> None:
    def half(point: Point) -> Outcome:
        if float(point.parameters["a"]) < 0:
            return Outcome(kind="exception", reason="below 0")
        return valley(point)

    found = searched(plan(tmp_path, 400), half)
    best = min(outcome.results["height"] for _, outcome in found if not outcome.failed)
    assert any(outcome.failed for _, outcome in found) and best < 1e-5


def test_a_generation_of_failures_stops_the_search(tmp_path: Path) -> None:
    with pytest.raises(StrandError, match=r"in which all 6 points failed, .*first: no"):
        searched(plan(tmp_path, 60), lambda point: Outcome(kind="exception", reason="no"))
    with pytest.raises(StrandError, match=r"cmaes.minimise: got 'height', allowed: depth"):
        searched(plan(tmp_path, 60), lambda point: Outcome(results={"depth": 1.0}))


def test_a_search_continues_where_it_was(tmp_path: Path) -> None:
    spec = write(tmp_path, of_function("valley", PARAMETERS + SEARCH.format(30)))
    journal = tmp_path / "j"
    whole = sweep.run(spec, workers=1, journal=journal).table
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:15]))
    again = sweep.run(spec, workers=1, journal=journal)
    assert again.recorded == 14 and len(journal.read_bytes().splitlines()) == len(lines)
    for name, column in again.table.items():
        assert column.tobytes() == whole[name].tobytes()
