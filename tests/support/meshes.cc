#include "tests/support/meshes.h"

#include <cmath>

#include "tests/support/random.h"

namespace strand::testing {

Mesh Mesh::Mapped(const std::function<Vector3(const Vector3&)>& map) const {
  Mesh mapped = *this;
  for (Vector3& vertex : mapped.vertices) vertex = map(vertex);
  return mapped;
}

Mesh Mesh::Shaken(double size, std::uint64_t seed) const {
  Random random(seed);
  return Mapped([&](const Vector3& x) { return Vector3(x + size * random.Vector()); });
}

int AddShell(Network* network, const Mesh& mesh, bool mid_edge) {
  return network->AddShell(mesh.vertices, mesh.triangles, mid_edge);
}

Mesh Grid(int cells_x, int cells_y, double size_x, double size_y) {
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

Mesh EquilateralStrip(int cells, int rows, double side) {
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

Mesh EquilateralPair(double side) {
  const double height = side * std::sqrt(0.75);
  return {{{0, 0, 0}, {side, 0, 0}, {0.5 * side, height, 0}, {0.5 * side, -height, 0}},
          {{0, 1, 2}, {1, 0, 3}}};
}

Mesh Fan(int corners, double radius) {
  Mesh mesh;
  mesh.vertices.push_back(Vector3::Zero());
  for (int k = 0; k < corners; ++k) {
    const double s = kTwoPi * k / corners;
    mesh.vertices.push_back(radius * Vector3(std::cos(s), std::sin(s), 0));
    mesh.triangles.push_back({0, 1 + k, 1 + (k + 1) % corners});
  }
  return mesh;
}

Mesh Tetrahedron(double size) {
  Mesh mesh{{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}},
            {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}}};
  return mesh.Mapped([&](const Vector3& x) { return Vector3(size * x); });
}

Mesh Rolled(const Mesh& mesh, double radius) {
  return mesh.Mapped([&](const Vector3& x) {
    const double s = x.x() / radius;
    return Vector3(radius * std::sin(s), x.y(), radius * (1 - std::cos(s)));
  });
}

}  // namespace strand::testing
