"""Published examples with shells, and the swimming rod: figures, helpers, theory.

With STRAND_DATA set to the directory of the authors' own results (`rod_shell/`; not part of this
repository), every step is compared with them; without it, only the published figures are.
"""

import importlib
import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.examples import assert_rows, value

from strand_studies.published import COMPAT, EXAMPLES, figures, manta, parachute, snake

pytestmark = pytest.mark.slow

#: Number of figures that each example judges: none may get lost.
JUDGED = {"manta": 11, "parachute": 14, "snake": 7}
JUDGED_BY_THE_SAME_RULE = {"manta": 9, "parachute": 10}

DATA = os.environ.get("STRAND_DATA")
with_data = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")


@cache
def report(name: str, **options):
    return importlib.import_module(f"strand_studies.published.{name}").run(**options)


def assert_judged(name: str, judged: int, **options) -> None:
    found = report(name, **options)
    assert_rows(found.results, judged)
    assert json.loads(found.to_json())["results"] == found.results


@pytest.mark.parametrize("name", JUDGED)
def test_figures_meet_their_references(name: str) -> None:
    assert name in EXAMPLES
    assert_judged(name, JUDGED[name])


@pytest.mark.parametrize("name", JUDGED_BY_THE_SAME_RULE)
def test_figures_meet_their_references_with_the_published_stop(name: str) -> None:
    assert name in COMPAT
    assert_judged(name, JUDGED_BY_THE_SAME_RULE[name], compat=True)


@pytest.mark.parametrize("name", ["manta", "parachute"])
def test_reports_list_the_iterations_of_steps(name: str) -> None:
    assert "Newton iterations x number of steps: " in report(name).note
    assert "with a tolerance of 1e-10: " in report(name).note


def test_histogram_counts_steps() -> None:
    assert figures.histogram(np.array([4, 3, 4, 4])) == "3 x 1, 4 x 3"
    assert figures.histogram(np.array([], int)) == ""


def test_linear_convergence_is_not_quadratic() -> None:
    tight = np.array([3, 4, 4])
    assert figures.quadratic("", tight, tight + np.array([1, 0, 1]))["passed"] is True
    assert figures.quadratic("", tight, tight + 13)["passed"] is False


def test_traces_are_the_paths_of_the_followed_nodes() -> None:
    followed = figures.follow(snake.build()[0], 0.05, 0)
    path, iterations = figures.trace(snake.build()[0], 0.05, 0)
    assert np.array_equal(path, followed)
    assert path.shape == (6, 3) and iterations.shape == (5,) and (iterations > 0).all()


# The manta ray.


def test_wings_beat_in_half_a_wave_along_the_back() -> None:
    start = manta.natural_angles(0.0, 10)
    np.testing.assert_allclose(start[[0, -1]], [0, -manta.AMPLITUDE], atol=1e-15)
    assert (np.diff(start) < 0).all()
    half = manta.natural_angles(0.5 / manta.FREQUENCY, 10)
    np.testing.assert_allclose(half, -manta.AMPLITUDE - start, atol=1e-14)


def test_the_back_runs_forward_along_the_axis() -> None:
    simulation, shell = manta.build()
    hinges = manta.back(shell, simulation.positions[shell.nodes])
    ends = dict(zip(shell.edges, simulation.positions[shell.edge_nodes], strict=True))
    middles = np.array([ends[edge].mean(axis=0) for edge in hinges])
    assert len(hinges) == manta.DIVISIONS
    np.testing.assert_array_equal(middles[:, 0], 0)
    assert (np.diff(middles[:, 1]) > 0).all()


