// Small triangle meshes, flat in the x-y plane with normals upwards unless they say otherwise.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "model/geometry/network.h"

namespace strand::testing {

struct Mesh {
  std::vector<Vector3> vertices;
  std::vector<std::array<int, 3>> triangles;

  /// A copy with every vertex at `map` of its position.
  Mesh Mapped(const std::function<Vector3(const Vector3&)>& map) const;
  /// A copy with every vertex moved by up to `size` (m) along each axis.
  Mesh Shaken(double size, std::uint64_t seed) const;
};

int AddShell(Network* network, const Mesh& mesh, bool mid_edge);

/// A rectangle (m) of cells with two triangles each, whose diagonals alternate as in a Union Jack:
/// vertex i + (cells_x + 1) j.
Mesh Grid(int cells_x, int cells_y, double size_x, double size_y);

/// Rows of equilateral triangles with edges of `side` (m), except those that make the ends square:
/// vertex i + (cells + 1) j in row j; odd rows are shifted by half a side.
Mesh EquilateralStrip(int cells, int rows, double side);

/// Two equilateral triangles of `side` (m) on either side of the edge from vertex 0 to 1.
Mesh EquilateralPair(double side);

/// Vertex 0 in the middle and `corners` vertices around it at the distance `radius` (m).
Mesh Fan(int corners, double radius);

/// Closed, with outward normals: every two triangles share an edge.
Mesh Tetrahedron(double size);

/// A flat mesh rolled up to a cylinder of radius `radius` (m) about the y axis.
Mesh Rolled(const Mesh& mesh, double radius);

}  // namespace strand::testing
