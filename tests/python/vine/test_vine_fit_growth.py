"""Fits of growth along an obstacle: derivatives, published film, unidentifiable parameters."""

import numpy as np
import pytest
from vine_fit_cases import DATA, GROWING, WALL, assert_second_order, data, states, with_data

from strand import StrandError, vine
from strand.vine.fit import (
    MeasuredPoints,
    VineModel,
    VineNoise,
    fit_growth,
    interpolation_matrix,
    read_points,
)
from strand.vine.fit.growth_system import GrowthSystem, Trajectory
from strand.vine.fit.model import axes
from strand.vine.fit.published_step import PublishedStep

MATRIX = interpolation_matrix(10, 21)
FRAMES = 3 * np.arange(8)
STATES = FRAMES[-1] + 1


def system(obstacle=WALL, touching=None, measured=None) -> GrowthSystem:
    touching = np.ones(STATES, dtype=bool) if touching is None else touching
    measured = np.zeros((8, 21, 2)) if measured is None else measured
    growth = np.full((STATES - 1, 5), 0.008)
    scale = np.array([0.05, 1e-3])
    return GrowthSystem(GROWING, MATRIX, FRAMES, measured, growth, obstacle, touching, scale)


def trajectory(random: np.random.Generator) -> Trajectory:
    return Trajectory(
        headings=np.linspace(1.25, 0.9, 5) + 0.05 * random.normal(size=(STATES, 5)),
        heading_rates=0.3 * random.normal(size=(STATES - 1, 5)),
        impulses=1e-3 * random.uniform(size=STATES - 2),
        extensions=0.038 + 0.002 * random.uniform(size=5),
    )


@pytest.mark.parametrize("obstacle", (WALL, vine.circle((0.2, 0.45), 0.1)))
def test_derivatives_of_the_batch(obstacle) -> None:
    """Each kind of residual separately: they differ by orders of magnitude."""
    random = np.random.default_rng(1)
    touching = random.uniform(size=STATES) < 0.7
    problem = system(obstacle, touching)
    path = trajectory(random)
    problem.weigh(path, VineNoise())
    unknowns = problem.pack(path, 0.3, 1e-3)
    direction = random.normal(size=problem.size) * np.where(np.abs(unknowns) < 0.1, 1e-3, 1e-2)
    kinds = np.cumsum([336, (STATES - 2) * 5, (STATES - 1) * 5])
    points, momentum, position, gap = np.split(np.arange(kinds[-1] + touching.sum()), kinds)
    for rows in (points, momentum, gap):
        assert_second_order(
            lambda x, rows=rows: problem.residuals(x)[rows],
            lambda x, rows=rows: problem.jacobian(x).toarray()[rows],
            unknowns,
            direction,
        )
    linear = problem.residuals(unknowns + direction) - problem.residuals(unknowns)
    exact = problem.jacobian(unknowns) @ direction
    np.testing.assert_allclose(linear[position], exact[position], rtol=1e-6, atol=1e-9)


def test_unknowns_round_trip() -> None:
    random = np.random.default_rng(2)
    problem, path = system(), trajectory(random)
    again, stiffness, damping = problem.unpack(problem.pack(path, 0.3, 1e-3))
    for name in ("headings", "heading_rates", "impulses", "extensions"):
        np.testing.assert_array_equal(getattr(again, name), getattr(path, name))
    np.testing.assert_allclose([stiffness, damping], [0.3, 1e-3], rtol=1e-15)


@pytest.mark.parametrize("dense", (True, False))
def test_stiffness_and_damping_of_a_free_robot_are_identifiable(dense: bool, monkeypatch) -> None:
    """A rollout of the published step, growing and swinging: here the same fit identifies them."""
    monkeypatch.setattr("strand.vine.fit.growth._DENSE", 1000 if dense else 0)
    model = VineModel(3, 0.03, 0.001, 200e-6, 1 / 90, base_heading=0.5)
    headings, growth = np.array([0.53, 0.6, 0.67]), np.full(3, 0.01)
    step = PublishedStep(model)
    state = np.concatenate([model.poses(headings, np.full(3, 0.06)).ravel(), np.zeros(18)])
    film = [state]
    for _ in range(60):
        film.append(step.advance(film[-1], growth, 0.2, 4e-4))
    poses = np.array(film)[:, :18].reshape(-1, 6, 3)
    matrix = interpolation_matrix(6, 13)
    positions = matrix @ (poses[..., :2] + 0.03 * axes(poses[..., 2]))
    positions += 1e-4 * np.random.default_rng(3).normal(size=positions.shape)
    fit = fit_growth(
        MeasuredPoints(np.arange(31) * 2 / 90, positions[::2]),
        model,
        growth,
        vine.circle((5.0, 5.0), 0.1),
        stiffness=0.1,
        damping=1e-4,
        touching=np.zeros(61, dtype=bool),
        noise=VineNoise(points=(1e-4, 1e-4)),
    )
    assert fit.identifiable, fit.reason
    assert fit.converged
    np.testing.assert_allclose(fit.stiffness.value, 0.2, rtol=5e-3)
    np.testing.assert_allclose(fit.damping.value, 4e-4, rtol=0.05)
    assert fit.rms < 2e-4
    np.testing.assert_array_equal(fit.impulses[1:], 0)


