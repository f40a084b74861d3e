"""Generalised forces from couples, and the stabilising stiffness of joints that is cancelled.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Real, Vec3

wp.set_module_options({"enable_backward": False})

HINGE = wp.constant(3)  # mjJNT_HINGE


@wp.kernel
def add_torques(
    dofs: wp.array[int],
    begin: wp.array[int],
    joint: wp.array[int],
    sign: wp.array[Real],
    couples: wp.array2d[Vec3],
    axes: wp.array2d[wp.spatial_vector],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """tau_d = a_d . (sum of the couples that joint d carries), joint_torque.h.

    Of a joint between two links that dof d both carries, the couples cancel: they are left out.
    """
    world, row = wp.tid()
    total = Vec3()
    for at in range(begin[row], begin[row + 1]):
        total += sign[at] * couples[world, joint[at]]
    dof = dofs[row]
    axis = Vec3(wp.spatial_top(axes[world, dof]))
    torque[world, dof] += wp.float32(wp.dot(axis, total))


@wp.func
def dof_count(kind: int) -> int:
    """Degrees of freedom of a joint that may have a spring: a hinge or a ball joint."""
    return wp.where(kind == HINGE, 1, 3)


@wp.kernel
def cancel_springs(
    springs: wp.array[int],
    kind: wp.array[int],
    dof: wp.array[int],
    force: wp.array2d[wp.float32],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """NumericalStiffness::Cancel where MuJoCo's spring force comes only from joints."""
    world, s = wp.tid()
    first = dof[springs[s]]
    for at in range(first, first + dof_count(kind[springs[s]])):
        torque[world, at] -= force[world, at]


@wp.kernel
def damp_stiff_joints(
    springs: wp.array[int],
    share: wp.array[wp.vec3],
    discrete: int,
    kind: wp.array[int],
    dof: wp.array[int],
    stiffness: wp.array2d[wp.float32],
    armature: wp.array2d[wp.float32],
    timestep: wp.array[wp.float32],
    qvel: wp.array2d[wp.float32],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """NumericalStiffness::Damp in numerical_stiffness.cc."""
    world, s = wp.tid()
    joint = springs[s]
    first = dof[joint]
    h = timestep[world % timestep.shape[0]]
    k = stiffness[world % stiffness.shape[0], joint]
    has = wp.float32(0.0)
    most = armature[world % armature.shape[0], first] / h
    if discrete != 0:
        has = h * k
        most = h * k
    for i in range(dof_count(kind[joint])):
        damping = wp.min(h * k * share[s][i], most)
        torque[world, first + i] += (has - damping) * qvel[world, first + i]


@wp.func
def quaternion(values: wp.array2d[wp.float32], row: int, first: int) -> wp.quat:
    """From MuJoCo's order w, x, y, z; normalised."""
    w = values[row, first]
    x = values[row, first + 1]
    y = values[row, first + 2]
    return wp.normalize(wp.quat(x, y, values[row, first + 3], w))


@wp.kernel
def cancel_stiffness(
    springs: wp.array[int],
    kind: wp.array[int],
    position: wp.array[int],
    dof: wp.array[int],
    stiffness: wp.array2d[wp.float32],
    reference: wp.array2d[wp.float32],
    qpos: wp.array2d[wp.float32],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """NumericalStiffness::Cancel where tendons or flexes share MuJoCo's spring force."""
    world, s = wp.tid()
    joint = springs[s]
    at = dof[joint]
    first = position[joint]
    row = world % reference.shape[0]
    k = stiffness[world % stiffness.shape[0], joint]
    if kind[joint] == HINGE:
        torque[world, at] += k * (qpos[world, first] - reference[row, first])
        return
    turn = wp.quat_inverse(quaternion(reference, row, first)) * quaternion(qpos, world, first)
    if turn[3] < 0.0:
        turn = -turn
    sine = wp.sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])
    scale = wp.float32(2.0) * k
    if sine > 1.0e-6:
        scale = scale * wp.atan2(sine, turn[3]) / sine
    for j in range(3):
        torque[world, at + j] += scale * turn[j]
