"""Intervals of least squares: wide where the data say little, unbounded where they say nothing."""

import numpy as np
import pytest

from strand.identify.interval import of_residuals

RESIDUALS = np.random.default_rng(1).normal(size=30)
TIMES = np.linspace(0, 1, 30)


@pytest.mark.parametrize(
    ("jacobian", "determined"),
    [
        (np.column_stack([TIMES, TIMES**2]), [True, True]),
        (np.column_stack([TIMES, 0 * TIMES]), [True, False]),
        (np.column_stack([TIMES, 1e9 * TIMES**2, -3 * TIMES]), [False, True, False]),
        (np.zeros((30, 1)), [False]),
    ],
)
def test_parameters_without_an_effect_of_their_own(
    jacobian: np.ndarray, determined: list[bool]
) -> None:
    rows = of_residuals(np.ones(len(determined)), jacobian, RESIDUALS)
    assert np.isfinite(rows).all(axis=1).tolist() == determined
    assert np.isinf(rows).all(axis=1).tolist() == [not one for one in determined]
    assert (rows[:, 0] < 1).all() and (rows[:, 1] > 1).all()
