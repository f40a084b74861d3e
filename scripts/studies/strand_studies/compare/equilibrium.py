"""Equilibrium of a chain by Newton's method, since a simulation's step is cubic in its links.

Steps of pseudo-transient continuation, (K + s M) dq = f, follow an overdamped motion. The shift s
decreases as long as nodes do not move far in a step, so that the cable approaches a stable state
and then converges fast. K is the finite difference of MuJoCo's own forces. Constraints yield as
they do at rest in MuJoCo: their force is -k d pos / R, the reference acceleration over the
regularisation. With the integrator `discrete`, which evaluates both at the end of the step, it is
that force divided by 1 + h b + h^2 k.
"""

import warnings

import mujoco
import numpy as np
from scipy import linalg

from strand.errors import StrandError
from strand.mujoco_versions import full_mass_matrix, is_discrete
from strand_studies.validation.linearized import forces

STEP = 1e-6  # rad or m: of the finite differences for K
LONGEST = 0.1  # of the length: largest motion of a node in an iteration
CONVERGED = 1e-8  # of the length: motion of nodes below which the iteration has converged
FALL, RISE = 0.2, 4.0  # factors of the shift from one iteration to the next
MOST = 200  # iterations
STIFFEST = 1e12  # of the square of the rate: largest shift; nothing moves with it


class _State:
    """A pose with its forces, constraints and mass matrix."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, sites: list[int], qpos) -> None:
        self.qpos = qpos
        self.force, self.jacobian = forces(model, data, qpos)
        mujoco.mj_forward(model, data)  # computes the mass matrix and constraint parameters
        self.mass = full_mass_matrix(model, data)
        self.gap = data.efc_pos.copy()  #: m or rad, of the constraints
        stiffness, damping, impedance, _ = data.efc_KBIP.reshape(-1, 4).T
        h = model.opt.timestep if is_discrete(model.opt) else 0.0
        softer = 1 + h * damping + h**2 * stiffness
        self.compliance = data.efc_R * softer / (stiffness * impedance)  #: m/N or rad/(N m)
        self.nodes = data.site_xpos[sites]


def nodes_at_rest(model: mujoco.MjModel, sites: list[int], rate: float) -> np.ndarray:
    """Positions (n, 3), m, of n sites of the model in equilibrium, found from qpos0 on.

    rate: of its slowest motion (rad/s). Raises StrandError if it does not converge.
    """
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    state = _State(model, data, sites, model.qpos0.copy())
    multipliers = np.zeros(len(state.gap))
    length = np.linalg.norm(np.diff(state.nodes, axis=0), axis=1).sum()
    shift = rate**2
    for _ in range(MOST):
        stiffness = _stiffness(model, data, state, multipliers)
        travel = np.inf
        while not travel < LONGEST:
            matrix = stiffness + shift * state.mass
            try:
                step, multipliers = _solve(matrix, state)
                trial = _State(model, data, sites, _moved(model, state.qpos, step))
                travel = np.linalg.norm(trial.nodes - state.nodes, axis=1).max() / length
                if _work(matrix, state, step) < 0:  # away from a stable state
                    travel = np.inf
            except linalg.LinAlgError:
                travel = np.inf
            shift *= FALL if travel < LONGEST / 3 else 1 if travel < LONGEST else RISE
            if not shift < STIFFEST * rate**2:
                raise StrandError("equilibrium: no step leads to a stable state")
        state = trial
        if travel < CONVERGED and shift < rate**2:
            return state.nodes
    raise StrandError(f"equilibrium: not found in {MOST} iterations")


def _moved(model: mujoco.MjModel, qpos: np.ndarray, step: np.ndarray) -> np.ndarray:
    moved = qpos.copy()
    mujoco.mj_integratePos(model, moved, step, 1.0)
    return moved


def _stiffness(model, data, state: _State, multipliers: np.ndarray) -> np.ndarray:
    """Stiffness (nv, nv), including that of constraint forces, which rotate with the model."""
    residual = state.force + state.jacobian.T @ multipliers
    stiffness = np.empty((model.nv, model.nv))
    for column, unit in enumerate(np.eye(model.nv)):
        force, jacobian = forces(model, data, _moved(model, state.qpos, STEP * unit))
        stiffness[:, column] = (residual - force - jacobian.T @ multipliers) / STEP
    return stiffness


def _work(matrix: np.ndarray, state: _State, step: np.ndarray) -> float:
    """Twice the energy that a step adds to second order, constraints included."""
    return step @ matrix @ step + (state.jacobian @ step) ** 2 @ (1 / state.compliance)


def _solve(matrix: np.ndarray, state: _State) -> tuple[np.ndarray, np.ndarray]:
    """The step, and the constraints' multipliers after it.

    Both are solved for together, since the stiffness alone is singular: without constraints, a
    cable held at both ends is a free body. The system is scaled by its diagonal, since it combines
    stiffnesses (N/m) of links and compliances (m/N) of constraints. Raises LinAlgError if the
    matrix is singular to rounding.
    """
    jacobian, compliance = state.jacobian, state.compliance
    system = np.block([[matrix, -jacobian.T], [jacobian, np.diag(compliance)]])
    motion = np.abs(np.diag(matrix)) + jacobian.T**2 @ (1 / compliance)
    scale = 1 / np.sqrt(np.concatenate([motion, compliance]))
    loads = np.concatenate([state.force, -state.gap])
    with warnings.catch_warnings():
        warnings.simplefilter("error", linalg.LinAlgWarning)
        try:
            found = scale * linalg.solve(scale[:, None] * system * scale, scale * loads)
        except linalg.LinAlgWarning as ill_conditioned:
            raise linalg.LinAlgError(str(ill_conditioned)) from None
    return np.split(found, [len(matrix)])
