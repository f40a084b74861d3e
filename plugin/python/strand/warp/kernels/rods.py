"""The constants of joints in many worlds, and what depends on the factors of stiffness.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.joint import Joint, column, measured_joint
from strand.warp.kernels.reals import Mat33, Real, Vec2, Vec3, Vec4

wp.set_module_options({"enable_backward": False})


@wp.struct
class Joints:
    """Constants of all joints of all cables; layout.Layout has their meaning and shapes."""

    cable: wp.array[int]
    a: wp.array[int]
    b: wp.array[int]
    tangent: wp.array[int]
    general: wp.array[int]
    middle: wp.array[int]
    quasistatic: wp.array[int]
    stiffness: wp.array[Vec2]
    natural: wp.array[Vec4]
    natural_seen: wp.array[Vec4]
    torsion: wp.array[Real]
    bend_share: wp.array[Real]
    natural_twist: wp.array[Real]
    softness: wp.array[Real]
    mujoco_3: wp.array[int]
    resistance: wp.array[Vec3]
    rest_turn: wp.array[Vec3]
    wide: wp.array2d[int]


@wp.struct
class Factors:
    """World x cable: factors of the bending and torsional stiffness."""

    EI: wp.array2d[Real]
    GJ: wp.array2d[Real]


@wp.func
def twist_stiffness(joints: Joints, factors: Factors, world: int, i: int) -> Real:
    """C (N m) of CorrectedTwistStiffness in bend.h."""
    torsion = factors.GJ[world, joints.cable[i]] * joints.torsion[i]
    share = factors.EI[world, joints.cable[i]] * joints.bend_share[i]
    return wp.max(torsion - share, Real(0.5) * torsion)


@wp.func
def twist_moment(
    joints: Joints,
    factors: Factors,
    twists: wp.array2d[Real],
    world: int,
    i: int,
) -> Real:
    if i < 0:
        return Real(0.0)
    return twist_stiffness(joints, factors, world, i) * (twists[world, i] - joints.natural_twist[i])


@wp.func
def joint_between(joints: Joints, a: Mat33, b: Mat33, i: int) -> Joint:
    return measured_joint(column(a, 0), column(b, 0), joints.tangent[i])
