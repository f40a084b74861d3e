#include "model/contact/piercing.h"

#include <vector>

#include "model/contact/box_tree.h"

namespace strand {
namespace {

Box Around(std::span<const Vector3> points, std::span<const int> nodes) {
  Box box{points[nodes[0]], points[nodes[0]]};
  for (int n : nodes) box = {box.low.cwiseMin(points[n]), box.high.cwiseMax(points[n])};
  return box;
}

// Whether the segment's ends lie on opposite sides of the triangle's plane and it crosses the plane
// inside the triangle.
bool PassesThrough(const Vector3& from, const Vector3& to, const Vector3& a, const Vector3& b,
                   const Vector3& c) {
  const Vector3 n = (b - a).cross(c - a);
  const double start = n.dot(from - a), end = n.dot(to - a);
  if (!(start * end < 0)) return false;
  const Vector3 x = from + start / (start - end) * (to - from);
  return n.dot((b - a).cross(x - a)) >= 0 && n.dot((c - b).cross(x - b)) >= 0 &&
         n.dot((a - c).cross(x - c)) >= 0;
}

}  // namespace

std::optional<Piercing> FindPiercing(std::span<const Vector3> points, const Primitives& primitives,
                                     const std::vector<bool>& among) {
  std::vector<Box> boxes;
  for (const TriangleNodes& triangle : primitives.triangle) {
    boxes.push_back(Around(points, triangle));
  }
  BoxTree tree;
  tree.Build(boxes);
  std::optional<Piercing> first;
  for (int e = 0; e < primitives.first_point() && !first; ++e) {
    const auto [from, to] = primitives.edge[e];
    tree.ForEachIn(Around(points, primitives.edge[e]), [&](int t) {
      const auto [a, b, c] = primitives.triangle[t];
      const int triangle = primitives.first_triangle() + t;
      if (!among.empty() && among[e] && among[triangle]) return;
      for (int n : {a, b, c}) {
        if (n == from || n == to) return;
      }
      if (!PassesThrough(points[from], points[to], points[a], points[b], points[c])) return;
      if (!first || triangle < first->triangle) first = {e, triangle};
    });
  }
  return first;
}

}  // namespace strand
