// Closest point of a triangle.
#pragma once

#include <algorithm>
#include <array>

#include "model/geometry/segment.h"

namespace strand {

/// The point of the triangle a, b, c that is nearest to x, by its barycentric weights. Over the
/// face these come from cross products, which in slivers lose only half as many digits as sums of
/// dot products. Elsewhere it is the nearest point of the three edges. A triangle without area is
/// treated as its edges.
struct ClosestOnTriangle {
  ClosestOnTriangle(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c) {
    const Vector3 ab = b - a, ac = c - a, bc = c - b, n = ab.cross(ac);
    const double n2 = n.squaredNorm(), flat = kParallelSine * kParallelSine;
    weight = {n.dot(bc.cross(x - b)), n.dot((x - c).cross(ac)), n.dot(ab.cross(x - a))};
    const bool over_face = std::ranges::min(weight) > 0;
    if (over_face && n2 > flat * ab.squaredNorm() * ac.squaredNorm()) {
      const double sum = weight[0] + weight[1] + weight[2];  // n2, up to round-off
      for (double& w : weight) w /= sum;
    } else {
      TakeNearestEdge(x, {a, b, c});
    }
    offset = x - a - weight[1] * ab - weight[2] * ac;
  }

  /// Weights of a, b and c: sum 1, none negative, exactly 0 if the point is on an edge or a corner.
  std::array<double, 3> weight;
  Vector3 offset;  ///< from the point on the triangle to x (m)

 private:
  void TakeNearestEdge(const Vector3& x, const std::array<Vector3, 3>& corner) {
    double least = -1;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const Vector3 edge = corner[j] - corner[i], from = x - corner[i];
      const double length2 = edge.squaredNorm();
      const double t = length2 > 0 ? std::clamp(edge.dot(from) / length2, 0.0, 1.0) : 0;
      const double distance2 = (from - t * edge).squaredNorm();
      if (least >= 0 && !(distance2 < least)) continue;
      least = distance2;
      weight[i] = 1 - t, weight[j] = t, weight[(i + 2) % 3] = 0;
    }
  }
};

}  // namespace strand
