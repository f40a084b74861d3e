"""The joint between two links: curvature, twist and couple (model/stencil, model/geometry/frame.h).

Functions of Warp. Imported only where Warp is installed.
"""

import math

import warp as wp

from strand.warp.kernels.reals import Mat33, Real, Vec2, Vec3, Vec4

wp.set_module_options({"enable_backward": False})

FOLD_FLOOR = wp.constant(Real(1e-9))  # of 1 + t_a . t_b
TWO_PI = wp.constant(Real(2 * math.pi))

_LIMIT = math.pi - 0.014  # kTangentLimit
TANGENT_LIMIT = wp.constant(Real(_LIMIT))
TANGENT_VALUE = wp.constant(Real(2 * math.tan(_LIMIT / 2)))
TANGENT_SLOPE = wp.constant(Real(1 + math.tan(_LIMIT / 2) ** 2))
TANGENT_LEAST = wp.constant(Real(1 + math.cos(_LIMIT)))

# Of phi / sin(phi) as a series in x = 1 - c: a_{k+1} = a_k (k + 1) / (2 k + 3). Below the limit
# nine terms suffice (curvature_measure.h).
TERMS = wp.constant(9)
LAST = wp.constant(Real(0.0011700717583070525))
SERIES_LIMIT = wp.constant(Real(1e-2))


@wp.struct
class Joint:
    """Directions of the links a and b, and the curvature measure (curvature_measure.h)."""

    a: Vec3
    b: Vec3
    axis: Vec3  # t_a x t_b = sin(phi) n
    y: Real  # 1 + cos(phi)
    g: Real  # K = g t_a x t_b
    dg: Real  # by c = cos(phi)
    F: Real  # |K|^2
    dF: Real


@wp.func
def column(frame: Mat33, j: int) -> Vec3:
    return Vec3(frame[0, j], frame[1, j], frame[2, j])


@wp.func
def set_angle_series(joint: Joint, x: Real) -> Joint:
    # Horner's rule needs the coefficients from the last: a_8, and a_k = a_{k+1} (2 k + 3) / (k + 1)
    coefficient = LAST
    value = Real(0.0)
    slope = Real(0.0)
    for i in range(TERMS):
        k = TERMS - 1 - i
        value = value * x + coefficient
        if k > 0:
            slope = slope * x + Real(k) * coefficient
            coefficient = coefficient * Real(2 * k + 1) / Real(k)
    joint.g = value
    joint.dg = -slope
    joint.F = value * value * x * (Real(2.0) - x)
    joint.dF = -Real(2.0) * value
    return joint


@wp.func
def set_from_angle(joint: Joint, f: Real, df: Real, sine: Real) -> Joint:
    c = joint.y - Real(1.0)
    r = Real(1.0) / wp.max(sine, Real(1.0e-8))
    joint.g = f * r
    joint.dg = (f * c - df * sine) * r * r * r
    joint.F = f * f
    joint.dF = -Real(2.0) * f * df * r
    return joint


@wp.func
def set_tangent(joint: Joint, x: Real, sine: Real) -> Joint:
    if joint.y > TANGENT_LEAST:
        r = Real(1.0) / joint.y
        joint.g = Real(2.0) * r
        joint.dg = -Real(2.0) * r * r
        joint.F = Real(4.0) * x * r
        joint.dF = -Real(8.0) * r * r
        return joint
    phi = wp.atan2(sine, joint.y - Real(1.0))
    f = TANGENT_VALUE + TANGENT_SLOPE * (phi - TANGENT_LIMIT)
    return set_from_angle(joint, f, TANGENT_SLOPE, sine)


@wp.func
def measured_joint(a: Vec3, b: Vec3, tangent: int) -> Joint:
    """Geometry and measure of a joint; tangent: 1 for that measure, 0 for the angle."""
    joint = Joint()
    joint.a = a
    joint.b = b
    joint.axis = wp.cross(a, b)
    x = Real(0.5) * wp.length_sq(b - a)
    sine = wp.length(joint.axis)
    # near a fold 2 - x would cancel
    joint.y = Real(0.5) * wp.length_sq(a + b)
    if tangent != 0:
        return set_tangent(joint, x, sine)
    if x < SERIES_LIMIT:
        return set_angle_series(joint, x)
    return set_from_angle(joint, wp.atan2(sine, joint.y - Real(1.0)), Real(1.0), sine)


