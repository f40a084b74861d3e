#include "model/contact/bodies.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "model/config/error.h"

namespace strand {
namespace {

void CheckInput(const Network& network, const std::vector<double>& radius,
                const std::vector<double>& thickness) {
  if (static_cast<int>(radius.size()) != network.edges()) {
    throw ConfigError("radius", std::to_string(radius.size()),
                      "one per edge: " + std::to_string(network.edges()));
  }
  if (static_cast<int>(thickness.size()) != network.shells()) {
    throw ConfigError("thickness", std::to_string(thickness.size()),
                      "one per shell: " + std::to_string(network.shells()));
  }
  for (double t : thickness) {
    if (!(t > 0 && std::isfinite(t))) throw ConfigError("thickness", Text(t), "finite, > 0 (m)");
  }
}

// rad: a larger turn between edges of the network is a corner. A curve around it would bulge far
// from the edges, and several of its points could be equally near to another curve.
constexpr double kCorner = 0.4;

// Per node of a rod: whether the network's shape has a corner there.
std::vector<bool> Corners(const Network& network, const RodTopology& rod) {
  const int nodes = static_cast<int>(rod.node.size());
  std::vector<bool> corner(nodes, false);
  for (int n = rod.closed ? 0 : 1; n < (rod.closed ? nodes : nodes - 1); ++n) {
    const auto at = [&](int k) { return network.node()[rod.node[(n + k + nodes) % nodes]]; };
    const Vector3 before = at(0) - at(-1), behind = at(1) - at(0);
    corner[n] = AngleBetween(before, behind) > kCorner;
  }
  return corner;
}

// Collects the primitives of a network, one kind after the other.
class BodyList {
 public:
  BodyList(const Network& network, ContactBodies* bodies)
      : network_(network), bodies_(*bodies), node_radius_(network.nodes(), -1.0) {}

  void AddRods(const std::vector<double>& radius) {
    for (int e : BodyEdges(network_)) AddEdge(network_.edge()[e].node, e, radius[e]);
    bodies_.rod_edges = bodies_.primitives.first_point();
  }

  // Curves of the rods' edges. To be called after AddRods and before other edges are added.
  void AddCurves() {
    std::vector<std::optional<CurvedEdge>> of_edge(network_.edges());
    for (int r = 0; r < network_.rods(); ++r) {
      const RodTopology& rod = network_.rod(r);
      std::vector<double> length;
      for (int e : rod.edge) length.push_back(network_.edge()[e].length);
      const std::vector<CurvedEdge> curves =
          CurvesThrough(rod.node, length, Corners(network_, rod), rod.closed);
      for (size_t k = 0; k < curves.size(); ++k) of_edge[rod.edge[k]] = curves[k];
    }
    for (int e : bodies_.index) bodies_.primitives.curve.push_back(of_edge[e].value());
  }

  void AddShellEdges(const std::vector<double>& thickness) {
    for (int s = 0; s < network_.shells(); ++s) {
      std::set<int> again;  // the first edge of a seam represents all
      for (const auto& seam : network_.shell(s).seam) again.insert(seam.begin() + 1, seam.end());
      for (int e : network_.shell(s).edge) {
        if (again.contains(e)) continue;
        AddEdge(network_.mesh_edge()[e].node, e, 0.5 * thickness[s]);
      }
    }
  }

  void AddObstacleEdges() {
    for (const ObstacleMesh& mesh : network_.obstacle_mesh()) {
      for (size_t e = 0; e < mesh.edge.size(); ++e) AddEdge(mesh.edge[e], static_cast<int>(e), 0);
    }
  }

  void AddNodes() {
    for (int n = 0; n < network_.nodes(); ++n) {
      if (node_radius_[n] < 0) continue;  // a clamp's node
      bodies_.primitives.point.push_back(n);
      Add(n, node_radius_[n]);
    }
  }

