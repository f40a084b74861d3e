#include "model/energy/tie.h"

#include <algorithm>

#include "model/assembly/block.h"

namespace strand {

LinearTie Following(int node, const std::vector<int>& owners, const Vector3& offset) {
  LinearTie tie{{node}, {Eigen::Matrix3d::Identity()}, 0, offset};
  for (int owner : owners) {
    tie.node.push_back(owner);
    tie.by.push_back(-1.0 / static_cast<double>(owners.size()) * Eigen::Matrix3d::Identity());
  }
  return tie;
}

LinearTie Extending(int node, int end, int inner) {
  const Eigen::Matrix3d one = Eigen::Matrix3d::Identity();
  return {{node, end, inner}, {one, -2 * one, one}};
}

LinearTie Guided(int node, const Vector3& place, const Vector3& direction, bool along) {
  const Eigen::Matrix3d onto = direction * direction.transpose();
  const Eigen::Matrix3d held = along ? Eigen::Matrix3d(Eigen::Matrix3d::Identity() - onto) : onto;
  return {{node}, {held}, 0, Vector3::Zero(), place};
}

std::vector<LinearTie> BodyTies(const Network& network, const Dofs& dofs,
                                const std::vector<double>& stiffness) {
  std::vector<LinearTie> ties;
  for (int b = 0; b < network.bodies(); ++b) {
    const BodyTopology& body = network.body(b);
    for (const Tie& of : body.tie) {
      LinearTie tie{{dofs.node(of.node)}, {Eigen::Matrix3d::Identity()}, stiffness[b]};
      for (int j = 0; j < 4; ++j) {
        tie.node.push_back(dofs.node(body.carrier[j]));
        tie.by.push_back(-of.weight[j] * Eigen::Matrix3d::Identity());
      }
      ties.push_back(tie);
    }
  }
  return ties;
}

Ties::Ties(std::vector<LinearTie> ties) : tie_(std::move(ties)), entry_(tie_.size()) {
  for (const LinearTie& tie : tie_) {
    Eigen::MatrixXd slope(3, 3 * tie.node.size());
    Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
    std::vector<int>& dofs = dof_.emplace_back();
    for (size_t n = 0; n < tie.node.size(); ++n) {
      slope.middleCols<3>(3 * n) = tie.by[n];
      sum += tie.by[n];
      for (int c = 0; c < 3; ++c) dofs.push_back(tie.node[n] + c);
    }
    moves_along_.push_back(sum.norm() < 1e-9 * slope.norm());
    hessian_.push_back(tie.stiffness * slope.transpose() * slope);
    slope_.push_back(std::move(slope));
  }
}

void Ties::Release() {
  tie_.clear(), moves_along_.clear(), dof_.clear();
  slope_.clear(), hessian_.clear(), entry_.clear();
}

Vector3 Ties::Tension(int index, const Configuration& at) const {
  const LinearTie& tie = tie_[index];
  const Vector3 origin = moves_along_[index] ? at.position(tie.node.back()) : tie.origin;
  Vector3 left = -tie.offset;
  for (size_t n = 0; n < tie.node.size(); ++n) {
    left += tie.by[n] * (at.position(tie.node[n]) - origin);
  }
  return tie.stiffness * left;
}

void Ties::Couple(const Dofs& dofs, Pattern* pattern) const {
  std::vector<int> unknowns;
  for (const auto& group : dof_) {
    unknowns.clear();
    for (int dof : group) unknowns.push_back(dofs.unknown(dof));
    pattern->Couple(unknowns);
  }
}

void Ties::Bind(const Dofs& dofs, const LinearSystem& system) {
  for (size_t t = 0; t < tie_.size(); ++t) {
    entry_[t].resize(dof_[t].size() * dof_[t].size());
    BlockOffsets(dofs, system, dof_[t], entry_[t]);
  }
}

Evaluation Ties::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t t = 0; t < tie_.size(); ++t) {
    const Vector3 tension = Tension(static_cast<int>(t), motion.at);
    result.energy += 0.5 * tension.squaredNorm() / tie_[t].stiffness;
    result.force = std::max(result.force, tension.cwiseAbs().maxCoeff());
    for (size_t k = 0; out.gradient && k < dof_[t].size(); ++k) {
      out.gradient[dof_[t][k]] += slope_[t].col(k).dot(tension);
    }
    for (size_t k = 0; out.values && k < entry_[t].size(); ++k) {
      out.values[entry_[t][k]] += hessian_[t].data()[k];
    }
  }
  return result;
}

}  // namespace strand
