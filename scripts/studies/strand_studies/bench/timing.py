"""Compares run times on a machine with other load, and fits how they grow."""

import random
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

import numpy as np


class Interval(NamedTuple):
    """A median and its 95 % interval."""

    value: float
    low: float
    high: float


class Work(Protocol):
    """A piece of work: `prepare` is not timed, `run` is."""

    def prepare(self) -> None: ...

    def run(self) -> None: ...


def measure(work: Work) -> float:
    """Seconds of one run."""
    work.prepare()
    start = time.perf_counter_ns()
    work.run()
    return (time.perf_counter_ns() - start) * 1e-9


def interleave(one: Work, other: Work, repeats: int, seed: int = 0) -> np.ndarray:
    """Run times (s) of pairs of runs, in random order within each pair. Shape (repeats, 2).

    The two runs of a pair follow each other directly, so that other load affects both alike.
    """
    order = random.Random(seed)
    times = np.empty((repeats, 2))
    for pair in times:
        for which in order.sample((0, 1), 2):
            pair[which] = measure((one, other)[which])
    return times


def median_interval(samples: np.ndarray, seed: int = 0) -> Interval:
    """The median of the samples and its 95 % interval, by bootstrap resampling."""
    generator = np.random.default_rng(seed)
    resampled = generator.choice(samples, size=(1000, len(samples)))
    low, high = np.quantile(np.median(resampled, axis=1), (0.025, 0.975))
    return Interval(float(np.median(samples)), float(low), float(high))


def time_rounds(clock: Callable[[int], float], sides: int, repeats: int) -> np.ndarray:
    """The values of clock(side) for every side in every round, shape (repeats, sides).

    The sides of a round follow each other directly, in random order, so that other load affects
    all of them alike.
    """
    order, times = random.Random(0), np.empty((repeats, sides))
    for turn in times:
        for side in order.sample(range(sides), sides):
            turn[side] = clock(side)
    return times


def power(rows: Sequence[dict], size: str, cost: str) -> float | None:
    """p of row[cost] ~ row[size]^p, fitted to the logarithms; None for fewer than two rows."""
    if len(rows) < 2:
        return None
    logs = [np.log([row[name] for row in rows]) for name in (size, cost)]
    return float(np.polyfit(*logs, 1)[0])
