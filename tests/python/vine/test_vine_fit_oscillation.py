"""Fits to a free oscillation: the published step, its derivatives, estimates and bounds."""

import numpy as np
import pytest
from scipy.optimize import OptimizeResult
from vine_fit_cases import (
    DAMPING,
    OSCILLATING,
    STIFFNESS,
    assert_second_order,
    data,
    states,
    with_data,
)

from strand import StrandError
from strand.vine.fit import MeasuredPoints, fit_oscillation, interpolation_matrix, rollout
from strand.vine.fit.model import axes
from strand.vine.fit.oscillation import _Shooting, _Start
from strand.vine.fit.published_step import PublishedStep
from strand.vine.fit.result import assemble, identify

pytestmark = pytest.mark.slow

MATRIX = interpolation_matrix(10, 21)
HEADINGS = 0.05 * np.arange(1, 6)


def film(noise: float, every: int = 1, seed: int = 1, steps: int = 300) -> MeasuredPoints:
    """Points of the synthetic oscillation with Gaussian noise (m) on every coordinate."""
    poses, _ = rollout(OSCILLATING, HEADINGS, 0, 2 * 0.016845, STIFFNESS, DAMPING, steps)
    poses = poses[::every]
    positions = MATRIX @ (poses[..., :2] + 0.016845 * axes(poses[..., 2]))
    positions += noise * np.random.default_rng(seed).normal(size=positions.shape)
    return MeasuredPoints(0.01 * every * np.arange(len(poses)), positions)


@with_data
def test_rollout_equals_the_reference() -> None:
    """The file has ten digits of 0.1 m."""
    path = data("vine_reference/oscillation10_synthetic_state.csv.gz")
    expected, speeds = states(path, 10)
    poses, rates = rollout(
        OSCILLATING, HEADINGS, 0, 2 * 0.016845, STIFFNESS, DAMPING, len(expected) - 1
    )
    np.testing.assert_allclose(poses, expected, atol=1e-9)
    np.testing.assert_allclose(rates, speeds, atol=1e-7)


@pytest.mark.parametrize("part", ("positions", "velocities", "material"))
def test_derivatives_of_a_step(part: str) -> None:
    """At a state off the joints, while growing: no term of the constraints' derivatives is zero."""
    random = np.random.default_rng(0)
    step = PublishedStep(OSCILLATING)
    poses, rates = rollout(OSCILLATING, HEADINGS, 0.5, 0.04, STIFFNESS, DAMPING, 20)
    state = np.concatenate([poses[-1].ravel(), rates[-1].ravel()])
    state += 1e-3 * random.normal(size=60)
    at = np.concatenate([state, [STIFFNESS, DAMPING]])
    growth = random.normal(size=5) * 0.02
    seeds = np.eye(60, 62)
    scale = np.zeros(62)
    if part == "velocities":
        scale[30:60] = 5
    else:
        scale[:30] = 0.1
    if part == "material":
        scale[60:] = 20, 1e-2
    direction = 1e-2 * scale * random.normal(size=62)

    def advanced(x: np.ndarray) -> np.ndarray:
        return step.advance(x[:60], growth, x[60], x[61])

    def derivative(x: np.ndarray) -> np.ndarray:
        return next(step.derivatives(x[np.newaxis, :60], growth, x[60], x[61], seeds))

    assert_second_order(advanced, derivative, at, direction)


@pytest.mark.parametrize("at_rest", (True, False))
@pytest.mark.parametrize("extensions", (0.0337, None))
def test_derivatives_of_points(at_rest: bool, extensions: float | None) -> None:
    points = film(0, every=3, steps=30)
    start = _Start(OSCILLATING, at_rest, extensions)
    scale = np.array([STIFFNESS, DAMPING])
    problem = _Shooting(points, OSCILLATING, MATRIX, points.steps(0.01), start, scale)
    unknowns = problem.guess()
    direction = 1e-2 * np.random.default_rng(2).normal(size=len(unknowns))
    assert_second_order(
        lambda x: problem.residuals(x, 11), lambda x: problem.jacobian(x, 11), unknowns, direction
    )


@pytest.mark.parametrize("damped", (True, False))
def test_limit_of_explicit_steps(damped: bool) -> None:
    """Small oscillations stay small just below the limit and grow just above it."""
    still, length, dt = np.zeros(5), np.full(5, 0.0337), OSCILLATING.dt
    limit = OSCILLATING.explicit_limit(still, length)
    for part, stable in ((0.97, True), (1.03, False)):
        stiffness, damping = part * limit / dt**2, 0.0
        if damped:
            stiffness, damping = 0.5 * stiffness, 0.25 * part * limit / dt
        poses, _ = rollout(OSCILLATING, 1e-6 * HEADINGS, 0, length, stiffness, damping, 100)
        assert (np.abs(poses[:, :, 2]).max() < 1e-5) == stable


@pytest.mark.parametrize("seed", (1, 2, 3))
def test_estimates_are_within_their_bounds_at_1_mm(seed: int) -> None:
    fit = fit_oscillation(film(1e-3, seed=seed), OSCILLATING, stiffness=0.3, damping=1e-5)
    assert fit.converged
    assert fit.identifiable
    assert abs(fit.stiffness.value - STIFFNESS) < 3 * fit.stiffness.deviation
    assert abs(fit.damping.value - DAMPING) < 3 * fit.damping.deviation
    # 10 bodies, 3 s at 100 frames per second: damping is known to 19 % at best.
    assert 0.19 < fit.damping.deviation / DAMPING < 0.23
    assert fit.stiffness.deviation / STIFFNESS < 3e-4
    np.testing.assert_allclose(fit.noise, 1e-3, rtol=0.02)
    np.testing.assert_allclose(fit.rms, 1e-3 * 2**0.5, rtol=0.03)


