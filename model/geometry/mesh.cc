#include "model/geometry/mesh.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

// Least value of twice the area, as a fraction of the square of the longest edge.
constexpr double kLeastArea = 1e-10;

using Corners = std::array<int, 3>;

std::string Name(size_t triangle) { return "triangle " + std::to_string(triangle); }

std::string Text(const Corners& c) {
  return std::to_string(c[0]) + " " + std::to_string(c[1]) + " " + std::to_string(c[2]);
}

void CheckVertices(std::span<const Vector3> vertices, std::span<const Corners> triangles) {
  std::vector<bool> used(vertices.size(), false);
  for (const Corners& corners : triangles) {
    for (int node : corners) used[node] = true;
  }
  for (size_t v = 0; v < vertices.size(); ++v) {
    if (used[v]) continue;
    throw ConfigError("vertex " + std::to_string(v), "in no triangle", "vertices of triangles");
  }
}

void CheckCorners(std::span<const Vector3> vertices, const Corners& corners, size_t t) {
  const int count = static_cast<int>(vertices.size());
  for (int node : corners) {
    if (node < 0 || node >= count) {
      throw ConfigError(Name(t), "vertex " + std::to_string(node),
                        "0 to " + std::to_string(count - 1));
    }
    if (!vertices[node].allFinite()) {
      throw ConfigError(Name(t) + ", vertex " + std::to_string(node), "not finite",
                        "finite coordinates (m)");
    }
  }
  const auto [a, b, c] = corners;
  if (a == b || b == c || c == a) {
    throw ConfigError(Name(t), Text(corners), "three vertices");
  }
  const Vector3 &x = vertices[a], &y = vertices[b], &z = vertices[c];
  if (!HasArea(x, y, z)) {
    throw ConfigError(Name(t), "area " + strand::Text(0.5 * AreaVector(x, y, z).norm()) + " m^2",
                      "> 0: its vertices lie on a line");
  }
}

// Collects the edges of one triangle after the other, and throws if a triangle does not fit the
// previous ones.
class EdgeBook {
 public:
  EdgeBook(TriangleMesh* mesh, std::span<const Corners> triangles) : mesh_(*mesh) {
    for (const Corners& corners : triangles) {
      for (int k = 0; k < 3; ++k) ++sides_[std::minmax(corners[k], corners[(k + 1) % 3])];
    }
  }

  void Add(int t) {
    Triangle& triangle = mesh_.triangle[t];
    for (int k = 0; k < 3; ++k) {
      const int from = triangle.node[(k + 1) % 3], to = triangle.node[(k + 2) % 3];
      const int next = static_cast<int>(mesh_.edge.size());
      const std::pair<int, int> ends = std::minmax(from, to);
      const bool at_seam = sides_.at(ends) > 2;
      if (at_seam) AddToSeam(ends, next);
      const auto [found, added] = number_.try_emplace(ends, next);
      const int number = at_seam ? next : found->second, side = number == next ? 0 : 1;
      if (number == next) mesh_.edge.push_back({{from, to}});
      MeshEdge& edge = mesh_.edge[number];
      Check(edge, from, t);
      edge.triangle[side] = t, edge.wing[side] = triangle.node[k];
      triangle.edge[k] = number, triangle.sign[k] = side == 0 ? 1 : -1;
    }
  }

 private:
  void AddToSeam(const std::pair<int, int>& ends, int edge) {
    const auto [found, added] = seam_.try_emplace(ends, mesh_.seam.size());
    if (added) mesh_.seam.emplace_back();
    mesh_.seam[found->second].push_back(edge);
  }

  void Check(const MeshEdge& edge, int from, int t) const {
    const std::string nodes = std::to_string(edge.node[0]) + " to " + std::to_string(edge.node[1]);
    if (edge.triangle[0] >= 0 && edge.node[0] == from) {
      throw ConfigError(Name(t),
                        "the edge " + nodes + " in the same direction as triangle " +
                            std::to_string(edge.triangle[0]),
                        "neighbours that traverse it in opposite directions (one is flipped)");
    }
  }

  TriangleMesh& mesh_;
  std::map<std::pair<int, int>, int> number_, sides_;
  std::map<std::pair<int, int>, size_t> seam_;
};

}  // namespace

bool HasArea(const Vector3& x0, const Vector3& x1, const Vector3& x2) {
  const double longest =
      std::max({(x1 - x0).squaredNorm(), (x2 - x1).squaredNorm(), (x0 - x2).squaredNorm()});
  return AreaVector(x0, x1, x2).norm() > kLeastArea * longest;
}

void CheckTriangles(std::span<const Vector3> vertices, std::span<const Corners> triangles) {
  if (triangles.empty()) throw ConfigError("triangles", "none", "at least one");
  for (size_t t = 0; t < triangles.size(); ++t) CheckCorners(vertices, triangles[t], t);
  CheckVertices(vertices, triangles);
}

TriangleMesh MakeMesh(std::span<const Vector3> vertices, std::span<const Corners> triangles) {
  CheckTriangles(vertices, triangles);
  TriangleMesh mesh;
  EdgeBook book(&mesh, triangles);
  std::map<std::array<int, 3>, size_t> seen;
  for (size_t t = 0; t < triangles.size(); ++t) {
    Corners sorted = triangles[t];
    std::ranges::sort(sorted);
    const auto [first, added] = seen.try_emplace(sorted, t);
    if (!added) {
      throw ConfigError(Name(t), Text(triangles[t]),
                        "other vertices than those of triangle " + std::to_string(first->second));
    }
    mesh.triangle.push_back({triangles[t], {}, {}});
    book.Add(static_cast<int>(t));
  }
  return mesh;
}

}  // namespace strand
