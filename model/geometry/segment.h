// Distance between two line segments.
#pragma once

#include <algorithm>

#include "model/geometry/frame.h"

namespace strand {

/// Shortest distance (m) between the segments p0-p1 and q0-q1, exact for parallel, degenerate and
/// crossing ones: the squared distance is convex in the two parameters, so that its minimum over
/// the square is the interior one or lies on an edge (C. Ericson, Real-Time Collision Detection,
/// section 5.1.9).
inline double SegmentDistance(const Vector3& p0, const Vector3& p1, const Vector3& q0,
                              const Vector3& q1) {
  const Vector3 u = p1 - p0, v = q1 - q0, w = p0 - q0;
  const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm(), d = u.dot(w), e = v.dot(w);
  const double determinant = a * c - b * b;
  const auto ratio = [](double x, double y) { return y > 0 ? std::clamp(x / y, 0.0, 1.0) : 0.0; };
  // The point on p nearest to q's line (any, if parallel), then back and forth with clamping.
  double s = determinant > 1e-14 * a * c ? ratio(b * e - c * d, determinant) : 0.0;
  const double t = ratio(b * s + e, c);
  s = ratio(b * t - d, a);
  return (w + s * u - t * v).norm();
}

}  // namespace strand