def test_a_manta_that_does_not_flap_does_not_swim(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(manta, "AMPLITUDE", 0.0)
    path, _ = manta.swim(0.2)
    np.testing.assert_allclose(path[:, 1], manta.FRONT[1], atol=1e-12)
    assert path[-1, 2] < 0


# The parachute.


def test_the_parachute_weighs_what_the_published_one_does() -> None:
    """4.0793 kg, including the payload of 0.13107 kg."""
    simulation, payload = parachute.build()
    mass = simulation.core.mass[simulation.node_dofs(range(len(simulation.positions)), "z")]
    np.testing.assert_allclose(mass[payload], 0.13107, atol=5e-6)
    np.testing.assert_allclose(mass.sum(), 4.0793, atol=5e-5)


def test_the_parachute_falls_freely_at_first() -> None:
    """Only drag acts on it, of second order in the speed: -.2 - g dt^2 after a step."""
    simulation, payload = parachute.build()
    simulation.step()
    fallen = -0.2 - parachute.GRAVITY * parachute.DT**2
    np.testing.assert_allclose(simulation.positions[payload, 2], fallen, atol=1e-9)


# The snake.


def test_a_snake_with_larger_drag_along_itself_swims_with_the_wave(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(snake, "ALONG", 0.1)
    monkeypatch.setattr(snake, "ACROSS", 0.01)
    monkeypatch.setattr(snake, "DURATION", 2.0)
    path = snake.swim(*snake.build())
    assert snake.centre(path[-1])[0] - snake.centre(path[0])[0] > 1e-3
    assert snake.swimmer().speed > 0


def test_curvature_travels_towards_the_tail() -> None:
    """A quarter of a period later, each curvature is found a quarter of a wave further on."""
    simulation, rod = snake.build(edges=72)
    shapes = []
    for _ in range(2):
        simulation.run(4.25)
        nodes = simulation.positions[rod.nodes]
        t = np.diff(nodes, axis=0)
        shapes.append(np.diff(np.arctan2(t[:, 1], t[:, 0])))
    quarter = round(72 * snake.WAVE / snake.LENGTH / 4)
    middle = slice(20, 55)
    moved = np.roll(shapes[0], quarter)[middle]
    np.testing.assert_allclose(shapes[1][middle], moved, atol=0.1 * np.ptp(moved))


def test_linear_theory_satisfies_its_equation() -> None:
    swimmer = snake.swimmer()
    x = np.linspace(0, swimmer.length, 31)
    w, k = 2 * np.pi * swimmer.frequency, 2 * np.pi / swimmer.wave_length
    natural = swimmer.curvature * np.exp(-1j * k * x)
    y, bend, shear, load = (swimmer.displacement(x, order) for order in (0, 2, 3, 4))
    elastic = swimmer.bending_stiffness * (load + k**2 * natural)
    fluid = (1j * w * swimmer.drag_across - w**2 * swimmer.mass_per_length) * y
    assert abs(elastic + fluid).max() < 1e-9 * abs(fluid).max()
    for found, wanted in ((bend, natural), (shear, -1j * k * natural)):
        assert abs(found - wanted)[[0, -1]].max() < 1e-9 * abs(wanted).max()


def test_derivatives_of_linear_theory() -> None:
    swimmer, step = snake.swimmer(), 1e-5
    x = np.linspace(0.01, 0.09, 9)
    for order in range(4):
        around = [swimmer.displacement(x + side * step, order) for side in (-1, 1)]
        slope = (around[1] - around[0]) / (2 * step)
        wanted = swimmer.displacement(x, order + 1)
        np.testing.assert_allclose(slope, wanted, atol=1e-5 * abs(wanted).max())


def test_long_snakes_swim_like_infinite_ones() -> None:
    swimmer = snake.swimmer()
    apart = [
        abs(1 - replace(swimmer, length=waves * snake.WAVE).speed / swimmer.endless_speed)
        for waves in (2, 8)
    ]
    assert apart[1] < 0.03
    assert apart[1] < apart[0] / 2


def test_equal_drags_do_not_drive() -> None:
    assert replace(snake.swimmer(), drag_along=snake.ACROSS).speed == 0


def test_the_published_snake_is_slower_than_linear_theory() -> None:
    """The difference is of second order in the amplitude: sixteen times less at a quarter."""
    off = [
        value(report("snake"), f"{part:g} of the amplitude: speed along x")
        / snake.swimmer(part).speed
        - 1
        for part in (1.0, 0.5, 0.25)
    ]
    np.testing.assert_allclose([off[0] / off[1], off[1] / off[2]], 4, rtol=0.2)


# Comparison with the authors' digits.


def authors(name: str) -> np.ndarray:
    """Positions of the node that the authors' file follows, after every step."""
    return np.loadtxt(Path(DATA) / "rod_shell/matlab" / name, delimiter=",")[:, 1:]


@with_data
def test_manta_equals_the_authors_at_every_step() -> None:
    theirs = authors("stingRay/stingRay_data.csv")[:1000]
    same_rule, tight = (manta.swim(1.0, compat=compat)[0][1:] for compat in (True, False))
    assert np.abs(same_rule - theirs).max() < 1e-11
    assert np.abs(tight - theirs).max() < manta.LOOSE[1.0]


@with_data
def test_parachute_equals_the_authors_at_every_step() -> None:
    path, _ = parachute.sink(compat=True)
    assert np.abs(path[1:] - authors("parachute/parachute_data.csv")).max() < 2e-5
