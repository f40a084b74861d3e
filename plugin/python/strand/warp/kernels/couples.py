"""Couples of joints: of their own bending and twisting, and of the terms of higher order.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.frames import Links, Poses, far_frame, near_frame, window_of
from strand.warp.kernels.joint import (
    Joint,
    director_couple,
    half_turn,
    isotropic_couple,
    material_couple,
    material_curvature,
    material_vector,
    turned,
    twist_couple,
)
from strand.warp.kernels.mujoco_3 import mujoco_3_couple
from strand.warp.kernels.reals import Mat33, Real, Vec2, Vec3, Vec4
from strand.warp.kernels.rods import Factors, Joints, joint_between, twist_moment
from strand.warp.kernels.wide import Turns, add_holonomy, add_turn_changes, wide_couples

wp.set_module_options({"enable_backward": False})


@wp.func
def excess_at(joints: Joints, joint: Joint, frame: Mat33, natural: Vec4, i: int, side: int) -> Vec2:
    """Curvature beyond the natural one, in a frame that sees it, over the softness (LinkSide)."""
    own = Vec2(natural[2 * side], natural[2 * side + 1])
    return (material_curvature(joint, frame) - own) / joints.softness[i]


@wp.func
def side_couple(joint: Joint, frame: Mat33, force: Vec2, by_angle: Real) -> Vec3:
    """On the joint's second link, whose turn turns the frame by `by_angle` of it, from the
    derivatives by the curvatures that the frame sees."""
    w = material_curvature(joint, frame)
    couple = director_couple(joint, material_vector(force, frame))
    return couple - (by_angle * (force[0] * w[1] - force[1] * w[0])) * joint.b


@wp.struct
class CurvatureChange:
    """The joints before and after a link, the frames that see their curvatures, of the link's
    halves or in the middles of the joints, and the change of the curvatures over the link (rad)."""

    first: Joint
    second: Joint
    frame: Mat33
    far: Mat33
    excess: Vec2


@wp.struct
class Firmness:
    """B of a link (N m) for the changes that links see, and for those in the middles of joints
    (CurvatureChanges in rod_loops.inl)."""

    seen: Vec2
    middle: Vec2


@wp.func
def firmness_of(stiffness: Vec2, middle: int) -> Firmness:
    found = Firmness()
    found.seen = stiffness
    found.middle = Vec2()
    if middle != 0:
        softer = wp.min(stiffness[0], stiffness[1])
        found.seen = Vec2(softer, softer)
        found.middle = stiffness - found.seen
        if found.middle[0] + found.middle[1] < Real(1e-9) * softer:
            found.middle = Vec2()
    return found


@wp.func
def middle_frame(a: Mat33, b: Mat33, near: Real) -> Mat33:
    """Mean of both frames of a joint turned to its middle (TurnToMiddle)."""
    half = half_turn(a, b, near)
    first = turned(a, wp.cos(half), wp.sin(half))
    second = turned(b, wp.cos(half), -wp.sin(half))
    return Real(0.5) * (first + second)


@wp.func
def curvature_change(
    links: Links,
    joints: Joints,
    poses: Poses,
    twists: wp.array2d[Real],
    middle: bool,
    world: int,
    k: int,
) -> CurvatureChange:
    before = links.joints[k, 1]
    after = links.joints[k, 2]
    found = CurvatureChange()
    found.frame = near_frame(links, poses, world, k)
    found.far = far_frame(links, poses, world, k)
    outer = far_frame(links, poses, world, joints.a[before])
    found.first = joint_between(joints, outer, found.frame, before)
    beyond = near_frame(links, poses, world, joints.b[after])
    found.second = joint_between(joints, found.far, beyond, after)
    n_before = joints.natural_seen[before]
    n_after = joints.natural_seen[after]
    if middle:
        found.frame = middle_frame(outer, found.frame, twists[world, before])
        found.far = middle_frame(found.far, beyond, twists[world, after])
        n_before = joints.natural[before]
        n_after = joints.natural[after]
    found.excess = excess_at(joints, found.second, found.far, n_after, after, 0)
    found.excess -= excess_at(joints, found.first, found.frame, n_before, before, 1)
    return found


@wp.func
def add_change(
    links: Links,
    joints: Joints,
    poses: Poses,
    twists: wp.array2d[Real],
    stiffness: Vec2,
    middle: bool,
    world: int,
    k: int,
    # out
    couples: wp.array3d[Vec3],
) -> None:
    """AddChange in rod_loops.inl: B (change of the material curvatures over the link)^2 / 24."""
    over = curvature_change(links, joints, poses, twists, middle, world, k)
    force = wp.cw_mul(stiffness, over.excess) / Real(12.0)
    on_first = -force / joints.softness[links.joints[k, 1]]
    on_second = force / joints.softness[links.joints[k, 2]]
    share = Real(0.0)
    if middle:
        share = Real(0.5)
    couples[world, k, 1] += side_couple(over.first, over.frame, on_first, Real(1.0) - share)
    couples[world, k, 2] += side_couple(over.second, over.far, on_second, share)


@wp.kernel
def add_wide(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[Real],
    # out, world x link x 4 joints (N m)
    couples: wp.array3d[Vec3],
) -> None:
    """What each link adds to the couples of the joints next to it (AddWideTerms)."""
    world, k = wp.tid()
    weights = links.holonomy[k]
    change = factors.EI[world, links.cable[k]] * links.change[k]
    for m in range(4):
        couples[world, k, m] = Vec3()
    if weights[0] == Real(0.0) and change[0] == Real(0.0) and change[1] == Real(0.0):
        return
    window = window_of(links, poses, world, k)
    before = links.joints[k, 1]
    after = links.joints[k, 2]
    by = Turns()
    if links.general[k] == 0:
        second = factors.EI[world, links.cable[k]] * links.second[k]
        by = add_turn_changes(window.turns, links.firmness[k], change[0], second, by)
    mean = Real(0.5) * twist_moment(joints, factors, twists, world, before)
    mean += Real(0.5) * twist_moment(joints, factors, twists, world, after)
    by = add_holonomy(weights, window.turns, -mean, by)
    found = wide_couples(window.turns, by)
    couples[world, k, 0] = window.before * found.c0
    couples[world, k, 1] = found.c1
    couples[world, k, 2] = window.after * found.c2
    couples[world, k, 3] = window.beyond * found.c3
    if links.general[k] == 0 or (change[0] == Real(0.0) and change[1] == Real(0.0)):
        return
    firm = firmness_of(change, joints.middle[after])
    add_change(links, joints, poses, twists, firm.seen, False, world, k, couples)
    if firm.middle[0] != Real(0.0) or firm.middle[1] != Real(0.0):
        add_change(links, joints, poses, twists, firm.middle, True, world, k, couples)


@wp.kernel
def sum_couples(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[Real],
    wide: wp.array3d[Vec3],
    # out, world x joint (N m, world axes): on the second link
    couples: wp.array2d[Vec3],
) -> None:
    """EvaluateRod in rod.cc, or EvaluateMujoco3Law in cable.cc."""
    world, i = wp.tid()
    a = far_frame(links, poses, world, joints.a[i])
    b = near_frame(links, poses, world, joints.b[i])
    if joints.mujoco_3[i] != 0:
        couples[world, i] = mujoco_3_couple(joints, factors, a, b, world, i)
        return
    joint = joint_between(joints, a, b, i)
    stiffness = factors.EI[world, joints.cable[i]] * joints.stiffness[i]
    couple = twist_couple(joint, twist_moment(joints, factors, twists, world, i))
    if joints.general[i] == 0:
        couple += isotropic_couple(joint, stiffness[0])
    elif joints.middle[i] != 0:
        middle = middle_frame(a, b, twists[world, i])
        couple += material_couple(joint, middle, middle, stiffness, joints.natural[i])
    else:
        couple += material_couple(joint, a, b, stiffness, joints.natural[i])
    for m in range(4):
        k = joints.wide[i, m]
        if k >= 0:
            couple += wide[world, k, m]
    couples[world, i] = couple
