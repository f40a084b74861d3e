#include "model/energy/body_directors.h"

#include <algorithm>
#include <cmath>

#include "model/assembly/block.h"
#include "model/stencil/frame_offset.h"

namespace strand {

BodyDirectors::BodyDirectors(const Network& network, const Dofs& dofs,
                             const std::vector<double>& stiffness) {
  for (int b = 0; b < network.bodies(); ++b) {
    const BodyTopology& body = network.body(b);
    const CarrierSlopes slopes = SlopesOf(body);
    for (const TiedEdge& tied : body.edge) {
      Stencil stencil;
      stencil.edge = tied.edge, stencil.stiffness = stiffness[b];
      const auto& [first, last] = network.edge()[tied.edge].node;
      const auto place = [&](int block, int node) {
        for (int c = 0; c < 3; ++c) stencil.dof[3 * block + c] = dofs.node(node) + c;
      };
      place(0, first), place(1, last);
      for (int j = 0; j < 4; ++j) {
        place(2 + j, body.carrier[j]);
        stencil.slope[j] = slopes.row(j).dot(tied.director);
      }
      stencil.dof.back() = dofs.edge(tied.edge);
      stencil_.push_back(stencil);
    }
  }
}

void BodyDirectors::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const Stencil& stencil : stencil_) CoupleBlock(dofs, stencil.dof, pattern);
}

void BodyDirectors::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(stencil_.size());
  for (size_t s = 0; s < stencil_.size(); ++s) {
    BlockOffsets(dofs, system, stencil_[s].dof, offset_[s]);
  }
}

Evaluation BodyDirectors::Evaluate(const Motion& motion, const Derivatives& out) {
  using Vector = Eigen::Matrix<double, kSize, 1>;
  using Matrix = Eigen::Matrix<double, kSize, kSize>;
  constexpr int kSpin = kSize - 1;
  Evaluation result;
  for (size_t s = 0; s < stencil_.size(); ++s) {
    const auto& [edge, dof, slope, K] = stencil_[s];
    const FrameOffset m2(motion.at.frame(edge), motion.at.length[edge], {0, 1});
    const Vector3 origin = motion.at.position(dof[6]);  // the slopes sum to zero
    Vector3 b = Vector3::Zero();
    for (int j = 1; j < 4; ++j) b += slope[j] * (motion.at.position(dof[6 + 3 * j]) - origin);
    const double c = m2.value.dot(b);
    const Eigen::Matrix3d edge_by_carrier = m2.ByEdge().transpose();
    const Vector3 by_edge = edge_by_carrier * b;
    Vector by;
    by << -by_edge, by_edge, slope[0] * m2.value, slope[1] * m2.value, slope[2] * m2.value,
        slope[3] * m2.value, m2.by_spin.dot(b);
    result.energy += 0.5 * K * c * c;
    result.moment = std::max(result.moment, K * std::abs(c * by[kSpin]));
    result.force = std::max(result.force, K * std::abs(c) * by.head<kSpin>().cwiseAbs().maxCoeff());
    if (out.gradient) {
      for (int k = 0; k < kSize; ++k) out.gradient[dof[k]] += K * c * by[k];
    }
    if (!out.values) continue;
    Matrix second = Matrix::Zero();
    const auto set = [&](int row, int column, const Eigen::Matrix3d& block) {
      second.block<3, 3>(row, column) += block;
    };
    const FrameOffset::Second turn = m2.SecondAlong(b);
    for (int m = 0; m < 2; ++m) {
      const double of_m = m ? 1 : -1;
      for (int n = 0; n < 2; ++n) set(3 * m, 3 * n, of_m * (n ? 1 : -1) * turn.edge);
      for (int j = 0; j < 4; ++j) {
        const Eigen::Matrix3d block = of_m * slope[j] * edge_by_carrier;
        set(3 * m, 6 + 3 * j, block), set(6 + 3 * j, 3 * m, block.transpose());
      }
      second.block<3, 1>(3 * m, kSpin) = of_m * turn.mixed;
    }
    for (int j = 0; j < 4; ++j) second.block<3, 1>(6 + 3 * j, kSpin) = slope[j] * m2.by_spin;
    second.row(kSpin).head<kSpin>() = second.col(kSpin).head<kSpin>().transpose();
    second(kSpin, kSpin) = turn.spin;
    const Matrix hessian = K * (by * by.transpose() + c * second);
    for (int k = 0; k < kSize * kSize; ++k) out.values[offset_[s][k]] += hessian.data()[k];
  }
  return result;
}

}  // namespace strand
