"""Shared by the tests of strand.vine.fit: the published robots, data, orders of differences."""

import os
from pathlib import Path

import numpy as np
import pytest

from strand import vine
from strand.vine.fit import VineModel

DATA = os.environ.get("STRAND_DATA")
with_data = pytest.mark.skipif(not DATA, reason="STRAND_DATA is not set")

#: The synthetic oscillation (parameters of Jitosho et al., in SI) and the growth into a wall.
OSCILLATING = VineModel(5, 0.016845, 0.001, 200e-6, 0.01)
GROWING = VineModel(5, 0.016845, 0.001, 200e-6, 1 / 90, base_heading=1.31, diameter=0.024)
WALL = vine.rotated_box(
    (0.2488899876704202, 0.3562826607726847), 0.02356982151598591, 0.5022832775276208, 0.03
)
STIFFNESS, DAMPING = 0.5, 30e-6


def data(name: str) -> Path:
    return Path(DATA) / name


def states(path: Path, bodies: int) -> tuple[np.ndarray, np.ndarray]:
    """Poses and rates from a file of states in mm, (steps, bodies, 3) in m and rad."""
    numbers = np.genfromtxt(path, delimiter=",", skip_header=1)[:, 2:]
    metres = numbers.reshape(len(numbers), 2, bodies, 3) * [1e-3, 1e-3, 1]
    return metres[:, 0], metres[:, 1]


def assert_second_order(function, derivative, at: np.ndarray, direction: np.ndarray) -> None:
    """Checks that central differences of `function` approach derivative(at) as h^2."""
    exact = derivative(at) @ direction
    errors = []
    for h in (1e-1, 1e-2):
        difference = (function(at + h * direction) - function(at - h * direction)) / (2 * h)
        errors.append(np.abs(difference - exact).max() / np.abs(exact).max())
    assert errors[0] > 1e-10, "the function is linear along this direction: nothing is tested"
    assert errors[1] < 1e-4
    assert 1.9 < np.log10(errors[0] / errors[1]) < 2.1
