"""Moves a whole cable before its simulation starts."""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand import adapter
from strand.errors import StrandError
from strand.io import options
from strand.readout.profile import rod_nodes
from strand.readout.readout import cable_index, instances, look_up

_FREE = mujoco.mjtJoint.mjJNT_FREE


def move(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    shift: ArrayLike = (0.0, 0.0, 0.0),
    quat: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    *,
    about: ArrayLike | None = None,
    cable: str | int = 0,
) -> None:
    """Moves a free cable as a rigid body, with all trees into which it is cut, and its velocity.

    shift: m, (3,). quat: the turn, which comes first, (4,): w x y z, of any length > 0, so that
        four normally distributed numbers are a random one.
    about: the point about which it turns (m, (3,); default: the mean of its nodes).
    cable: name or index of its plugin instance (default 0).

    Changes data.qpos and data.qvel; call mj_forward where positions are needed. The shape and the
    history of its twist stay. What is tied to the cable is not moved. Raises StrandError if the
    cable is held.
    """
    shift = np.array(options.read("shift", shift, options.vector(3, "m")))
    turn = np.array(options.read("quat", quat, options.vector(4, "w x y z")))
    if (size := np.linalg.norm(turn)) == 0:
        raise StrandError("quat: got zeros, allowed: w x y z of any length > 0")
    mujoco.mj_kinematics(model, data)
    rod = look_up(model, data, cable, adapter.load().profile)
    joints = _free_joints(model, {*rod.body, *rod.far_body}, cable)
    if about is None:
        centre = rod_nodes(rod, data).mean(axis=0)
    else:
        centre = np.array(options.read("about", about, options.vector(3, "m")))
    for joint in joints:
        _move_tree(model, data, joint, centre, shift, turn / size)


def meet(
    model: mujoco.MjModel, data: mujoco.MjData, side: str = "start", *, cable: str | int = 0
) -> None:
    """Moves a cable as a rigid body so that an end lies at the body that holds it.

    For the start of a scene, after what holds the end has been put elsewhere (by a keyframe, or by
    setting data.qpos): the hold, a weld or pin that `strand.attach` has made, would pull the cable
    there within a few steps. A welded end takes the hold's direction, too; a pinned cable keeps
    its directions.

    side: "start" or "end". cable: name or index of its plugin instance (default 0).

    Changes data.qpos and data.qvel as `move` does. The other end stays tied to what holds it, if
    anything does. Raises StrandError if no weld or pin holds the end, or the tree of a body holds
    the other.
    """
    name = instances(model)[cable_index(model, data, cable)]
    tie = f"{name.removesuffix('rod')}hold_{side}"
    equality = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_EQUALITY, tie)
    if side not in ("start", "end") or equality < 0:
        raise StrandError(
            f"side: got {side!r} of cable {name!r}, allowed: 'start' or 'end', if a weld or pin "
            "holds it"
        )
    mujoco.mj_kinematics(model, data)
    hold, end = model.eq_obj1id[equality], model.eq_obj2id[equality]
    turn = np.array([1.0, 0.0, 0.0, 0.0])
    if model.eq_type[equality] == mujoco.mjtEq.mjEQ_WELD:
        to, at = (data.site_xmat[site].reshape(3, 3) for site in (hold, end))
        mujoco.mju_mat2Quat(turn, (to @ at.T).ravel())
    about = data.site_xpos[end].copy()
    move(model, data, data.site_xpos[hold] - about, turn, about=about, cable=cable)


def _free_joints(model: mujoco.MjModel, links: set[int], cable: Any) -> list[int]:
    """The joints with which the trees of these bodies move freely."""
    joints = []
    for root in sorted({int(model.body_rootid[body]) for body in links}):
        joint = int(model.body_jntadr[root])
        if root not in links or joint < 0 or model.jnt_type[joint] != _FREE:
            raise StrandError(f"cable: got {cable!r}, which is held, allowed: a free cable")
        joints.append(joint)
    return joints


def _move_tree(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    joint: int,
    centre: np.ndarray,
    shift: np.ndarray,
    turn: np.ndarray,
) -> None:
    matrix, turned = np.empty(9), np.empty(4)
    mujoco.mju_quat2Mat(matrix, turn)
    rotation = matrix.reshape(3, 3)
    pose = data.qpos[model.jnt_qposadr[joint] :][:7]
    pose[:3] = rotation @ (pose[:3] - centre) + centre + shift
    mujoco.mju_mulQuat(turned, turn, pose[3:])
    pose[3:] = turned
    velocity = data.qvel[model.jnt_dofadr[joint] :][:3]
    velocity[:] = rotation @ velocity  # angular velocity is in the body's axes
