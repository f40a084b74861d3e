"""Quasistatic twist of curved cables, or those with two stiffnesses (quasistatic_twist.cc).

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.frames import Links, Poses, body_far, body_near
from strand.warp.kernels.joint import (
    material_curvature,
    twist_angle,
    unwrapped,
)
from strand.warp.kernels.reals import Real, Vec2, Vec4
from strand.warp.kernels.rods import Factors, Joints, joint_between, twist_stiffness
from strand.warp.kernels.twists import Segments, total_over

wp.set_module_options({"enable_backward": False})

MOST_ITERATIONS = wp.constant(100)
MOST_HALVINGS = wp.constant(40)
LAST_STEP = wp.constant(Real(1e-8))  # rad: the error after such a Newton step is about its square
ROUND_OFF = wp.constant(Real(1e-13))  # of the energy, below which a decrease is round-off


@wp.struct
class Workspace:
    """World x joint, or world x link for what belongs to link k between joints k - 1 and k of a
    segment. `start`: twists from which the angles count (rad); `base`: angle of the frames with
    these twists from those of the bodies (rad); `seen`: curvatures seen from the frames at `base`,
    from the link before the joint and from that after it (rad)."""

    start: wp.array2d[Real]
    base: wp.array2d[Real]
    seen: wp.array2d[Vec4]
    angle: wp.array2d[Real]
    trial: wp.array2d[Real]
    gradient: wp.array2d[Real]
    diagonal: wp.array2d[Real]
    step: wp.array2d[Real]
    pivot: wp.array2d[Real]


@wp.struct
class Side:
    """BendSide in bend.h: an energy (J), and its derivatives by the angle of a frame (N m)."""

    energy: Real
    by_angle: Real
    by_angle_twice: Real


@wp.func
def seen_turned(w: Vec2, angle: Real) -> Vec2:
    """Components with respect to directors that have turned by the angle (rad)."""
    c = wp.cos(angle)
    s = wp.sin(angle)
    return Vec2(w[0] * c + w[1] * s, w[1] * c - w[0] * s)


@wp.func
def bend_side(w: Vec2, natural: Vec2, stiffness: Vec2) -> Side:
    excess = w - natural
    force = Real(0.5) * wp.cw_mul(stiffness, excess)
    turned = Vec2(w[1], -w[0])
    found = Side()
    found.energy = Real(0.5) * wp.dot(force, excess)
    found.by_angle = wp.dot(force, turned)
    squares = wp.cw_mul(turned, turned)
    found.by_angle_twice = Real(0.5) * wp.dot(stiffness, squares) - wp.dot(force, w)
    return found


@wp.func
def seen_from(joints: Joints, work: Workspace, world: int, i: int, side: int) -> Vec2:
    """Curvature of joint i seen from one of its links, at this link's angle."""
    w = work.seen[world, i]
    link = wp.where(side == 0, joints.a[i], joints.b[i])
    return seen_turned(Vec2(w[2 * side], w[2 * side + 1]), work.angle[world, link])


@wp.func
def joint_side(
    joints: Joints, factors: Factors, work: Workspace, world: int, i: int, side: int
) -> Side:
    natural = Vec2(joints.natural[i][2 * side], joints.natural[i][2 * side + 1])
    stiffness = factors.EI[world, joints.cable[i]] * joints.stiffness[i]
    return bend_side(seen_from(joints, work, world, i, side), natural, stiffness)


@wp.func
def change_side(
    links: Links,
    joints: Joints,
    factors: Factors,
    work: Workspace,
    world: int,
    before: int,
    after: int,
) -> Side:
    """CurvatureChange: the term of wide_terms.h of the link between two joints,
    B (change of curvature)^2 / 24."""
    link = joints.a[after]
    change = seen_from(joints, work, world, after, 0) / joints.softness[after]
    change -= seen_from(joints, work, world, before, 1) / joints.softness[before]
    n_after = joints.natural[after]
    n_before = joints.natural[before]
    natural = Vec2(n_after[0], n_after[1]) / joints.softness[after]
    natural -= Vec2(n_before[2], n_before[3]) / joints.softness[before]
    stiffness = factors.EI[world, links.cable[link]] * links.change[link]
    return bend_side(change, natural, stiffness / Real(6.0))


@wp.func
def twist_at(joints: Joints, work: Workspace, world: int, i: int) -> Real:
    turned = work.angle[world, joints.b[i]] - work.angle[world, joints.a[i]]
    return work.start[world, i] + turned


@wp.func
def derivatives(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    work: Workspace,
    world: int,
    s: int,
    positive: bool,
) -> Real:
    """Energy (J) at the angles, but for constants, its gradient and the diagonal of its Hessian
    (the off-diagonal entries are -C). `positive`: without the bending terms that could make the
    Hessian indefinite."""
    energy = Real(0.0)
    moment_before = Real(0.0)
    stiffness_before = Real(0.0)
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        stiffness = twist_stiffness(joints, factors, world, i)
        excess = twist_at(joints, work, world, i) - joints.natural_twist[i]
        energy += Real(0.5) * stiffness * excess * excess
        moment = stiffness * excess
        if at > segments.begin[s]:
            before = segments.joint[at - 1]
            one = joint_side(joints, factors, work, world, before, 1)
            two = joint_side(joints, factors, work, world, i, 0)
            three = change_side(links, joints, factors, work, world, before, i)
            energy += one.energy + two.energy + three.energy
            k = joints.a[i]
            gradient = one.by_angle + two.by_angle + three.by_angle
            work.gradient[world, k] = gradient + moment_before - moment
            bend = one.by_angle_twice + two.by_angle_twice + three.by_angle_twice
            if positive:
                bend = wp.max(one.by_angle_twice, Real(0.0)) + wp.max(two.by_angle_twice, Real(0.0))
                bend += wp.max(three.by_angle_twice, Real(0.0))
            work.diagonal[world, k] = bend + stiffness_before + stiffness
        moment_before = moment
        stiffness_before = stiffness
    return energy


