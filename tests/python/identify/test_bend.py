"""EI from shapes: known values are found, whatever the scale, spacing, direction and unit."""

import numpy as np
import pytest
from identify_cases import MASS_PER_LENGTH, hanging, recorded, stiffness

from strand import StrandError, identify
from strand.identify.bend_search import golden_section
from strand.identify.held_cable import Discretisation, Ends, HeldCable, resample
from strand.identify.interval import cloud_size, cloud_size_norm, of_trials


@pytest.mark.parametrize(
    ("ratio", "length", "mass_per_length"),
    [(3e-4, 0.05, 1e-3), (1e-2, 1.5, 0.02), (2e-2, 20.0, 5.0)],
)
def test_a_loop_of_any_size(ratio: float, length: float, mass_per_length: float) -> None:
    EI = stiffness(ratio, length, mass_per_length)
    nodes = hanging(EI, length, 0.1 * length, mass_per_length=mass_per_length)
    points = recorded(nodes, 50, np.random.default_rng(1))
    found = identify.bend(
        [points], mass_per_length=mass_per_length, hold="cta", gap=0.1 * length, length=length
    )
    assert found.EI.value == pytest.approx(EI, rel=0.01)
    assert found.rms < 1e-3 * length


def test_length_places_and_directions_are_found() -> None:
    EI = stiffness(2e-3, 1.2)
    points = recorded(hanging(EI, 1.2, 0.15), 60, np.random.default_rng(2))
    found = identify.bend([points, points[::-1]], mass_per_length=MASS_PER_LENGTH)
    assert found.values == pytest.approx([EI, EI], rel=0.01)
    assert [trial.length for trial in found.trials] == pytest.approx([1.2, 1.2], rel=1e-3)


def test_the_direction_of_the_points_does_not_matter() -> None:
    EI = stiffness(1e-3, 1.0)
    points = recorded(hanging(EI, 1.0, 0.1), 40, np.random.default_rng(3))
    values = identify.bend(
        [points, points[::-1]], mass_per_length=MASS_PER_LENGTH, hold="cta", gap=0.1, length=1.0
    ).values
    assert values[0] == pytest.approx(values[1], rel=1e-4)


@pytest.mark.parametrize(
    ("ratio", "curvature"), [(5e-2, 0.0), (5e-2, -1.5), (5e-2, 2.0), (0.6, 0.4), (0.4, 0.8)]
)
def test_natural_curvature_of_a_cantilever(ratio: float, curvature: float) -> None:
    """Also of one that curves upward against its weight."""
    EI = stiffness(ratio, 1.0)
    nodes = hanging(EI, 1.0, None, curvature)
    found = identify.bend(
        [recorded(nodes, 40, np.random.default_rng(4))],
        mass_per_length=MASS_PER_LENGTH,
        hold="cantilever",
        length=1.0,
        start_direction=(1, 0),
        natural_curvature=True,
    )
    assert found.EI.value == pytest.approx(EI, rel=0.01)
    assert found.natural_curvature is not None
    assert found.natural_curvature.value == pytest.approx(curvature, abs=0.01)


def test_points_in_space() -> None:
    """A cable that leaves the plane, without twisting moment, at any orientation about up."""
    length, ratio = 0.8, 1e-2
    directions = [np.array([1.0, 0.3, 0.2]), np.array([0.3, 1.0, 0.5])]
    one, other = (direction / np.linalg.norm(direction) for direction in directions)
    ends = Ends(np.zeros(3), one, np.array([0.5, 0.3, 0.1]), other)
    part = np.linspace(0, 1, 60)[:, None]
    guess = part * ends.end - 1.7 * part * (1 - part) * [0, 0, 1]
    cable = HeldCable(
        guess, ends, EI=ratio, GJ_over_EI=0.8, discretisation=Discretisation(200), planar=False
    )
    cable.settle()
    turn = 0.0
    for _ in range(15):
        turn -= 0.7 * cable.simulation.twist.sum()
        cable.turn(turn)
        cable.rest()
    points = length * resample(cable.span[1], np.linspace(0, 1, 40))
    found = identify.bend(
        [points],
        mass_per_length=MASS_PER_LENGTH,
        length=length,
        start_direction=ends.start_direction,
        end_direction=ends.end_direction,
        GJ_over_EI=0.8,
    )
    assert found.EI.value == pytest.approx(stiffness(ratio, length), rel=0.01)