@with_data
def test_start_of_the_published_fit() -> None:
    """The authors' start is a rollout of their model: its dynamics and joints hold here, too."""
    points = read_points(data("vine/growth_into_wall_measured_points.csv"))
    poses, rates = states(data("vine/growth_into_wall_z0_state.csv"), 10)
    impulses = np.genfromtxt(
        data("vine/growth_into_wall_contact_impulse.csv"), delimiter=",", skip_header=1
    )[:, 1]
    path = Trajectory(
        headings=poses[:, 1::2, 2],
        heading_rates=rates[1:, 1::2, 2],
        impulses=1e-3 * impulses[1:],
        extensions=np.linalg.norm(poses[0, 1::2, :2] - poses[0, ::2, :2], axis=-1),
    )
    problem = system(measured=points.positions)
    problem.weigh(path, VineNoise())
    error = problem.predicted(path) - points.positions
    np.testing.assert_allclose(np.sqrt((error**2).sum(axis=-1).mean()), 6.80e-3, rtol=1e-3)
    np.testing.assert_allclose(np.abs(error[:, -1, 0]).mean(), 0.828e-3, rtol=2e-3)
    # Defects of at most a thousandth of the momenta that bending causes in a step.
    defects = problem.defects(problem.pack(path, 0.05, 1e-5))
    assert np.abs(defects).max() < 1e-3 * 0.05 * 1.31 / 90 * 1e2
    assert np.abs(problem.gaps(path)).max() < 2e-5
    wrong = problem.defects(problem.pack(path, 0.06, 1e-5))
    assert np.abs(wrong).max() > 20 * np.abs(defects).max()


@pytest.fixture(scope="module")
def published_fit():
    if not DATA:
        pytest.skip("STRAND_DATA is not set")
    points = read_points(data("vine/growth_into_wall_measured_points.csv"))
    return fit_growth(points, GROWING, 0.008, WALL, stiffness=0.05, damping=1e-5)


def test_growth_into_a_wall_is_fitted(published_fit) -> None:
    """Published: tip-x mean absolute error 1.1 mm; the start of their fit: 0.828 and rms 6.8 mm."""
    assert published_fit.converged
    assert published_fit.tip_mae[0] <= 0.83e-3
    assert published_fit.rms <= 1.1e-3
    assert np.abs(published_fit.gaps).max() < 1e-4
    assert (published_fit.impulses[1:] >= 0).all()
    assert published_fit.poses.shape == (22, 10, 3)


def test_stiffness_and_damping_are_not_identifiable_from_it(published_fit) -> None:
    assert not published_fit.identifiable
    assert published_fit.stiffness.at_bound
    assert published_fit.damping.deviation > published_fit.damping.value
    assert published_fit.identifiability.singular_values[1] < 2
    assert "not identifiable" in str(published_fit)


@pytest.mark.parametrize(
    ("options", "message"),
    (
        (
            {"growth": np.zeros((3, 5))},
            r"growth: got an array of shape \(3, 5\), allowed: \(21, 5\)",
        ),
        (
            {"touching": np.ones(5, dtype=bool)},
            r"touching: got bool of shape \(5,\), allowed: bool",
        ),
        ({"damping": -1.0}, r"damping: got -1\.0, allowed: a finite number > 0"),
    ),
)
def test_bad_options_are_rejected(options: dict, message: str) -> None:
    points = MeasuredPoints(np.arange(8) / 30, np.zeros((8, 21, 2)))
    given = {"growth": 0.008, "obstacle": WALL, "stiffness": 0.05, "damping": 1e-5, **options}
    with pytest.raises(StrandError, match=message):
        fit_growth(points, GROWING, **given)


def test_noise_must_be_positive() -> None:
    with pytest.raises(StrandError, match=r"gap: got 0\.0, allowed: a finite number > 0"):
        VineNoise(gap=0.0)
