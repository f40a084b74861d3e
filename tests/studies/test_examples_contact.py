"""Published examples with contact at reduced length, and what their measures can distinguish."""

import importlib
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from support.examples import assert_rows, value

from strand import StrandError
from strand_studies.published import EXAMPLES, crossing, friction, gripping, knot, pile, worm
from strand_studies.published.frames import Frames

pytestmark = pytest.mark.slow

#: Number of figures that each example judges: none may get lost.
JUDGED = {
    "friction": 7,
    "spider": 14,
    "horton": 4,
    "worm": 9,
    "drop": 9,
    "gripping": 10,
    "knot": 5,
    "entanglement": 2,
    "crossing": 11,
    "pile": 4,
}


@cache
def report(name: str):
    return importlib.import_module(f"strand_studies.published.{name}").run()


@pytest.mark.parametrize("name", JUDGED)
def test_figures_meet_their_references(name: str) -> None:
    assert name in EXAMPLES
    rows = report(name).results
    assert_rows(rows, JUDGED[name])
    assert json.loads(report(name).to_json())["results"] == rows


def test_only_anchored_friction_holds() -> None:
    creep = [
        value(report("friction"), f"{law}: creep at 3.6 N") for law in ("anchored", "regularised")
    ]
    assert 0 < 50 * creep[0] < creep[1]


def test_sticking_is_the_same_in_both_directions() -> None:
    forward, backward = (friction.push(force, "anchored").distance for force in (3.0, -3.0))
    assert forward > 0
    np.testing.assert_allclose(backward, -forward, rtol=1e-6)


def test_the_worm_crawls_only_by_friction() -> None:
    assert value(report("worm"), "mu 0.25, dt 0.01 s: front x") > 0.2
    assert value(report("worm"), "mu 0, dt 0.01 s: front x") < 0.1


def test_natural_lengths_of_the_worm() -> None:
    """One segment contracts, both change, the other extends; then the cycle repeats."""
    lengths = np.array([worm.natural_lengths(count) for count in (0, 5, 10, 15, 20, 25, 30, 35)])
    contracted = np.round(1e3 * (0.05 - lengths), 9)
    assert contracted[:, 0].tolist() == [0, 5, 10, 5, 0, 0, 0, 5]
    assert contracted[:, 1].tolist() == [0, 0, 0, 5, 10, 5, 0, 0]


def test_without_a_sphere_the_finger_passes() -> None:
    assert value(report("gripping"), "2e+06 Pa, alone, dt 0.1 s: nodes inside") > 10
    assert value(report("gripping"), "2e+06 Pa, sphere, dt 0.1 s: wraps") > 360


def test_natural_tip_is_that_of_an_arc() -> None:
    """A straight part, then edges with equal turns, whose nodes are on a circle."""
    turn = 2 * np.arctan(gripping.BEND / 2)
    edge = gripping.LENGTH / (gripping.NODES - 1)
    straight = edge * (gripping.FIRST + 1)
    bent = gripping.NODES - 2 - gripping.FIRST
    chord = edge * np.sin(bent * turn / 2) / np.sin(turn / 2)
    middle = (bent + 1) * turn / 2
    tip = (straight + chord * np.cos(middle), chord * np.sin(middle))
    np.testing.assert_allclose(gripping.natural_tip(), tip, atol=1e-12)


@pytest.mark.parametrize("edges", [100, 150, 300, 500])
def test_the_rod_starts_as_a_knot(edges: int) -> None:
    nodes = knot.start(edges)
    assert nodes.shape == (edges + 1, 3)
    np.testing.assert_allclose(np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum(), 1, rtol=1e-3)
    assert abs(nodes[-1, 1] - nodes[0, 1] - knot.APART) < 1e-9
    assert knot.determinant(nodes) == 3
    assert knot.determinant(nodes * (1, 1, -1)) == 3
    assert knot.closest(nodes) > 4 * knot.RADIUS


def test_a_rod_without_a_knot_has_determinant_one() -> None:
    nodes = knot.start(200)
    nodes[:, 2] = np.linspace(0, 0.1, len(nodes))  # the same crossings, each from below
    assert len(knot._crossings(nodes)) == 3
    assert knot.determinant(nodes) == 1
    assert knot.determinant(np.linspace((0, 0, 0), (1, 0, 0), 10)) == 1


def test_nearest_centrelines_are_those_of_all_points() -> None:
    random = np.random.default_rng(2)
    p, d, q, e = random.normal(size=(4, 50, 3))
    found = knot._distances(p, d, q, e)
    parts = np.linspace(0, 1, 101)
    a = p[:, None] + parts[:, None] * d[:, None]
    b = q[:, None] + parts[:, None] * e[:, None]
    sampled = np.linalg.norm(a[:, :, None] - b[:, None], axis=3).min(axis=(1, 2))
    assert (found <= sampled + 1e-12).all()
    assert (sampled - found < 0.03).all()


def test_a_knot_that_passes_through_itself_is_detected() -> None:
    """Without contact the same pull opens the knot."""
    simulation, rod, _ = knot.build(100, 0.036, contact=False)
    closest = []
    watch = lambda s: closest.append(knot.closest(s.positions[rod.nodes]))  # noqa: E731
    simulation.run(knot.WAIT + knot.PULLED / 0.036, watch)
    assert min(closest) < knot.CLOSEST
    assert knot.determinant(simulation.positions[rod.nodes]) == 1


def test_friction_takes_its_share_of_the_energy_of_a_collision() -> None:
    smooth = value(report("crossing"), "collision, mu 0, midpoint: energy left, dt to 0")
    rough = value(report("crossing"), "collision, mu 0.3, midpoint: energy left, dt to 0")
    assert 0.05 < smooth - rough < 0.5


def test_rods_that_overlap_at_the_start_are_rejected() -> None:
    with pytest.raises(StrandError, match=r"rod 0, edge 0 and rod 2, edge 1, 0\.005 m apart"):
        crossing.rails(0.0, crossing.DT, gap=-crossing.RADIUS)


def test_a_heap_continues_bitwise_from_its_checkpoint(tmp_path: Path) -> None:
    whole, _, _ = pile.build(3, 8)
    whole.run(0.25)
    whole.save(tmp_path / "heap.npz")
    whole.run(0.1)
    rest, floor, contact = pile.build(3, 8)
    rest.load(tmp_path / "heap.npz")
    rest.run(0.1)
    assert floor.contacts > 0
    assert contact.contacts > 0
    assert np.array_equal(rest.positions, whole.positions)
    assert np.array_equal(rest.velocities, whole.velocities)


def test_only_the_finger_that_meets_a_sphere_is_drawn_with_one(tmp_path: Path) -> None:
    frames = Frames(tmp_path)
    for sphere in (False, True):
        gripping.grip(gripping.STIFF, sphere, 1, frames, str(sphere))
    shown = {name: len(stage["obstacles"]) for name, stage in frames._stages.items()}
    assert shown == {"False": 0, "True": 1}


def test_the_knot_has_pictures_of_its_own(tmp_path: Path) -> None:
    frames = Frames(tmp_path)
    simulation, rod, _ = knot.build(150, knot.REDUCED_SPEED)
    knot._picture(frames, "knot", simulation, rod)
    (whole,), (close,) = frames._series["knot"], frames._series["knot_close"]
    assert whole.focus is None
    assert np.ptp(close.focus, axis=0).max() < 0.6 * np.ptp(close.positions, axis=0).max()
