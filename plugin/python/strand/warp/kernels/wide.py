"""The terms of higher order in the link length (model/stencil/wide.h, model/energy/wide_terms.cc).

Functions of Warp. Imported only where Warp is installed.
"""

import warp as wp

from strand.warp.kernels.reals import Real, Vec3, Vec4

wp.set_module_options({"enable_backward": False})


@wp.struct
class Turns:
    """Direction of link k and the turns of the joints k-2 .. k+1, or derivatives by these."""

    t: Vec3
    d0: Vec3
    d1: Vec3
    d2: Vec3
    d3: Vec3


@wp.struct
class Couples:
    """On the links beyond each of the joints k-2 .. k+1 (N m)."""

    c0: Vec3
    c1: Vec3
    c2: Vec3
    c3: Vec3


@wp.func
def holonomy(w: Vec4, at: Turns) -> Real:
    """h (rad) of equation (2) in wide.h; w: weights near, skew, far, quartic."""
    inner = w[0] * at.d2 + w[1] * at.d3
    outer = w[1] * at.d2 + w[2] * at.d3
    area = wp.cross(at.d1, inner) + wp.cross(at.d0, outer)
    spread = w[3] * (wp.length_sq(at.d1) + wp.length_sq(at.d2))
    return wp.dot(at.t, area) + spread * wp.dot(at.t, wp.cross(at.d1, at.d2))


@wp.func
def add_holonomy(w: Vec4, at: Turns, weight: Real, by: Turns) -> Turns:
    """Adds `weight` times the derivative of h."""
    inner = w[0] * at.d2 + w[1] * at.d3
    outer = w[1] * at.d2 + w[2] * at.d3
    pair = wp.cross(at.d1, at.d2)
    spread = w[3] * (wp.length_sq(at.d1) + wp.length_sq(at.d2))
    area = wp.cross(at.d1, inner) + wp.cross(at.d0, outer)
    before = w[0] * at.d1 + w[1] * at.d0
    after = w[1] * at.d1 + w[2] * at.d0
    scaled = weight * at.t
    quartic = Real(2.0) * weight * w[3] * wp.dot(at.t, pair)
    by.t += weight * (area + spread * pair)
    by.d0 += wp.cross(outer, scaled)
    by.d1 += wp.cross(inner + spread * at.d2, scaled) + quartic * at.d1
    by.d2 += wp.cross(scaled, before + spread * at.d1) + quartic * at.d2
    by.d3 += wp.cross(scaled, after)
    return by


@wp.func
def add_turn_changes(at: Turns, firmness: Vec3, change: Real, second: Real, by: Turns) -> Turns:
    """Derivatives of the second and third term of (1) in wide.h less those of arcs.

    change, second: their stiffnesses (N m).
    """
    a = firmness[0] * at.d1
    b = firmness[1] * at.d2
    c = firmness[2] * at.d3
    sixth = Real(0.5) * change / Real(6.0)
    by_a = -sixth * (b - a + wp.length_sq(a) * a)
    by_b = sixth * (b - a - wp.length_sq(b) * b)
    part = Real(0.5) * second / Real(45.0)
    slope = part * (a - Real(2.0) * b + c)
    bb = wp.length_sq(b)
    by.d1 += firmness[0] * (by_a + slope)
    by.d2 += firmness[1] * (by_b - Real(2.0) * slope - Real(3.0) * part * bb * bb * b)
    by.d3 += firmness[2] * slope
    return by


@wp.func
def turn_changes_energy(at: Turns, firmness: Vec3, change: Real, second: Real) -> Real:
    """(|b - a|^2 - (|a|^4 + |b|^4) / 2) / 12 and (|a - 2 b + c|^2 - |b|^6) / 90, in J."""
    a = firmness[0] * at.d1
    b = firmness[1] * at.d2
    c = firmness[2] * at.d3
    aa = wp.length_sq(a)
    bb = wp.length_sq(b)
    first = (wp.length_sq(b - a) - Real(0.5) * (aa * aa + bb * bb)) / Real(12.0)
    third = (wp.length_sq(a - Real(2.0) * b + c) - bb * bb * bb) / Real(90.0)
    return Real(0.5) * change * first + Real(0.5) * second * third


@wp.func
def wide_couples(at: Turns, by: Turns) -> Couples:
    """WideCouples in wide.h."""
    couples = Couples()
    direction = at.t - at.d1 - at.d0
    couples.c0 = wp.cross(direction, -by.d0)
    direction += at.d0
    couples.c1 = couples.c0 + wp.cross(direction, by.d0 - by.d1)
    direction += at.d1
    couples.c2 = couples.c1 + wp.cross(direction, by.d1 - by.d2 + by.t)
    direction += at.d2
    couples.c3 = couples.c2 + wp.cross(direction, by.d2 - by.d3)
    return couples
