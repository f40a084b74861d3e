"""Moves a whole cable before its simulation starts, with its branches."""

from typing import Any

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from strand import adapter
from strand.errors import StrandError
from strand.io import options
from strand.readout.profile import rod_nodes
from strand.readout.readout import cable_index, instances, look_up, read_all

_FREE = mujoco.mjtJoint.mjJNT_FREE
_SIDES = ("start", "end")


def move(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    shift: ArrayLike = (0.0, 0.0, 0.0),
    quat: ArrayLike = (1.0, 0.0, 0.0, 0.0),
    *,
    about: ArrayLike | None = None,
    cable: str | int = 0,
) -> None:
    """Moves a free cable with its branches as a rigid body: all their trees and velocities.

    shift: m, (3,). quat: the turn, which comes first, (4,): w x y z, of any length > 0, so that
        four normally distributed numbers are a random one.
    about: the point about which it turns (m, (3,); default: the mean of its nodes).
    cable: name or index of its plugin instance (default 0), or of a branch.

    Changes data.qpos and data.qvel; call mj_forward where positions are needed. The shape and the
    history of its twist stay. What is tied to the cable is not moved. Raises StrandError if the
    cable is held, or the world holds the end of a branch.
    """
    shift = np.array(options.read("shift", shift, options.vector(3, "m")))
    turn = np.array(options.read("quat", quat, options.vector(4, "w x y z")))
    if (size := np.linalg.norm(turn)) == 0:
        raise StrandError("quat: got zeros, allowed: w x y z of any length > 0")
    mujoco.mj_kinematics(model, data)
    links = _links(model, data, cable)
    if any(_is_held_by_world(model, data, index) for index in links):
        raise _held(cable)
    if about is None:
        centre = rod_nodes(look_up(model, data, cable, adapter.load().profile), data).mean(axis=0)
    else:
        centre = np.array(options.read("about", about, options.vector(3, "m")))
    _move(model, data, _free_joints(model, links, cable), centre, shift, turn / size)


def meet(
    model: mujoco.MjModel, data: mujoco.MjData, side: str = "start", *, cable: str | int = 0
) -> None:
    """Moves a cable as a rigid body so that an end lies at the body that holds it.

    For the start of a scene, after what holds the end has been put elsewhere (by a keyframe, or by
    setting data.qpos): the hold, a weld or pin that `strand.attach` has made, would pull the cable
    there within a few steps. A welded end takes the hold's direction, too; a pinned cable keeps
    its directions.

    side: "start" or "end". cable: name or index of its plugin instance (default 0).

    Changes data.qpos and data.qvel as `move` does. The other end and those of branches stay tied to
    what holds them, if anything does. Raises StrandError if no weld or pin holds the end, or the
    tree of a body holds the other.
    """
    index = cable_index(model, data, cable)
    name, equality = instances(model)[index], _hold(model, index, side)
    if side not in _SIDES or equality < 0:
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
    about, target = data.site_xpos[[end, hold]]
    joints = _free_joints(model, _links(model, data, cable), cable)
    _move(model, data, joints, about, target - about, turn)


def _links(model: mujoco.MjModel, data: mujoco.MjData, cable: str | int) -> dict[int, set[int]]:
    """Bodies of the links of a cable and of all that begin on it, itself or by others, by plugin
    instance. Branches share a tree with what they begin on."""

    def read(model_address: int, data_address: int, index: int) -> tuple[int, set[int]]:
        rod = adapter.load().profile(model_address, data_address, index)
        return index, {*rod.body, *rod.far_body}

    rods, found = dict(read_all(model, data, read)), {cable_index(model, data, cable)}
    while True:
        roots = _roots(model, {index: rods[index] for index in found})
        joined = {k for k in rods if not roots.isdisjoint(_roots(model, {k: rods[k]}))}
        if joined == found:
            return {index: rods[index] for index in found}
        found = joined


def _roots(model: mujoco.MjModel, links: dict[int, set[int]]) -> set[int]:
    """The roots of the trees of these bodies."""
    return {int(model.body_rootid[body]) for bodies in links.values() for body in bodies}


def _hold(model: mujoco.MjModel, index: int, side: str) -> int:
    """The weld or pin that holds an end of a cable; -1: none."""
    tie = f"{instances(model)[index].removesuffix('rod')}hold_{side}"
    return mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_EQUALITY, tie)


def _is_held_by_world(model: mujoco.MjModel, data: mujoco.MjData, index: int) -> bool:
    """True if a weld or pin holds an end in the world, as it does that of a fixed branch."""
    holds = [hold for side in _SIDES if (hold := _hold(model, index, side)) >= 0]
    return any(data.eq_active[k] and model.site_bodyid[model.eq_obj1id[k]] == 0 for k in holds)


def _free_joints(model: mujoco.MjModel, links: dict[int, set[int]], cable: Any) -> list[int]:
    """The joints with which the trees of these bodies move freely."""
    joints = []
    for root in sorted(_roots(model, links)):
        joint = int(model.body_jntadr[root])
        is_link = any(root in bodies for bodies in links.values())
        if not is_link or joint < 0 or model.jnt_type[joint] != _FREE:
            raise _held(cable)
        joints.append(joint)
    return joints


def _held(cable: Any) -> StrandError:
    return StrandError(f"cable: got {cable!r}, which is held, allowed: a free cable")


def _move(
    model: mujoco.MjModel,
    data: mujoco.MjData,
    joints: list[int],
    centre: np.ndarray,
    shift: np.ndarray,
    turn: np.ndarray,
) -> None:
    """Turns the trees with these free joints about the centre, and shifts them."""
    matrix, turned = np.empty(9), np.empty(4)
    mujoco.mju_quat2Mat(matrix, turn)
    rotation = matrix.reshape(3, 3)
    for joint in joints:
        pose = data.qpos[model.jnt_qposadr[joint] :][:7]
        pose[:3] = rotation @ (pose[:3] - centre) + centre + shift
        mujoco.mju_mulQuat(turned, turn, pose[3:])
        pose[3:] = turned
        velocity = data.qvel[model.jnt_dofadr[joint] :][:3]
        velocity[:] = rotation @ velocity  # angular velocity is in the body's axes
