"""Kernels of Warp: twists, couples, energies and generalised forces of all cables in all worlds.

Every kernel runs over (world, link), (world, joint), (world, segment) or (world, dof); none adds
atomically, so that results are the same in every run, but for the sums of energies. Imported only
where Warp is installed.
"""

import warp as wp

from strand.warp.frames import (
    Links,
    Poses,
    far_frame,
    near_frame,
    window_of,
)
from strand.warp.joint import (
    Joint,
    angle_in,
    column,
    director_couple,
    isotropic_couple,
    material_couple,
    material_curvature,
    material_energy,
    material_vector,
    measured_joint,
    transported,
    twist_angle,
    twist_couple,
    unwrapped,
)
from strand.warp.wide import (
    Turns,
    add_holonomy,
    add_turn_changes,
    holonomy,
    turn_changes_energy,
    wide_couples,
)

wp.set_module_options({"enable_backward": False})

HINGE = wp.constant(3)  # mjJNT_HINGE


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
    wide: wp.array2d[int]


@wp.struct
class Factors:
    """World x cable: factors of the bending and torsional stiffness."""

    EI: wp.array2d[wp.float32]
    GJ: wp.array2d[wp.float32]


@wp.struct
class Segments:
    """Joints between two holds of quasistatic twist; layout.Layout has their meaning."""

    begin: wp.array[int]
    end: wp.array[int]
    joint: wp.array[int]


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


@wp.kernel
def measure_holonomy(
    links: Links,
    poses: Poses,
    # out, world x link (rad)
    half: wp.array2d[wp.float32],
) -> None:
    """Half of the holonomy of each link, which belongs to each of its joints."""
    world, k = wp.tid()
    if links.holonomy[k][0] == 0.0:
        half[world, k] = 0.0
        return
    turns = window_of(links, poses, world, k).turns
    half[world, k] = 0.5 * holonomy(links.holonomy[k], turns)


@wp.kernel
def measure_twists(
    links: Links,
    joints: Joints,
    poses: Poses,
    half: wp.array2d[wp.float32],
    previous: wp.array2d[wp.float32],
    # out, world x joint (rad)
    twists: wp.array2d[wp.float32],
) -> None:
    """Dynamic twist (MeasureTwists in rod.cc). A NaN leaves the history as it was."""
    world, i = wp.tid()
    if joints.quasistatic[i] != 0:
        return
    a = far_frame(links, poses, world, joints.a[i])
    b = near_frame(links, poses, world, joints.b[i])
    angle = twist_angle(a, b) - half[world, joints.a[i]] - half[world, joints.b[i]]
    last = previous[world, i]
    twists[world, i] = wp.where(wp.isfinite(angle), unwrapped(angle, last), last)


@wp.kernel
def spread_twists(
    links: Links,
    joints: Joints,
    segments: Segments,
    factors: Factors,
    poses: Poses,
    half: wp.array2d[wp.float32],
    previous: wp.array2d[wp.float32],
    # out, world x joint (rad)
    twists: wp.array2d[wp.float32],
) -> None:
    """Quasistatic twist of isotropic, straight rods (Uniform in quasistatic_twist.cc): the same
    moment between two holds."""
    world, s = wp.tid()
    first = joints.a[segments.joint[segments.begin[s]]]
    far = far_frame(links, poses, world, first)
    near = far
    d = column(far, 1)
    total = wp.float32(0.0)
    last = wp.float32(0.0)
    natural = wp.float32(0.0)
    compliance = wp.float32(0.0)
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        b = joints.b[i]
        near = near_frame(links, poses, world, b)
        d = transported(d, column(far, 0), column(near, 0))
        far = far_frame(links, poses, world, b)
        if at + 1 < segments.end[s] and links.near[b] != links.far[b]:
            d = far * (wp.transpose(near) * d)
        total -= half[world, joints.a[i]] + half[world, joints.b[i]]
        last += previous[world, i]
        natural += joints.natural_twist[i]
        compliance += 1.0 / twist_stiffness(joints, factors, world, i)
    total = unwrapped(total + angle_in(d, near), last)
    if not wp.isfinite(total):
        return
    moment = (total - natural) / compliance
    for at in range(segments.begin[s], segments.end[s]):
        i = segments.joint[at]
        twists[world, i] = joints.natural_twist[i] + moment / twist_stiffness(
            joints, factors, world, i
        )


