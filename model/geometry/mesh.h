// Topology of a triangle mesh: its triangles, the edges where it can fold, and checks of validity.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Three nodes, counter-clockwise as seen from the side to which the normal points.
struct Triangle {
  std::array<int, 3> node;
  std::array<int, 3> edge;  ///< edge k lies opposite node k: from node k + 1 to node k + 2
  std::array<int, 3> sign;  ///< +1 if the triangle runs along edge k as stored, else -1
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

/// Edges are numbered as they first appear, triangle by triangle, edge by edge. An edge at which
/// three or more triangles meet is a seam: each of these triangles has its own rim edge there.
struct TriangleMesh {
  std::vector<Triangle> triangle;
  std::vector<MeshEdge> edge;
  std::vector<std::vector<int>> seam;  ///< the rim edges of each
};

/// The mesh of `triangles` over `vertices` (m). Throws ConfigError, which names the triangle, if
/// coordinates are not finite, indices are out of range, nodes are repeated, a triangle has no area
/// (twice the area is at most 1e-10 of the square of the longest edge), two triangles have the same
/// nodes, two neighbours are oriented differently (allowed at a seam), or a vertex is in no
/// triangle.
TriangleMesh MakeMesh(std::span<const Vector3> vertices,
                      std::span<const std::array<int, 3>> triangles);

/// Throws ConfigError if there are no triangles, a triangle has a vertex that does not exist, no
/// area or coordinates that are not finite, or a vertex is in no triangle.
void CheckTriangles(std::span<const Vector3> vertices,
                    std::span<const std::array<int, 3>> triangles);

/// Whether a triangle has an area above round-off.
bool HasArea(const Vector3& x0, const Vector3& x1, const Vector3& x2);

/// The third node of a triangle, rotated by pi about the edge x0-x1: on the other side of the edge,
/// in the plane of the triangle and at the same distance.
inline Vector3 MirroredWing(const Vector3& x0, const Vector3& x1, const Vector3& wing) {
  const Vector3 along = x1 - x0, out = wing - x0;
  return wing - 2 * (out - along.dot(out) / along.squaredNorm() * along);
}

/// (x1 - x0) x (x2 - x0) of a triangle's nodes: twice its area along its normal (m^2).
inline Vector3 AreaVector(const Vector3& x0, const Vector3& x1, const Vector3& x2) {
  return (x1 - x0).cross(x2 - x0);
}

}  // namespace strand
