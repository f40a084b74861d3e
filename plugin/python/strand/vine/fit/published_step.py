"""The published time step of a chain without obstacles, and its exact derivatives.

In maximal coordinates q = (x, y, th of body 0, ...), with velocities v, a step finds v+ and
multipliers lam of

    R_1 = M (v+ - v) - A' lam - dt F = 0,    R_2 = A v+ - b = 0,    q+ = q + dt v+

A stacks, pair by pair, the Jacobian of the joints c(q) (b = -c / dt) and the growth row
dt dg/dq + dg/dv (b = u) of the rate of extension g = D.V / |D|, with the position D and velocity V
of body b relative to body a. F is explicit bending: torques -K phi - C dphi/dt at the joints. It is
the step of model/vine/vine.h in `single_qp` mode with explicit bending.

Derivatives of v+ follow from dR = 0: the same matrix with

    R_1:  M dv + dt dF + d(A' lam)      R_2:  db - d(A) v+

as right-hand sides. They are exact, and as smooth as the step; singular if D = 0.

Source: Jitosho et al., ICRA 2021, eqs. 6 to 18; eq. 14 misprints the growth row.
"""

from typing import TypeAlias

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from strand.vine.fit.model import VineModel

#: Rows of a pair in A: pin x, pin y, prismatic a, prismatic b, growth.
ROWS = 5

_Four: TypeAlias = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


