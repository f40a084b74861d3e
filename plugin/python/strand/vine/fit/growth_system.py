"""Residuals, and their Jacobian, of the trajectory of a growing robot in contact, in reduced
coordinates.

Unknowns at the states t = 0 ... T: the headings th_t; for t >= 1 their rates w_t (one per pair
each); for 1 <= t < T the impulse n_t >= 0 of the tip in the step from t to t + 1; and the initial
extensions s_0, K and C. (Rates at t = 0 occur only in the momentum residual of the first step,
which they can always make zero; so these rates are omitted together with that step's momentum and
impulse.)

Joints and growth hold by construction: s_t = s_0 + dt sum u, ds_t/dt = u. Residuals, each divided
by its standard deviation:

    points     base + A (ends of bodies - base) - measured, at the frames' steps
    momentum   rho_t = P_t' (M (v_t+1 - v_t) - dt F_t - n_t grad gap_t),  1 <= t < T
    position   th_t+1 - th_t - dt w_t+1,  0 <= t < T
    gap        of the tip, at the steps where it touches

P = dX/dth is the tangent of joints and growth. Projected by it, the momentum defect rho contains no
impulses of joints and growth, which are therefore not unknowns. Noise of standard deviations S on
the momenta of all bodies gives rho the covariance P' S^2 P; noise on positions gives headings the
weight P' S^-2 P. The weights are the Cholesky factors of these, at the first guess of the
trajectory.

Symbols are those of model.py: X_k = base + sum_j l_kj e_j, and
V_k = sum_j (l_kj w_j n_j + l'_kj u_j e_j).
"""

import dataclasses
from typing import TypeAlias

import numpy as np
from scipy.linalg import solve_triangular
from scipy.sparse import coo_array, csr_array

from strand.vine.fit.model import VineModel, axes, normals
from strand.vine.fit.noise import VineNoise
from strand.vine.fit.obstacle import gap_of
from strand.vine.robot import Obstacle

#: How many rows there are, and blocks of their derivatives: rows, columns and values.
Blocks: TypeAlias = tuple[int, list[tuple[np.ndarray, np.ndarray, np.ndarray]]]


@dataclasses.dataclass(frozen=True)
class Trajectory:
    """A trajectory of T steps in reduced coordinates."""

    headings: np.ndarray  #: (T + 1, pairs) (rad)
    heading_rates: np.ndarray  #: (T, pairs) (rad/s), from the second state on
    impulses: np.ndarray  #: (T - 1,) (N s), from the second step on
    extensions: np.ndarray  #: (pairs,), of the first state (m)


