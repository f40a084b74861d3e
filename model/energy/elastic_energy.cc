#include "model/energy/elastic_energy.h"

#include <algorithm>

#include "model/assembly/block.h"

namespace strand {
namespace {

// Block size: edges and joints of the same block are evaluated in turn, so that their data stay in
// the cache.
constexpr int kBlock = 256;

std::array<int, 11> JointDofs(const std::array<int, 5>& first) {
  const auto [x0, a, x1, b, x2] = first;
  return {x0, x0 + 1, x0 + 2, a, x1, x1 + 1, x1 + 2, b, x2, x2 + 1, x2 + 2};
}

std::array<int, 6> EdgeDofs(const std::array<int, 2>& first) {
  const auto [x0, x1] = first;
  return {x0, x0 + 1, x0 + 2, x1, x1 + 1, x1 + 2};
}

}  // namespace

void Evaluation::operator+=(const Evaluation& other) {
  energy += other.energy;
  force = std::max(force, other.force);
  moment = std::max(moment, other.moment);
  driven += other.driven;
  dissipated += other.dissipated;
}

ElasticEnergy::ElasticEnergy(const Network& network, ElasticRest rest, const Dofs& dofs,
                             const ElasticLoops& loops)
    : rest_(std::move(rest)), loops_(loops) {
  for (int e = 0; e < network.edges(); ++e) {
    const auto& node = network.edge()[e].node;
    index_.edge_node.push_back({dofs.node(node[0]), dofs.node(node[1])});
    index_.edge_angle.push_back(dofs.edge(e));
  }
  for (const Joint& joint : network.joint()) {
    index_.joint.push_back({dofs.node(joint.node[0]), dofs.edge(joint.edge[0]),
                            dofs.node(joint.node[1]), dofs.edge(joint.edge[1]),
                            dofs.node(joint.node[2])});
  }
}

Configuration ElasticEnergy::Drawn(const Network& network, const Dofs& dofs) const {
  Configuration drawn;
  drawn.Resize(dofs.size(), network.edges(), network.joints());
  for (int n = 0; n < network.nodes(); ++n) drawn.SetPosition(dofs.node(n), network.node()[n]);
  for (int e = 0; e < network.edges(); ++e) drawn.SetFrame(e, network.frame()[e]);
  // Start from the stored twist: that of opposite frames could be unwrapped to pi or -pi.
  drawn.twist = rest_.drawn_twist;
  Configuration placed = drawn;
  Move(drawn, drawn, std::vector<double>(dofs.size(), 0.0), &placed);
  return placed;
}

void ElasticEnergy::Move(const Configuration& from, const Configuration& start,
                         std::span<const double> spin, Configuration* to) const {
  loops_.move(index_, from, spin.data(), to);
  loops_.angle(index_, start, to);
  if (rest_.options.twist) loops_.twist(index_, rest_, from, spin.data(), to);
}

double ElasticEnergy::JointEnergy(int joint, const Configuration& at) const {
  return loops_.joints(index_, rest_, at, {joint, joint + 1}, {}).energy;
}

double ElasticEnergy::EdgeEnergy(int edge, const Configuration& at) const {
  return loops_.stretch(index_, rest_, at, {edge, edge + 1}, {}).energy;
}

void ElasticEnergy::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const auto& node : index_.edge_node) CoupleBlock(dofs, EdgeDofs(node), pattern);
  for (const auto& joint : index_.joint) CoupleBlock(dofs, JointDofs(joint), pattern);
}

void ElasticEnergy::Bind(const Dofs& dofs, const LinearSystem& system) {
  index_.edge_plan = {}, index_.joint_plan = {};
  for (const auto& node : index_.edge_node) {
    PlanStencil(dofs, system, EdgeDofs(node), &index_.edge_plan);
  }
  for (const auto& joint : index_.joint) {
    PlanStencil(dofs, system, JointDofs(joint), &index_.joint_plan);
  }
}

Evaluation ElasticEnergy::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  const int edges = rest_.edges(), joints = rest_.joints();
  for (int first = 0; first < std::max(edges, joints); first += kBlock) {
    const auto until = [&](int count) {
      return StencilRange{first, std::min(first + kBlock, count)};
    };
    result += loops_.stretch(index_, rest_, motion.at, until(edges), out);
    result += loops_.joints(index_, rest_, motion.at, until(joints), out);
  }
  return result;
}

}  // namespace strand
