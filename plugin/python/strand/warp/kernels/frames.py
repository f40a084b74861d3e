"""The frames of links, and the window of links next to a link (LinkWindow in wide_terms.cc).

Functions of Warp. Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.joint import column
from strand.warp.kernels.reals import Mat33, Quat, Real, Vec2, Vec3, Vec4
from strand.warp.kernels.wide import Turns

wp.set_module_options({"enable_backward": False})


@wp.struct
class Poses:
    """Rotations of bodies and sites, world x place in the tree (rotations.Tree); and how far each
    link's material frame is turned about the link from that of its body (rad), world x link:
    quasistatic twist of curved cables, or those with two stiffnesses, turns them between holds."""

    turns: wp.array2d[Quat]
    spin: wp.array2d[Real]


@wp.struct
class Links:
    """Constants of all links of all cables; layout.Layout has their meaning and shapes."""

    cable: wp.array[int]
    near: wp.array[int]
    far: wp.array[int]
    window: wp.array2d[int]
    joints: wp.array2d[int]
    general: wp.array[int]
    change: wp.array[Vec2]
    second: wp.array[Real]
    holonomy: wp.array[Vec4]
    firmness: wp.array[Vec3]


@wp.struct
class Window:
    """Turns next to link k and what carries them: from the axes of link k to the world's at each
    of the joints k-2 (before), k (after) and k+1 (beyond); at joint k-1 they are the world's."""

    turns: Turns
    before: Mat33
    after: Mat33
    beyond: Mat33


@wp.func
def body_near(links: Links, poses: Poses, world: int, k: int) -> Mat33:
    return wp.quat_to_matrix(poses.turns[world, links.near[k]])


@wp.func
def body_far(links: Links, poses: Poses, world: int, k: int) -> Mat33:
    return wp.quat_to_matrix(poses.turns[world, links.far[k]])


@wp.func
def cut(links: Links, poses: Poses, world: int, k: int) -> Mat33:
    """From the axes of the far half of link k to those of its near half, in world axes."""
    if links.near[k] == links.far[k]:
        return wp.identity(n=3, dtype=Real)
    near = body_near(links, poses, world, k)
    return near * wp.transpose(body_far(links, poses, world, k))


@wp.func
def turned(frame: Mat33, angle: Real) -> Mat33:
    """A frame that is turned about its link by an angle (rad): Turn in quasistatic_twist.cc."""
    if angle == Real(0.0):
        return frame
    c = wp.cos(angle)
    s = wp.sin(angle)
    m1 = column(frame, 1)
    m2 = column(frame, 2)
    return wp.matrix_from_cols(column(frame, 0), c * m1 + s * m2, c * m2 - s * m1)


@wp.func
def near_frame(links: Links, poses: Poses, world: int, k: int) -> Mat33:
    """The material frame of a link's near half; body_near is that of its body."""
    return turned(body_near(links, poses, world, k), poses.spin[world, k])


@wp.func
def far_frame(links: Links, poses: Poses, world: int, k: int) -> Mat33:
    return turned(body_far(links, poses, world, k), poses.spin[world, k])


@wp.func
def window_of(links: Links, poses: Poses, world: int, k: int) -> Window:
    """An end link stands in for those beyond it, so that these turn by nothing."""
    one = wp.identity(n=3, dtype=Real)
    found = Window()
    found.before = one
    found.after = one
    found.beyond = one
    t2 = column(body_near(links, poses, world, k), 0)
    t1 = t2
    before = links.window[k, 1]
    if before != k:
        t1 = column(body_far(links, poses, world, before), 0)
    t0 = t1
    outer = links.window[k, 0]
    if outer != before:
        carry = wp.transpose(cut(links, poses, world, before))
        found.before = wp.transpose(carry)
        t0 = carry * column(body_far(links, poses, world, outer), 0)
    t3 = t2
    after = links.window[k, 3]
    if after != k:
        carry = cut(links, poses, world, k)
        found.after = wp.transpose(carry)
        t3 = carry * column(body_near(links, poses, world, after), 0)
    t4 = t3
    outer = links.window[k, 4]
    if outer != after:
        carry = wp.transpose(found.after) * cut(links, poses, world, after)
        found.beyond = wp.transpose(carry)
        t4 = carry * column(body_near(links, poses, world, outer), 0)
    found.turns.t = t2
    found.turns.d0 = t1 - t0
    found.turns.d1 = t2 - t1
    found.turns.d2 = t3 - t2
    found.turns.d3 = t4 - t3
    return found
