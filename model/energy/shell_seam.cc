#include "model/energy/shell_seam.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/assembly/block.h"
#include "model/stencil/hinge.h"

namespace strand {
namespace {

constexpr double kRigid = 1000;  // times the sheet's own stiffness

}  // namespace

ShellSeams::ShellSeams(const Network& network, const ShellRest& rest, const Dofs& dofs) {
  for (int s = 0; s < network.shells(); ++s) {
    for (const std::vector<int>& seam : network.shell(s).seam) {
      for (size_t i = 0; i < seam.size(); ++i) {
        for (size_t j = i + 1; j < seam.size(); ++j) AddPair(network, rest, dofs, s, seam, i, j);
      }
    }
  }
}

void ShellSeams::AddPair(const Network& network, const ShellRest& rest, const Dofs& dofs, int shell,
                         const std::vector<int>& seam, size_t i, size_t j) {
  const MeshEdge &of_i = rest.edge[seam[i]], &of_j = rest.edge[seam[j]];
  const ShellMaterial& material = rest.material[shell];
  const std::array<int, 4> node = {of_i.node[0], of_i.node[1], of_i.wing[0], of_j.wing[0]};
  Pair pair;
  std::array<Vector3, 4> x;
  for (int n = 0; n < 4; ++n) x[n] = network.node()[node[n]], pair.node[n] = dofs.node(node[n]);
  pair.rotation = {dofs.rotation(seam[i]), dofs.rotation(seam[j])};
  pair.sign = of_j.node[0] == of_i.node[0] ? -1 : 1;
  pair.stiffness = network.shell(shell).mid_edge
                       ? kRigid * MidEdgeFactor(material)
                       : 2 * HingeStiffness(material) / static_cast<double>(seam.size());
  pair.natural = Hinge(x[0], x[1], x[2], x[3]).Angle();
  pair_.push_back(pair);
}

std::array<int, ShellSeams::kSize> ShellSeams::DofsOf(const Pair& pair) {
  std::array<int, kSize> dofs;
  for (int k = 0; k < 12; ++k) dofs[k] = pair.node[k / 3] + k % 3;
  dofs[12] = pair.rotation[0], dofs[13] = pair.rotation[1];
  return dofs;
}

void ShellSeams::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Pair& pair : pair_) CoupleBlock(dofs, DofsOf(pair), pattern);
}

void ShellSeams::Bind(const Dofs& dofs, const LinearSystem& system) {
  entry_.resize(pair_.size());
  for (size_t p = 0; p < pair_.size(); ++p) {
    BlockOffsets(dofs, system, DofsOf(pair_[p]), entry_[p]);
  }
}

Evaluation ShellSeams::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t p = 0; p < pair_.size(); ++p) {
    const Pair& pair = pair_[p];
    const std::array<int, kSize> dofs = DofsOf(pair);
    const auto x = [&](int n) { return motion.at.position(pair.node[n]); };
    const auto turned = [&](int n) { return pair.rotation[n] < 0 ? 0 : motion.at.q[dofs[12 + n]]; };
    const Hinge hinge(x(0), x(1), x(2), x(3));
    const double angle = hinge.Angle() - turned(0) - pair.sign * turned(1);
    const double excess = std::remainder(angle - pair.natural, 2 * std::numbers::pi);
    const double moment = pair.stiffness * excess;
    result.energy += 0.5 * moment * excess;
    if (!out.gradient) continue;
    Eigen::Matrix<double, kSize, 1> slope;
    slope << hinge.Gradient(), -1, -pair.sign;
    const double force = (moment * slope.head<12>()).cwiseAbs().maxCoeff();
    result.force = std::max(result.force, force);
    if (pair.rotation[0] >= 0) result.moment = std::max(result.moment, std::abs(moment));
    for (int k = 0; k < kSize; ++k) {
      if (dofs[k] >= 0) out.gradient[dofs[k]] += moment * slope[k];
    }
    if (!out.values) continue;
    HingeHessianOf<double> bent = HingeHessianOf<double>::Zero();
    hinge.AddHessian(moment, &bent);
    Eigen::Matrix<double, kSize, kSize> hessian = pair.stiffness * slope * slope.transpose();
    hessian.topLeftCorner<12, 12>() += HingeHessianOf<double>(bent.selfadjointView<Eigen::Lower>());
    for (int k = 0; k < kSize * kSize; ++k) out.values[entry_[p][k]] += hessian.data()[k];
  }
  return result;
}

}  // namespace strand
