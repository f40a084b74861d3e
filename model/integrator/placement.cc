#include "model/integrator/placement.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/config/error.h"
#include "model/geometry/curve.h"
#include "model/integrator/distorted.h"
#include "model/stencil/natural_shape.h"

namespace strand {
namespace {

// Least correlation of the natural and the placed curvatures, as a fraction of the sum of their
// squares, from which a best turn is defined.
constexpr double kCommon = 1e-6;

void CheckNodes(const std::vector<Vector3>& node, size_t count) {
  if (node.size() != count) {
    throw ConfigError("nodes", std::to_string(node.size()), std::to_string(count));
  }
  for (size_t n = 0; n < count; ++n) {
    if (node[n].allFinite()) continue;
    throw ConfigError("nodes", "node " + std::to_string(n) + " not finite",
                      "finite coordinates (m)");
  }
}

// Moves nodes. The extra node of every clamp at them follows: by the move of the clamped node, or,
// for the wing of a clamped mesh edge, by the mean of the edge's two nodes.
class Mover {
 public:
  Mover(const Network& network, const Dofs& dofs, Configuration* at)
      : network_(network), dofs_(dofs), at_(*at), moved_(network.nodes(), Vector3::Zero()) {}

  void Move(const std::vector<int>& nodes, const std::vector<Vector3>& to) {
    for (size_t n = 0; n < nodes.size(); ++n) {
      moved_[nodes[n]] = to[n] - at_.position(dofs_.node(nodes[n]));
      at_.SetPosition(dofs_.node(nodes[n]), to[n]);
    }
    for (int e : network_.clamp_edges()) {
      const auto& [first, last] = network_.edge()[e].node;
      const bool starts = std::ranges::count(network_.clamp_nodes(), first) > 0;
      Follow(starts ? first : last, moved_[starts ? last : first]);
    }
    for (const MeshEdge& edge : network_.mesh_edge()) {
      if (!edge.clamped()) continue;
      Follow(edge.wing[1], 0.5 * (moved_[edge.node[0]] + moved_[edge.node[1]]));
    }
  }

 private:
  void Follow(int node, const Vector3& by) {
    at_.SetPosition(dofs_.node(node), at_.position(dofs_.node(node)) + by);
  }