def test_golden_section_as_published() -> None:
    """A chain whose clamped links end at the clamps, equally spaced points."""
    length, EI = 1.5, 5e-4
    cut = Discretisation(50, "exit", "tangent")
    ring = hanging(EI, length, 0.12) / length
    guess = np.column_stack([ring[:, 0], 0 * ring[:, 0], ring[:, 1]])
    away = np.array([1.0, 0, 0])
    ends = Ends(np.zeros(3), away, -0.08 * away, away)
    cable = HeldCable(guess, ends, discretisation=cut)
    cable.set_stiffness(EI / stiffness(1.0, length))
    cable.settle()
    points = length * cable.span[1][:, [0, 2]]
    for objective in ("distance", "squared"):
        found = identify.bend(
            [points],
            mass_per_length=MASS_PER_LENGTH,
            method="golden",
            objective=objective,
            hold="cta",
            length=length,
            tolerance=1e-7,
        )
        assert found.EI.value == pytest.approx(EI, abs=1e-7)
        assert found.rms < 2e-5


def test_an_estimate_at_a_limit_is_reported() -> None:
    nodes = hanging(stiffness(1e-2, 1.0), 1.0, 0.1)
    found = identify.bend(
        [nodes], mass_per_length=MASS_PER_LENGTH, method="golden", hold="cta", gap=0.1, length=1.0,
        limits=(0, 1e-4), tolerance=1e-6,
    )  # fmt: skip
    assert found.trials[0].at_limit and np.isinf(found.EI.high)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("count", [1, 3])
def test_a_cable_that_is_too_stiff_has_no_upper_end(count: int) -> None:
    part = np.linspace(0, 1, 60)  # a beam with EI = 30 m g L^3
    bent = (part**4 - 4 * part**3 + 6 * part**2) / 24 / 30.0
    nodes = 0.4 * np.column_stack([part, -bent])
    rng = np.random.default_rng(6)
    found = identify.bend(
        [recorded(nodes, 40, rng, noise=1e-4) for _ in range(count)],
        mass_per_length=MASS_PER_LENGTH,
        hold="cantilever",
        length=0.4,
        start=(0, 0),
        start_direction=(1, 0),
    )
    assert found.at_limit == [str(number) for number in range(count)]
    assert found.EI.low < found.EI.value and np.isinf(found.EI.high)
    assert "the stiffest cable that its weight bends" in found.report().note


@pytest.mark.slow
@pytest.mark.parametrize(("hold", "gap"), [("cta", 0.15), ("cantilever", None)])
def test_the_interval_contains_the_truth(hold: str, gap: float | None) -> None:
    """95 % intervals of one noisy trial each; fewer than 17 of 20 have a probability of 1.6 %."""
    EI, rng, inside = stiffness(2e-2, 1.5), np.random.default_rng(5), 0
    nodes = hanging(EI, 1.5, gap)
    options = {"gap": gap} if gap else {}
    for _ in range(20):
        points = recorded(nodes, 50, rng, noise=1e-3)
        found = identify.bend(
            [points], mass_per_length=MASS_PER_LENGTH, hold=hold, length=1.5, **options
        )
        inside += found.EI.low <= EI <= found.EI.high
    assert inside >= 17


def test_the_interval_over_trials_contains_the_truth() -> None:
    rng, inside = np.random.default_rng(6), 0
    for _ in range(1000):
        found = of_trials((2.0 * np.exp(0.05 * rng.normal(size=5))).tolist())
        inside += found.low <= 2.0 <= found.high
    assert 930 <= inside <= 970


def test_cloud_sizes() -> None:
    values = [1.0, 2.0, 3.0]
    assert cloud_size(values) == pytest.approx(100 * (2 / 3) / 2)
    assert cloud_size_norm(values) == pytest.approx(100 * 2**0.5 / 3 / 2)


def test_golden_section_finds_a_minimum() -> None:
    assert golden_section(lambda x: (x - 0.3) ** 2, 0, 1, 1e-6) == pytest.approx(0.3, abs=1e-6)


GOOD = hanging(stiffness(1e-2, 1.0), 1.0, 0.1, links=60)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"mass_per_length": -1.0}, "mass_per_length: got -1.0"),
        ({"hold": "pinned"}, "hold: got 'pinned'"),
        ({"method": "guess"}, "method: got 'guess'"),
        ({"length": 1000.0}, "trial 0: length: got 1 m .* allowed: 800 to 1250 m.*unit"),
        ({"hold": "cta", "gap": 0.5}, "trial 0: gap: got ends"),
        ({"method": "golden", "length": None}, "length: got none"),
        ({"natural_curvature": True}, "natural_curvature: got it"),
        ({"start": (0, 0, 0)}, r"start: got \(0, 0, 0\), allowed: 2 finite numbers"),
        ({"start_direction": (0, 0)}, "direction: got 0"),
        ({"hold": "cantilever", "end": (0, 0)}, "end: got one with hold 'cantilever'"),
        ({"method": "golden", "limits": (2.0, 1.0)}, "limits: got 2, 1"),
        ({"unit": "mm"}, "unit: got it without a file"),
    ],
)
def test_bad_arguments(changes: dict, words: str) -> None:
    arguments = {"mass_per_length": MASS_PER_LENGTH, "length": 1.0} | changes
    with pytest.raises(StrandError, match=words):
        identify.bend([GOOD], **arguments)
