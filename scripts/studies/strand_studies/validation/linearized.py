"""Linearised motion of a compiled MuJoCo model about a state at rest, from MuJoCo's own forces.

The stiffness is the central difference of all forces on the model: passive forces (including the
plugin's), gravity, dead loads, and the forces of its equality constraints. The constraints are
taken as exact (in MuJoCo's steps they yield a little): motions are in the null space of the
constraint Jacobian J. The multipliers lambda are frozen and contribute d(J^T lambda)/dq, without
which a force that reaches the rod through a constraint would have no effect on its stiffness.
"""

from collections.abc import Callable, Mapping

import mujoco
import numpy as np
from scipy import linalg

from strand.errors import StrandError
from strand.mujoco_versions import full_mass_matrix

STEP = 1e-5  # rad or m: truncation and rounding are both near 1e-10 of a joint's stiffness
REST = 1e-6  # of the largest force, or of 1: largest residual of a model at rest
FREE = 1e-9  # of the largest stiffness: stiffnesses below this count as zero
SAME = 1e-6  # relative difference below which two estimates of a load agree

#: Force (N) and torque (N m) on a site, by its name; both keep their direction in world axes.
Loads = Mapping[str, tuple[np.ndarray, np.ndarray]]


def is_spin(model: mujoco.MjModel) -> np.ndarray:
    """Mask (nv,) of the degrees of freedom that turn a link about its own axis.

    In a straight state they are decoupled from all others.
    """
    spin = np.zeros(model.nv, dtype=bool)
    for joint in range(model.njnt):
        kind, first = model.jnt_type[joint], model.jnt_dofadr[joint]
        if kind == mujoco.mjtJoint.mjJNT_BALL:
            spin[first] = True
        elif kind == mujoco.mjtJoint.mjJNT_FREE:
            spin[first + 3] = True
    return spin


def forces(
    model: mujoco.MjModel, data: mujoco.MjData, qpos: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Generalised force (nv,) at rest at `qpos`, and the Jacobian (rows, nv) of the constraints.

    A chain's mass matrix is not updated, since factorising it is cubic in the number of links.
    """
    data.qpos[:] = qpos
    if model.nflex or model.ntendon:
        mujoco.mj_fwdPosition(model, data)
    else:
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_makeConstraint(model, data)
    mujoco.mj_fwdVelocity(model, data)
    force = data.qfrc_passive - data.qfrc_bias
    return force, data.efc_J.reshape(data.nefc, model.nv).copy()


class Linearized:
    """The model at its qpos0 under dead loads. dofs: mask (nv,) of those that may move."""

    def __init__(
        self, model: mujoco.MjModel, loads: Loads | None = None, dofs: np.ndarray | None = None
    ) -> None:
        model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
        self.model, self.data, self.loads = model, mujoco.MjData(model), loads or {}
        mujoco.mj_fwdPosition(model, self.data)  # the mass matrix at qpos0
        force, jacobian = self._evaluate(np.zeros(model.nv))
        self.multipliers = _balance(force, jacobian)
        #: (nv, m): a basis of the free motions
        self.motions = np.eye(model.nv)[:, slice(None) if dofs is None else dofs]
        if len(jacobian):
            self.motions = self.motions @ linalg.null_space(jacobian @ self.motions)
        self.mass = self.motions.T @ full_mass_matrix(model, self.data) @ self.motions  #: (m, m)
        self.stiffness = self.motions.T @ self._changes()  #: (m, m)

    def _evaluate(self, step: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Generalised force (nv,) and constraint Jacobian (rows, nv) a step from qpos0."""
        qpos = self.model.qpos0.copy()
        mujoco.mj_integratePos(self.model, qpos, step, 1.0)
        force, jacobian = forces(self.model, self.data, qpos)
        for site, (push, torque) in self.loads.items():
            force += self._generalised(site, push, torque)
        return force, jacobian

    def _generalised(self, site: str, force: np.ndarray, torque: np.ndarray) -> np.ndarray:
        index = self.model.site(site).id
        body, point = self.model.site_bodyid[index], self.data.site_xpos[index]
        result = np.zeros(self.model.nv)
        mujoco.mj_applyFT(self.model, self.data, force, torque, point, body, result)
        return result

    def _total(self, step: np.ndarray) -> np.ndarray:
        force, jacobian = self._evaluate(step)
        return force + jacobian.T @ self.multipliers

    def _changes(self) -> np.ndarray:
        columns = [
            (self._total(-STEP * motion) - self._total(STEP * motion)) / (2 * STEP)
            for motion in self.motions.T
        ]
        self._evaluate(np.zeros(self.model.nv))
        return np.array(columns).T

    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Natural frequencies (rad/s), ascending, and their modes, the columns of (nv, m)."""
        symmetric = 0.5 * (self.stiffness + self.stiffness.T)
        squares, shapes = linalg.eigh(symmetric, self.mass)
        return np.sqrt(np.maximum(squares, 0)), self.motions @ shapes

    def compliance(self, site: str, direction: np.ndarray) -> float:
        """Displacement (m) of a site along a unit `direction` per 1 N of force there."""
        unit = self.motions.T @ self._generalised(site, direction, np.zeros(3))
        # Least squares, since the stiffness is singular: with quasistatic twist links spin freely.
        return float(unit @ linalg.lstsq(self.stiffness, unit, cond=FREE)[0])


def _balance(force: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """The multipliers of the constraints at rest. Raises StrandError if forces do not balance."""
    multipliers = linalg.lstsq(jacobian.T, -force)[0] if len(jacobian) else np.zeros(0)
    left = np.abs(force + jacobian.T @ multipliers).max()
    if left > REST * max(1.0, np.abs(force).max()):
        raise StrandError(f"linearized: a force of {left:.1e} is left, the model is not at rest")
    return multipliers


def critical_load(stiffness: Callable[[float], np.ndarray], scale: float) -> float:
    """The least load > 0 at which `stiffness(load)` is singular (neighbouring equilibria exist).

    scale: any load of the right order of magnitude. The stiffness is nearly linear in the load, so
    the critical load is extrapolated from the unloaded state and one loaded state, and the
    stiffness is evaluated again there until two estimates agree.
    """
    unloaded, load = stiffness(0.0), scale
    for _ in range(5):
        factors = linalg.eigvals(unloaded, unloaded - stiffness(load))
        real = np.abs(factors.imag) < 1e-4 * np.abs(factors)
        positive = factors.real[real & (factors.real > 0)]
        if not len(positive):
            break
        load, last = load * float(positive.min()), load
        if abs(load / last - 1) < SAME:
            return load
    raise StrandError(f"linearized: no critical load found near {load:g}")
