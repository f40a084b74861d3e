#include "model/energy/tie.h"

#include <algorithm>

#include "model/assembly/block.h"

namespace strand {

Ties::Ties(const Network& network, const Dofs& dofs, const std::vector<double>& stiffness) {
  for (int b = 0; b < network.bodies(); ++b) {
    const BodyTopology& body = network.body(b);
    for (const Tie& tie : body.tie) {
      Stencil stencil;
      stencil.stiffness = stiffness[b];
      for (int n = 0; n < 5; ++n) {
        const int node = n == 0 ? tie.node : body.carrier[n - 1];
        stencil.weight[n] = n == 0 ? 1 : -tie.weight[n - 1];
        for (int c = 0; c < 3; ++c) stencil.dof[3 * n + c] = dofs.node(node) + c;
      }
      stencil_.push_back(stencil);
    }
  }
}

void Ties::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Stencil& stencil : stencil_) CoupleBlock(dofs, stencil.dof, pattern);
}

void Ties::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(stencil_.size());
  for (size_t s = 0; s < stencil_.size(); ++s) {
    BlockOffsets(dofs, system, stencil_[s].dof, offset_[s]);
  }
}

Evaluation Ties::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t s = 0; s < stencil_.size(); ++s) {
    const auto& [dof, weight, stiffness] = stencil_[s];
    const Vector3 origin = motion.at.position(dof[0]);  // the weights sum to nothing
    Vector3 apart = Vector3::Zero();
    for (int n = 1; n < 5; ++n) apart += weight[n] * (motion.at.position(dof[3 * n]) - origin);
    result.energy += 0.5 * stiffness * apart.squaredNorm();
    result.force = std::max(result.force, stiffness * apart.cwiseAbs().maxCoeff());
    if (out.gradient) {
      for (int k = 0; k < 15; ++k) {
        out.gradient[dof[k]] += stiffness * weight[k / 3] * apart[k % 3];
      }
    }
    if (!out.values) continue;
    for (int m = 0; m < 5; ++m) {
      for (int n = 0; n < 5; ++n) {
        for (int c = 0; c < 3; ++c) {
          out.values[offset_[s][(3 * m + c) * 15 + 3 * n + c]] += stiffness * weight[m] * weight[n];
        }
      }
    }
  }
  return result;
}

}  // namespace strand
