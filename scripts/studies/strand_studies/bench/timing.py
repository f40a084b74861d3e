"""Compares the run times of two pieces of work on a machine that is doing other things too."""

import random
import time
from typing import NamedTuple, Protocol

import numpy as np


class Interval(NamedTuple):
    """A median and the 95 % interval of it."""

    value: float
    low: float
    high: float


class Work(Protocol):
    """A piece of work: `prepare` is not timed, `run` is."""

    def prepare(self) -> None: ...

    def run(self) -> None: ...


def measure(work: Work) -> float:
    """Seconds that one run takes."""
    work.prepare()
    start = time.perf_counter_ns()
    work.run()
    return (time.perf_counter_ns() - start) * 1e-9


def interleave(one: Work, other: Work, repeats: int, seed: int = 0) -> np.ndarray:
    """Run times (s) of pairs of runs, in random order within each pair. Shape (repeats, 2).

    The two runs of a pair follow each other directly, so that what else the machine does meets
    both alike.
    """
    order = random.Random(seed)
    times = np.empty((repeats, 2))
    for pair in times:
        for which in order.sample((0, 1), 2):
            pair[which] = measure((one, other)[which])
    return times


def median_interval(samples: np.ndarray, seed: int = 0) -> Interval:
    """The median of the samples and its 95 % interval, by resampling."""
    generator = np.random.default_rng(seed)
    resampled = generator.choice(samples, size=(1000, len(samples)))
    low, high = np.quantile(np.median(resampled, axis=1), (0.025, 0.975))
    return Interval(float(np.median(samples)), float(low), float(high))