@wp.func
def excess_at(joints: Joints, joint: Joint, frame: wp.mat33, i: int, side: int) -> wp.vec2:
    """Curvature beyond the natural one, seen from one side, over the softness (LinkSide)."""
    natural = joints.natural[i]
    own = wp.vec2(natural[2 * side], natural[2 * side + 1])
    return (material_curvature(joint, frame) - own) / joints.softness[i]


@wp.func
def side_couple(joint: Joint, frame: wp.mat33, force: wp.vec2, side: int) -> wp.vec3:
    """On the joint's second link, from the derivatives by the curvatures of one side."""
    couple = director_couple(joint, material_vector(force, frame))
    if side == 1:
        w = material_curvature(joint, frame)
        couple -= (force[0] * w[1] - force[1] * w[0]) * joint.b
    return couple


@wp.struct
class CurvatureChange:
    """The joints before and after a link, the frames of its halves, and the change of the material
    curvatures over it (rad)."""

    first: Joint
    second: Joint
    frame: wp.mat33
    far: wp.mat33
    excess: wp.vec2


@wp.func
def curvature_change(
    links: Links, joints: Joints, poses: Poses, world: int, k: int
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
    found.excess = excess_at(joints, found.second, found.far, after, 0)
    found.excess -= excess_at(joints, found.first, found.frame, before, 1)
    return found


@wp.kernel
def add_wide(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[wp.float32],
    # out, world x link x 4 joints (N m)
    couples: wp.array3d[wp.vec3],
) -> None:
    """What each link adds to the couples of the joints next to it (AddWideTerms)."""
    world, k = wp.tid()
    weights = links.holonomy[k]
    change = factors.EI[world, links.cable[k]] * links.change[k]
    for m in range(4):
        couples[world, k, m] = wp.vec3(0.0)
    if weights[0] == 0.0 and change[0] == 0.0 and change[1] == 0.0:
        return
    window = window_of(links, poses, world, k)
    before = links.joints[k, 1]
    after = links.joints[k, 2]
    by = Turns()
    if links.general[k] == 0:
        second = factors.EI[world, links.cable[k]] * links.second[k]
        by = add_turn_changes(window.turns, links.firmness[k], change[0], second, by)
    mean = 0.5 * twist_moment(joints, factors, twists, world, before)
    mean += 0.5 * twist_moment(joints, factors, twists, world, after)
    by = add_holonomy(weights, window.turns, -mean, by)
    found = wide_couples(window.turns, by)
    couples[world, k, 0] = window.before * found.c0
    couples[world, k, 1] = found.c1
    couples[world, k, 2] = window.after * found.c2
    couples[world, k, 3] = window.beyond * found.c3
    if links.general[k] == 0 or (change[0] == 0.0 and change[1] == 0.0):
        return
    # AddCurvatureChange: B (change of the material curvatures over the link)^2 / 24
    over = curvature_change(links, joints, poses, world, k)
    force = wp.cw_mul(change, over.excess) / 12.0
    on_first = -force / joints.softness[before]
    on_second = force / joints.softness[after]
    couples[world, k, 1] += side_couple(over.first, over.frame, on_first, 1)
    couples[world, k, 2] += side_couple(over.second, over.far, on_second, 0)


@wp.kernel
def sum_couples(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[wp.float32],
    wide: wp.array3d[wp.vec3],
    # out, world x joint (N m, world axes): on the second link
    couples: wp.array2d[wp.vec3],
) -> None:
    """EvaluateRod in rod.cc."""
    world, i = wp.tid()
    a = far_frame(links, poses, world, joints.a[i])
    b = near_frame(links, poses, world, joints.b[i])
    joint = joint_between(joints, a, b, i)
    stiffness = factors.EI[world, joints.cable[i]] * joints.stiffness[i]
    couple = twist_couple(joint, twist_moment(joints, factors, twists, world, i))
    if joints.general[i] == 0:
        couple += isotropic_couple(joint, stiffness[0])
    else:
        couple += material_couple(joint, a, b, stiffness, joints.natural[i])
    for m in range(4):
        k = joints.wide[i, m]
        if k >= 0:
            couple += wide[world, k, m]
    couples[world, i] = couple


@wp.kernel
def add_torques(
    dofs: wp.array[int],
    begin: wp.array[int],
    joint: wp.array[int],
    sign: wp.array[wp.float32],
    couples: wp.array2d[wp.vec3],
    axes: wp.array2d[wp.spatial_vector],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """tau_d = a_d . (sum of the couples that joint d carries), joint_torque.h.

    Of a joint between two links that dof d both carries, the couples cancel: they are left out.
    """
    world, row = wp.tid()
    total = wp.vec3(0.0)
    for at in range(begin[row], begin[row + 1]):
        total += sign[at] * couples[world, joint[at]]
    dof = dofs[row]
    torque[world, dof] += wp.dot(wp.spatial_top(axes[world, dof]), total)


@wp.kernel
def cancel_springs(
    springs: wp.array[int],
    kind: wp.array[int],
    dof: wp.array[int],
    force: wp.array2d[wp.float32],
    # in and out, world x dof
    torque: wp.array2d[wp.float32],
) -> None:
    """CancelJointStiffness in cable.cc, where MuJoCo's spring force comes only from joints."""
    world, s = wp.tid()
    first = dof[springs[s]]
    for at in range(first, first + wp.where(kind[springs[s]] == HINGE, 1, 3)):
        torque[world, at] -= force[world, at]


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
    """CancelJointStiffness in cable.cc, where tendons or flexes share MuJoCo's spring force."""
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


@wp.kernel
def add_joint_energies(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    twists: wp.array2d[wp.float32],
    # out, world x cable (J)
    bend: wp.array2d[wp.float32],
    twist: wp.array2d[wp.float32],
) -> None:
    world, i = wp.tid()
    cable = joints.cable[i]
    a = far_frame(links, poses, world, joints.a[i])
    b = near_frame(links, poses, world, joints.b[i])
    joint = joint_between(joints, a, b, i)
    stiffness = factors.EI[world, cable] * joints.stiffness[i]
    energy = 0.5 * stiffness[0] * joint.F
    if joints.general[i] != 0:
        energy = material_energy(joint, a, b, stiffness, joints.natural[i])
    wp.atomic_add(bend, world, cable, energy)
    moment = twist_moment(joints, factors, twists, world, i)
    excess = twists[world, i] - joints.natural_twist[i]
    wp.atomic_add(twist, world, cable, 0.5 * moment * excess)


@wp.kernel
def add_wide_energies(
    links: Links,
    joints: Joints,
    factors: Factors,
    poses: Poses,
    # out, world x cable (J)
    bend: wp.array2d[wp.float32],
) -> None:
    world, k = wp.tid()
    cable = links.cable[k]
    change = factors.EI[world, cable] * links.change[k]
    if change[0] == 0.0 and change[1] == 0.0:
        return
    if links.general[k] == 0:
        turns = window_of(links, poses, world, k).turns
        second = factors.EI[world, cable] * links.second[k]
        energy = turn_changes_energy(turns, links.firmness[k], change[0], second)
        wp.atomic_add(bend, world, cable, energy)
        return
    excess = curvature_change(links, joints, poses, world, k).excess
    wp.atomic_add(bend, world, cable, wp.dot(change, wp.cw_mul(excess, excess)) / 24.0)


@wp.kernel
def find_nodes(
    body: wp.array[int],
    reach: wp.array[wp.float32],
    position: wp.array2d[wp.vec3],
    rotation: wp.array2d[wp.mat33],
    # out, world x node (m)
    nodes: wp.array2d[wp.vec3],
) -> None:
    """The point at `reach` (m) along the x axis of each node's body."""
    world, k = wp.tid()
    along = column(rotation[world, body[k]], 0)
    nodes[world, k] = position[world, body[k]] + reach[k] * along


@wp.kernel
def reset_rows(
    mask: wp.array[wp.bool],
    rest: wp.array[wp.float32],
    # out, world x joint (rad)
    twists: wp.array2d[wp.float32],
) -> None:
    """The twists of the model's reference shape, in the worlds of the mask."""
    world, i = wp.tid()
    if mask[world]:
        twists[world, i] = rest[i]


@wp.kernel
def clear_velocities(
    mask: wp.array[wp.bool],
    # out, world x body
    velocities: wp.array2d[wp.spatial_vector],
) -> None:
    """Zero in the worlds of the mask."""
    world, body = wp.tid()
    if mask[world]:
        velocities[world, body] = wp.spatial_vector()
