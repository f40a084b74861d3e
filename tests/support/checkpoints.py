"""Runs that continue from a checkpoint."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from strand.simulation import Simulation


def assert_continues_bitwise(
    make: Callable[[], Simulation], folder: Path, duration: float = 0.1
) -> tuple[Simulation, Simulation]:
    """Compares a whole run with one that is saved halfway and continues in another simulation.

    `make` returns the same new simulation at each call; `duration` (s) is that of the whole run.
    Returns the whole and the continued simulation.
    """
    whole, first, second = make(), make(), make()
    whole.run(duration)
    first.run(duration / 2)
    first.save(folder / "half.npz")
    second.load(folder / "half.npz")
    second.run(duration / 2)
    assert np.array_equal(whole.positions, second.positions)
    return whole, second
