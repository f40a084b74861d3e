// Topology of a triangle mesh: its triangles, the edges where it can fold, and what makes it sound.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Three nodes, counter-clockwise as seen from where the normal points to.
struct Triangle {
  std::array<int, 3> node;
  std::array<int, 3> edge;  ///< edge k lies opposite node k: from node k + 1 to node k + 2
  std::array<int, 3> sign;  ///< +1 where the triangle runs along edge k as it is stored, else -1
};

/// An edge of triangles, from node[0] to node[1]. Triangle 0 lies to its left.
struct MeshEdge {
  std::array<int, 2> node;
  std::array<int, 2> triangle = {-1, -1};  ///< -1: none, at the rim
  /// The triangles' third nodes; wing[1] of a clamped edge is a node of the clamp (network.h).
  std::array<int, 2> wing = {-1, -1};

  bool folds() const { return wing[1] >= 0; }
  bool clamped() const { return folds() && triangle[1] < 0; }
};

/// Edges are numbered as they first appear, triangle by triangle, edge by edge. Where three or more
/// triangles meet is a seam of sheets: each of them has a rim edge of its own there.
struct TriangleMesh {
  std::vector<Triangle> triangle;
  std::vector<MeshEdge> edge;
  std::vector<std::vector<int>> seam;  ///< the rim edges of each
};

/// The mesh of `triangles` over `vertices` (m). Throws ConfigError, which names the triangle, on
/// coordinates that are not finite, indices out of range, repeated nodes, no area (less than 1e-10
/// of the square of the longest edge), two triangles on the same nodes, two neighbours that do not
/// agree on which side is up (at a seam nobody has to), and vertices in no triangle.
TriangleMesh MakeMesh(std::span<const Vector3> vertices,
                      std::span<const std::array<int, 3>> triangles);

/// Throws ConfigError where triangles name no vertex, have no area or coordinates that are not
/// finite, on a vertex in none of them, and where there are none.
void CheckTriangles(std::span<const Vector3> vertices,
                    std::span<const std::array<int, 3>> triangles);

/// Whether a triangle has an area, beyond rounding.
bool HasArea(const Vector3& x0, const Vector3& x1, const Vector3& x2);

/// The point on the other side of an edge that is as far from it and goes on in the triangle's
/// plane, opposite to its third node.
inline Vector3 MirroredWing(const Vector3& x0, const Vector3& x1, const Vector3& wing) {
  const Vector3 along = x1 - x0, out = wing - x0;
  return wing - 2 * (out - along.dot(out) / along.squaredNorm() * along);
}

/// (x1 - x0) x (x2 - x0) of a triangle's nodes: twice its area along its normal (m^2).
inline Vector3 AreaVector(const Vector3& x0, const Vector3& x1, const Vector3& x2) {
  return (x1 - x0).cross(x2 - x0);
}

}  // namespace strand