  void AddObstacleTriangles() {
    for (const ObstacleMesh& mesh : network_.obstacle_mesh()) {
      for (size_t t = 0; t < mesh.triangle.size(); ++t) {
        bodies_.primitives.triangle.push_back(mesh.triangle[t]);
        Add(static_cast<int>(t), 0);
      }
    }
  }

  void MarkObstacles() {
    std::vector<bool> of_obstacle(network_.nodes(), false);
    for (const ObstacleMesh& mesh : network_.obstacle_mesh()) {
      for (int n : mesh.node) of_obstacle[n] = true;
    }
    for (int p = 0; p < bodies_.primitives.size(); ++p) {
      bodies_.obstacle.push_back(of_obstacle[bodies_.primitives.nodes(p).front()]);
    }
  }

  void AddTriangles(const std::vector<double>& thickness) {
    for (int s = 0; s < network_.shells(); ++s) {
      for (int t : network_.shell(s).triangle) {
        bodies_.primitives.triangle.push_back(network_.triangle()[t].node);
        Add(t, 0.5 * thickness[s]);
      }
    }
  }

 private:
  void AddEdge(const EdgeNodes& nodes, int index, double radius) {
    for (int n : nodes) node_radius_[n] = std::max(node_radius_[n], radius);
    bodies_.primitives.edge.push_back(nodes);
    Add(index, radius);
  }

  void Add(int index, double radius) {
    bodies_.index.push_back(index);
    bodies_.radius.push_back(radius);
  }

  const Network& network_;
  ContactBodies& bodies_;
  std::vector<double> node_radius_;  // m, -1 without a body
};

std::string ShellName(const Network& network, std::vector<int> ShellTopology::* members,
                      const char* member, int index) {
  for (int s = 0; s < network.shells(); ++s) {
    const std::vector<int>& all = network.shell(s).*members;
    const auto found = std::ranges::find(all, index);
    if (found == all.end()) continue;
    return "shell " + std::to_string(s) + ", " + member + " " + std::to_string(found - all.begin());
  }
  return "";
}

}  // namespace

std::vector<int> BodyEdges(const Network& network) {
  std::vector<bool> is_body(network.edges(), true);
  for (int e : network.clamp_edges()) is_body[e] = false;
  for (int e : network.ribs()) is_body[e] = false;
  std::vector<int> edges;
  for (int e = 0; e < network.edges(); ++e) {
    if (is_body[e]) edges.push_back(e);
  }
  return edges;
}

ContactBodies MakeContactBodies(const Network& network, const std::vector<double>& radius,
                                const std::vector<double>& thickness, bool smooth) {
  CheckInput(network, radius, thickness);
  ContactBodies bodies;
  BodyList list(network, &bodies);
  list.AddRods(radius);
  if (smooth) list.AddCurves();
  if (network.shells() > 0 || !network.obstacle_mesh().empty()) {
    list.AddShellEdges(thickness);
    list.AddObstacleEdges();
    list.AddNodes();
    list.AddTriangles(thickness);
    list.AddObstacleTriangles();
  }
  list.MarkObstacles();
  return bodies;
}

std::string BodyName(const Network& network, const ContactBodies& bodies, int primitive) {
  const int index = bodies.index[primitive];
  if (bodies.obstacle[primitive]) {
    const int node = bodies.primitives.nodes(primitive).front();
    const std::string vertex = network.NodeName(node);
    if (bodies.primitives.nodes(primitive).size() == 1) return vertex;
    const char* kind = primitive < bodies.primitives.first_point() ? "edge " : "triangle ";
    return vertex.substr(0, vertex.find(", ") + 2) + kind + std::to_string(index);
  }
  if (primitive < bodies.rod_edges) return network.EdgeName(index);
  if (primitive < bodies.primitives.first_point()) {
    return ShellName(network, &ShellTopology::edge, "edge", index);
  }
  if (primitive < bodies.primitives.first_triangle()) return network.NodeName(index);
  return ShellName(network, &ShellTopology::triangle, "triangle", index);
}

}  // namespace strand
