// Closest points of two line segments.
#pragma once

#include <algorithm>

#include "model/geometry/frame.h"

namespace strand {

/// Sine of the angle below which two segments count as parallel. It is far above the round-off of
/// coordinates (1e-14 for edges of 1 cm at 1 m), and the error of the distance is less than this
/// times the length.
inline constexpr double kParallelSine = 1e-12;

/// The nearest points p0 + s (p1 - p0) and q0 + t (q1 - q0), s and t in [0, 1]. The squared
/// distance is convex in (s, t), so that its minimum over the square is the interior one or lies
/// on an edge (C. Ericson, Real-Time Collision Detection, section 5.1.9). The interior one is
/// computed from cross products. For nearly parallel segments these lose only half as many digits
/// as sums of dot products.
///
/// Where parallel segments overlap, all opposite pairs of points are equally near, and the middle
/// of the overlap is taken. Only this choice is independent of the order of the segments and of
/// their ends, and a force there turns neither segment against the other. Segments without length
/// have s = 0 or t = 0.
struct ClosestPoints {
  ClosestPoints(const Vector3& p0, const Vector3& p1, const Vector3& q0, const Vector3& q1) {
    const Vector3 u = p1 - p0, v = q1 - q0, w = p0 - q0, n = u.cross(v);
    const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm(), d = u.dot(w), e = v.dot(w);
    const double n2 = n.squaredNorm();
    const auto ratio = [](double x, double y) { return y > 0 ? x / y : 0.0; };
    const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
    parallel = !(n2 > kParallelSine * kParallelSine * a * c);
    if (parallel) {
      const double foot0 = ratio(-d, a), foot1 = ratio(b - d, a);  // of q0 and q1 on p
      const double low = std::max(0.0, std::min(foot0, foot1));
      const double high = std::min(1.0, std::max(foot0, foot1));
      s = clamp(0.5 * (low + high));  // without overlap, the clamp gives the nearest end
      t = clamp(ratio(b * s + e, c));
    } else {
      s = clamp(n.dot(v.cross(w)) / n2);
      const double free_t = (b * s + e) / c;
      t = clamp(free_t);
      if (t != free_t) s = clamp((b * t - d) / a);
    }
    offset = w + s * u - t * v;
  }

  double s = 0, t = 0;
  bool parallel = false;
  Vector3 offset;  ///< from the point on q to the one on p (m)
};

/// Shortest distance (m) between the segments p0-p1 and q0-q1, also degenerate or crossing ones.
inline double SegmentDistance(const Vector3& p0, const Vector3& p1, const Vector3& q0,
                              const Vector3& q1) {
  return ClosestPoints(p0, p1, q0, q1).offset.norm();
}

}  // namespace strand
