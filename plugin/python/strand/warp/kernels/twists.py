"""Twists of joints: dynamic ones, and quasistatic ones of isotropic, straight cables.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.frames import Links, Poses, body_far, body_near, window_of
from strand.warp.kernels.joint import angle_in, column, transported, twist_angle, unwrapped
from strand.warp.kernels.reals import Real
from strand.warp.kernels.rods import Factors, Joints, twist_stiffness
from strand.warp.kernels.wide import holonomy

wp.set_module_options({"enable_backward": False})


@wp.struct
class Segments:
    """Joints between two holds of quasistatic twist; layout.Layout has their meaning."""

    begin: wp.array[int]
    end: wp.array[int]
    joint: wp.array[int]
    general: wp.array[int]


@wp.struct
class Total:
    """Sums over the joints between two holds: the twist (rad), the last one, the natural one; and
    of 1 / C (1 / N m)."""

    twist: Real
    last: Real
    natural: Real
    compliance: Real


@wp.kernel
def measure_holonomy(
    links: Links,
    poses: Poses,
    # out, world x link (rad)
    half: wp.array2d[Real],
) -> None:
    """Half of the holonomy of each link, which belongs to each of its joints."""
    world, k = wp.tid()
    if links.holonomy[k][0] == Real(0.0):
        half[world, k] = Real(0.0)
        return
    turns = window_of(links, poses, world, k).turns
    half[world, k] = Real(0.5) * holonomy(links.holonomy[k], turns)


@wp.func
def corrected_twist(
    links: Links,
    joints: Joints,
    poses: Poses,
    half: wp.array2d[Real],
    world: int,
    i: int,
) -> Real:
    """Twist between the bodies of a joint's links, without full turns (rad)."""
    a = body_far(links, poses, world, joints.a[i])
    b = body_near(links, poses, world, joints.b[i])
    return twist_angle(a, b) - half[world, joints.a[i]] - half[world, joints.b[i]]


@wp.kernel
def measure_twists(
    links: Links,
    joints: Joints,
    poses: Poses,
    half: wp.array2d[Real],
    previous: wp.array2d[Real],
    # out, world x joint (rad)
    twists: wp.array2d[Real],
) -> None:
    """Dynamic twist (MeasureTwists in rod.cc). A NaN leaves the history as it was."""
    world, i = wp.tid()
    if joints.quasistatic[i] != 0:
        return
    angle = corrected_twist(links, joints, poses, half, world, i)
    last = previous[world, i]
    twists[world, i] = wp.where(wp.isfinite(angle), unwrapped(angle, last), last)


@wp.func
def total_over(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    poses: Poses,
    half: wp.array2d[Real],
    previous: wp.array2d[Real],
    world: int,
    s: int,
) -> Total:
    """The twist between two holds (HoldAngle in quasistatic_twist.cc), with full turns."""
    first = joints.a[segments.joint[segments.begin[s]]]
    far = body_far(links, poses, world, first)
    near = far
    d = column(far, 1)
    found = Total()
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        b = joints.b[i]
        near = body_near(links, poses, world, b)
        d = transported(d, column(far, 0), column(near, 0))
        far = body_far(links, poses, world, b)
        if at + 1 < segments.end[s] and links.near[b] != links.far[b]:
            d = far * (wp.transpose(near) * d)
        found.twist -= half[world, joints.a[i]] + half[world, joints.b[i]]
        found.last += previous[world, i]
        found.natural += joints.natural_twist[i]
        found.compliance += Real(1.0) / twist_stiffness(joints, factors, world, i)
    found.twist = unwrapped(found.twist + angle_in(d, near), found.last)
    return found


@wp.kernel
def spread_twists(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    poses: Poses,
    half: wp.array2d[Real],
    previous: wp.array2d[Real],
    # out, world x joint (rad)
    twists: wp.array2d[Real],
) -> None:
    """Quasistatic twist of isotropic, straight rods (Uniform in quasistatic_twist.cc): the same
    moment between two holds."""
    world, s = wp.tid()
    if segments.general[s] != 0:
        return
    total = total_over(links, joints, segments, factors, poses, half, previous, world, s)
    if not wp.isfinite(total.twist):
        return
    moment = (total.twist - total.natural) / total.compliance
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        twists[world, i] = joints.natural_twist[i] + moment / twist_stiffness(
            joints, factors, world, i
        )
