// Material of a growing robot per length, and chains of any number of segments made from it, so
// that refined chains converge to the same beam.
//
// A pair of length l has two bodies of l / 2 each, with centres at l / 4 and 3 l / 4:
// d = l / 4, s = l / 2. With m the mass per length and r the radius of a thin-walled tube,
//
//     mass = m l / 2,   inertia = mass ((l / 2)^2 / 12 + r^2 / 2),
//     K = EI / l_v,  C = eta / l_v,  natural angle = curvature l_v,   l_v = (l_p + l_a) / 2,
//
// and l_v = l_a / 2 at the base, which is clamped.
#pragma once

#include "model/vine/chain.h"

namespace strand {

/// Sets the length (m) of pair `pair`, and the masses, stiffnesses and dampings that depend on it,
/// of its own joint and the next.
void SetPairLength(const VineMaterial& material, double diameter, double length, int pair,
                   VineChain* chain);

/// Lengthens a pair of a chain of a material by `growth` (m, < 0: shortens). Natural angles of the
/// joints around it change with their lengths: natural curvature is kept.
void StretchPair(double diameter, double growth, int pair, VineChain* chain);

/// Chain of `segments` pairs with the natural curvature and room for `capacity` pairs, from `base`
/// (m) along `heading` (rad). Throws ConfigError if a number is not finite or out of range.
VineChain MakeUniformChain(const VineMaterial& material, double diameter, double length,
                           int segments, int capacity, const Vector2& base, double heading);

/// The state in which every joint has its natural angle and every pair s = 2 d, at rest.
VineState NaturalState(const VineChain& chain);

}  // namespace strand
