"""Rotations of the bodies and sites of cables, in float64, from the joint positions.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Quat, Real, Vec3

wp.set_module_options({"enable_backward": False})

FREE = wp.constant(0)  # mjJNT_FREE
BALL = wp.constant(1)  # mjJNT_BALL
HINGE = wp.constant(3)  # mjJNT_HINGE


@wp.struct
class Tree:
    """Bodies and sites whose rotations are those of links, and the bodies that carry them;
    strand.warp.tree has the meaning and shapes."""

    body: wp.array[int]
    site: wp.array[int]
    mocap: wp.array[int]
    rounded_off: wp.array[Quat]
    path: wp.array[int]
    path_begin: wp.array[int]


@wp.struct
class Skeleton:
    """Joints and constant rotations of mujoco_warp.Model, float32, some of them in each world."""

    joint_count: wp.array[int]
    first_joint: wp.array[int]
    kind: wp.array[int]
    position: wp.array[int]
    axis: wp.array2d[wp.vec3]
    reference: wp.array2d[wp.float32]
    body: wp.array2d[wp.quat]
    site: wp.array2d[wp.quat]


@wp.func
def exact(values: wp.quat, rounded_off: Quat) -> Quat:
    """A rotation of MuJoCo (w, x, y, z) with what float32 rounded off it, normalised."""
    w = Real(values[0]) + rounded_off[3]
    x = Real(values[1]) + rounded_off[0]
    y = Real(values[2]) + rounded_off[1]
    z = Real(values[3]) + rounded_off[2]
    return wp.normalize(Quat(x, y, z, w))


@wp.func
def joint_turn(qpos: wp.array2d[wp.float32], world: int, at: int) -> Quat:
    values = wp.quat(qpos[world, at], qpos[world, at + 1], qpos[world, at + 2], qpos[world, at + 3])
    return exact(values, Quat())


@wp.func
def turned_by_joints(
    skeleton: Skeleton, qpos: wp.array2d[wp.float32], world: int, body: int, start: Quat
) -> Quat:
    """A body's rotation, from the one that it has without its joints."""
    turn = start
    first = skeleton.first_joint[body]
    for joint in range(first, first + skeleton.joint_count[body]):
        at = skeleton.position[joint]
        kind = skeleton.kind[joint]
        if kind == FREE:
            turn = joint_turn(qpos, world, at + 3)
        elif kind == BALL:
            turn = turn * joint_turn(qpos, world, at)
        elif kind == HINGE:
            axis = skeleton.axis[world % skeleton.axis.shape[0], joint]
            reference = skeleton.reference[world % skeleton.reference.shape[0], at]
            angle = Real(qpos[world, at]) - Real(reference)
            turn = turn * wp.quat_from_axis_angle(wp.normalize(Vec3(axis)), angle)
    return wp.normalize(turn)


@wp.kernel
def turn_tree(
    tree: Tree,
    skeleton: Skeleton,
    mocap: wp.array2d[wp.quat],
    qpos: wp.array2d[wp.float32],
    # out, world x place in the tree
    turns: wp.array2d[Quat],
) -> None:
    """mj_kinematics1 along one path from the world to a leaf. Paths that share bodies write the
    same values there."""
    world, leaf = wp.tid()
    turn = wp.quat_identity(Real)
    for step in range(tree.path_begin[leaf], tree.path_begin[leaf + 1]):
        at = tree.path[step]
        if tree.site[at] >= 0:
            row = world % skeleton.site.shape[0]
            turn = turn * exact(skeleton.site[row, tree.site[at]], tree.rounded_off[at])
        else:
            body = tree.body[at]
            own = exact(skeleton.body[world % skeleton.body.shape[0], body], tree.rounded_off[at])
            if tree.mocap[at] >= 0:
                own = exact(mocap[world, tree.mocap[at]], Quat())
            turn = turned_by_joints(skeleton, qpos, world, body, turn * own)
        turns[world, at] = turn
