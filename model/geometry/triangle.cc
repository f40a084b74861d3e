#include "model/geometry/triangle.h"

#include <algorithm>

#include "model/geometry/segment.h"

namespace strand {

ClosestOnTriangle::ClosestOnTriangle(const Vector3& x, const Vector3& a, const Vector3& b,
                                     const Vector3& c) {
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

void ClosestOnTriangle::TakeNearestEdge(const Vector3& x, const std::array<Vector3, 3>& corner) {
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

}  // namespace strand
