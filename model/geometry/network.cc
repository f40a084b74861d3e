#include "model/geometry/network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/geometry/curve.h"

namespace strand {
namespace {

void CheckNodes(const std::vector<Vector3>& nodes, bool closed) {
  const size_t least = closed ? 3 : 2;
  if (nodes.size() < least) {
    throw ConfigError("nodes", std::to_string(nodes.size()) + " nodes",
                      "at least " + std::to_string(least));
  }
}

int PlaceIn(const std::vector<int>& along, int index) {
  const auto found = std::ranges::find(along, index);
  return found == along.end() ? -1 : static_cast<int>(found - along.begin());
}

// Names the first of `parts` that has `index`, and the place along that part; empty if none has it.
template <class Part>
std::string NameAlong(const std::vector<Part>& parts, std::vector<int> Part::* members,
                      const char* part, const char* member, int index) {
  for (size_t p = 0; p < parts.size(); ++p) {
    const int place = PlaceIn(parts[p].*members, index);
    if (place < 0) continue;
    return std::string(part) + " " + std::to_string(p) + ", " + member + " " +
           std::to_string(place);
  }
  return "";
}

}  // namespace

const RodTopology& Network::rod(int index) const {
  if (index < 0 || index >= rods()) {
    throw ConfigError("rod", std::to_string(index), "0 to " + std::to_string(rods() - 1));
  }
  return rod_[index];
}

const ShellTopology& Network::shell(int index) const {
  if (index < 0 || index >= shells()) {
    throw ConfigError("shell", std::to_string(index), "0 to " + std::to_string(shells() - 1));
  }
  return shell_[index];
}

std::string Network::NodeName(int node) const {
  std::string name = NameAlong(rod_, &RodTopology::node, "rod", "node", node);
  if (name.empty()) name = NameAlong(shell_, &ShellTopology::node, "shell", "vertex", node);
  for (int b = 0; b < bodies() && name.empty(); ++b) {
    const int first = body_[b].carrier.front(), last = body_[b].carrier.back();
    if (node >= first && node <= last) {
      name = "body " + std::to_string(b) + ", carrier " + std::to_string(node - first);
    }
  }
  if (name.empty()) name = NameAlong(body_, &BodyTopology::point, "body", "point", node);
  if (name.empty()) {
    name = NameAlong(obstacle_mesh_, &ObstacleMesh::node, "obstacle mesh", "vertex", node);
  }
  return name.empty() ? "clamp " + std::to_string(PlaceIn(clamp_node_, node)) : name;
}

std::string Network::EdgeName(int edge) const {
  const std::string name = NameAlong(rod_, &RodTopology::edge, "rod", "edge", edge);
  if (!name.empty()) return name;
  const int rib = PlaceIn(rib_, edge);
  if (rib >= 0) return "rib " + std::to_string(rib);
  const auto& [first, last] = edge_[edge].node;  // a clamp's edge: one node is the clamp's own
  return NodeName(PlaceIn(clamp_node_, first) >= 0 ? first : last);
}

int Network::NodeOfRod(int rod_index, int node, const char* field) const {
  const RodTopology& of = rod(rod_index);
  const int count = static_cast<int>(of.node.size());
  const int from_start = node < 0 ? node + count : node;
  if (from_start < 0 || from_start >= count) {
    throw ConfigError(field, std::to_string(node),
                      std::to_string(-count) + " to " + std::to_string(count - 1));
  }
  return of.node[from_start];
}

int Network::AddRod(const std::vector<Vector3>& nodes, const Vector3& normal, bool closed) {
  CheckNodes(nodes, closed);
  std::vector<Vector3> line = nodes;
  if (closed) line.push_back(nodes.front());
  const std::vector<Frame> frames = LinkFrames(line, normal);
  RodTopology rod;
  rod.closed = closed;
  const int first_node = this->nodes(), first_edge = edges();
  const int count = static_cast<int>(nodes.size());
  for (int i = 0; i < count; ++i) {
    rod.node.push_back(first_node + i);
    node_.push_back(nodes[i]);
  }
  for (int k = 0; k < static_cast<int>(frames.size()); ++k) {
    const std::array<int, 2> ends = {first_node + k, first_node + (k + 1) % count};
    rod.edge.push_back(first_edge + k);
    edge_.push_back({ends, (node_[ends[1]] - node_[ends[0]]).norm()});
    frame_.push_back(frames[k]);
    if (k > 0) rod.joint.push_back(AddJoint(first_edge + k - 1, first_edge + k, ends[0]));
  }
  if (closed) rod.joint.push_back(AddJoint(edges() - 1, first_edge, first_node));
  rod_.push_back(std::move(rod));
  return rods() - 1;
}

int Network::AddJoint(int edge_a, int edge_b, int shared) {
  Joint joint;
  joint.edge = {edge_a, edge_b};
  const Edge &a = edge_[edge_a], &b = edge_[edge_b];
  joint.sign = {a.node[1] == shared ? 1 : -1, b.node[0] == shared ? 1 : -1};
  joint.node = {a.node[a.node[1] == shared ? 0 : 1], shared, b.node[b.node[0] == shared ? 1 : 0]};
  joint_.push_back(joint);
  return joints() - 1;
}

std::vector<int> Network::EdgesAt(int node) const {
  std::vector<int> found;
  for (int e = 0; e < edges(); ++e) {
    if (std::ranges::count(edge_[e].node, node) > 0) found.push_back(e);
  }
  return found;
}

// Removes node `drop` and renumbers the nodes behind it. Returns the new number of `keep`.
int Network::Merge(int keep, int drop) {
  const auto renumber = [&](auto& nodes) {
    for (int& node : nodes) {
      if (node == drop) node = keep;
      if (node > drop) --node;
    }
  };
  for (Edge& edge : edge_) renumber(edge.node);
  for (Joint& joint : joint_) renumber(joint.node);
  for (RodTopology& rod : rod_) renumber(rod.node);
  for (ShellTopology& shell : shell_) renumber(shell.node);
  for (Triangle& triangle : triangle_) renumber(triangle.node);
  for (MeshEdge& edge : mesh_edge_) renumber(edge.node), renumber(edge.wing);
  for (BodyTopology& body : body_) {
    renumber(body.carrier), renumber(body.point);
    for (Tie& tie : body.tie) {
      std::array<int, 1> node{tie.node};
      renumber(node), tie.node = node[0];
    }
  }
  renumber(clamp_node_);
  node_.erase(node_.begin() + drop);
  return keep > drop ? keep - 1 : keep;
}

// Throws unless node `drop`, which is about to become `keep`, is a different node at the same
// place. An edge or a shell that has both would collapse.
void Network::CheckMerge(const char* field, int keep, int drop) const {
  const std::string names = NodeName(drop) + ", which is to become " + NodeName(keep);
  if (keep == drop) throw ConfigError(field, names, "two nodes that are not connected yet");
  const double apart = (node_[keep] - node_[drop]).norm();
  double close = 1e-6;
  for (int end : {keep, drop}) {
    for (int e : EdgesAt(end)) {
      if (edge_[e].length > 0) close = std::min(close, 0.01 * edge_[e].length);
    }
  }
  if (!(apart <= close)) {
    throw ConfigError(field, names + ", " + Text(apart) + " m away",
                      "at most " + Text(close) + " m");
  }
  const auto has = [](const auto& nodes, int node) { return std::ranges::count(nodes, node) > 0; };
  const auto has_both = [&](const auto& part) {
    return has(part.node, keep) && has(part.node, drop);
  };
  if (std::ranges::any_of(edge_, has_both) || std::ranges::any_of(shell_, has_both)) {
    throw ConfigError(field, names, "nodes that are not both of the same edge or shell");
  }
}

std::vector<int> Network::Connect(int rod_a, int node_a, int rod_b, int node_b) {
  const int keep = NodeOfRod(rod_a, node_a, "node_a"), drop = NodeOfRod(rod_b, node_b, "node_b");
  CheckMerge("node_b", keep, drop);
  const std::vector<int> at_keep = EdgesAt(keep), at_drop = EdgesAt(drop);
  const int shared = Merge(keep, drop);
  std::vector<int> added;
  for (int a : at_keep) {
    for (int b : at_drop) {
      const bool both_clamps = edge_[a].length == 0 && edge_[b].length == 0;
      if (!both_clamps) added.push_back(AddJoint(a, b, shared));
    }
  }
  return added;
}

int Network::Clamp(int rod, int end) {
  const int joint = AddEndEdge(rod, end);
  clamp_node_.push_back(nodes() - 1);
  clamp_edge_.push_back(edges() - 1);
  return joint;
}

// Adds an edge of length 0 beyond a rod's end, with a new node. Returns the joint to it.
int Network::AddEndEdge(int rod_index, int end) {
  const RodTopology& of = rod(rod_index);
  if (end != 0 && end != 1) throw ConfigError("end", std::to_string(end), "0 (first) or 1 (last)");
  if (of.closed) throw ConfigError("clamp", "a closed rod", "rods with ends");
  const int edge = end ? of.edge.back() : of.edge.front();
  const int shared = end ? of.node.back() : of.node.front();
  std::vector<Frame> frames;
  for (int e : of.edge) frames.push_back(frame_[e]);
  const Frame held = EndFrame(frames, end);
  const Vector3 along = edge_[edge].length * held.col(0);
  node_.push_back(node_[shared] + (end ? along : Vector3(-along)));
  edge_.push_back({end ? std::array{shared, nodes() - 1} : std::array{nodes() - 1, shared}, 0});
  frame_.push_back(held);
  return end ? AddJoint(edge, edges() - 1, shared) : AddJoint(edges() - 1, edge, shared);
}

}  // namespace strand