@wp.func
def twist_angle(a: Mat33, b: Mat33) -> Real:
    """TwistAngle in frame.h (rad)."""
    d = transported(column(a, 1), column(a, 0), column(b, 0))
    return angle_in(d, b)


@wp.func
def transported(v: Vec3, t_a: Vec3, t_b: Vec3) -> Vec3:
    """ParallelTransport in frame.h."""
    y = wp.max(Real(0.5) * wp.length_sq(t_a + t_b), FOLD_FLOOR)
    return v - (wp.dot(v, t_b) / y) * (t_a + t_b)


@wp.func
def angle_in(d: Vec3, frame: Mat33) -> Real:
    """Angle (rad) from a director d to the first director of a frame."""
    return wp.atan2(-wp.dot(d, column(frame, 2)), wp.dot(d, column(frame, 1)))


@wp.func
def unwrapped(angle: Real, reference: Real) -> Real:
    return angle + TWO_PI * wp.round((reference - angle) / TWO_PI)


@wp.func
def turned(frame: Mat33, cosine: Real, sine: Real) -> Mat33:
    """A frame turned about its first axis."""
    m1 = column(frame, 1)
    m2 = column(frame, 2)
    return wp.matrix_from_cols(column(frame, 0), cosine * m1 + sine * m2, cosine * m2 - sine * m1)


@wp.func
def half_turn(a: Mat33, b: Mat33, near: Real) -> Real:
    """HalfTurn in frame.h (rad): half the twist, of which `near` counts the full turns."""
    return Real(0.5) * unwrapped(twist_angle(a, b), near)


@wp.func
def twist_couple(joint: Joint, moment: Real) -> Vec3:
    """On link b (twist.h): by_b x t_b - dE/dtheta_b t_b with by_b = moment K / 2."""
    slope = joint.axis / wp.max(joint.y, FOLD_FLOOR)
    return moment * (wp.cross(slope, joint.b) - joint.b)


@wp.func
def director_couple(joint: Joint, d: Vec3) -> Vec3:
    """On link b, of an energy with the derivative d by K, without that by the material angle."""
    by_b = joint.dg * wp.dot(joint.axis, d) * joint.a + joint.g * wp.cross(d, joint.a)
    return wp.cross(by_b, joint.b)


@wp.func
def material_curvature(joint: Joint, frame: Mat33) -> Vec2:
    """w_1, w_2 (rad): K seen from a link's frame (bend.h)."""
    return joint.g * Vec2(
        wp.dot(joint.axis, column(frame, 1)), wp.dot(joint.axis, column(frame, 2))
    )


@wp.func
def material_vector(w: Vec2, frame: Mat33) -> Vec3:
    return w[0] * column(frame, 1) + w[1] * column(frame, 2)


@wp.func
def isotropic_couple(joint: Joint, stiffness: Real) -> Vec3:
    """E = B F(c) / 2 (Bergou 2008, eq. 4): c_b = B F' / 2 t_a x t_b."""
    return (Real(0.5) * stiffness * joint.dF) * joint.axis


@wp.func
def material_couple(joint: Joint, a: Mat33, b: Mat33, stiffness: Vec2, natural: Vec4) -> Vec3:
    """E = 1/4 sum_s sum_j B_j (w_j^s - wbar_j^s)^2 (Bergou 2008, eq. 3)."""
    excess_a = material_curvature(joint, a) - Vec2(natural[0], natural[1])
    w_b = material_curvature(joint, b)
    excess_b = w_b - Vec2(natural[2], natural[3])
    force_a = Real(0.5) * wp.cw_mul(stiffness, excess_a)
    force_b = Real(0.5) * wp.cw_mul(stiffness, excess_b)
    d = material_vector(force_a, a) + material_vector(force_b, b)
    by_angle = force_b[0] * w_b[1] - force_b[1] * w_b[0]
    return director_couple(joint, d) - by_angle * joint.b


@wp.func
def material_energy(joint: Joint, a: Mat33, b: Mat33, stiffness: Vec2, natural: Vec4) -> Real:
    excess_a = material_curvature(joint, a) - Vec2(natural[0], natural[1])
    excess_b = material_curvature(joint, b) - Vec2(natural[2], natural[3])
    squares = wp.cw_mul(excess_a, excess_a) + wp.cw_mul(excess_b, excess_b)
    return Real(0.25) * wp.dot(stiffness, squares)
