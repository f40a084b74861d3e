"""What Strand changes in a model's joints for a cable's material: what stabilises it, and damping.

Factors are of the model's own values. The model keeps these itself, so that all its copies know
them (mj_copyModel, pickle, MJB and XML files): as parameters of the joints' limits, which joints
without limits do not use.
"""

import weakref

import mujoco
import numpy as np

from strand import adapter
from strand.mujoco_versions import is_discrete
from strand.readout.readout import read_all, read_index

DAMPING, STIFFNESS, ARMATURE = slice(0, 3), slice(3, 4), slice(4, 7)  #: in solref, solimp
_MARK = -1.0  # margin of joints that keep values; in place of a value: not kept yet
#: Values that joints with limits cannot keep, so that only this object has them.
_beside: "weakref.WeakKeyDictionary[mujoco.MjModel, np.ndarray]" = weakref.WeakKeyDictionary()


def stabilize_all(model: mujoco.MjModel, data: mujoco.MjData) -> None:
    """Stabilises all cables in the state that `data` has."""
    for index in read_all(model, data, read_index):
        stabilize(model, data, index)


def stabilize(model: mujoco.MjModel, data: mujoco.MjData, index: int) -> None:
    """Raises what keeps a cable stable at large time steps, if it is stiffer than the model's.

    index: of its plugin instance.
    """
    now = adapter.load().material(model._address, data._address, index)
    factor = np.max([now.EI, now.GJ])
    if not 1 < factor < np.inf:  # the plugin does not use invalid numbers of a state
        return
    rod = adapter.load().constants(model._address, data._address, index)
    joints = np.array(rod.cancelled, dtype=int)
    own = own_values(model, joints, STIFFNESS, model.jnt_stiffness[joints, np.newaxis])
    model.jnt_stiffness[joints] = np.maximum(model.jnt_stiffness[joints], factor * own[:, 0])
    if not is_discrete(model.opt):
        dofs = _dofs(model, joints)
        own = own_values(model, joints, ARMATURE, model.dof_armature[dofs])
        model.dof_armature[dofs] = np.maximum(model.dof_armature[dofs], factor * own)


def scale_damping(model: mujoco.MjModel, joints: np.ndarray, factor: float) -> None:
    """Sets the linear damping of ball joints to `factor` times the model's own."""
    dofs = _dofs(model, joints)
    model.dof_damping[dofs] = factor * own_values(model, joints, DAMPING, model.dof_damping[dofs])


def _dofs(model: mujoco.MjModel, joints: np.ndarray) -> np.ndarray:
    """Degrees of freedom of ball joints, (joints, 3), and of hinges: the same one three times."""
    is_ball = model.jnt_type[joints] == mujoco.mjtJoint.mjJNT_BALL
    return model.jnt_dofadr[joints, np.newaxis] + np.outer(is_ball, np.arange(3))


def own_values(
    model: mujoco.MjModel, joints: np.ndarray, part: slice, now: np.ndarray
) -> np.ndarray:
    """The model's own values of joints, (joints, values): those that are kept; else `now`, kept
    from now on.

    part: DAMPING, STIFFNESS or ARMATURE.
    """
    beside = _beside.setdefault(model, np.full((model.njnt, ARMATURE.stop), _MARK))
    values, can_keep = beside[joints], model.jnt_limited[joints] == 0
    keeps = joints[can_keep]
    in_model = np.hstack([model.jnt_solref[keeps], model.jnt_solimp[keeps]])
    values[can_keep] = np.where(model.jnt_margin[keeps, np.newaxis] == _MARK, in_model, _MARK)
    values[:, part] = np.where(values[:, part] == _MARK, now, values[:, part])
    beside[joints] = values
    model.jnt_solref[keeps], model.jnt_solimp[keeps] = np.hsplit(values[can_keep], [2])
    model.jnt_margin[keeps] = _MARK
    return values[:, part]