  const Network& network_;
  const Dofs& dofs_;
  Configuration& at_;
  std::vector<Vector3> moved_;  // m, of each node
};

// The edge of the clamp at an end of a rod; -1: none.
int ClampEdge(const Network& network, const RodTopology& rod, int end) {
  const int outermost = end ? rod.edge.back() : rod.edge.front();
  const int shared = end ? rod.node.back() : rod.node.front();
  for (int e : network.clamp_edges()) {  // its first joint connects it to the edge it clamps
    const auto at = std::ranges::find_if(
        network.joint(), [&](const Joint& joint) { return std::ranges::count(joint.edge, e) > 0; });
    if (at == network.joint().end()) continue;
    if (std::ranges::count(at->edge, outermost) > 0 && at->node[1] == shared) return e;
  }
  return -1;
}

// Angle (rad) by which all frames of a rod are to be turned about their edges, so that the
// curvatures fit the natural ones best in the least-squares sense; 0 if no angle fits better.
double BestTurn(const ElasticRest& rest, const RodTopology& rod, const std::vector<Frame>& frame) {
  double along = 0, across = 0, sizes = 0;
  for (size_t j = 0; j < rod.joint.size(); ++j) {
    const int i = rod.joint[j];
    NaturalShape placed = DrawnShape(frame[j], frame[(j + 1) % frame.size()], rest.options.measure);
    if (rest.options.average == BendAverage::kMiddle) placed = InTheMiddle(placed);
    const double stiffness = rest.bend_stiffness[0][i] + rest.bend_stiffness[1][i];
    for (int s = 0; s < 2; ++s) {
      const auto& [w1, w2] = placed.curvature[s];
      const double n1 = rest.natural[2 * s][i], n2 = rest.natural[2 * s + 1][i];
      along += stiffness * (w1 * n1 + w2 * n2);
      across += stiffness * (w2 * n1 - w1 * n2);
      sizes += stiffness * (w1 * w1 + w2 * w2 + n1 * n1 + n2 * n2);
    }
  }
  return std::hypot(along, across) > kCommon * sizes ? std::atan2(across, along) : 0;
}

// A ring that is bent out of its plane closes with a different angle than the drawn one. The
// difference is spread evenly over all joints, so that it does not twist a single joint.
void SpreadTwist(double drawn, std::vector<Frame>* frame) {
  const double closing = TwistAngle(frame->back(), frame->front()) - drawn;
  const double each = std::remainder(closing, 2 * std::numbers::pi) / double(frame->size());
  for (size_t k = 0; k < frame->size(); ++k) {
    (*frame)[k] = TransportFrame((*frame)[k], (*frame)[k].col(0), each * double(k));
  }
}

std::vector<Frame> PlacedFrames(const System& system, const ElasticRest& rest,
                                const RodTopology& rod, const RodPlacement& where, bool free) {
  std::vector<Vector3> line = where.node;
  if (rod.closed) line.push_back(line.front());
  const Frame& drawn = system.network().frame()[rod.edge.front()];
  const Vector3 first = (line[1] - line[0]).normalized();
  const Vector3 carried = ParallelTransport(drawn.col(1), drawn.col(0), first);
  std::vector<Frame> frames = LinkFrames(line, where.normal.value_or(carried));
  if (rod.closed) SpreadTwist(rest.drawn_twist[rod.joint.back()], &frames);
  if (where.normal || !free) return frames;
  const double turn = BestTurn(rest, rod, frames);
  for (Frame& frame : frames) frame = TransportFrame(frame, frame.col(0), turn);
  return frames;
}

// Estimates the twists of all joints, to choose the nearest branch: the drawn twist plus the
// difference of the edges' angles.
void GuessTwist(const ElasticRest& rest, const Dofs& dofs, Configuration* at) {
  for (int i = 0; i < rest.joints(); ++i) {
    const auto& [edge, sign, node] = rest.joint[i];
    at->twist[i] = rest.drawn_twist[i] + sign[1] * at->q[dofs.edge(edge[1])] -
                   sign[0] * at->q[dofs.edge(edge[0])];
  }
}

void CheckTwist(const std::vector<double>& twist, size_t edges) {
  if (!twist.empty() && twist.size() != edges) {
    throw ConfigError("twist", std::to_string(twist.size()), std::to_string(edges));
  }
  for (double angle : twist) {
    if (!std::isfinite(angle)) throw ConfigError("twist", Text(angle), "finite (rad)");
  }
}

}  // namespace

void PlaceRod(System& system, int index, const RodPlacement& where, bool turn_clamps) {
  const Network& network = system.network();
  const Dofs& dofs = system.dofs();
  const RodTopology& rod = network.rod(index);
  CheckNodes(where.node, rod.node.size());
  CheckTwist(where.twist, rod.edge.size());
  const std::array<int, 2> clamp = {ClampEdge(network, rod, 0), ClampEdge(network, rod, 1)};
  const bool held = !turn_clamps && (clamp[0] >= 0 || clamp[1] >= 0);
  const ElasticRest& rest = system.elastic().rest();
  std::vector<Frame> frames = PlacedFrames(system, rest, rod, where, !held);
  Configuration at = system.state().at;
  Mover(network, dofs, &at).Move(rod.node, where.node);
  for (size_t k = 0; k < frames.size(); ++k) {
    const double twist = where.twist.empty() ? 0 : where.twist[k];
    frames[k] = TransportFrame(frames[k], frames[k].col(0), twist);
    at.SetFrame(rod.edge[k], frames[k]);
    at.q[dofs.edge(rod.edge[k])] = twist;
  }
  for (int end : {0, 1}) {
    if (clamp[end] < 0 || !turn_clamps) continue;
    const Frame turned = EndFrame(frames, end);
    const int shared = end ? rod.node.back() : rod.node.front();
    const int other = network.edge()[clamp[end]].node[end];
    const Vector3 arm = rest.rest_length[clamp[end]] * turned.col(0);
    const Vector3 x = at.position(dofs.node(shared));
    at.SetPosition(dofs.node(other), end ? Vector3(x + arm) : Vector3(x - arm));
    at.SetFrame(clamp[end], turned);
    at.q[dofs.edge(clamp[end])] = at.q[dofs.edge(end ? rod.edge.back() : rod.edge.front())];
  }
  GuessTwist(rest, dofs, &at);
  system.Place(at);
}

void PlaceShell(System& system, int index, const std::vector<Vector3>& node, bool turn_clamps) {
  const Network& network = system.network();
  const Dofs& dofs = system.dofs();
  const ShellTopology& shell = network.shell(index);
  CheckNodes(node, shell.node.size());
  Configuration at = system.state().at;
  Mover(network, dofs, &at).Move(shell.node, node);
  std::vector<Vector3> x;
  for (int n = 0; n < network.nodes(); ++n) x.push_back(at.position(dofs.node(n)));
  for (int e : shell.edge) {
    const MeshEdge& edge = network.mesh_edge()[e];
    if (dofs.rotation(e) >= 0) at.q[dofs.rotation(e)] = 0;
    if (!edge.clamped() || !turn_clamps) continue;
    at.SetPosition(dofs.node(edge.wing[1]),
                   MirroredWing(x[edge.node[0]], x[edge.node[1]], x[edge.wing[0]]));
  }
  for (const auto& [rib, frame] : network.RibFrames(index, x)) {
    at.SetFrame(rib, frame);
    at.q[dofs.edge(rib)] = 0;
  }
  GuessTwist(system.elastic().rest(), dofs, &at);
  system.Place(at);
}

void System::Place(const Configuration& at) {
  if (at.q.size() != state_.at.q.size() || at.t[0].size() != state_.at.t[0].size() ||
      at.twist.size() != state_.at.twist.size()) {
    throw ConfigError("configuration", std::to_string(at.q.size()) + " degrees of freedom",
                      "one of this system: " + std::to_string(state_.at.q.size()));
  }
  const std::string collapsed = CollapsedPart(network_, dofs_, at);
  if (!collapsed.empty()) throw ConfigError("nodes", collapsed, "edges and triangles with a size");
  state_.at = at;
  if (shells_) shells_->CountFromRest(at);
  fold_stops_->Begin(at);
  elastic().Move(at, at, std::vector<double>(dofs_.size(), 0.0), &state_.at);
  driven_ = state_.at.q;
  state_.book = {};
  ForgetLastStep();
}

}  // namespace strand
