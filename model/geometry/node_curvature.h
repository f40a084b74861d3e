// Curvature of the lines that edges form, for colours.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Curvature (1/m) at each node between two edges: the angle between them by their mean length.
/// Zero at ends, where more edges meet, and at edges of no length. `points`: 3 coordinates per node
/// (m).
inline std::vector<double> NodeCurvatures(std::span<const std::array<int, 2>> edges,
                                          std::span<const double> points) {
  const auto at = [&](int node) {
    return Vector3(points[3 * node], points[3 * node + 1], points[3 * node + 2]);
  };
  const size_t nodes = points.size() / 3;
  std::vector<std::array<int, 2>> neighbours(nodes);
  std::vector<int> count(nodes);
  for (const auto& [a, b] : edges) {
    if (count[a] < 2) neighbours[a][count[a]] = b;
    if (count[b] < 2) neighbours[b][count[b]] = a;
    ++count[a], ++count[b];
  }
  std::vector<double> curvature(nodes);
  for (size_t node = 0; node < nodes; ++node) {
    if (count[node] != 2) continue;
    const Vector3 here = at(static_cast<int>(node));
    const Vector3 u = at(neighbours[node][0]) - here, v = at(neighbours[node][1]) - here;
    const double shorter = std::min(u.norm(), v.norm());
    if (shorter == 0) continue;
    curvature[node] = 2 * std::atan2(u.cross(v).norm(), -u.dot(v)) / (u.norm() + v.norm());
  }
  return curvature;
}

}  // namespace strand
