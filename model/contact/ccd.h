// Continuous collision detection: how far nodes may go on straight ways before what they span
// meets.
//
// Additive advancement (M. Li et al., "Codimensional Incremental Potential Contact", ACM TOG 40(4),
// 2021, section 5.2): step by step by a part of the way in which the distance cannot fall below
// its floor. ACCD bounds that by distance over speed. Here by the plane between the closest points,
// normal n: after a further part beta
//     distance >= min_ij n . [(x_i - y_j) + beta (dx_i - dy_j)]
// over the nodes x_i of the first and y_j of the second, for both are the convex hulls of their
// nodes: two and two of edges, one and three of a point and a triangle. This is at least ACCD's
// bound, and exact where they slide along each other or approach without turning. Curves are within
// the hulls of their control points, but do not fill them: of ACCD's bound and this one the larger
// counts, with a distance that is a bound itself (geometry/bezier.h). Every step is safe by itself,
// so that no crossing can be missed and the search may stop anywhere.
#pragma once

#include <span>

#include "model/contact/primitives.h"

namespace strand {

struct CcdOptions {
  /// Part of the way down to `min_distance` that must be left, in (0, 1).
  double fraction = 0.1;
  /// Distance (m) of points, centrelines and middle surfaces that no pair may reach, >= 0. A pair
  /// that starts nearer may only not come nearer than it is.
  double min_distance = 0;
};

/// The largest alpha in [0, limit] found such that x + a dx keeps the distance, for all a up to
/// alpha, above
///     floor = d - (1 - fraction) max(d - min_distance, 0),   d = distance at the start.
/// Below `limit`, the distance at alpha is within 1 % of (d - floor), or 1e-6 of the floor, above
/// it (of curves another 1 % of the distance), unless the search was cut at 1000 steps (alpha is
/// then smaller, and safe). 0 for what touches at the start, or if anything is not finite.
double SafeFraction(const PairNodes& nodes, const PairNodes& displacement,
                    const CcdOptions& options, double limit = 1, PairKind kind = PairKind::kEdges);

/// The smallest alpha of `pairs`, 1 without any. `displacement` (m): one per point. The pairs must
/// hold all that can meet: BroadPhase::Find with a margin of twice the longest displacement.
/// Throws ConfigError on options out of range and arrays that do not fit.
double SafeFraction(std::span<const Vector3> points, std::span<const Vector3> displacement,
                    const Primitives& primitives, std::span<const PrimitivePair> pairs,
                    const CcdOptions& options);

}  // namespace strand
