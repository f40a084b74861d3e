"""The joint between two links: curvature, twist and couple (model/stencil, model/geometry/frame.h).

Functions of Warp, float32. Imported only where Warp is installed.
"""

import math

import warp as wp

wp.set_module_options({"enable_backward": False})

FOLD_FLOOR = wp.constant(wp.float32(1e-9))  # of 1 + t_a . t_b
TWO_PI = wp.constant(wp.float32(2 * math.pi))

_LIMIT = math.pi - 0.014  # kTangentLimit
TANGENT_LIMIT = wp.constant(wp.float32(_LIMIT))
TANGENT_VALUE = wp.constant(wp.float32(2 * math.tan(_LIMIT / 2)))
TANGENT_SLOPE = wp.constant(wp.float32(1 + math.tan(_LIMIT / 2) ** 2))
TANGENT_LEAST = wp.constant(wp.float32(1 + math.cos(_LIMIT)))

# Of phi / sin(phi) as a series in x = 1 - c: a_{k+1} = a_k (k + 1) / (2 k + 3). Below the limit
# nine terms suffice for float32; above it the closed form loses no digits.
TERMS = wp.constant(9)
LAST = wp.constant(wp.float32(0.0011700717583070525))
SERIES_LIMIT = wp.constant(wp.float32(0.1))


@wp.struct
class Joint:
    """Directions of the links a and b, and the curvature measure (curvature_measure.h)."""

    a: wp.vec3
    b: wp.vec3
    axis: wp.vec3  # t_a x t_b = sin(phi) n
    y: wp.float32  # 1 + cos(phi)
    g: wp.float32  # K = g t_a x t_b
    dg: wp.float32  # by c = cos(phi)
    F: wp.float32  # |K|^2
    dF: wp.float32


@wp.func
def column(frame: wp.mat33, j: int) -> wp.vec3:
    return wp.vec3(frame[0, j], frame[1, j], frame[2, j])


@wp.func
def set_angle_series(joint: Joint, x: wp.float32) -> Joint:
    # Horner's rule needs the coefficients from the last: a_8, and a_k = a_{k+1} (2 k + 3) / (k + 1)
    coefficient = LAST
    value = wp.float32(0.0)
    slope = wp.float32(0.0)
    for i in range(TERMS):
        k = TERMS - 1 - i
        value = value * x + coefficient
        if k > 0:
            slope = slope * x + wp.float32(k) * coefficient
            coefficient = coefficient * wp.float32(2 * k + 1) / wp.float32(k)
    joint.g = value
    joint.dg = -slope
    joint.F = value * value * x * (2.0 - x)
    joint.dF = -2.0 * value
    return joint


@wp.func
def set_from_angle(joint: Joint, f: wp.float32, df: wp.float32, sine: wp.float32) -> Joint:
    c = joint.y - 1.0
    r = 1.0 / wp.max(sine, 1.0e-8)
    joint.g = f * r
    joint.dg = (f * c - df * sine) * r * r * r
    joint.F = f * f
    joint.dF = -2.0 * f * df * r
    return joint


@wp.func
def set_tangent(joint: Joint, x: wp.float32, sine: wp.float32) -> Joint:
    if joint.y > TANGENT_LEAST:
        r = 1.0 / joint.y
        joint.g = 2.0 * r
        joint.dg = -2.0 * r * r
        joint.F = 4.0 * x * r
        joint.dF = -8.0 * r * r
        return joint
    phi = wp.atan2(sine, joint.y - 1.0)
    f = TANGENT_VALUE + TANGENT_SLOPE * (phi - TANGENT_LIMIT)
    return set_from_angle(joint, f, TANGENT_SLOPE, sine)


@wp.func
def measured_joint(a: wp.vec3, b: wp.vec3, tangent: int) -> Joint:
    """Geometry and measure of a joint; tangent: 1 for that measure, 0 for the angle."""
    joint = Joint()
    joint.a = a
    joint.b = b
    joint.axis = wp.cross(a, b)
    x = 0.5 * wp.length_sq(b - a)
    sine = wp.length(joint.axis)
    # near a fold 2 - x would cancel
    joint.y = 0.5 * wp.length_sq(a + b)
    if tangent != 0:
        return set_tangent(joint, x, sine)
    if x < SERIES_LIMIT:
        return set_angle_series(joint, x)
    return set_from_angle(joint, wp.atan2(sine, joint.y - 1.0), 1.0, sine)