@pytest.mark.parametrize("start", ((0.3, 1e-5), (1.0, 1e-4)))
def test_searches_end_at_the_same_optimum(start: tuple[float, float]) -> None:
    """In this film's first frames, noise looks like a damping three hundred times too large."""
    fit = fit_oscillation(film(1e-3, seed=8), OSCILLATING, stiffness=start[0], damping=start[1])
    assert fit.converged
    np.testing.assert_allclose(fit.stiffness.value, 0.499894267, rtol=1e-6)
    np.testing.assert_allclose(fit.damping.value, 4.2291e-5, rtol=1e-3)
    assert abs(fit.damping.value - DAMPING) < 3 * fit.damping.deviation


def test_estimates_are_good_to_2_percent_at_30_micrometres() -> None:
    fit = fit_oscillation(film(3e-5), OSCILLATING, stiffness=1.0, damping=1e-4, noise=3e-5)
    np.testing.assert_allclose(fit.stiffness.value, STIFFNESS, rtol=1e-4)
    np.testing.assert_allclose(fit.damping.value, DAMPING, rtol=0.02)
    assert abs(fit.stiffness.value - STIFFNESS) < 3 * fit.stiffness.deviation
    assert abs(fit.damping.value - DAMPING) < 3 * fit.damping.deviation
    assert "stiffness is known to" in str(fit)


def test_damping_that_is_lost_in_noise_is_not_identifiable() -> None:
    """A tenth of the film has no decay that is visible above 1 mm of noise."""
    fit = fit_oscillation(film(1e-3, steps=30), OSCILLATING, stiffness=0.4, damping=3e-5)
    assert not fit.identifiable
    assert "damping" in fit.reason
    assert fit.identifiability.singular_values[1] < 2


def test_known_parameters_narrow_the_bounds() -> None:
    points = film(3e-5, every=3)
    given = {"stiffness": 0.5, "damping": 3e-5, "noise": 3e-5}
    free = fit_oscillation(points, OSCILLATING, **given)
    known = fit_oscillation(points, OSCILLATING, at_rest=True, extensions=2 * 0.016845, **given)
    assert known.stiffness.deviation < 0.8 * free.stiffness.deviation
    assert known.damping.deviation < free.damping.deviation
    np.testing.assert_array_equal(known.rates[0], 0)


def test_bounds_are_those_of_all_unknowns() -> None:
    """The 2 x 2 block of the inverse of J' J, which directions and singular values also give."""
    jacobian = np.random.default_rng(3).normal(size=(40, 7)) * np.logspace(-3, 3, 7)
    scale = np.array([2.0, 5.0])
    found = identify(jacobian, scale)
    expected = np.linalg.inv(jacobian.T @ jacobian)[-2:, -2:]
    np.testing.assert_allclose(found.covariance, expected, rtol=1e-6)
    weights = found.directions @ np.diag(found.singular_values**-2) @ found.directions.T
    np.testing.assert_allclose(weights * np.outer(scale, scale), expected, rtol=1e-6)


def test_parameters_that_other_unknowns_can_compensate_are_not_identifiable() -> None:
    jacobian = np.random.default_rng(4).normal(size=(40, 6))
    jacobian[:, -1] = jacobian[:, :3] @ [1, -2, 3]
    found = identify(jacobian, np.ones(2))
    assert found.singular_values[1] < 1e-12 * found.singular_values[0]
    assert found.covariance[1, 1] > 1e20


def test_an_estimate_at_its_bound() -> None:
    """An estimate is at its bound if it is zero within a thousandth of its deviation."""
    jacobian = np.random.default_rng(5).normal(size=(40, 6))
    search = OptimizeResult(status=1, message="")
    empty = dict.fromkeys(
        ("noise", "times", "poses", "rates", "impulses", "gaps", "residuals", "cost", "evaluations")
    )
    for value, at_bound in ((1e-6, True), (1e-2, False)):
        fit = assemble(search, jacobian, [5.0, value], np.array([1.0, 1.0]), **empty)
        assert 0.1 < fit.damping.deviation < 0.3
        assert (fit.stiffness.at_bound, fit.damping.at_bound) == (False, at_bound)
        assert not fit.identifiable
        assert ("has damping below zero" in fit.reason) == at_bound
        np.testing.assert_array_equal(fit.identifiability.scale, [5, 1 if at_bound else value])
    assert assemble(search, jacobian, [5.0, 5.0], np.array([1.0, 1.0]), **empty).identifiable


@pytest.mark.parametrize(
    ("options", "message"),
    (
        ({"stiffness": 0.0}, r"stiffness: got 0\.0, allowed: a finite number > 0"),
        ({"noise": -1.0}, r"noise: got -1\.0, allowed: a finite number > 0"),
        ({"matrix": np.eye(3)}, r"matrix: got an array of shape \(3, 3\), allowed: \(21, 10\)"),
        ({"stiffness": 500.0}, r"stiffness: got 500 N m .*explicit steps of 0\.01 s are unstable"),
    ),
)
def test_bad_options_are_rejected(options: dict, message: str) -> None:
    with pytest.raises(StrandError, match=message):
        fit_oscillation(film(0), OSCILLATING, **{"stiffness": 0.5, "damping": 3e-5, **options})
