"""GJ/EI from critical twists: Michell's ring, round trips, self-contact."""

import numpy as np
import pytest
from identify_cases import MASS_PER_LENGTH, stiffness

from strand import StrandError, identify
from strand.identify.held_cable import Discretisation
from strand.identify.self_contact import SelfContact, segment_distances
from strand.identify.twisted_loop import Loop

LENGTH, GAP, RATIO = 1.5, 0.12, 1e-3
KNOWN = {
    "EI": stiffness(RATIO, LENGTH),
    "mass_per_length": MASS_PER_LENGTH,
    "length": LENGTH,
    "gap": GAP,
}


def critical(GJ_over_EI: float, links: int = 60) -> float:
    loop = Loop(RATIO, GAP / LENGTH, 0, 0, Discretisation(links))
    return loop.critical_turn(GJ_over_EI, 1 / 150)[0]


@pytest.mark.parametrize("ratio", [0.5, 1.25])
def test_a_stiff_ring_buckles_as_michell_found(ratio: float) -> None:
    """theta = 2 pi sqrt(3) EI/GJ without weight, which lowers it by 0.3 % here."""
    loop = Loop(5.0, 0.0, 0, 0, Discretisation(80))
    turn, reason = loop.critical_turn(ratio, 1 / 150)
    assert turn * ratio == pytest.approx(2 * np.pi * 3**0.5, rel=0.006)
    assert reason == "unstable"


@pytest.mark.parametrize("ratio", [0.7, 1.4])
def test_a_known_ratio_is_found_by_stability(ratio: float) -> None:
    found = identify.twist(critical(ratio, links=100), criterion="stability", **KNOWN)
    assert found.stability is not None and found.contact is None
    assert found.stability.value == pytest.approx(ratio, rel=0.01)
    assert found.GJ.value == pytest.approx(ratio * KNOWN["EI"], rel=0.01)


@pytest.mark.slow
def test_both_criteria_agree() -> None:
    found = identify.twist(critical(0.9), **KNOWN)
    assert found.at_mean.stability == pytest.approx(0.9, rel=1e-3)
    assert found.at_mean.contact == pytest.approx(0.9, abs=0.015)


@pytest.mark.slow
def test_the_interval_contains_the_truth() -> None:
    """Five readings each, with errors of 8 degrees; links as in the search. Fewer than 8 of 10
    intervals of 95 % have a probability of 1.2 %."""
    turn, rng, inside = critical(0.9), np.random.default_rng(7), 0
    for _ in range(10):
        readings = turn + np.radians(8) * rng.normal(size=5)
        found = identify.twist(readings, criterion="stability", **KNOWN).stability
        assert found is not None
        inside += found.low <= 0.9 <= found.high
    assert inside >= 8


def test_distances_of_segments() -> None:
    """Against the least distance of samples."""
    rng = np.random.default_rng(8)
    a, u, b, v = rng.normal(size=(4, 200, 3))
    part = np.linspace(0, 1, 60)
    one = a[:, None] + part[:, None] * u[:, None]
    other = b[:, None] + part[:, None] * v[:, None]
    sampled = np.linalg.norm(one[:, :, None] - other[:, None], axis=-1).min(axis=(1, 2))
    exact = segment_distances(a, u, b, v)
    assert (exact <= sampled + 1e-12).all() and (sampled - exact < 0.06).all()
    assert segment_distances(a, u, a + 0.5 * u, v) == pytest.approx(0, abs=1e-12)


def test_contact_ignores_neighbours_and_clamps() -> None:
    angle = np.linspace(0, 2 * np.pi, 41)
    ring = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle]) / (2 * np.pi)
    contact = SelfContact(40, 1 / 40, 0.03)
    assert not contact.touches(ring)
    flat = ring * [1, 0.05, 1]
    assert contact.touches(flat)


@pytest.mark.parametrize(
    ("turns", "changes", "words"),
    [
        ([], {}, "critical_twist: got"),
        ([-1.0], {}, "critical_twist: got"),
        (9.0, {"EI": 0.0}, "EI: got 0.0"),
        (9.0, {"gap": 2.0}, "gap: got 2, allowed: less than the length 1.5 m"),
        (9.0, {"criterion": "all"}, "criterion: got 'all'"),
        (9.0, {"start_direction": (0, 0)}, "start_direction: got"),
        (9.0, {"diameter": 2.0}, "diameter: got 2, allowed: less than the length"),
    ],
)
def test_bad_arguments(turns: object, changes: dict, words: str) -> None:
    with pytest.raises(StrandError, match=words):
        identify.twist(turns, **(KNOWN | changes))
