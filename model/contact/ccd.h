// Continuous collision detection: how far nodes may move along straight lines before the primitives
// that they span collide.
//
// Additive advancement (ACCD; M. Li et al., "Codimensional Incremental Potential Contact", ACM TOG
// 40(4), 2021, section 5.2): repeated steps by a fraction of the displacement over which the
// distance cannot fall below its floor. ACCD bounds that fraction by distance over speed. Here the
// bound comes from the plane between the closest points, with normal n: after a further fraction
// beta
//     distance >= min_ij n . [(x_i - y_j) + beta (dx_i - dy_j)]
// over the nodes x_i of the first and y_j of the second primitive, since both are the convex hulls
// of their nodes (two and two for edges, one and three for a point and a triangle). This is at
// least as large as ACCD's bound, and exact if they slide along each other or approach without
// rotation. Curves lie within the hulls of their control points but do not fill them. For curves
// the larger of both bounds is used, with a distance that is itself a lower bound
// (geometry/bezier.h). Every step is safe by itself, so that no crossing can be missed and the
// search may stop at any point.
#pragma once

#include <span>

#include "model/contact/primitives.h"

namespace strand {

struct CcdOptions {
  /// Fraction of the distance above `min_distance` that must remain, in (0, 1).
  double fraction = 0.1;
  /// Lower limit (m, >= 0) of the distance between points, centrelines and middle surfaces. A pair
  /// that starts closer must only not come closer.
  double min_distance = 0;
};

/// The largest alpha in [0, limit] found such that x + a dx keeps the distance, for all a up to
/// alpha, above
///     floor = d - (1 - fraction) max(d - min_distance, 0),   d = distance at the start.
/// If alpha < limit, the distance at alpha exceeds the floor by at most 1 % of (d - floor) or 1e-6
/// of the floor (for curves another 1 % of the distance), unless the search was stopped after 1000
/// steps (alpha is then smaller, but safe). Returns 0 if the pair touches at the start or if a
/// number is not finite.
double SafeFraction(const PairNodes& nodes, const PairNodes& displacement,
                    const CcdOptions& options, double limit = 1, PairKind kind = PairKind::kEdges);

/// The smallest alpha of all `pairs`; 1 if there are none. `displacement` (m): one per point.
/// `pairs` must contain all pairs that can collide: BroadPhase::Find with a margin of twice the
/// longest displacement. Throws ConfigError if an option is out of range or the size of an array
/// does not match.
double SafeFraction(std::span<const Vector3> points, std::span<const Vector3> displacement,
                    const Primitives& primitives, std::span<const PrimitivePair> pairs,
                    const CcdOptions& options);

/// Whether a pair that starts farther apart comes within `distance` (m, > 0) on its way.
bool ComesWithin(double distance, std::span<const Vector3> points,
                 std::span<const Vector3> displacement, const Primitives& primitives,
                 const PrimitivePair& pair);

}  // namespace strand
