// What a growing robot is made of per length, and chains of any number of segments made from it, so
// that refining a chain converges to one and the same beam.
//
// A pair of length l has two bodies of l / 2 each, with centres at l / 4 and 3 l / 4:
// d = l / 4, s = l / 2. With m the mass per length and r the radius of a thin-walled tube,
//
//     mass = m l / 2,   inertia = mass ((l / 2)^2 / 12 + r^2 / 2),
//     K = EI / l_v,  C = eta / l_v,  natural angle = curvature l_v,   l_v = (l_p + l_a) / 2,
//
// and at the base l_a / 2: it is clamped.
#pragma once

#include "model/vine/chain.h"

namespace strand {

struct VineMaterial {
  double EI = 0;               ///< bending stiffness (N m^2)
  double bending_damping = 0;  ///< eta, couple per rate of curvature (N m^2 s)
  double mass_per_length = 0;  ///< m (kg/m)
  double curvature = 0;        ///< natural, of all that is made (1/m)
};

/// Gives pair `pair` the length (m) and what follows from it, for its own joint and the next.
void SetPairLength(const VineMaterial& material, double diameter, double length, int pair,
                   VineChain* chain);

/// Chain with its natural curvature of `segments` pairs, with room for `capacity`, from `base` (m)
/// along `heading` (rad). Throws ConfigError on what is not finite or out of range.
VineChain MakeUniformChain(const VineMaterial& material, double diameter, double length,
                           int segments, int capacity, const Vector2& base, double heading);

/// The state in which every joint has its natural angle and every pair s = 2 d, at rest.
VineState NaturalState(const VineChain& chain);

}  // namespace strand
