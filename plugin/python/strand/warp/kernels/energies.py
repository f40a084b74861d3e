"""Energies of cables.

Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.couples import curvature_change, firmness_of, middle_frame
from strand.warp.kernels.frames import Links, Poses, far_frame, near_frame, window_of
from strand.warp.kernels.joint import material_energy
from strand.warp.kernels.mujoco_3 import mujoco_3_energy
from strand.warp.kernels.reals import Real
from strand.warp.kernels.rods import Factors, Joints, joint_between, twist_moment
from strand.warp.kernels.wide import turn_changes_energy

wp.set_module_options({"enable_backward": False})


@wp.kernel
def add_joint_energies(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[Real],
    # out, world x cable (J)
    bend: wp.array2d[Real],
    twist: wp.array2d[Real],
) -> None:
    world, i = wp.tid()
    cable = joints.cable[i]
    a = far_frame(links, poses, world, joints.a[i])
    b = near_frame(links, poses, world, joints.b[i])
    if joints.mujoco_3[i] != 0:
        both = mujoco_3_energy(joints, factors, a, b, world, i)
        wp.atomic_add(bend, world, cable, both[0])
        wp.atomic_add(twist, world, cable, both[1])
        return
    joint = joint_between(joints, a, b, i)
    stiffness = factors.EI[world, cable] * joints.stiffness[i]
    energy = Real(0.5) * stiffness[0] * joint.F
    if joints.general[i] != 0:
        if joints.middle[i] != 0:
            a = middle_frame(a, b, twists[world, i])
            b = a
        energy = material_energy(joint, a, b, stiffness, joints.natural[i])
    wp.atomic_add(bend, world, cable, energy)
    moment = twist_moment(joints, factors, twists, world, i)
    excess = twists[world, i] - joints.natural_twist[i]
    wp.atomic_add(twist, world, cable, Real(0.5) * moment * excess)


@wp.kernel
def add_wide_energies(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[Real],
    # out, world x cable (J)
    bend: wp.array2d[Real],
) -> None:
    world, k = wp.tid()
    cable = links.cable[k]
    change = factors.EI[world, cable] * links.change[k]
    if change[0] == Real(0.0) and change[1] == Real(0.0):
        return
    if links.general[k] == 0:
        turns = window_of(links, poses, world, k).turns
        second = factors.EI[world, cable] * links.second[k]
        energy = turn_changes_energy(turns, links.firmness[k], change[0], second)
        wp.atomic_add(bend, world, cable, energy)
        return
    firm = firmness_of(change, joints.middle[links.joints[k, 2]])
    excess = curvature_change(links, joints, poses, twists, False, world, k).excess
    energy = wp.dot(firm.seen, wp.cw_mul(excess, excess))
    if firm.middle[0] != Real(0.0) or firm.middle[1] != Real(0.0):
        excess = curvature_change(links, joints, poses, twists, True, world, k).excess
        energy += wp.dot(firm.middle, wp.cw_mul(excess, excess))
    wp.atomic_add(bend, world, cable, energy / Real(24.0))