@wp.func
def newton_step(
    joints: Joints, segments: Segments, factors: Factors, work: Workspace, world: int, s: int
) -> bool:
    """Solves the tridiagonal system for the step by LDL^T. False if the Hessian is not positive
    definite."""
    first = segments.begin[s] + 1
    end = segments.end[s]
    last = wp.int32(0)
    for at in range(first, end):
        i = segments.joint[at]
        k = joints.a[i]
        pivot = work.diagonal[world, k]
        step = -work.gradient[world, k]
        if at > first:
            coupling = twist_stiffness(joints, factors, world, segments.joint[at - 1])
            factor = coupling / work.pivot[world, last]
            pivot -= factor * coupling
            step += factor * work.step[world, last]
        work.pivot[world, k] = pivot
        work.step[world, k] = step
        last = k
        if not pivot > Real(0.0):
            return False
    for back in range(first, end):
        i = segments.joint[first + end - 1 - back]
        k = joints.a[i]
        step = work.step[world, k]
        if back > first:
            step += twist_stiffness(joints, factors, world, i) * work.step[world, joints.b[i]]
        work.step[world, k] = step / work.pivot[world, k]
    return True


@wp.func
def moved(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    work: Workspace,
    world: int,
    s: int,
    energy: Real,
    whole: bool,
) -> Real:
    """Adds the step to the angles, or the part of it with which the energy (J) decreases enough,
    unless `whole`. Returns the new energy, with derivatives there."""
    first = segments.begin[s] + 1
    end = segments.end[s]
    slope = Real(0.0)
    for at in range(first, end):
        k = joints.a[segments.joint[at]]
        slope += work.gradient[world, k] * work.step[world, k]
        work.trial[world, k] = work.angle[world, k]
    scale = Real(1.0)
    found = Real(0.0)
    halvings = wp.int32(0)
    searching = wp.bool(True)
    while searching:
        for at in range(first, end):
            k = joints.a[segments.joint[at]]
            work.angle[world, k] = work.trial[world, k] + scale * work.step[world, k]
        found = derivatives(links, joints, segments, factors, work, world, s, False)
        enough = energy + Real(1.0e-4) * scale * slope + ROUND_OFF * energy
        halvings += 1
        scale *= Real(0.5)
        searching = halvings < MOST_HALVINGS and not whole and not found <= enough
    return found


@wp.func
def start_angles(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    poses: Poses,
    half: wp.array2d[Real],
    previous: wp.array2d[Real],
    work: Workspace,
    world: int,
    s: int,
    moment: Real,
) -> None:
    """StartFrames: frames with the last twists and the added moment (N m) in every joint."""
    base = Real(0.0)
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        a = body_far(links, poses, world, joints.a[i])
        b = body_near(links, poses, world, joints.b[i])
        joint = joint_between(joints, a, b, i)
        start = previous[world, i] + moment / twist_stiffness(joints, factors, world, i)
        first = seen_turned(material_curvature(joint, a), base)
        correction = half[world, joints.a[i]] + half[world, joints.b[i]]
        base = unwrapped(base + start - twist_angle(a, b) + correction, Real(0.0))
        if at + 1 == segments.end[s]:
            base = Real(0.0)  # of the link that holds
        second = seen_turned(material_curvature(joint, b), base)
        work.start[world, i] = start
        work.seen[world, i] = Vec4(first[0], first[1], second[0], second[1])
        if at + 1 < segments.end[s]:
            work.base[world, joints.b[i]] = base
            work.angle[world, joints.b[i]] = Real(0.0)


@wp.kernel
def solve_twists(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    poses: Poses,
    half: wp.array2d[Real],
    previous: wp.array2d[Real],
    work: Workspace,
    # out, world x joint (rad), and poses.spin
    twists: wp.array2d[Real],
) -> None:
    """Newton in quasistatic_twist.cc. Unknowns: the angles of the links between two holds, whose
    own are 0 and not written."""
    world, s = wp.tid()
    if segments.general[s] == 0:
        return
    total = total_over(links, joints, segments, factors, poses, half, previous, world, s)
    if not wp.isfinite(total.twist):
        return
    moment = (total.twist - total.last) / total.compliance
    start_angles(links, joints, segments, factors, poses, half, previous, work, world, s, moment)
    first = segments.begin[s] + 1
    end = segments.end[s]
    converged = wp.bool(end - first < 1)
    energy = derivatives(links, joints, segments, factors, work, world, s, False)
    iterations = wp.int32(0)
    while not converged and iterations < MOST_ITERATIONS and wp.isfinite(energy):
        iterations += 1
        exact = newton_step(joints, segments, factors, work, world, s)
        if not exact:
            derivatives(links, joints, segments, factors, work, world, s, True)
            newton_step(joints, segments, factors, work, world, s)
        largest = Real(0.0)
        for at in range(first, end):
            k = joints.a[segments.joint[at]]
            largest = wp.max(largest, wp.abs(work.step[world, k]))
        last = largest < LAST_STEP
        energy = moved(links, joints, segments, factors, work, world, s, energy, last)
        converged = exact and last
    if not wp.isfinite(energy):
        return
    for at in range(segments.begin[s], end):
        i = segments.joint[at]
        twists[world, i] = twist_at(joints, work, world, i)
        if at + 1 < end:
            k = joints.b[i]
            poses.spin[world, k] = unwrapped(work.base[world, k] + work.angle[world, k], Real(0.0))
