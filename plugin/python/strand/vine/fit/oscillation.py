"""Stiffness and damping from a free oscillation, by single shooting.

Without process noise the initial state determines the trajectory. So the unknowns are K, C and the
state of the first frame in reduced coordinates: headings; their rates, unless the robot starts at
rest; and the extensions of the pairs, unless they are given. Residuals are differences between
measured points and those of an exact rollout of the published step (published_step.py), which also
computes exact derivatives. For independent Gaussian noise this is maximum likelihood, and the
Cramer-Rao bound of all unknowns is sigma^2 (J' J)^-1.

A wrong K puts the rollout out of phase, so that the sum of squares has minima whole oscillations
apart. So the first frames are fitted first, then twice as many, and so on. A few noisy frames do
not determine C, so these searches are regularised towards the initial K and C (a factor of two
costs one standard deviation). The last search is not: it is pure least squares.

The optimiser is scipy.optimize.least_squares (trust region, bounds K, C >= 0). J is dense, since
every point depends on every unknown.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import OptimizeResult, least_squares

from strand.errors import StrandError
from strand.vine.fit.model import VineModel, axes, normals, numbers
from strand.vine.fit.points import MeasuredPoints, measured_matrix, shapes_of_points
from strand.vine.fit.published_step import PublishedStep
from strand.vine.fit.result import VineFit, assemble

#: Number of frames in the first search.
_FIRST_FRAMES = 8


def rollout(
    model: VineModel,
    headings: np.ndarray,
    heading_rates: np.ndarray,
    extensions: np.ndarray,
    stiffness: float,
    damping: float,
    steps: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Simulates a robot without growth and contact by the published step, explicit in bending.

    model: parameters of the robot.
    headings, heading_rates, extensions: initial state, (pairs,) each (rad; rad/s; m).
    stiffness, damping: K (N m) and C (N m s) of each joint.
    steps: number of steps.

    Returns poses (x, y (m), heading (rad)) and their rates, (steps + 1, bodies, 3) each.
    """
    shape = (model.pairs,)
    start = _Start(model, at_rest=False, extensions=None)
    unknowns = np.concatenate(
        [
            numbers("headings", headings, shape),
            numbers("heading_rates", heading_rates, shape),
            numbers("extensions", extensions, shape, above=0),
            [
                numbers("stiffness", stiffness, (), least=0),
                numbers("damping", damping, (), least=0),
            ],
        ]
    )
    states = _roll(PublishedStep(model), start, unknowns, steps)
    return _poses(model, states)


def fit_oscillation(
    points: MeasuredPoints,
    model: VineModel,
    *,
    stiffness: float,
    damping: float,
    noise: float | None = None,
    at_rest: bool = False,
    extensions: float | np.ndarray | None = None,
    matrix: np.ndarray | None = None,
    max_evaluations: int = 100,
) -> VineFit:
    """Fits K and C, equal in all joints, and the initial state to points of a free oscillation.

    points: measured points of the film.
    model: known parameters of the robot.
    stiffness, damping: initial K (N m) and C (N m s) of the search, > 0, correct within a small
        factor.
    noise: standard deviation of each measured coordinate (m); default: that of the residuals.
    at_rest: the velocities of the first frame are zero instead of unknown (default False).
    extensions: distances of the pairs' bodies (m), if known (default: unknown).
    matrix: positions of the points on the body (points, bodies); default: interpolation_matrix.
    max_evaluations: largest number of evaluations in each search (default 100).

    Raises StrandError if an argument is invalid, and if explicit steps are unstable with the
    initial K and C.
    """
    steps = points.steps(model.dt)
    matrix = measured_matrix(matrix, model, points)
    scale = np.array(
        [
            numbers("stiffness", stiffness, (), above=0),
            numbers("damping", damping, (), above=0),
        ]
    )
    if noise is not None:
        numbers("noise", noise, (), above=0)
    start = _Start(model, at_rest, extensions)
    problem = _Shooting(points, model, matrix, steps, start, scale)
    unknowns = problem.guess()
    draw, evaluations = noise or problem.noise_of_shape(unknowns), 0
    for frames, weight in problem.parts(draw):
        search = problem.solve(unknowns, frames, weight, max_evaluations)
        unknowns, evaluations = search.x, evaluations + search.nfev
    return problem.result(search, noise, evaluations)


