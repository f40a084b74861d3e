// Small triangle meshes, flat in the x-y plane with normals upwards unless they say otherwise.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "model/geometry/network.h"
#include "tests/support/random.h"

namespace strand::testing {

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;

  /// A copy with every vertex at `map` of its position.
  template <class Map>
  Mesh Mapped(const Map& map) const {
    Mesh mapped = *this;
    for (Vector3& vertex : mapped.vertices) vertex = map(vertex);
    return mapped;
  }
  /// A copy with every vertex moved by up to `size` (m) along each axis.
  Mesh Shaken(double size, std::uint64_t seed) const {
    Random random(seed);
    return Mapped([&](const Vector3& x) { return Vector3(x + size * random.Vector()); });
  }
};

inline int AddShell(Network* network, const Mesh& mesh, bool mid_edge) {
  return network->AddShell(mesh.vertices, mesh.triangles, mid_edge);
}

/// A rectangle (m) of cells with two triangles each, whose diagonals alternate as in a Union Jack:
/// vertex i + (cells_x + 1) j.
inline Mesh Grid(int cells_x, int cells_y, double size_x, double size_y) {
  Mesh mesh;
  for (int j = 0; j <= cells_y; ++j) {
    for (int i = 0; i <= cells_x; ++i) {
      mesh.vertices.push_back({size_x * i / cells_x, size_y * j / cells_y, 0});
    }
  }
  for (int j = 0; j < cells_y; ++j) {
    for (int i = 0; i < cells_x; ++i) {
      const int a = i + (cells_x + 1) * j, b = a + 1, c = b + cells_x + 1, d = c - 1;
      if ((i + j) % 2 == 0) {
        mesh.triangles.push_back({a, b, c}), mesh.triangles.push_back({a, c, d});
      } else {
        mesh.triangles.push_back({a, b, d}), mesh.triangles.push_back({b, c, d});
      }
    }
  }
  return mesh;
}

/// Rows of equilateral triangles with edges of `side` (m), except those that make the ends square:
/// vertex i + (cells + 1) j in row j; odd rows are shifted by half a side.
inline Mesh EquilateralStrip(int cells, int rows, double side) {
  Mesh mesh;
  for (int j = 0; j <= rows; ++j) {
    for (int i = 0; i <= cells; ++i) {
      mesh.vertices.push_back({side * (i + 0.5 * (j % 2)), side * j * std::sqrt(0.75), 0});
    }
  }
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < cells; ++i) {
      const int a = i + (cells + 1) * j, b = a + 1, d = a + cells + 1, c = d + 1;
      if (j % 2 == 0) {
        mesh.triangles.push_back({a, b, d}), mesh.triangles.push_back({b, c, d});
      } else {
        mesh.triangles.push_back({a, b, c}), mesh.triangles.push_back({a, c, d});
      }
    }
  }
  return mesh;
}

/// Two equilateral triangles of `side` (m) on either side of the edge from vertex 0 to 1.
inline Mesh EquilateralPair(double side) {
  const double height = side * std::sqrt(0.75);
  return {{{0, 0, 0}, {side, 0, 0}, {0.5 * side, height, 0}, {0.5 * side, -height, 0}},
          {{0, 1, 2}, {1, 0, 3}}};
}

/// Vertex 0 in the middle and `corners` vertices around it at the distance `radius` (m).
inline Mesh Fan(int corners, double radius) {
  Mesh mesh;
  mesh.vertices.push_back(Vector3::Zero());
  for (int k = 0; k < corners; ++k) {
    const double s = kTwoPi * k / corners;
    mesh.vertices.push_back(radius * Vector3(std::cos(s), std::sin(s), 0));
    mesh.triangles.push_back({0, 1 + k, 1 + (k + 1) % corners});
  }
  return mesh;
}

/// Closed, with outward normals: every two triangles share an edge.
inline Mesh Tetrahedron(double size) {
  Mesh mesh{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  return mesh.Mapped([&](const Vector3& x) { return Vector3(size * x); });
}

/// A flat mesh rolled up to a cylinder of radius `radius` (m) about the y axis.
inline Mesh Rolled(const Mesh& mesh, double radius) {
  return mesh.Mapped([&](const Vector3& x) {
    const double s = x.x() / radius;
    return Vector3(radius * std::sin(s), x.y(), radius * (1 - std::cos(s)));
  });
}

}  // namespace strand::testing
