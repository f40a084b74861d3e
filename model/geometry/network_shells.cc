// Shells in a network, and the rods attached to them.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "model/config/error.h"
#include "model/geometry/network.h"

namespace strand {
namespace {

// Frame of a rib along an edge.
Frame RibFrame(const MeshEdge& edge, const Triangle& beside, const std::vector<Vector3>& x) {
  const auto [a, b, c] = beside.node;
  Frame frame;
  frame.col(0) = (x[edge.node[1]] - x[edge.node[0]]).normalized();
  frame.col(1) = AreaVector(x[a], x[b], x[c]).normalized();
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame;
}

int Checked(const char* field, int index, const std::vector<int>& of) {
  const int count = static_cast<int>(of.size());
  if (index < 0 || index >= count) {
    throw ConfigError(field, std::to_string(index), "0 to " + std::to_string(count - 1));
  }
  return of[index];
}

// The edges of triangles, except those inside a plane: there contact with the triangles suffices.
std::vector<std::array<int, 2>> Creases(const std::vector<Vector3>& x,
                                        const std::vector<std::array<int, 3>>& triangles) {
  constexpr double kFlat = 1e-6;                              // rad
  std::map<std::array<int, 2>, std::vector<Vector3>> beside;  // unit, across an edge
  for (const auto& corner : triangles) {
    for (int k = 0; k < 3; ++k) {
      const int wing = corner[k], a = corner[(k + 1) % 3], b = corner[(k + 2) % 3];
      const Vector3 along = (x[b] - x[a]).normalized(), out = x[wing] - x[a];
      beside[{std::min(a, b), std::max(a, b)}].push_back(
          (out - along.dot(out) * along).normalized());
    }
  }
  std::vector<std::array<int, 2>> creases;
  for (const auto& [edge, out] : beside) {
    if (out.size() == 2 && (out[0] + out[1]).norm() < kFlat) continue;
    creases.push_back(edge);
  }
  return creases;
}

// Two edges that leave a node side by side get no joint: the energy of a folded joint is not
// smooth.
constexpr double kSideBySide = 0.94;  // cos 20 degrees

Vector3 Away(const std::array<int, 2>& edge, int node, const std::vector<Vector3>& x) {
  return (x[edge[edge[0] == node ? 1 : 0]] - x[node]).normalized();
}

}  // namespace

int Network::AddShell(const std::vector<Vector3>& vertices,
                      const std::vector<std::array<int, 3>>& triangles, bool mid_edge) {
  TriangleMesh mesh = MakeMesh(vertices, triangles);
  ShellTopology shell;
  shell.mid_edge = mid_edge;
  const int first_node = nodes(), first_triangle = static_cast<int>(triangle_.size()),
            first_edge = static_cast<int>(mesh_edge_.size());
  const auto shift = [](int by, auto& indices) {
    for (int& index : indices) {
      if (index >= 0) index += by;
    }
  };
  for (const Vector3& vertex : vertices) {
    shell.node.push_back(nodes());
    node_.push_back(vertex);
  }
  for (Triangle& triangle : mesh.triangle) {
    shift(first_node, triangle.node), shift(first_edge, triangle.edge);
    shell.triangle.push_back(static_cast<int>(triangle_.size()));
    triangle_.push_back(triangle);
  }
  for (MeshEdge& edge : mesh.edge) {
    shift(first_node, edge.node), shift(first_node, edge.wing);
    shift(first_triangle, edge.triangle);
    shell.edge.push_back(static_cast<int>(mesh_edge_.size()));
    mesh_edge_.push_back(edge);
  }
  for (std::vector<int>& seam : mesh.seam) {
    shift(first_edge, seam);
    shell.seam.push_back(std::move(seam));
  }
  shell_.push_back(std::move(shell));
  return shells() - 1;
}

int Network::AddObstacleMesh(const std::vector<Vector3>& vertices,
                             const std::vector<std::array<int, 3>>& triangles) {
  CheckTriangles(vertices, triangles);
  ObstacleMesh mesh;
  const int first = nodes();
  for (const Vector3& vertex : vertices) {
    mesh.node.push_back(nodes());
    node_.push_back(vertex);
  }
  for (const auto& [a, b, c] : triangles) {
    mesh.triangle.push_back({first + a, first + b, first + c});
  }
  mesh.edge = Creases(node_, mesh.triangle);
  obstacle_mesh_.push_back(std::move(mesh));
  return static_cast<int>(obstacle_mesh_.size()) - 1;
}

std::vector<int> Network::Attach(int rod, int node, int shell_index, int vertex, Attachment how) {
  const int drop = NodeOfRod(rod, node, "node");
  const int keep = Checked("vertex", vertex, shell(shell_index).node);
  CheckMerge("node", keep, drop);
  if (how != Attachment::kHinged) CheckHold(keep, drop);
  const int shared = Merge(keep, drop);
  if (how == Attachment::kHinged) return {};
  return JoinRibs(AddRibs(shared, how == Attachment::kPublished));
}

// Throws unless a rib at the vertex would be joined to the rod.
void Network::CheckHold(int vertex, int rod_node) const {
  for (int e : EdgesAt(rod_node)) {
    const Vector3 along = Away(edge_[e].node, rod_node, node_);
    for (const MeshEdge& rib : mesh_edge_) {
      if (std::ranges::count(rib.node, vertex) == 0) continue;
      if (along.dot(Away(rib.node, vertex, node_)) < kSideBySide) return;
    }
  }
  throw ConfigError("node", NodeName(rod_node) + " on " + NodeName(vertex),
                    "rods that do not lie along all of the shell's edges there");
}

// Adds the ribs around a node. Returns the nodes at which ribs are to be joined.
std::vector<int> Network::AddRibs(int node, bool whole_triangles) {
  std::set<int> at{node};
  for (const ShellTopology& shell : shell_) {
    for (int t : shell.triangle) {
      const Triangle& triangle = triangle_[t];
      for (int k = 0; k < 3; ++k) {
        if (triangle.node[k] != node) continue;
        for (int other : {1, 2}) RibAlong(triangle.edge[(k + other) % 3]);
        if (!whole_triangles) continue;
        RibAlong(triangle.edge[k]);
        at.insert(triangle.node.begin(), triangle.node.end());
      }
    }
  }
  return {at.begin(), at.end()};
}

int Network::RibAlong(int index) {
  const MeshEdge& along = mesh_edge_[index];
  for (int rib : rib_) {
    const auto [a, b] = edge_[rib].node;  // at a seam possibly in reverse order
    if (std::minmax(a, b) == std::minmax(along.node[0], along.node[1])) return rib;
  }
  rib_.push_back(edges());
  edge_.push_back({along.node, (node_[along.node[1]] - node_[along.node[0]]).norm()});
  frame_.push_back(RibFrame(along, triangle_[along.triangle[0]], node_));
  return rib_.back();
}

// Joins every rib with every other edge at these nodes, except clamps, edges that leave side by
// side with it, and edges that it is joined to already.
std::vector<int> Network::JoinRibs(const std::vector<int>& at) {
  std::set<std::pair<int, int>> joined;
  for (const Joint& joint : joint_) joined.insert(std::minmax(joint.edge[0], joint.edge[1]));
  std::vector<int> added;
  for (int node : at) {
    const std::vector<int> edges_here = EdgesAt(node);
    for (size_t i = 0; i < edges_here.size(); ++i) {
      for (size_t j = i + 1; j < edges_here.size(); ++j) {
        const int a = edges_here[i], b = edges_here[j];
        const bool ribbed = std::ranges::count(rib_, a) + std::ranges::count(rib_, b) > 0;
        const bool clamp = edge_[a].length == 0 || edge_[b].length == 0;
        const double cosine =
            Away(edge_[a].node, node, node_).dot(Away(edge_[b].node, node, node_));
        const bool meet = ribbed && !clamp && cosine < kSideBySide;
        if (!meet || !joined.insert({a, b}).second) continue;
        added.push_back(AddJoint(a, b, node));
      }
    }
  }
  return added;
}

std::vector<std::pair<int, Frame>> Network::RibFrames(int shell_index,
                                                      const std::vector<Vector3>& x) const {
  std::vector<std::pair<int, Frame>> frames;
  for (int e : shell(shell_index).edge) {
    const MeshEdge& along = mesh_edge_[e];
    for (int rib : rib_) {
      const bool known = std::ranges::any_of(frames, [&](const auto& f) { return f.first == rib; });
      if (known || edge_[rib].node != along.node) continue;
      frames.emplace_back(rib, RibFrame(along, triangle_[along.triangle[0]], x));
    }
  }
  return frames;
}

void Network::ClampShell(int shell_index, const std::vector<int>& edges) {
  const ShellTopology& of = shell(shell_index);
  std::set<int> rims;
  for (int edge : edges) {
    const int rim = Checked("edge", edge, of.edge);
    const bool sewn = std::ranges::any_of(
        of.seam, [&](const auto& seam) { return std::ranges::count(seam, rim) > 0; });
    if (!sewn && !mesh_edge_[rim].folds() && rims.insert(rim).second) continue;
    throw ConfigError("edge", std::to_string(edge), "edges of the rim that are not clamped yet");
  }
  for (int edge : edges) {
    MeshEdge& rim = mesh_edge_[of.edge[edge]];
    const auto [first, last] = rim.node;
    rim.wing[1] = nodes();
    clamp_node_.push_back(nodes());
    node_.push_back(MirroredWing(node_[first], node_[last], node_[rim.wing[0]]));
  }
}

}  // namespace strand
