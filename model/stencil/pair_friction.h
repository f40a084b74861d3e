// Friction between two things at their nearest points, over the four nodes q_i that span them.
//
// With the weights m_i and the unit normal n of the distance (pair_distance.h) the nearest points
// have moved against each other by d = sum_i m_i (q_i - q_i^0), slip s = rate (1 - n n^T) d, and
// friction acts on node i by m_i F(s, N). [D. Tong et al., Extreme Mechanics Letters 58, 2023,
// whose weights, taken from the contact forces, are the same m_i.]
#pragma once

#include "model/stencil/friction.h"
#include "model/stencil/pair_distance.h"
#include "model/stencil/penalty.h"

namespace strand {

struct PairFriction {
  PairGradient force = PairGradient::Zero();      ///< on the four nodes (N)
  PairHessian by_position = PairHessian::Zero();  ///< its derivative (N/m), not symmetric
  double magnitude = 0;                           ///< between the two (N)
};

/// `penalty` at the pair's distance; `moved`: q_i - q_i^0 of the four nodes (m). Regularised law:
/// rate = 1 / dt (1/s).
inline PairFriction EvaluatePairFriction(const FrictionLaw& law, const PairDistance& pair,
                                         const Penalty& penalty, const PairGradient& moved,
                                         double rate) {
  using Row = Eigen::Matrix<double, 1, 12>;
  using Rows = Eigen::Matrix<double, 3, 12>;
  const std::array<double, 4>& weight = pair.weight;
  const Vector3& n = pair.normal;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
  Vector3 d = Vector3::Zero();
  for (int i = 0; i < 4; ++i) d += weight[i] * moved.segment<3>(3 * i);
  const double share = pair.share();
  const FrictionForce friction = EvaluateFriction(law, rate * across * d, -penalty.slope * share);

  // Derivatives: of the points, the weights, the offset r, n, the normal force N, and the slip.
  const Eigen::Matrix<double, 2, 12> points = pair.ParametersByNodes();
  const Eigen::Matrix<double, 4, 12> weight_by = pair.weight_by * points;
  Rows offset_by = pair.ways * points, d_by;
  for (int i = 0; i < 4; ++i) {
    d_by.middleCols<3>(3 * i) = weight[i] * Eigen::Matrix3d::Identity();
  }
  offset_by += d_by;
  for (int i = 0; i < 4; ++i) d_by += moved.segment<3>(3 * i) * weight_by.row(i);
  const Rows normal_by = across * offset_by / pair.direct;
  const Row gap_by = pair.Gradient().transpose();
  const Row share_by = (n.transpose() * offset_by - share * gap_by) / pair.distance;
  const Row force_by_normal = -penalty.curvature * share * gap_by - penalty.slope * share_by;
  const Rows slip_by =
      rate * (across * d_by - n.dot(d) * normal_by - n * (d.transpose() * normal_by));
  const Rows force_by = friction.by_slip * slip_by + friction.by_normal_force * force_by_normal;
  PairFriction result;
  result.magnitude = friction.force.norm();
  for (int i = 0; i < 4; ++i) {
    result.force.segment<3>(3 * i) = weight[i] * friction.force;
    result.by_position.middleRows<3>(3 * i) =
        weight[i] * force_by + friction.force * weight_by.row(i);
  }
  return result;
}

}  // namespace strand
