"""The torque law of MuJoCo 3's cable (model/compat/mujoco_3_law.h).

Functions of Warp. Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Mat33, Real, Vec2, Vec3
from strand.warp.kernels.rods import Factors, Joints

wp.set_module_options({"enable_backward": False})


@wp.func
def rotation_vector(a: Mat33, b: Mat33) -> Vec3:
    """RotationVector: of the rotation from `a` to `b`, in a's axes (rad, length <= pi)."""
    turn = wp.quat_from_matrix(wp.transpose(a) * b)
    if turn[3] < Real(0.0):
        turn = -turn
    axis = Vec3(turn[0], turn[1], turn[2])
    sine = wp.length(axis)
    if sine < Real(1.0e-9):
        return Real(2.0) * axis
    return (Real(2.0) * wp.atan2(sine, turn[3]) / sine) * axis


@wp.func
def stiffness_of(joints: Joints, factors: Factors, world: int, i: int) -> Vec3:
    """GJ, EI_y, EI_z over l (N m)."""
    EI = factors.EI[world, joints.cable[i]]
    GJ = factors.GJ[world, joints.cable[i]]
    return wp.cw_mul(Vec3(GJ, EI, EI), joints.resistance[i])


@wp.func
def mujoco_3_couple(
    joints: Joints, factors: Factors, a: Mat33, b: Mat33, world: int, i: int
) -> Vec3:
    """c = -R_a K (w - w0), on the second link (N m, world axes)."""
    strain = rotation_vector(a, b) - joints.rest_turn[i]
    return -(a * wp.cw_mul(stiffness_of(joints, factors, world, i), strain))


@wp.func
def mujoco_3_energy(
    joints: Joints, factors: Factors, a: Mat33, b: Mat33, world: int, i: int
) -> Vec2:
    """Of a linear spring with this stiffness and strain: bending, twisting (J)."""
    strain = rotation_vector(a, b) - joints.rest_turn[i]
    squares = wp.cw_mul(strain, strain)
    parts = Real(0.5) * wp.cw_mul(stiffness_of(joints, factors, world, i), squares)
    return Vec2(parts[1] + parts[2], parts[0])