class PublishedStep:
    """Steps of a chain. The state is (q, v), 12 L numbers; K and C may change between steps."""

    def __init__(self, model: VineModel) -> None:
        pairs = model.pairs
        self.model = model
        self.size = 6 * pairs
        self._inverse_mass = (
            1
            / np.repeat(
                np.stack([model.mass, model.mass, model.inertia], axis=-1), 2, axis=0
            ).ravel()
        )
        # Joint angles from all coordinates: th of body a minus th of the previous body.
        self._turning = np.zeros((pairs, self.size))
        pair = np.arange(pairs)
        self._turning[pair, 6 * pair + 2] = 1
        self._turning[pair[1:], 6 * pair[1:] - 1] = -1
        self._rows = ROWS * pair
        self._a = 6 * pair[:, np.newaxis] + np.arange(2)  # x, y of bodies a
        self._b = self._a + 3
        self._theta_a, self._theta_b = 6 * pair + 2, 6 * pair + 5

    def advance(
        self,
        state: np.ndarray,
        rates: np.ndarray,
        stiffness: float,
        damping: float,
        tangent: np.ndarray | None = None,
    ) -> tuple[np.ndarray, np.ndarray | None]:
        """Advances a state by one step.

        state: (12 L,). rates: of extension (pairs,) (m/s). stiffness, damping: K (N m), C (N m s).
        tangent: derivatives of the state by p parameters (12 L, p), the last two being K and C.

        Returns the new state and its derivatives (None without `tangent`). States may overflow if
        dt is too large for K; this raises no error.
        """
        dt, size, inverse_mass = self.model.dt, self.size, self._inverse_mass
        q, v = state[:size], state[size:]
        angle = self._turning @ q
        angle[0] -= self.model.base_heading
        rate = self._turning @ v
        force = self._turning.T @ (-stiffness * angle - damping * rate)
        matrix, right = self._constraints(q, v, rates)
        free = v + dt * inverse_mass * force
        complement = (matrix * inverse_mass) @ matrix.T
        factor = cho_factor(complement, check_finite=False)
        multipliers = cho_solve(factor, right - matrix @ free, check_finite=False)
        after = free + inverse_mass * (matrix.T @ multipliers)
        new = np.concatenate([q + dt * after, after])
        if tangent is None:
            return new, None

        dq, dv = tangent[:size], tangent[size:]
        dforce = -self._turning.T @ (self._turning @ (stiffness * dq + damping * dv))
        dforce[:, -2] -= self._turning.T @ angle
        dforce[:, -1] -= self._turning.T @ rate
        by_q, by_v, right_by_q, right_by_v = self._curvature(q, v, multipliers, after)
        upper = dv + inverse_mass[:, np.newaxis] * (dt * dforce + by_q @ dq + by_v @ dv)
        lower = -right_by_q @ dq - right_by_v @ dv
        lower -= matrix @ dq / dt * self._is_joint[:, np.newaxis]
        dlam = cho_solve(factor, lower - matrix @ upper, check_finite=False)
        dafter = upper + inverse_mass[:, np.newaxis] * (matrix.T @ dlam)
        return new, np.concatenate([dq + dt * dafter, dafter])

    @property
    def _is_joint(self) -> np.ndarray:
        return np.arange(ROWS * self.model.pairs) % ROWS != ROWS - 1

    def _pair_geometry(
        self, q: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        cos_a, sin_a = np.cos(q[self._theta_a]), np.sin(q[self._theta_a])
        cos_b, sin_b = np.cos(q[self._theta_b]), np.sin(q[self._theta_b])
        return cos_a, sin_a, cos_b, sin_b, q[self._b] - q[self._a]

    def _constraints(
        self, q: np.ndarray, v: np.ndarray, rates: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The matrix A and the right-hand side b."""
        model, rows, d = self.model, self._rows, self.model.half_length
        cos_a, sin_a, cos_b, sin_b, offset = self._pair_geometry(q)
        matrix = np.zeros((ROWS * model.pairs, self.size))
        error = np.empty((model.pairs, ROWS))

        error[:, :2] = q[self._a] - np.stack([d * cos_a, d * sin_a], axis=-1)
        error[0, :2] -= model.base
        error[1:, :2] -= q[self._b[:-1]]
        error[1:, :2] -= np.stack([d * cos_b, d * sin_b], axis=-1)[:-1]
        for axis, slope_a, slope_b in ((0, sin_a, sin_b), (1, -cos_a, -cos_b)):
            row = rows + axis
            matrix[row, self._a[:, axis]] = 1
            matrix[row, self._theta_a] = d * slope_a
            matrix[row[1:], self._b[:-1, axis]] = -1
            matrix[row[1:], self._theta_b[:-1]] = (d * slope_b)[:-1]

        sides = ((2, self._theta_a, cos_a, sin_a), (3, self._theta_b, cos_b, sin_b))
        for place, theta, cos, sin in sides:
            row = rows + place
            error[:, place] = -sin * offset[:, 0] + cos * offset[:, 1]
            for bodies, sign in ((self._a, -1), (self._b, 1)):
                matrix[row, bodies[:, 0]] = -sign * sin
                matrix[row, bodies[:, 1]] = sign * cos
            matrix[row, theta] = -(cos * offset[:, 0] + sin * offset[:, 1])

        unit, length, _, across = self._growth(q, v, offset)
        growth = unit + model.dt * across / length[:, np.newaxis]
        matrix[rows[:, np.newaxis] + 4, self._b] = growth
        matrix[rows[:, np.newaxis] + 4, self._a] = -growth
        right = -error / model.dt
        right[:, 4] = rates
        return matrix, right.ravel()

    def _growth(self, q: np.ndarray, v: np.ndarray, offset: np.ndarray) -> _Four:
        """e = D / |D|, |D|, e.V and the component of V orthogonal to e, for all pairs."""
        length = np.linalg.norm(offset, axis=-1)
        unit = offset / length[:, np.newaxis]
        velocity = v[self._b] - v[self._a]
        along = (unit * velocity).sum(axis=-1)
        return unit, length, along, velocity - along[:, np.newaxis] * unit

    def _curvature(
        self, q: np.ndarray, v: np.ndarray, multipliers: np.ndarray, after: np.ndarray
    ) -> _Four:
        """d(A' lam) by q and by v, (6 L, 6 L); d(A v+) at fixed v+ by q and by v, (5 L, 6 L)."""
        d, rows = self.model.half_length, self._rows
        cos_a, sin_a, cos_b, sin_b, offset = self._pair_geometry(q)
        lam = multipliers.reshape(-1, ROWS)
        by_q, by_v = np.zeros((self.size, self.size)), np.zeros((self.size, self.size))
        right_q = np.zeros((ROWS * self.model.pairs, self.size))
        right_v = np.zeros_like(right_q)

        # Pins: second derivatives by th_a and by th_b of the previous pair.
        for axis, bend_a, bend_b in ((0, cos_a, cos_b), (1, sin_a, sin_b)):
            row = rows + axis
            by_q[self._theta_a, self._theta_a] += lam[:, axis] * d * bend_a
            right_q[row, self._theta_a] += d * bend_a * after[self._theta_a]
            theta, bend = self._theta_b[:-1], (d * bend_b)[:-1]
            by_q[theta, theta] += lam[1:, axis] * bend
            right_q[row[1:], theta] += bend * after[theta]

        # Prismatic joints: by the heading twice, and by the heading and the centres.
        sides = ((2, self._theta_a, cos_a, sin_a), (3, self._theta_b, cos_b, sin_b))
        for place, theta, cos, sin in sides:
            row, pull = rows + place, lam[:, place]
            bend = sin * offset[:, 0] - cos * offset[:, 1]
            by_q[theta, theta] += pull * bend
            right_q[row, theta] += bend * after[theta]
            for bodies, sign in ((self._a, 1), (self._b, -1)):
                for axis, mixed in ((0, sign * cos), (1, sign * sin)):
                    by_q[theta, bodies[:, axis]] += pull * mixed
                    by_q[bodies[:, axis], theta] += pull * mixed
                    right_q[row, theta] += mixed * after[bodies[:, axis]]
                    right_q[row, bodies[:, axis]] += mixed * after[theta]

        self._growth_curvature(q, v, offset, lam[:, 4], after, (by_q, by_v, right_q, right_v))
        return by_q, by_v, right_q, right_v

    def _growth_curvature(
        self,
        q: np.ndarray,
        v: np.ndarray,
        offset: np.ndarray,
        pull: np.ndarray,
        after: np.ndarray,
        into: _Four,
    ) -> None:
        """Adds derivatives of the growth row w = e + dt (V - e e.V) / |D| by D and by V.

        dw/dV = dt P / |D| and dw/dD = P / |D| - dt (V e' + e V' + (e.V) (I - 3 e e')) / |D|^2, both
        symmetric, with P = I - e e'.
        """
        by_q, by_v, right_q, right_v = into
        unit, length, along, across = self._growth(q, v, offset)
        outer = np.einsum("li,lj->lij", unit, unit)
        scale = length[:, np.newaxis, np.newaxis]
        speed = along[:, np.newaxis, np.newaxis]
        mixed = np.einsum("li,lj->lij", across + along[:, np.newaxis] * unit, unit)
        flat = (np.eye(2) - outer) / scale
        by_velocity = self.model.dt * flat
        by_offset = flat - self.model.dt / scale**2 * (
            mixed + mixed.transpose(0, 2, 1) + speed * (np.eye(2) - 3 * outer)
        )
        relative = after[self._b] - after[self._a]
        row = self._rows[:, np.newaxis] + 4
        for matrix, right, block in ((by_q, right_q, by_offset), (by_v, right_v, by_velocity)):
            slope = np.einsum("lij,lj->li", block, relative)
            for first, sign_first in ((self._a, -1), (self._b, 1)):
                right[row, first] += sign_first * slope
                for second, sign_second in ((self._a, -1), (self._b, 1)):
                    matrix[first[:, :, np.newaxis], second[:, np.newaxis, :]] += (
                        sign_first * sign_second * pull[:, np.newaxis, np.newaxis] * block
                    )
