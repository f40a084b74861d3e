"""Rainflow counting compared with the standard's example, and its two ways with each other."""

import re

import numpy as np
import pytest

from strand import StrandError
from strand.materials import rainflow
from strand.materials.rainflow import Counted, RainflowCounter, turning_points

#: ASTM E1049-85, figure 6: a load history and its counts by range.
ASTM_HISTORY = (-2, 1, -3, 5, -1, 3, -4, 4, -2)
ASTM_COUNTS = {3: 0.5, 4: 1.5, 6: 0.5, 8: 1.0, 9: 0.5}


def by_range(*found) -> dict[float, float]:
    """The sum of the counts of each range."""
    ranges = np.concatenate([one.ranges for one in found])
    values, which = np.unique(ranges, return_inverse=True)
    counts = np.bincount(which, np.concatenate([one.counts for one in found]), len(values))
    return dict(zip(values.tolist(), counts.tolist(), strict=True))


def of_series(found: list[Counted], series: int) -> list[Counted]:
    picks = [one.series == series for one in found]
    return [Counted(*(a[k] for a in one)) for one, k in zip(found, picks, strict=True)]


def streamed(values: np.ndarray) -> tuple[RainflowCounter, list[Counted]]:
    """The counter, and the cycles that closed, of series (samples, series)."""
    counter = RainflowCounter(values.shape[1])
    return counter, [counter.add(row) for row in values]


def random_series(kind: str, seed: int, shape: tuple[int, int]) -> np.ndarray:
    random = np.random.default_rng(seed)
    if kind == "whole numbers":  # with many equal values and ranges
        return random.integers(-4, 5, shape).astype(float)
    noise = random.normal(size=shape)
    return np.cumsum(noise, axis=0) if kind == "walk" else noise


every_kind = pytest.mark.parametrize("kind", ("whole numbers", "noise", "walk"))


def test_example_of_the_standard() -> None:
    found = rainflow(ASTM_HISTORY)
    assert by_range(found) == ASTM_COUNTS
    # The cycle E-F, between the values -1 and 3, is the only whole one.
    assert [*zip(*found, strict=True)][2] == (4, 1, 1)
    assert sorted(found.counts) == [0.5] * 6 + [1]


def test_example_of_the_standard_while_it_grows() -> None:
    counter, closed = streamed(np.array(ASTM_HISTORY, float)[:, None])
    assert by_range(*closed) == {4: 1}
    assert by_range(*closed, counter.rest()) == ASTM_COUNTS


@every_kind
def test_both_ways_agree_exactly(kind: str) -> None:
    for seed in range(5):
        values = random_series(kind, seed, (150 + seed, 30))
        counter, closed = streamed(values)
        found = [*closed, counter.rest()]
        for k in range(values.shape[1]):
            assert by_range(*of_series(found, k)) == by_range(rainflow(values[:, k]))


@every_kind
def test_both_ways_agree_after_every_value(kind: str) -> None:
    values = random_series(kind, 11, (60, 1))
    counter, closed = RainflowCounter(1), []
    for k, row in enumerate(values):
        closed.append(counter.add(row))
        assert by_range(*closed, counter.rest()) == by_range(rainflow(values[: k + 1, 0]))


@every_kind
def test_repeats_add_what_long_series_have_more(kind: str) -> None:
    for seed in range(30):
        values = random_series(kind, seed, (3 + 2 * seed, 1))
        counter, closed = streamed(values)
        third, fourth = (by_range(rainflow(np.tile(values[:, 0], k))) for k in (3, 4))
        more = {size: n - third.get(size, 0) for size, n in fourth.items()}
        expected = {size: n for size, n in more.items() if n}
        assert by_range(*closed, counter.repeated()) == expected


def test_steps_between_turning_points_do_not_matter() -> None:
    finer = np.interp(np.linspace(0, 8, 8 * 7 + 1), np.arange(9), ASTM_HISTORY)
    assert by_range(rainflow(np.repeat(finer, 3))) == pytest.approx(ASTM_COUNTS)
    assert turning_points(np.repeat(ASTM_HISTORY, 4)).tolist() == [*ASTM_HISTORY]


def test_memory_is_bounded() -> None:
    """Swings that become smaller close no cycle; all of them are half ones in the end."""
    swings = (-1.0) ** np.arange(500) * np.linspace(2, 1, 500)
    counter = RainflowCounter(1, depth=20)
    found = [counter.add(np.array([value])) for value in swings]
    assert counter.state()["points"].shape[1] <= 20
    assert by_range(*found, counter.rest()) == by_range(rainflow(swings))


def test_a_steady_swing_needs_four_points() -> None:
    counter, closed = streamed(np.sin(np.pi / 2 * np.arange(4001))[:, None].round())
    assert counter.state()["points"].shape[1] <= 4
    assert sum(one.counts.sum() for one in [*closed, counter.rest()]) == pytest.approx(1000, abs=1)


def test_a_saved_count_goes_on() -> None:
    values = random_series("walk", 3, (300, 7))
    counter, closed = streamed(values[:130])
    other = RainflowCounter(7)
    other.restore(counter.state())
    closed += [other.add(row) for row in values[130:]]
    for k in range(7):
        assert by_range(*of_series([*closed, other.rest()], k)) == by_range(rainflow(values[:, k]))


@pytest.mark.parametrize("series", ([], [1.0], [2.0, 2.0, 2.0]))
def test_without_a_swing_there_is_no_cycle(series: list[float]) -> None:
    assert len(rainflow(series).ranges) == 0


@pytest.mark.parametrize("series", ([1, np.nan], [np.inf, 0], np.zeros((2, 2)), "text", None))
def test_bad_series(series: object) -> None:
    with pytest.raises(StrandError, match=re.escape("series: got")):
        rainflow(series)
