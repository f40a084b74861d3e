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

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from scipy.linalg.lapack import dposv

from strand.vine.fit.model import VineModel

#: Rows of a pair in A: pin x, pin y, prismatic a, prismatic b, growth.
ROWS = 5

#: Number of steps that are differentiated at a time.
_BLOCK = 64

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
        self._is_joint = np.arange(ROWS * pairs) % ROWS != ROWS - 1
        self._constant, self._places = self._fixed_entries()

    def advance(
        self,
        state: np.ndarray,
        rates: np.ndarray,
        stiffness: float,
        damping: float,
    ) -> np.ndarray:
        """The state after one step.

        state: (12 L,). rates: of extension (pairs,) (m/s). stiffness, damping: K (N m), C (N m s).

        States may overflow if dt is too large for K; this raises no error.
        """
        q, v = state[: self.size], state[self.size :]
        matrix, right = self._constraints(q, v, rates)
        free = self._free(q, v, stiffness, damping)
        complement = (matrix * self._inverse_mass) @ matrix.T
        multipliers = _positive_solve(complement, right - matrix @ free)
        after = free + self._inverse_mass * (matrix.T @ multipliers)
        return np.concatenate([q + self.model.dt * after, after])

    def derivatives(
        self,
        states: np.ndarray,
        rates: np.ndarray,
        stiffness: float,
        damping: float,
        tangent: np.ndarray,
    ) -> Iterator[np.ndarray]:
        """Derivatives of the states after steps from `states` (n, 12 L), which follow each other.

        tangent: those of the first of `states` by p parameters (12 L, p), the last two being K and
        C. Other arguments as in `advance`.
        """
        for begin in range(0, len(states), _BLOCK):
            block = states[begin : begin + _BLOCK]
            for linear in self._linear(block, rates, stiffness, damping):
                tangent = self._advance_tangent(tangent, *linear)
                yield tangent

    def _linear(
        self, states: np.ndarray, rates: np.ndarray, stiffness: float, damping: float
    ) -> Iterator[_Four]:
        """For each state: A; dR_1 and dR_2 at fixed v+ by (q, v), (11 L, 12 L); dt M^-1 dF by K and
        C, (6 L, 2); and A M^-1 A'."""
        dt, size, inverse_mass = self.model.dt, self.size, self._inverse_mass
        q, v = states[:, :size], states[:, size:]
        matrix, right = self._constraints(q, v, rates)
        free = self._free(q, v, stiffness, damping)
        weighted = matrix * inverse_mass
        complement = weighted @ matrix.transpose(0, 2, 1)
        rest = right - np.einsum("tij,tj->ti", matrix, free)
        multipliers = np.linalg.solve(complement, rest[..., np.newaxis])[..., 0]
        after = free + np.einsum("tij,ti->tj", weighted, multipliers)
        slopes = np.zeros((len(states), size + ROWS * self.model.pairs, 2 * size))
        self._curvature(q, v, multipliers, after, slopes)
        bending = dt * self._turning.T @ self._turning
        slopes[:, :size, :size] -= stiffness * bending
        slopes[:, :size, size:] -= damping * bending
        slopes[:, :size] *= inverse_mass[:, np.newaxis]
        slopes[:, np.arange(size), size + np.arange(size)] += 1
        slopes[:, size:, :size] -= matrix / dt * self._is_joint[:, np.newaxis]
        by_material = np.stack([self._angles(q), v @ self._turning.T], axis=-1)
        by_material = -dt * inverse_mass[:, np.newaxis] * (self._turning.T @ by_material)
        return zip(matrix, slopes, by_material, complement, strict=True)

    def _advance_tangent(
        self,
        tangent: np.ndarray,
        matrix: np.ndarray,
        slopes: np.ndarray,
        by_material: np.ndarray,
        complement: np.ndarray,
    ) -> np.ndarray:
        size = self.size
        moved = slopes @ tangent
        upper, lower = moved[:size], moved[size:]
        upper[:, -2:] += by_material
        multipliers = _positive_solve(complement, lower - matrix @ upper)
        after = upper + self._inverse_mass[:, np.newaxis] * (matrix.T @ multipliers)
        return np.concatenate([tangent[:size] + self.model.dt * after, after])

    def _angles(self, q: np.ndarray) -> np.ndarray:
        """Joint angles (..., L)."""
        angle = q @ self._turning.T
        angle[..., 0] -= self.model.base_heading
        return angle

    def _free(self, q: np.ndarray, v: np.ndarray, stiffness: float, damping: float) -> np.ndarray:
        """Velocities after a step without constraints."""
        couple = -stiffness * self._angles(q) - damping * (v @ self._turning.T)
        return v + self.model.dt * self._inverse_mass * (couple @ self._turning)

    def _pair_geometry(
        self, q: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """cos and sin of the headings of bodies a and b (..., L), and b's position relative to a
        (..., L, 2)."""
        cosine, sine = np.cos(q[..., 2::3]), np.sin(q[..., 2::3])
        return (
            cosine[..., ::2],
            sine[..., ::2],
            cosine[..., 1::2],
            sine[..., 1::2],
            q[..., self._b] - q[..., self._a],
        )

    def _constraints(
        self, q: np.ndarray, v: np.ndarray, rates: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """The matrix A (..., 5 L, 6 L) and the right-hand side b."""
        model, d = self.model, np.asarray(self.model.half_length)
        cos_a, sin_a, cos_b, sin_b, offset = self._pair_geometry(q)
        x, y = offset[..., 0], offset[..., 1]
        arm_a = d[:, np.newaxis] * np.stack([cos_a, sin_a], axis=-1)
        arm_b = d[:, np.newaxis] * np.stack([cos_b, sin_b], axis=-1)
        unit, length, _, across = self._growth(q, v, offset)
        growth = unit + model.dt * across / length[..., np.newaxis]

        right = np.empty((*q.shape[:-1], model.pairs, ROWS))
        pins = q[..., self._a] - arm_a
        pins[..., 0, :] -= model.base
        pins[..., 1:, :] -= (q[..., self._b] + arm_b)[..., :-1, :]
        right[..., :2] = pins
        right[..., 2] = cos_a * y - sin_a * x
        right[..., 3] = cos_b * y - sin_b * x
        right[..., :4] /= -model.dt
        right[..., 4] = rates

        entries = (
            arm_a[..., 1],
            -arm_a[..., 0],
            arm_b[..., :-1, 1],
            -arm_b[..., :-1, 0],
            *(sin_a, -cos_a, -sin_a, cos_a, -(cos_a * x + sin_a * y)),
            *(sin_b, -cos_b, -sin_b, cos_b, -(cos_b * x + sin_b * y)),
            -growth[..., 0],
            -growth[..., 1],
            growth[..., 0],
            growth[..., 1],
        )
        matrix = np.empty((*q.shape[:-1], *self._constant.shape))
        matrix[...] = self._constant
        flat = matrix.reshape(*q.shape[:-1], -1)
        flat[..., self._places] = np.concatenate(entries, axis=-1)
        return matrix, right.reshape(*q.shape[:-1], -1)

    def _fixed_entries(self) -> tuple[np.ndarray, np.ndarray]:
        """A without the entries that depend on the state, and their places in A, flattened."""
        row, a, b = self._rows, self._a, self._b
        constant = np.zeros((ROWS * self.model.pairs, self.size))
        for axis in (0, 1):
            constant[row + axis, a[:, axis]] = 1
            constant[row[1:] + axis, b[:-1, axis]] = -1
        places = [(row, self._theta_a), (row + 1, self._theta_a)]
        places += [(row[1:], self._theta_b[:-1]), (row[1:] + 1, self._theta_b[:-1])]
        for place, theta in ((2, self._theta_a), (3, self._theta_b)):
            places += [(row + place, columns) for columns in (*a.T, *b.T, theta)]
        places += [(row + 4, columns) for columns in (*a.T, *b.T)]
        return constant, np.concatenate([rows * self.size + column for rows, column in places])

    def _growth(self, q: np.ndarray, v: np.ndarray, offset: np.ndarray) -> _Four:
        """e = D / |D|, |D|, e.V and the component of V orthogonal to e, for all pairs."""
        length = np.sqrt((offset * offset).sum(axis=-1))
        unit = offset / length[..., np.newaxis]
        velocity = v[..., self._b] - v[..., self._a]
        along = (unit * velocity).sum(axis=-1)
        return unit, length, along, velocity - along[..., np.newaxis] * unit

    def _curvature(
        self,
        q: np.ndarray,
        v: np.ndarray,
        multipliers: np.ndarray,
        after: np.ndarray,
        into: np.ndarray,
    ) -> None:
        """Adds d(A' lam) and, below it, -d(A v+) at fixed v+, by q and v, (n, 11 L, 12 L)."""
        d, rows, size = self.model.half_length, self._rows, self.size
        cos_a, sin_a, cos_b, sin_b, offset = self._pair_geometry(q)
        lam = multipliers.reshape(len(q), -1, ROWS)
        after = -after
        by_q, by_v = into[:, :size, :size], into[:, :size, size:]
        right_q, right_v = into[:, size:, :size], into[:, size:, size:]

        # Pins: second derivatives by th_a and by th_b of the previous pair.
        for axis, bend_a, bend_b in ((0, cos_a, cos_b), (1, sin_a, sin_b)):
            row = rows + axis
            by_q[:, self._theta_a, self._theta_a] += lam[..., axis] * d * bend_a
            right_q[:, row, self._theta_a] += d * bend_a * after[:, self._theta_a]
            theta, bend = self._theta_b[:-1], (d * bend_b)[:, :-1]
            by_q[:, theta, theta] += lam[:, 1:, axis] * bend
            right_q[:, row[1:], theta] += bend * after[:, theta]

        # Prismatic joints: by the heading twice, and by the heading and the centres.
        sides = ((2, self._theta_a, cos_a, sin_a), (3, self._theta_b, cos_b, sin_b))
        for place, theta, cos, sin in sides:
            row, pull = rows + place, lam[..., place]
            bend = sin * offset[..., 0] - cos * offset[..., 1]
            by_q[:, theta, theta] += pull * bend
            right_q[:, row, theta] += bend * after[:, theta]
            for bodies, sign in ((self._a, 1), (self._b, -1)):
                for axis, mixed in ((0, sign * cos), (1, sign * sin)):
                    by_q[:, theta, bodies[:, axis]] += pull * mixed
                    by_q[:, bodies[:, axis], theta] += pull * mixed
                    right_q[:, row, theta] += mixed * after[:, bodies[:, axis]]
                    right_q[:, row, bodies[:, axis]] += mixed * after[:, theta]

        self._growth_curvature(q, v, offset, lam[..., 4], after, (by_q, by_v, right_q, right_v))

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
        outer = np.einsum("tli,tlj->tlij", unit, unit)
        scale = length[..., np.newaxis, np.newaxis]
        speed = along[..., np.newaxis, np.newaxis]
        mixed = np.einsum("tli,tlj->tlij", across + along[..., np.newaxis] * unit, unit)
        flat = (np.eye(2) - outer) / scale
        by_velocity = self.model.dt * flat
        by_offset = flat - self.model.dt / scale**2 * (
            mixed + mixed.transpose(0, 1, 3, 2) + speed * (np.eye(2) - 3 * outer)
        )
        relative = after[:, self._b] - after[:, self._a]
        row = self._rows[:, np.newaxis] + 4
        for matrix, right, block in ((by_q, right_q, by_offset), (by_v, right_v, by_velocity)):
            slope = np.einsum("tlij,tlj->tli", block, relative)
            for first, sign_first in ((self._a, -1), (self._b, 1)):
                right[:, row, first] += sign_first * slope
                for second, sign_second in ((self._a, -1), (self._b, 1)):
                    matrix[:, first[:, :, np.newaxis], second[:, np.newaxis, :]] += (
                        sign_first * sign_second * pull[..., np.newaxis, np.newaxis] * block
                    )


def _positive_solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solves with a symmetric positive definite matrix. Raises LinAlgError if it is none."""
    _, solution, failed = dposv(matrix, right)
    if failed:
        raise np.linalg.LinAlgError(f"minor {failed} of the matrix is not positive")
    return solution