@wp.func
def twist_angle(a: wp.mat33, b: wp.mat33) -> wp.float32:
    """TwistAngle in frame.h (rad)."""
    d = transported(column(a, 1), column(a, 0), column(b, 0))
    return angle_in(d, b)


@wp.func
def transported(v: wp.vec3, t_a: wp.vec3, t_b: wp.vec3) -> wp.vec3:
    """ParallelTransport in frame.h."""
    y = wp.max(0.5 * wp.length_sq(t_a + t_b), FOLD_FLOOR)
    return v - (wp.dot(v, t_b) / y) * (t_a + t_b)


@wp.func
def angle_in(d: wp.vec3, frame: wp.mat33) -> wp.float32:
    """Angle (rad) from a director d to the first director of a frame."""
    return wp.atan2(-wp.dot(d, column(frame, 2)), wp.dot(d, column(frame, 1)))


@wp.func
def unwrapped(angle: wp.float32, reference: wp.float32) -> wp.float32:
    return angle + TWO_PI * wp.round((reference - angle) / TWO_PI)


@wp.func
def twist_couple(joint: Joint, moment: wp.float32) -> wp.vec3:
    """On link b (twist.h): by_b x t_b - dE/dtheta_b t_b with by_b = moment K / 2."""
    slope = joint.axis / wp.max(joint.y, FOLD_FLOOR)
    return moment * (wp.cross(slope, joint.b) - joint.b)


@wp.func
def director_couple(joint: Joint, d: wp.vec3) -> wp.vec3:
    """On link b, of an energy with the derivative d by K, without that by the material angle."""
    by_b = joint.dg * wp.dot(joint.axis, d) * joint.a + joint.g * wp.cross(d, joint.a)
    return wp.cross(by_b, joint.b)


@wp.func
def material_curvature(joint: Joint, frame: wp.mat33) -> wp.vec2:
    """w_1, w_2 (rad): K seen from a link's frame (bend.h)."""
    return joint.g * wp.vec2(
        wp.dot(joint.axis, column(frame, 1)), wp.dot(joint.axis, column(frame, 2))
    )


@wp.func
def material_vector(w: wp.vec2, frame: wp.mat33) -> wp.vec3:
    return w[0] * column(frame, 1) + w[1] * column(frame, 2)


@wp.func
def isotropic_couple(joint: Joint, stiffness: wp.float32) -> wp.vec3:
    """E = B F(c) / 2 (Bergou 2008, eq. 4): c_b = B F' / 2 t_a x t_b."""
    return (0.5 * stiffness * joint.dF) * joint.axis


@wp.func
def material_couple(
    joint: Joint, a: wp.mat33, b: wp.mat33, stiffness: wp.vec2, natural: wp.vec4
) -> wp.vec3:
    """E = 1/4 sum_s sum_j B_j (w_j^s - wbar_j^s)^2 (Bergou 2008, eq. 3)."""
    excess_a = material_curvature(joint, a) - wp.vec2(natural[0], natural[1])
    w_b = material_curvature(joint, b)
    excess_b = w_b - wp.vec2(natural[2], natural[3])
    force_a = 0.5 * wp.cw_mul(stiffness, excess_a)
    force_b = 0.5 * wp.cw_mul(stiffness, excess_b)
    d = material_vector(force_a, a) + material_vector(force_b, b)
    by_angle = force_b[0] * w_b[1] - force_b[1] * w_b[0]
    return director_couple(joint, d) - by_angle * joint.b


@wp.func
def material_energy(
    joint: Joint, a: wp.mat33, b: wp.mat33, stiffness: wp.vec2, natural: wp.vec4
) -> wp.float32:
    excess_a = material_curvature(joint, a) - wp.vec2(natural[0], natural[1])
    excess_b = material_curvature(joint, b) - wp.vec2(natural[2], natural[3])
    squares = wp.cw_mul(excess_a, excess_a) + wp.cw_mul(excess_b, excess_b)
    return 0.25 * wp.dot(stiffness, squares)
