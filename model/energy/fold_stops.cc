#include "model/energy/fold_stops.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"
#include "model/stencil/edge.h"
#include "model/stencil/fold.h"

namespace strand {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kStopBegins = 165 * kDegree, kFoldedFlat = 179 * kDegree;
constexpr double kWeights = 100 * 9.81;  // m/s^2

// Places of the nodes' coordinates in a NodeGradient.
constexpr std::array<int, 9> kOfNodes{0, 1, 2, 4, 5, 6, 8, 9, 10};

std::array<int, 9> DofsOf(const std::array<int, 3>& node) {
  std::array<int, 9> dofs;
  for (int k = 0; k < 9; ++k) dofs[k] = node[k / 3] + k % 3;
  return dofs;
}

// The two links of a joint.
struct Links {
  Links(const std::array<int, 3>& node, const Configuration& at)
      : a(at.position(node[1]) - at.position(node[0])),
        b(at.position(node[2]) - at.position(node[1])) {}
  bool ahead() const { return a.dot(b) >= 0; }  // turning by at most 90 degrees
  double Turning() const { return AngleBetween(a, b); }
  Vector3 a, b;  // m
};

}  // namespace

FoldStops::FoldStops(const ElasticRest& elastic, const Dofs& dofs, const Configuration& at,
                     const std::vector<double>& mass)
    : elastic_(elastic) {
  for (const Joint& joint : elastic.joint) {
    Stop& stop = stop_.emplace_back();
    for (int n = 0; n < 3; ++n) stop.node[n] = dofs.node(joint.node[n]);
    const Links links(stop.node, at);
    stop.weight = kWeights * mass[stop.node[1]] * 0.5 * (links.a.norm() + links.b.norm());
  }
  Begin(at);
}

void FoldStops::Begin(const Configuration& at) {
  for (Stop& stop : stop_) {
    const double turning = Links(stop.node, at).Turning();
    const bool none = stop.released || turning > kFoldedFlat;
    stop.begin = none ? std::numbers::pi : std::max(kStopBegins, turning);
  }
}

void FoldStops::Release(int joint) {
  stop_[joint].released = true;
  stop_[joint].begin = std::numbers::pi;
}

void FoldStops::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Stop& stop : stop_) CoupleBlock(dofs, DofsOf(stop.node), pattern);
}

void FoldStops::Bind(const Dofs& dofs, const LinearSystem& system) {
  entry_.resize(stop_.size());
  for (size_t i = 0; i < stop_.size(); ++i) {
    BlockOffsets(dofs, system, DofsOf(stop_[i].node), entry_[i]);
  }
}

Evaluation FoldStops::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t i = 0; i < stop_.size(); ++i) {
    const Links links(stop_[i].node, motion.at);
    if (links.ahead() || !(links.Turning() > stop_[i].begin)) continue;
    AddStop(i, links.a, links.b, out, &result);
  }
  return result;
}

void FoldStops::AddStop(size_t joint, const Vector3& a, const Vector3& b, const Derivatives& out,
                        Evaluation* result) const {
  const Stop& stop = stop_[joint];
  const auto& bending = elastic_.bend_stiffness;
  const double scale = std::max({stop.weight, bending[0][joint], bending[1][joint]});
  const double per_length[2] = {1 / a.norm(), 1 / b.norm()};
  const JointGeometry geometry(per_length[0] * a, per_length[1] * b);
  JointGradient gradient;
  JointHessian hessian;
  result->energy += FoldStop(geometry, scale, stop.begin, &gradient, &hessian);
  if (!out.gradient) return;
  DirectionsToEdges<double>(geometry, per_length, &gradient, &hessian);
  NodeGradient by_node;
  EdgesToNodes<double>(gradient, &by_node);
  const std::array<int, kSize> dofs = DofsOf(stop.node);
  for (int k = 0; k < kSize; ++k) {
    const double force = by_node[kOfNodes[k]];
    out.gradient[dofs[k]] += force;
    result->force = std::max(result->force, std::abs(force));
  }
  if (!out.values) return;
  NodeHessian full;
  EdgesToNodes<double>(hessian, &full);
  full.triangularView<Eigen::StrictlyUpper>() = full.transpose();
  for (int column = 0; column < kSize; ++column) {
    for (int row = 0; row < kSize; ++row) {
      out.values[entry_[joint][column * kSize + row]] += full(kOfNodes[row], kOfNodes[column]);
    }
  }
}

void FoldStops::Save(std::vector<double>* memory) const {
  for (const Stop& stop : stop_) memory->push_back(stop.begin);
}

void FoldStops::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, stop_.size());
  for (size_t i = 0; i < stop_.size(); ++i) stop_[i].begin = saved[i];
}

}  // namespace strand
