"""Generalised forces by central differences of an energy, and ways to move a model."""

import copy
from collections.abc import Callable

import mujoco
import numpy as np

import strand

Energy = Callable[[mujoco.MjModel, mujoco.MjData], float]

# Fourth-order central difference: at this step truncation and round-off are both below 1e-8.
STEP = 3e-4
STENCIL = ((-2, 1 / 12), (-1, -2 / 3), (1, 2 / 3), (2, -1 / 12))


def force(model: mujoco.MjModel, data: mujoco.MjData, energy: Energy = strand.energy) -> np.ndarray:
    """-dE/dq for every degree of freedom; only kinematics are updated."""
    probe = copy.copy(data)
    start = data.qpos.copy()
    result = np.zeros(model.nv)
    direction = np.zeros(model.nv)
    for dof in range(model.nv):
        direction[dof] = 1
        for offset, weight in STENCIL:
            probe.qpos[:] = start
            mujoco.mj_integratePos(model, probe.qpos, direction, offset * STEP)
            mujoco.mj_kinematics(model, probe)
            result[dof] -= weight / STEP * energy(model, probe)
        direction[dof] = 0
    return result


def relative_error(actual: np.ndarray, expected: np.ndarray) -> float:
    """Largest difference relative to the largest value."""
    return float(np.abs(actual - expected).max() / np.abs(expected).max())


def torque(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """Passive forces at the positions in `data`, at rest."""
    data.qvel[:] = 0
    mujoco.mj_forward(model, data)
    return data.qfrc_passive.copy()


def disturb(model: mujoco.MjModel, data: mujoco.MjData, seed: int, size: float = 0.2) -> None:
    """Moves every degree of freedom by a random amount."""
    rng = np.random.default_rng(seed)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv) * size, 1)


def link_joint(model: mujoco.MjModel, body: str) -> int:
    """Address in qpos of the quaternion of a body with a ball or a free joint."""
    joint = model.body_jntadr[model.body(body).id]
    free = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE
    return int(model.jnt_qposadr[joint]) + (3 if free else 0)


def spin(quaternion: np.ndarray, angle: float) -> None:
    """Turns a quaternion about its own x axis, in place."""
    turn = np.array([np.cos(angle / 2), np.sin(angle / 2), 0, 0])
    mujoco.mju_mulQuat(quaternion, quaternion.copy(), turn)
    quaternion /= np.linalg.norm(quaternion)


def wind(
    model: mujoco.MjModel, data: mujoco.MjData, body: str, turns: float, steps_per_turn: int = 8
) -> None:
    """Turns a link about its own axis in small steps, so that the plugin counts every turn.

    Time hardly advances meanwhile. The link is a mocap body, or has a ball or a free joint.
    """
    timestep = model.opt.timestep
    model.opt.timestep = 1e-12
    mocap = model.body_mocapid[model.body(body).id]
    steps = round(abs(turns) * steps_per_turn)
    for _ in range(steps):
        if mocap >= 0:
            quaternion = data.mocap_quat[mocap]
        else:
            address = link_joint(model, body)
            quaternion = data.qpos[address : address + 4]
        spin(quaternion, 2 * np.pi * turns / steps)
        data.qvel[:] = 0
        mujoco.mj_step(model, data)
    data.qvel[:] = 0
    model.opt.timestep = timestep
    mujoco.mj_forward(model, data)
