// Geometry of rods and shells as text, in the format of MAT-DiSMech and dismech-python.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Nodes (m), the edges of rods and the triangles of shells (counter-clockwise). Elements number
/// the nodes from 0, files from 1.
struct TextGeometry {
  std::vector<Vector3> node;
  std::vector<std::array<int, 2>> edge;
  std::vector<std::array<int, 3>> triangle;
};

/// Reads a file of sections `*Nodes` (x, y, z), `*Edges` (i, j) and `*Triangles` (i, j, k), in any
/// order and any case; a section may occur several times and is then continued. Numbers are
/// separated by a comma, blanks or both; `#` begins a comment.
///
/// In the older dialect nodes are in `*rodNodes` and `*shellNodes`, numbered consecutively in that
/// order; `*FaceNodes` are triangles, `*rodEdges` and `*rodshellJointEdges` are edges.
///
/// Throws ConfigError, which names the file, the line, the section and the coordinate or corner.
TextGeometry ReadTextGeometry(const std::filesystem::path& path);

/// The same from a text; `name` is given as the file in errors.
TextGeometry ParseTextGeometry(const std::string& name, std::string_view text);

/// Throws ConfigError unless all coordinates are finite, and the nodes of each element exist and
/// differ.
void CheckTextGeometry(const TextGeometry& geometry);

}  // namespace strand
