// Friction between two edges at their nearest points, over the nodes (x0, x1, y0, y1).
//
// With the distance's gradient g_i = m_i n (segment_distance.h) the nearest points have moved
// against each other by d = sum_i m_i (x_i - x_i^0), slip s = rate (1 - n n^T) d, and friction acts
// on node i by m_i F(s, N). [D. Tong et al., Extreme Mechanics Letters 58, 2023, whose weights,
// taken from the contact forces, are the same m_i.] The derivatives of m_i and n come out of the
// distance's Hessian H_ij = d(m_i n)/dx_j: dm_i/dx_j = n^T H_ij, m_i dn/dx_j = (1 - n n^T) H_ij.
#pragma once

#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"
#include "model/stencil/segment_distance.h"

namespace strand {

struct PairFriction {
  SegmentGradient force = SegmentGradient::Zero();      ///< on the four nodes (N)
  SegmentHessian by_position = SegmentHessian::Zero();  ///< its derivative (N/m), not symmetric
  double magnitude = 0;                                 ///< between the edges (N)
};

/// `moved`: x_i - x_i^0 of the four nodes (m). Regularised law: rate = 1 / dt (1/s).
inline PairFriction EvaluatePairFriction(const FrictionLaw& law, const Vector3& n,
                                         const SegmentGradient& slope,
                                         const SegmentHessian& hessian, const Penalty& penalty,
                                         const SegmentGradient& moved, double rate) {
  using Matrix3 = Eigen::Matrix3d;
  using Row = Eigen::Matrix<double, 3, 12>;
  double weight[4];
  int heaviest = 0;
  Vector3 d = Vector3::Zero();
  for (int i = 0; i < 4; ++i) {
    weight[i] = n.dot(slope.segment<3>(3 * i));
    if (std::abs(weight[i]) > std::abs(weight[heaviest])) heaviest = i;
    d += weight[i] * moved.segment<3>(3 * i);
  }
  const Matrix3 across = Matrix3::Identity() - n * n.transpose();
  const FrictionForce friction = EvaluateFriction(law, rate * across * d, -penalty.slope);

  const Eigen::Matrix<double, 4, 12> weight_by = [&] {
    Eigen::Matrix<double, 4, 12> by;
    for (int i = 0; i < 4; ++i) by.row(i) = n.transpose() * hessian.middleRows<3>(3 * i);
    return by;
  }();
  const Row normal_by = across * hessian.middleRows<3>(3 * heaviest) / weight[heaviest];
  Row d_by;
  for (int j = 0; j < 4; ++j) d_by.middleCols<3>(3 * j) = weight[j] * Matrix3::Identity();
  for (int i = 0; i < 4; ++i) d_by += moved.segment<3>(3 * i) * weight_by.row(i);
  const Row slip_by =
      rate * (across * d_by - n.dot(d) * normal_by - n * (d.transpose() * normal_by));
  const Row force_by = friction.by_slip * slip_by -
                       friction.by_normal_force * (penalty.curvature * slope.transpose());
  PairFriction pair;
  pair.magnitude = friction.force.norm();
  for (int i = 0; i < 4; ++i) {
    pair.force.segment<3>(3 * i) = weight[i] * friction.force;
    pair.by_position.middleRows<3>(3 * i) =
        weight[i] * force_by + friction.force * weight_by.row(i);
  }
  return pair;
}

}  // namespace strand
