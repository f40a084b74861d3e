// Closest point of a triangle.
#pragma once

#include <array>

#include "model/geometry/frame.h"

namespace strand {

/// The point of the triangle a, b, c that is nearest to x, by its barycentric weights. Over the
/// face these come from cross products, which in slivers lose only half as many digits as sums of
/// dot products. Elsewhere it is the nearest point of the three edges. A triangle without area is
/// treated as its edges.
struct ClosestOnTriangle {
  ClosestOnTriangle(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c);

  /// Weights of a, b and c: sum 1, none negative, exactly 0 if the point is on an edge or a corner.
  std::array<double, 3> weight;
  Vector3 offset;  ///< from the point on the triangle to x (m)

 private:
  void TakeNearestEdge(const Vector3& x, const std::array<Vector3, 3>& corner);
};

}  // namespace strand