class _Start:
    """The state of the first frame as a function of its unknowns: headings, rates (unless at rest)
    and extensions (unless given)."""

    def __init__(self, model: VineModel, at_rest: bool, extensions: ArrayLike | None) -> None:
        self.model, self.at_rest = model, at_rest
        self.extensions = None
        if extensions is not None:
            self.extensions = numbers("extensions", extensions, (model.pairs,), above=0)
        self.size = model.pairs * (3 - bool(at_rest) - (extensions is not None))

    def pack(self, headings: np.ndarray, extensions: np.ndarray) -> np.ndarray:
        rates = [] if self.at_rest else [np.zeros(self.model.pairs)]
        return np.concatenate(
            [headings, *rates, *([extensions] if self.extensions is None else [])]
        )

    def parts(self, unknowns: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        pairs = self.model.pairs
        rates = np.zeros(pairs) if self.at_rest else unknowns[pairs : 2 * pairs]
        extensions = self.extensions
        if extensions is None:
            extensions = unknowns[self.size - pairs : self.size]
        return unknowns[:pairs], rates, extensions

    def state(self, unknowns: np.ndarray) -> np.ndarray:
        """The state (q, v), (12 pairs,)."""
        model = self.model
        headings, rates, extensions = self.parts(unknowns)
        turning = rates[:, np.newaxis] * normals(headings)
        velocity = np.column_stack([model.levers(extensions) @ turning, np.repeat(rates, 2)])
        return np.concatenate([model.poses(headings, extensions).ravel(), velocity.ravel()])

    def tangent(self, unknowns: np.ndarray) -> np.ndarray:
        """Derivatives of the state by the unknowns, K and C, (12 pairs, size + 2)."""
        model, pairs = self.model, self.model.pairs
        headings, rates, extensions = self.parts(unknowns)
        levers = model.levers(extensions)[..., np.newaxis]
        across, along = normals(headings), axes(headings)
        turned = model.body_of_pair[:, :, np.newaxis]
        still = np.zeros_like(turned)

        def rows(centres: np.ndarray, headings: np.ndarray) -> np.ndarray:
            block = np.concatenate([np.broadcast_to(centres, (2 * pairs, pairs, 2)), headings], -1)
            return block.transpose(0, 2, 1).reshape(6 * pairs, pairs)

        spin = rates[:, np.newaxis]
        grown = model.extension_levers[..., np.newaxis]
        columns = [(rows(levers * across, turned), rows(-levers * spin * along, still))]
        if not self.at_rest:
            columns.append((rows(levers * 0 * across, still), rows(levers * across, turned)))
        if self.extensions is None:
            columns.append((rows(grown * along, still), rows(grown * spin * across, still)))
        columns.append((np.zeros((6 * pairs, 2)),) * 2)
        return np.concatenate(
            [np.concatenate(block, axis=1) for block in zip(*columns, strict=True)]
        )


class _Shooting:
    """Residuals of points (m) and their derivatives. Unknowns: those of the first frame's state,
    and K and C in units of `scale`."""

    def __init__(
        self,
        points: MeasuredPoints,
        model: VineModel,
        matrix: np.ndarray,
        steps: np.ndarray,
        start: _Start,
        scale: np.ndarray,
    ) -> None:
        self.points, self.model, self.matrix, self.steps = points, model, matrix, steps
        self.start, self.scale = start, scale
        self.stepper = PublishedStep(model)
        self._rolled: tuple[bytes, np.ndarray] | None = None

    def guess(self) -> np.ndarray:
        """The shape of the first frame, and the initial K and C.

        Raises StrandError if these are unstable.
        """
        headings, extensions = shapes_of_points(self.model, self.matrix, self.points.positions[:1])
        if self.start.extensions is not None:
            extensions = self.start.extensions[np.newaxis]
        dt, (stiffness, damping) = self.model.dt, self.scale
        limit = self.model.explicit_limit(headings[0], extensions[0])
        if not dt * (dt * stiffness + 2 * damping) < limit:
            raise StrandError(
                f"stiffness: got {stiffness:g} N m with damping {damping:g} N m s, where explicit "
                f"steps of {dt:g} s are unstable, allowed: dt K + 2 C < {limit / dt:.3g} N m s"
            )
        return np.concatenate([self.start.pack(headings[0], extensions[0]), [1.0, 1.0]])

    def noise_of_shape(self, unknowns: np.ndarray) -> float:
        """Root mean square residual of the first frame's shape (m), the scatter of its points."""
        return float(np.sqrt((self.residuals(unknowns, 1) ** 2).mean()))

    def parts(self, noise: float) -> list[tuple[int, float]]:
        """Increasing numbers of frames, each with the weight (m) that regularises K and C."""
        frames = min(_FIRST_FRAMES, len(self.steps))
        counts: list[int] = []
        while not counts or counts[-1] < len(self.steps):
            counts.append(frames)
            frames = min(2 * frames, len(self.steps))
        return [*((count, noise / np.log(2)) for count in counts), (len(self.steps), 0.0)]

    def solve(
        self, unknowns: np.ndarray, frames: int, weight: float, max_evaluations: int
    ) -> OptimizeResult:
        """Fits the first `frames` frames."""
        lower = np.full(len(unknowns), -np.inf)
        lower[-2:] = 0
        if self.start.extensions is None:
            lower[self.start.size - self.model.pairs : self.start.size] = 0

        def residuals(unknowns: np.ndarray) -> np.ndarray:
            found = self.residuals(unknowns, frames)
            if not weight:
                return found
            with np.errstate(divide="ignore"):
                return np.concatenate([found, weight * np.log(unknowns[-2:])])

        def jacobian(unknowns: np.ndarray) -> np.ndarray:
            found = self.jacobian(unknowns, frames)
            if not weight:
                return found
            drawn = np.zeros((2, len(unknowns)))
            drawn[:, -2:] = np.diag(weight / unknowns[-2:])
            return np.concatenate([found, drawn])

        return least_squares(
            residuals,
            unknowns,
            jacobian,
            bounds=(lower, np.inf),
            x_scale="jac",
            ftol=1e-12,
            xtol=1e-12,
            gtol=1e-12,
            max_nfev=max_evaluations,
        )

    def residuals(self, unknowns: np.ndarray, frames: int) -> np.ndarray:
        states = self._roll(unknowns, frames)[self.steps[:frames]]
        return (self._predicted(states) - self.points.positions[:frames]).ravel()

    def jacobian(self, unknowns: np.ndarray, frames: int) -> np.ndarray:
        every, steps, size = self._roll(unknowns, frames), self.steps[:frames], self.stepper.size
        tangents = _tangents(self.stepper, self.start, self._physical(unknowns), every, steps)
        states = every[steps]
        heading = states[:, 2:size:3]
        arm = np.repeat(self.model.half_length, 2)
        turned = tangents[:, 2:size:3]
        ends = np.stack(
            [
                tangents[:, 0:size:3] - (arm * np.sin(heading))[..., np.newaxis] * turned,
                tangents[:, 1:size:3] + (arm * np.cos(heading))[..., np.newaxis] * turned,
            ],
            axis=2,
        )
        rows = np.einsum("pk,tkcu->tpcu", self.matrix, ends).reshape(-1, ends.shape[-1])
        rows[:, -2:] *= self.scale
        return rows

    def _noise(self, residuals: np.ndarray, unknowns: int) -> float:
        """Standard deviation (m) of the residuals of points that depend on the unknowns."""
        moved = residuals.reshape(self.points.positions.shape)[:, self.matrix.any(axis=1)]
        if moved.size <= unknowns:
            raise StrandError(
                f"points: got {moved.size} coordinates, allowed: more than the {unknowns} unknowns"
            )
        return float(np.sqrt((moved**2).sum() / (moved.size - unknowns)))

    def _physical(self, unknowns: np.ndarray) -> np.ndarray:
        return np.concatenate([unknowns[:-2], unknowns[-2:] * self.scale])

    def _roll(self, unknowns: np.ndarray, frames: int) -> np.ndarray:
        """States of all steps until a frame. The last ones are kept, since the search asks for the
        residuals and then for their derivatives at the same unknowns."""
        key, last = unknowns.tobytes(), self.steps[frames - 1]
        if self._rolled is None or self._rolled[0] != key or len(self._rolled[1]) <= last:
            physical = self._physical(unknowns)
            self._rolled = key, _roll(self.stepper, self.start, physical, last)
        return self._rolled[1][: last + 1]

    def _predicted(self, states: np.ndarray) -> np.ndarray:
        poses, _ = _poses(self.model, states)
        arm = np.repeat(self.model.half_length, 2)[:, np.newaxis]
        ends = poses[..., :2] + arm * axes(poses[..., 2])
        return self.model.base + self.matrix @ (ends - self.model.base)

    def result(self, search: OptimizeResult, noise: float | None, evaluations: int) -> VineFit:
        steps, frames = self.steps, len(self.steps)
        residuals = self.residuals(search.x, frames)
        if noise is None:
            noise = self._noise(residuals, len(search.x))
        values = search.x[-2:] * self.scale
        jacobian = self.jacobian(search.x, frames) / noise
        jacobian[:, -2:] /= self.scale
        poses, rates = _poses(self.model, self._roll(search.x, frames))
        return assemble(
            search,
            jacobian,
            values,
            self.scale,
            noise=np.full(2, noise),
            times=self.points.times[0] + self.model.dt * np.arange(steps[-1] + 1),
            poses=poses,
            rates=rates,
            impulses=np.zeros(steps[-1]),
            gaps=np.full(steps[-1] + 1, np.inf),
            residuals=residuals.reshape(self.points.positions.shape),
            cost=0.5 * float((residuals**2).sum()) / noise**2,
            evaluations=evaluations,
        )


def _roll(stepper: PublishedStep, start: _Start, unknowns: np.ndarray, steps: int) -> np.ndarray:
    """States (steps + 1, 12 pairs). Those after an overflow are NaN."""
    stiffness, damping = unknowns[-2:]
    still = np.zeros(stepper.model.pairs)
    state = start.state(unknowns)
    states = np.full((steps + 1, len(state)), np.nan)
    states[0] = state
    with np.errstate(over="ignore", invalid="ignore"):
        for k in range(1, steps + 1):
            try:
                state = stepper.advance(state, still, stiffness, damping)
            except np.linalg.LinAlgError:
                break
            states[k] = state
    return states


def _tangents(
    stepper: PublishedStep,
    start: _Start,
    unknowns: np.ndarray,
    states: np.ndarray,
    kept: np.ndarray,
) -> np.ndarray:
    """Derivatives of the states at the start and the steps `kept`, (kept, 12 pairs, unknowns)."""
    stiffness, damping = unknowns[-2:]
    still, tangent = np.zeros(stepper.model.pairs), start.tangent(unknowns)
    wanted, tangents = set(kept.tolist()), [tangent]
    each = stepper.derivatives(states[:-1], still, stiffness, damping, tangent)
    tangents += [one for k, one in enumerate(each, 1) if k in wanted]
    return np.array(tangents)


def _poses(model: VineModel, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    parts = states.reshape(len(states), 2, model.bodies, 3)
    return parts[:, 0], parts[:, 1]
