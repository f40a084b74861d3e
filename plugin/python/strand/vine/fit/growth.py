"""Stiffness, damping and trajectory of a robot growing along an obstacle: batch least squares.

The unknowns are K, C and the states at all time steps of the film. The dynamics hold up to a
process noise of given size, so that local errors of the model do not ruin the fit, and an error of
the initial state does not grow with time, as it does if contact and explicit bending make rollouts
sensitive. Coordinates are reduced ones (growth_system.py): joints and growth hold exactly, so that
their multipliers vanish, while the impulses of contact remain. The result is a least-squares
problem whose only constraints are impulses, K and C >= 0. These are squares of the variables of the
optimiser, scipy.optimize.least_squares: Levenberg-Marquardt with a dense matrix or, for more
unknowns, a trust region with the sparse one. (With bounds instead of squares, impulses creep along
their bounds, and searches from different K and C end further apart.)

The published fit has the same cost in maximal coordinates, with joints and growth as constraints.

By the published weights dynamics are 300 times as exact as points. The cost then has a curved,
narrow valley in which steps are short. So in the first fit dynamics and contact are 10^4 times
looser; each further fit reduces this factor by ten, down to the given noise.
"""

import numpy as np
from scipy.optimize import OptimizeResult, least_squares
from scipy.sparse import csr_array, diags_array

from strand.errors import StrandError
from strand.vine.fit.growth_system import GrowthSystem, Trajectory
from strand.vine.fit.model import VineModel, numbers
from strand.vine.fit.noise import VineNoise
from strand.vine.fit.points import MeasuredPoints, measured_matrix, shapes_of_points
from strand.vine.fit.result import VineFit, assemble
from strand.vine.robot import Obstacle

_LOOSENED = (1e4, 1e3, 1e2, 1e1, 1.0)
#: Largest number of unknowns for a dense Jacobian: exact steps need far fewer iterations than LSMR,
#: which converges slowly with stiff weights.
_DENSE = 1000


def fit_growth(
    points: MeasuredPoints,
    model: VineModel,
    growth: float | np.ndarray,
    obstacle: Obstacle,
    *,
    stiffness: float,
    damping: float,
    touching: np.ndarray | None = None,
    noise: VineNoise | None = None,
    matrix: np.ndarray | None = None,
    max_evaluations: int = 300,
) -> VineFit:
    """Fits K and C, equal in all joints, and the trajectory to points of a film.

    points: measured points of the film.
    model: known parameters of the robot.
    growth: rates of extension (m/s): one number, one per pair, or (steps, pairs).
    obstacle: a planar obstacle of strand.vine.
    stiffness, damping: initial K (N m) and C (N m s) of the search, > 0. There may be several
        minima.
    touching: states at which the tip touches the obstacle (steps + 1, bool); default: all. At other
        states no impulse acts, and penetration is not prevented.
    noise: standard deviations of the residuals, for which the bounds of K and C hold (default:
        VineNoise()).
    matrix: positions of the points on the body (points, bodies); default: interpolation_matrix.
    max_evaluations: largest number of evaluations in each of the fits (default 300).

    Raises StrandError if an argument is invalid, and if there are fewer than two time steps.
    """
    frames = points.steps(model.dt)
    steps = int(frames[-1])
    if steps < 2:
        raise StrandError(f"times: got {steps} time steps, allowed: two or more")
    matrix = measured_matrix(matrix, model, points)
    growth = numbers("growth", growth, (steps, model.pairs))
    if touching is None:
        touching = np.ones(steps + 1, dtype=bool)
    touching = np.asarray(touching)
    if touching.dtype != bool or touching.shape != (steps + 1,):
        raise StrandError(
            f"touching: got {touching.dtype} of shape {touching.shape}, allowed: bool of shape "
            f"({steps + 1},)"
        )
    scale = np.array(
        [
            numbers("stiffness", stiffness, (), above=0),
            numbers("damping", damping, (), above=0),
        ]
    )
    system = GrowthSystem(
        model, matrix, frames, points.positions, growth, obstacle, touching, scale
    )
    guess = _guess(system, points.positions)
    unknowns = system.pack(guess, *scale)
    noise, evaluations = noise or VineNoise(), 0
    for factor in _LOOSENED:
        system.weigh(guess, noise.loosened(factor))
        search = _solve(system, unknowns, 1e-4 if factor > 1 else 1e-6, max_evaluations)
        unknowns, evaluations = search.x, evaluations + search.nfev
    return _result(system, search, points, noise, evaluations)


def _guess(system: GrowthSystem, positions: np.ndarray) -> Trajectory:
    """Chains through the points of the frames; headings quadratic in time if frames suffice."""
    headings, extensions = shapes_of_points(system.model, system.matrix, positions)
    time = np.arange(system.states)
    fitted = np.polynomial.Polynomial.fit
    degree = min(2, len(headings) - 1)
    smooth = np.stack(
        [fitted(system.frames, column, degree)(time) for column in headings.T], axis=1
    )
    rates = np.diff(smooth, axis=0) / system.model.dt
    impulses = np.zeros(system.states - 2)
    return Trajectory(smooth, rates, impulses, extensions[0])


def _solve(
    system: GrowthSystem, unknowns: np.ndarray, tolerance: float, max_evaluations: int
) -> OptimizeResult:
    bounded = system.at_least_zero

    def squared(roots: np.ndarray) -> np.ndarray:
        unknowns = roots.copy()
        unknowns[bounded] **= 2
        return unknowns

    def jacobian(roots: np.ndarray) -> np.ndarray | csr_array:
        slope = np.ones(system.size)
        slope[bounded] = 2 * roots[bounded]
        sparse = system.jacobian(squared(roots)) @ diags_array(slope)
        return sparse.toarray() if dense else sparse

    def residuals(roots: np.ndarray) -> np.ndarray:
        return system.residuals(squared(roots))

    roots = unknowns.copy()
    # Not zero, since the derivative of a square vanishes there.
    roots[bounded] = np.sqrt(np.maximum(unknowns[bounded], 1e-9))
    dense = system.size <= _DENSE
    method = {"method": "lm"} if dense else {"method": "trf", "tr_solver": "lsmr"}
    search = least_squares(
        residuals,
        roots,
        jacobian,
        x_scale="jac",
        ftol=tolerance,
        xtol=tolerance,
        gtol=tolerance,
        max_nfev=max_evaluations,
        **method,
    )
    search.x = squared(search.x)
    return search


def _result(
    system: GrowthSystem,
    search: OptimizeResult,
    points: MeasuredPoints,
    noise: VineNoise,
    evaluations: int,
) -> VineFit:
    model = system.model
    trajectory, stiffness, damping = system.unpack(search.x)
    poses = model.poses(trajectory.headings, system.extensions(trajectory))
    rates = np.full_like(poses, np.nan)
    rates[1:, :, :2] = system.velocities(trajectory)
    rates[1:, :, 2] = np.repeat(trajectory.heading_rates, 2, axis=1)
    jacobian = system.jacobian(search.x).toarray()
    jacobian[:, -2:] /= system.scale
    return assemble(
        search,
        jacobian,
        np.array([stiffness, damping]),
        system.scale,
        noise=noise.points,
        times=points.times[0] + model.dt * np.arange(system.states),
        poses=poses,
        rates=rates,
        impulses=np.concatenate([[np.nan], trajectory.impulses]),
        gaps=system.gaps(trajectory),
        residuals=system.predicted(trajectory) - points.positions,
        cost=float(search.cost),
        evaluations=evaluations,
    )
