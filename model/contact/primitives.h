// Contact primitives: edges, points and triangles over nodes, and the pairs of them that may touch.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <span>
#include <utility>
#include <vector>

#include "model/geometry/bezier.h"
#include "model/geometry/edge_curve.h"
#include "model/geometry/segment.h"
#include "model/geometry/triangle.h"

namespace strand {

/// Node indices of an edge and of a triangle.
using EdgeNodes = std::array<int, 2>;
using TriangleNodes = std::array<int, 3>;

/// Indices of two primitives, a < b: two edges, or a point and a triangle.
struct PrimitivePair {
  int a = 0, b = 0;
  auto operator<=>(const PrimitivePair&) const = default;
};

enum class PairKind { kEdges, kCurves, kPointTriangle };

/// Positions or displacements (m) of the four nodes of a pair: two of edge a and two of edge b, or
/// the point and three of the triangle.
using PairNodes = std::array<Vector3, 4>;

/// The eight nodes of two curved edges, with their neighbours.
using CurvePairNodes = std::array<Vector3, 8>;

/// From the nearest point of the second primitive to that of the first (m). Curves: as straight
/// edges.
inline Vector3 NearestOffset(PairKind kind, const Vector3& x0, const Vector3& x1, const Vector3& x2,
                             const Vector3& x3) {
  return kind != PairKind::kPointTriangle ? ClosestPoints(x0, x1, x2, x3).offset
                                          : ClosestOnTriangle(x0, x1, x2, x3).offset;
}
inline Vector3 NearestOffset(PairKind kind, const PairNodes& x) {
  return NearestOffset(kind, x[0], x[1], x[2], x[3]);
}

/// Numbered consecutively: first the edges, then the points, then the triangles.
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
    if (pair.a >= first_point()) return PairKind::kPointTriangle;
    return curved(pair.a) && curved(pair.b) ? PairKind::kCurves : PairKind::kEdges;
  }

  bool curved(int primitive) const { return primitive < static_cast<int>(curve.size()); }

  /// The nodes that determine its position: for a curved edge the neighbouring nodes as well.
  std::span<const int> all_nodes(int primitive) const {
    return curved(primitive) ? std::span<const int>(curve[primitive].node) : nodes(primitive);
  }

  /// Calls `use` with the points (m) whose convex hull contains the primitive.
  template <class Use>
  void ForEachCorner(int primitive, std::span<const Vector3> points, const Use& use) const {
    if (!curved(primitive)) {
      for (int node : nodes(primitive)) use(points[node]);
      return;
    }
    CurveNodes x;
    for (int k = 0; k < 4; ++k) x.col(k) = points[curve[primitive].node[k]];
    const CurveNodes hull = curve[primitive].shape.Hull(x);
    for (int k = 0; k < 4; ++k) use(hull.col(k));
  }

  /// Bound of the displacement of its points, as a multiple of the largest one of all_nodes().
  double stretch(int primitive) const { return curved(primitive) ? curve[primitive].stretch : 1; }

  std::array<int, 4> nodes(const PrimitivePair& pair) const {
    if (kind(pair) != PairKind::kPointTriangle) {
      const EdgeNodes &a = edge[pair.a], &b = edge[pair.b];
      return {a[0], a[1], b[0], b[1]};
    }
    const TriangleNodes& b = triangle[pair.b - first_triangle()];
    return {point[pair.a - first_point()], b[0], b[1], b[2]};
  }

  /// Nodes of a pair of curves.
  std::array<int, 8> curve_nodes(const PrimitivePair& pair) const {
    const std::array<int, 4>&a = curve[pair.a].node, &b = curve[pair.b].node;
    return {a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]};
  }

  /// Whether the two primitives are of kinds that form a pair.
  bool Match(const PrimitivePair& pair) const {
    if (!(pair.a >= 0 && pair.a < pair.b && pair.b < size())) return false;
    if (kind(pair) != PairKind::kPointTriangle) return pair.b < first_point();
    return pair.a < first_triangle() && pair.b >= first_triangle();
  }

  bool ShareNode(const PrimitivePair& pair) const {
    const std::array<int, 4> n = nodes(pair);
    if (kind(pair) != PairKind::kPointTriangle) {
      return n[0] == n[2] || n[0] == n[3] || n[1] == n[2] || n[1] == n[3];
    }
    return n[0] == n[1] || n[0] == n[2] || n[0] == n[3];
  }

  /// Shortest distance (m), with the nodes at `points`; for curves the distance of their Meeting.
  double Distance(const PrimitivePair& pair, std::span<const Vector3> points) const;

  /// Whether the distance is at most `reach` (m); for curves at any of their points.
  bool Within(double reach, const PrimitivePair& pair, std::span<const Vector3> points) const;

  /// The values of a pair's nodes, from values per node.
  PairNodes Of(const PrimitivePair& pair, std::span<const Vector3> values) const {
    const std::array<int, 4> n = nodes(pair);
    return {values[n[0]], values[n[1]], values[n[2]], values[n[3]]};
  }

  /// The same for a pair of curves.
  CurvePairNodes CurvesOf(const PrimitivePair& pair, std::span<const Vector3> values) const;

  static std::array<CurveNodes, 2> Halves(const CurvePairNodes& x);
  CurveMeeting Meeting(const PrimitivePair& pair, const CurvePairNodes& x, double spread) const;
  /// Control points of both curves, or their displacements.
  CurvePairNodes Hulls(const PrimitivePair& pair, const CurvePairNodes& x) const;
  /// Offset (m) between the points of the curves at the parameters of the straight edges' nearest
  /// points.
  Vector3 StraightMeeting(const PrimitivePair& pair, const CurvePairNodes& x) const;
  /// Lower bound of the distance of two curves (m).
  double LeastDistance(const PrimitivePair& pair, const CurvePairNodes& x) const;

  bool CurvesWithin(double reach, const PrimitivePair& pair, const CurvePairNodes& x) const;

  std::vector<EdgeNodes> edge;
  std::vector<CurvedEdge> curve;  ///< of the first edges, or empty; curves pair as curves
  std::vector<int> point;
  std::vector<TriangleNodes> triangle;
};

}  // namespace strand
