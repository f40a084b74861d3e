// What touches: edges, points and triangles over nodes, and the pairs of them that may do so.
#pragma once

#include <array>
#include <compare>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/triangle.h"

namespace strand {

/// Indices of an edge's two nodes, of a triangle's three.
using EdgeNodes = std::array<int, 2>;
using TriangleNodes = std::array<int, 3>;

/// Numbers of two primitives, a < b: of two edges, or of a point and a triangle.
struct PrimitivePair {
  int a = 0, b = 0;
  auto operator<=>(const PrimitivePair&) const = default;
};

enum class PairKind { kEdges, kPointTriangle };

/// Positions (m) of the four nodes of a pair, or their displacements: both of edge a and both of
/// edge b, or the point and the triangle's three.
using PairNodes = std::array<Vector3, 4>;

/// From the nearest point of the second to that of the first (m).
inline Vector3 NearestOffset(PairKind kind, const Vector3& x0, const Vector3& x1, const Vector3& x2,
                             const Vector3& x3) {
  return kind == PairKind::kEdges ? ClosestPoints(x0, x1, x2, x3).offset
                                  : ClosestOnTriangle(x0, x1, x2, x3).offset;
}
inline Vector3 NearestOffset(PairKind kind, const PairNodes& x) {
  return NearestOffset(kind, x[0], x[1], x[2], x[3]);
}

/// Numbered through: the edges first, then the points, then the triangles.
struct Primitives {
  Primitives() = default;
  Primitives(std::vector<EdgeNodes> edges, std::vector<int> points = {},
             std::vector<TriangleNodes> triangles = {})
      : edge(std::move(edges)), point(std::move(points)), triangle(std::move(triangles)) {}

  int first_point() const { return static_cast<int>(edge.size()); }
  int first_triangle() const { return first_point() + static_cast<int>(point.size()); }
  int size() const { return first_triangle() + static_cast<int>(triangle.size()); }

  std::span<const int> nodes(int primitive) const {
    if (primitive < first_point()) return edge[primitive];
    if (primitive < first_triangle()) return std::span(point).subspan(primitive - first_point(), 1);
    return triangle[primitive - first_triangle()];
  }

  PairKind kind(const PrimitivePair& pair) const {
    return pair.a < first_point() ? PairKind::kEdges : PairKind::kPointTriangle;
  }

  std::array<int, 4> nodes(const PrimitivePair& pair) const {
    if (kind(pair) == PairKind::kEdges) {
      const EdgeNodes &a = edge[pair.a], &b = edge[pair.b];
      return {a[0], a[1], b[0], b[1]};
    }
    const TriangleNodes& b = triangle[pair.b - first_triangle()];
    return {point[pair.a - first_point()], b[0], b[1], b[2]};
  }

  /// Whether these two are of a kind that makes a pair.
  bool Match(const PrimitivePair& pair) const {
    if (!(pair.a >= 0 && pair.a < pair.b && pair.b < size())) return false;
    if (kind(pair) == PairKind::kEdges) return pair.b < first_point();
    return pair.a < first_triangle() && pair.b >= first_triangle();
  }

  bool ShareNode(const PrimitivePair& pair) const {
    const std::array<int, 4> n = nodes(pair);
    if (kind(pair) == PairKind::kEdges) {
      return n[0] == n[2] || n[0] == n[3] || n[1] == n[2] || n[1] == n[3];
    }
    return n[0] == n[1] || n[0] == n[2] || n[0] == n[3];
  }

  /// Shortest distance (m), with the nodes at `points`.
  double Distance(const PrimitivePair& pair, std::span<const Vector3> points) const {
    const std::array<int, 4> n = nodes(pair);
    return NearestOffset(kind(pair), points[n[0]], points[n[1]], points[n[2]], points[n[3]]).norm();
  }

  /// What belongs to a pair's nodes, of values per node.
  PairNodes Of(const PrimitivePair& pair, std::span<const Vector3> values) const {
    const std::array<int, 4> n = nodes(pair);
    return {values[n[0]], values[n[1]], values[n[2]], values[n[3]]};
  }

  std::vector<EdgeNodes> edge;
  std::vector<int> point;
  std::vector<TriangleNodes> triangle;
};

}  // namespace strand
