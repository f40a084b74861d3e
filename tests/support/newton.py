"""Newton's and Euler's laws for every link of a cable, by differences of momenta."""

import mujoco
import numpy as np

import strand


def momenta(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """(nbody, 6): angular momentum about the world's origin and momentum of every body."""
    result = np.zeros((model.nbody, 6))
    velocity = np.empty(6)
    for body in range(1, model.nbody):
        kind = mujoco.mjtObj.mjOBJ_BODY
        mujoco.mj_objectVelocity(model, data, kind, body, velocity, 0)
        axes = data.ximat[body].reshape(3, 3)
        momentum = model.body_mass[body] * velocity[3:]
        spin = axes @ (model.body_inertia[body] * (axes.T @ velocity[:3]))
        result[body] = *(spin + np.cross(data.xipos[body], momentum)), *momentum
    return result


def momentum_rates(model: mujoco.MjModel, data: mujoco.MjData, step: float = 1e-5) -> np.ndarray:
    """(nbody, 6): rate of change of the momenta at the acceleration that mj_forward finds."""
    beside = mujoco.MjData(model)
    found = []
    for sign in (-1, 1):
        h = sign * step
        beside.qpos[:] = data.qpos
        mujoco.mj_integratePos(model, beside.qpos, data.qvel + h / 2 * data.qacc, h)
        beside.qvel[:] = data.qvel + h * data.qacc
        beside.mocap_pos[:], beside.mocap_quat[:] = data.mocap_pos, data.mocap_quat
        mujoco.mj_fwdPosition(model, beside)
        mujoco.mj_fwdVelocity(model, beside)
        found.append(momenta(model, beside))
    return (found[1] - found[0]) / (2 * step)


def loads(model: mujoco.MjModel, data: mujoco.MjData) -> np.ndarray:
    """(nbody, 6): moment about the world's origin and force of gravity and xfrc_applied."""
    result = np.zeros((model.nbody, 6))
    both = mujoco.mjtDisableBit.mjDSBL_SPRING | mujoco.mjtDisableBit.mjDSBL_DAMPER
    compensated = model.body_gravcomp * (model.opt.disableflags & both != both)
    weight = (model.body_mass * (1 - compensated))[:, None] * model.opt.gravity
    force = weight + data.xfrc_applied[:, :3]
    result[:, 3:] = force
    result[:, :3] = np.cross(data.xipos, force) + data.xfrc_applied[:, 3:]
    return result


def residuals(
    model: mujoco.MjModel, data: mujoco.MjData, links: list[int], profile: strand.Profile
) -> np.ndarray:
    """(n, 6): for every link and the bodies attached to it, the excess of moment and force.

    Bodies attached to an end link count as holders of that end. `data` must be current. The rod's
    must be the only torques of joints.
    """
    n = len(links)
    owner = np.full(model.nbody, -1)
    for body in range(1, model.nbody):
        above = owner[model.body_parentid[body]]
        owner[body] = links.index(body) if body in links else above
    balance = loads(model, data) - momentum_rates(model, data)
    total = np.array([balance[owner == k].sum(axis=0) for k in range(n)])
    lengths = np.diff(profile.node_arclength)
    starts, ends = profile.nodes[:-1], profile.nodes[:-1] + lengths[:, None] * profile.tangents
    parents = owner[model.body_parentid[links]]
    clamped = int(profile.joint_arclength[0] == 0)
    for k in range(n if profile.closed else n - 1):
        after = (k + 1) % n
        # If both are in one tree, foreign bodies may lie between them.
        on_k = starts[after] if parents[after] == k else ends[k]
        on_after = ends[k] if parents[k] == after else starts[after]
        force, moment = profile.force[k + 1], profile.moment[k + clamped]
        total[k] += *(moment + np.cross(on_k, force)), *force
        total[after] -= *(moment + np.cross(on_after, force)), *force
    if not profile.closed:
        total[[0, -1]] -= [
            balance[(owner == k)].sum(axis=0) - balance[links[k]] for k in (0, n - 1)
        ]
        start, end = profile.start_force, profile.end_force
        total[0] += *(profile.start_moment + np.cross(starts[0], start)), *start
        total[-1] += *(profile.end_moment + np.cross(ends[-1], end)), *end
    return total