class GrowthSystem:
    """Residuals as a function of the unknowns. scale: units of K and C among the unknowns (2,)."""

    def __init__(
        self,
        model: VineModel,
        matrix: np.ndarray,
        frames: np.ndarray,
        measured: np.ndarray,
        growth: np.ndarray,
        obstacle: Obstacle,
        touching: np.ndarray,
        scale: np.ndarray,
    ) -> None:
        self.model, self.matrix, self.frames, self.measured = model, matrix, frames, measured
        self.obstacle, self.scale = obstacle, scale
        self.states = frames[-1] + 1
        self.touch_states = np.flatnonzero(touching)
        self._rates = growth
        self._grown = model.dt * np.vstack([np.zeros(model.pairs), np.cumsum(growth, axis=0)])
        self._body_mass = np.repeat(model.mass, 2)
        pairs, steps = model.pairs, frames[-1]
        self._pushing = touching[1:-1]
        # Ordered by state, so that the matrix is a band bordered by K and C: th_0; then w_t, th_t
        # and, if touching, n_t.
        pushed = np.concatenate([[0], np.cumsum(self._pushing)])
        first = pairs * (1 + 2 * np.arange(steps)) + pushed
        self._rate = first[:, np.newaxis] + np.arange(pairs)
        self._heading = np.vstack([np.arange(pairs), self._rate + pairs])
        self._impulse = first[:-1][self._pushing] + 2 * pairs
        self._extension = self._heading[-1, -1] + 1 + np.arange(pairs)
        self.size = self._extension[-1] + 3

    # Unknowns.

    def pack(self, trajectory: Trajectory, stiffness: float, damping: float) -> np.ndarray:
        unknowns = np.empty(self.size)
        unknowns[self._heading] = trajectory.headings
        unknowns[self._rate] = trajectory.heading_rates
        unknowns[self._impulse] = trajectory.impulses[self._pushing]
        unknowns[self._extension] = trajectory.extensions
        unknowns[-2:] = np.array([stiffness, damping]) / self.scale
        return unknowns

    def unpack(self, unknowns: np.ndarray) -> tuple[Trajectory, float, float]:
        impulses = np.zeros(self.states - 2)
        impulses[self._pushing] = unknowns[self._impulse]
        trajectory = Trajectory(
            unknowns[self._heading],
            unknowns[self._rate],
            impulses,
            unknowns[self._extension],
        )
        return trajectory, *(unknowns[-2:] * self.scale)

    @property
    def at_least_zero(self) -> np.ndarray:
        """Mask of the unknowns that must be >= 0: impulses, K and C."""
        which = np.zeros(self.size, dtype=bool)
        which[self._impulse] = which[-2:] = True
        return which

    def extensions(self, trajectory: Trajectory) -> np.ndarray:
        """Extensions (T + 1, pairs) (m)."""
        return trajectory.extensions + self._grown

    def velocities(self, trajectory: Trajectory) -> np.ndarray:
        """Velocities of the bodies' centres from the second state on, (T, bodies, 2) (m/s)."""
        levers = self.model.levers(self.extensions(trajectory)[1:])
        across, along = normals(trajectory.headings[1:]), axes(trajectory.headings[1:])
        return levers @ (trajectory.heading_rates[..., np.newaxis] * across) + (
            self.model.extension_levers @ (self._rates[..., np.newaxis] * along)
        )

    # Residuals.

    def weigh(self, trajectory: Trajectory, noise: VineNoise) -> None:
        """Sets the weights for a noise; those of momentum and position at the given trajectory."""
        model, self.noise = self.model, noise
        levers = model.levers(self.extensions(trajectory))
        across = normals(trajectory.headings)
        moved = np.einsum("tki,tkj,tic,tjc->tij", levers, levers, across, across)
        turned = 2 * np.eye(model.pairs)
        momenta = noise.momentum**2 * moved + noise.angular_momentum**2 * turned
        positions = moved / noise.position**2 + turned / noise.angle**2
        self._momentum_weight = np.stack(
            [
                solve_triangular(np.linalg.cholesky(block), np.eye(model.pairs), lower=True)
                for block in momenta[1:-1]
            ]
        )
        self._position_weight = np.linalg.cholesky(positions[:-1]).transpose(0, 2, 1)

    def defects(self, unknowns: np.ndarray) -> np.ndarray:
        """Momentum defects rho (T - 1, pairs) (N m s)."""
        model = self.model
        trajectory, stiffness, damping = self.unpack(unknowns)
        levers = model.levers(self.extensions(trajectory))[1:-1]
        headings, rates = trajectory.headings[1:-1], trajectory.heading_rates
        change = np.diff(self.velocities(trajectory), axis=0)
        pushed = np.einsum("tki,tic,k,tkc->ti", levers, normals(headings), self._body_mass, change)
        spun = 2 * model.inertia * np.diff(rates, axis=0)
        bending = rates[:-1] @ model.bending.T
        torque = -(stiffness * model.joint_angles(headings) + damping * bending) @ model.bending
        _, gradient = self._gap_by_headings(trajectory)
        touched = trajectory.impulses[:, np.newaxis] * gradient[1:-1]
        return pushed + spun - model.dt * torque - touched

    def residuals(self, unknowns: np.ndarray) -> np.ndarray:
        trajectory, _, _ = self.unpack(unknowns)
        points = (self.predicted(trajectory) - self.measured) / self.noise.points
        momentum = np.einsum("tij,tj->ti", self._momentum_weight, self.defects(unknowns))
        step = np.diff(trajectory.headings, axis=0) - self.model.dt * trajectory.heading_rates
        position = np.einsum("tij,tj->ti", self._position_weight, step)
        gap = self.gaps(trajectory)[self.touch_states] / self.noise.gap
        return np.concatenate([points.ravel(), momentum.ravel(), position.ravel(), gap])

    def predicted(self, trajectory: Trajectory) -> np.ndarray:
        """Predicted points at the frames (frames, points, 2) (m)."""
        levers = self.model.distal_levers(self.extensions(trajectory)[self.frames])
        return self.model.base + (self.matrix @ levers) @ axes(trajectory.headings[self.frames])

    def gaps(self, trajectory: Trajectory) -> np.ndarray:
        """Gaps of the tip (T + 1,) (m)."""
        return self._gap_by_headings(trajectory)[0]

    def _gap_by_headings(self, trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        extensions = self.extensions(trajectory)
        tips = self.model.tip(trajectory.headings, extensions)
        gap, normal, _ = gap_of(self.obstacle, tips)
        reach = (extensions + 2 * self.model.half_length)[..., np.newaxis]
        slope = (reach * normals(trajectory.headings)) @ normal[..., np.newaxis]
        return gap - 0.5 * self.model.diameter, slope[..., 0]

    # Derivatives.

    def jacobian(self, unknowns: np.ndarray) -> csr_array:
        """The Jacobian of `residuals`, sparse."""
        trajectory, stiffness, damping = self.unpack(unknowns)
        parts = [
            self._point_blocks(trajectory),
            self._momentum_blocks(trajectory, stiffness, damping),
            self._position_blocks(),
            self._gap_blocks(trajectory),
        ]
        rows, columns, values, first = [], [], [], 0
        for count, blocks in parts:
            for row, column, value in blocks:
                value, row, column = np.broadcast_arrays(value, first + row, column)
                rows.append(row.ravel())
                columns.append(column.ravel())
                values.append(value.ravel())
            first += count
        places = (np.concatenate(rows), np.concatenate(columns))
        return coo_array((np.concatenate(values), places), shape=(first, self.size)).tocsr()

    def _point_blocks(self, trajectory: Trajectory) -> Blocks:
        headings = trajectory.headings[self.frames]
        levers = self.matrix @ self.model.distal_levers(self.extensions(trajectory)[self.frames])
        noise = np.asarray(self.noise.points)[:, np.newaxis]
        # (frames, points, 2, pairs)
        turned = levers[:, :, np.newaxis] * normals(headings).swapaxes(1, 2)[:, np.newaxis] / noise
        reach = (self.matrix @ self.model.extension_levers)[:, np.newaxis]
        grown = reach * axes(headings).swapaxes(1, 2)[:, np.newaxis] / noise
        row = np.arange(self.measured.size).reshape(self.measured.shape)[..., np.newaxis]
        heading = self._heading[self.frames][:, np.newaxis, np.newaxis]
        return self.measured.size, [(row, heading, turned), (row, self._extension, grown)]

    def _momentum_blocks(self, trajectory: Trajectory, stiffness: float, damping: float) -> Blocks:
        model, steps, pairs = self.model, self.states - 2, self.model.pairs
        headings = trajectory.headings[1:]
        levers = model.levers(self.extensions(trajectory)[1:])
        across, along = normals(headings), axes(headings)
        rates, mass = trajectory.heading_rates[..., np.newaxis], self._body_mass
        grown = self._rates[..., np.newaxis]
        change = np.diff(self.velocities(trajectory), axis=0)
        own, slopes = np.eye(pairs), model.extension_levers

        # Derivatives of V_k (T, bodies, pairs, 2) by headings, rates and extensions.
        by_heading = -levers[..., np.newaxis] * (rates * along)[:, np.newaxis]
        by_heading += slopes[..., np.newaxis] * (grown * across)[:, np.newaxis]
        by_rate = levers[..., np.newaxis] * across[:, np.newaxis]
        by_extension = slopes[..., np.newaxis] * (rates * across)[:, np.newaxis]
        pull = mass[:, np.newaxis, np.newaxis] * by_rate[:-1]  # P' M

        def pulled(block: np.ndarray) -> np.ndarray:
            return np.einsum("tkic,tkjc->tij", pull, block)

        inward = np.einsum("tki,tic,k,tkc->ti", levers[:-1], -along[:-1], mass, change)
        longer = np.einsum("ki,tic,k,tkc->ti", slopes, across[:-1], mass, change)
        bending = model.bending.T @ model.bending
        _, gradient = self._gap_by_headings(trajectory)
        by_heading_gap, by_extension_gap = self._gap_curvature(trajectory)
        impulse = trajectory.impulses[:, np.newaxis, np.newaxis]

        here = -pulled(by_heading[:-1]) + inward[..., np.newaxis] * own
        here += model.dt * stiffness * bending - impulse * by_heading_gap[1:-1]
        rate_here = -pulled(by_rate[:-1]) - 2 * model.inertia * own + model.dt * damping * bending
        rate_next = pulled(by_rate[1:]) + 2 * model.inertia * own
        extension = pulled(np.diff(by_extension, axis=0)) + longer[..., np.newaxis] * own
        extension -= impulse * by_extension_gap[1:-1]
        bent = model.joint_angles(headings[:-1]) @ model.bending
        slowed = trajectory.heading_rates[:-1] @ bending
        material = model.dt * np.stack([bent, slowed], axis=-1) * self.scale

        row = (pairs * np.arange(steps)[:, np.newaxis] + np.arange(pairs))[..., np.newaxis]
        blocks = (
            (self._heading[1:-1, np.newaxis], here),
            (self._heading[2:, np.newaxis], pulled(by_heading[1:])),
            (self._rate[:-1, np.newaxis], rate_here),
            (self._rate[1:, np.newaxis], rate_next),
            (self._extension, extension),
            (self.size - 2 + np.arange(2), material),
        )
        weight, touch = self._momentum_weight, self._pushing
        weighted = [(row, column, weight @ block) for column, block in blocks]
        push = -weight[touch] @ gradient[1:-1][touch][..., np.newaxis]
        weighted.append((row[touch], self._impulse[:, np.newaxis, np.newaxis], push))
        return steps * pairs, weighted

    def _position_blocks(self) -> Blocks:
        steps, pairs = self.states - 1, self.model.pairs
        row = (pairs * np.arange(steps)[:, np.newaxis] + np.arange(pairs))[..., np.newaxis]
        weight = self._position_weight
        return steps * pairs, [
            (row, self._heading[:-1, np.newaxis], -weight),
            (row, self._heading[1:, np.newaxis], weight),
            (row, self._rate[:, np.newaxis], -self.model.dt * weight),
        ]

    def _gap_blocks(self, trajectory: Trajectory) -> Blocks:
        touch = self.touch_states
        _, gradient = self._gap_by_headings(trajectory)
        tips = self.model.tip(trajectory.headings, self.extensions(trajectory))
        _, normal, _ = gap_of(self.obstacle, tips)
        grown = (axes(trajectory.headings) @ normal[..., np.newaxis])[..., 0]
        row = np.arange(len(touch))[:, np.newaxis]
        return len(touch), [
            (row, self._heading[touch], gradient[touch] / self.noise.gap),
            (row, self._extension, grown[touch] / self.noise.gap),
        ]

    def _gap_curvature(self, trajectory: Trajectory) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives, by headings and by extensions, of the gap's gradient by headings."""
        extensions = self.extensions(trajectory)
        tips = self.model.tip(trajectory.headings, extensions)
        _, normal, hessian = gap_of(self.obstacle, tips)
        reach = (extensions + 2 * self.model.half_length)[..., np.newaxis]
        across, along = normals(trajectory.headings), axes(trajectory.headings)
        turned = reach * across
        own = np.eye(self.model.pairs)
        by_heading = turned @ hessian @ turned.swapaxes(1, 2)
        by_heading -= own * (reach * along @ normal[..., np.newaxis])
        by_extension = turned @ hessian @ along.swapaxes(1, 2)
        by_extension += own * (across @ normal[..., np.newaxis])
        return by_heading, by_extension
