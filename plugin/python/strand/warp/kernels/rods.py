"""The constants of joints in many worlds, and what depends on the factors of stiffness.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.joint import Joint, column, measured_joint

wp.set_module_options({"enable_backward": False})


@wp.struct
class Joints:
    """Constants of all joints of all cables; layout.Layout has their meaning and shapes."""

    cable: wp.array[int]
    a: wp.array[int]
    b: wp.array[int]
    tangent: wp.array[int]
    general: wp.array[int]
    quasistatic: wp.array[int]
    stiffness: wp.array[wp.vec2]
    natural: wp.array[wp.vec4]
    torsion: wp.array[wp.float32]
    bend_share: wp.array[wp.float32]
    natural_twist: wp.array[wp.float32]
    softness: wp.array[wp.float32]
    mujoco_3: wp.array[int]
    resistance: wp.array[wp.vec3]
    rest_turn: wp.array[wp.vec3]
    wide: wp.array2d[int]


@wp.struct
class Factors:
    """World x cable: factors of the bending and torsional stiffness."""

    EI: wp.array2d[wp.float32]
    GJ: wp.array2d[wp.float32]


@wp.func
def twist_stiffness(joints: Joints, factors: Factors, world: int, i: int) -> wp.float32:
    """C (N m) of CorrectedTwistStiffness in bend.h."""
    torsion = factors.GJ[world, joints.cable[i]] * joints.torsion[i]
    share = factors.EI[world, joints.cable[i]] * joints.bend_share[i]
    return wp.max(torsion - share, 0.5 * torsion)


@wp.func
def twist_moment(
    joints: Joints,
    factors: Factors,
    twists: wp.array2d[wp.float32],
    world: int,
    i: int,
) -> wp.float32:
    if i < 0:
        return 0.0
    return twist_stiffness(joints, factors, world, i) * (twists[world, i] - joints.natural_twist[i])


@wp.func
def joint_between(joints: Joints, a: wp.mat33, b: wp.mat33, i: int) -> Joint:
    return measured_joint(column(a, 0), column(b, 0), joints.tangent[i])
