// Friction at nearest points, over the nodes q_i that span them: of two things, or of one and an
// obstacle.
//
// With the weights m_i and the unit normal n of the distance (pair_distance.h, simplex_distance.h)
// the nearest points have moved against each other by d = sum_i m_i (q_i - q_i^0), slip
// s = rate (1 - n n^T) d, and friction acts on node i by m_i F(s, N). [D. Tong et al., Extreme
// Mechanics Letters 58, 2023, whose weights, taken from the contact forces, are the same m_i.]
#pragma once

#include "model/stencil/friction.h"
#include "model/stencil/pair_distance.h"
#include "model/stencil/penalty.h"

namespace strand {

template <int N>
struct SharedFriction {
  Eigen::Matrix<double, 3 * N, 1> force;            ///< on the nodes (N)
  Eigen::Matrix<double, 3 * N, 3 * N> by_position;  ///< its derivative (N/m), not symmetric
  double magnitude = 0;                             ///< at the nearest points (N)
};
using PairFriction = SharedFriction<4>;

/// Nearest points and how they depend on the nodes.
template <int N>
struct SharedPoint {
  using Rows = Eigen::Matrix<double, 3, 3 * N>;
  Eigen::Matrix<double, N, 1> weight;           ///< m
  Eigen::Matrix<double, N, 3 * N> weight_by;    ///< 1/m
  Rows offset_by;                               ///< of the offset between the points
  Vector3 normal;                               ///< n
  double direct, distance;                      ///< m: between the points, and D
  Eigen::Matrix<double, 1, 3 * N> distance_by;  ///< of D
};

/// `penalty` at the distance D; `moved`: q_i - q_i^0 of the nodes (m); `beside` (m): what is added
/// to d, the obstacle's own way and carried slip.
template <int N>
SharedFriction<N> EvaluateSharedFriction(const FrictionLaw& law, const SharedPoint<N>& at,
                                         const Penalty& penalty,
                                         const Eigen::Matrix<double, 3 * N, 1>& moved,
                                         const Vector3& beside, double rate) {
  using Row = Eigen::Matrix<double, 1, 3 * N>;
  using Rows = typename SharedPoint<N>::Rows;
  const Vector3& n = at.normal;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
  Vector3 d = beside;
  for (int i = 0; i < N; ++i) d += at.weight[i] * moved.template segment<3>(3 * i);
  const double share = at.direct / at.distance;
  const FrictionForce friction = EvaluateFriction(law, rate * across * d, -penalty.slope * share);

  // Derivatives: of d, n, the normal force N, and the slip.
  Rows d_by;
  for (int i = 0; i < N; ++i) {
    d_by.template middleCols<3>(3 * i) = at.weight[i] * Eigen::Matrix3d::Identity();
  }
  for (int i = 0; i < N; ++i) {
    d_by += moved.template segment<3>(3 * i) * at.weight_by.row(i);
  }
  const Rows normal_by = across * at.offset_by / at.direct;
  const Row share_by = (n.transpose() * at.offset_by - share * at.distance_by) / at.distance;
  const Row force_by_normal =
      -penalty.curvature * share * at.distance_by - penalty.slope * share_by;
  const Rows slip_by =
      rate * (across * d_by - n.dot(d) * normal_by - n * (d.transpose() * normal_by));
  const Rows force_by = friction.by_slip * slip_by + friction.by_normal_force * force_by_normal;
  SharedFriction<N> result;
  result.magnitude = friction.force.norm();
  for (int i = 0; i < N; ++i) {
    result.force.template segment<3>(3 * i) = at.weight[i] * friction.force;
    result.by_position.template middleRows<3>(3 * i) =
        at.weight[i] * force_by + friction.force * at.weight_by.row(i);
  }
  return result;
}

/// Of a pair, by the regularised law: rate = 1 / dt (1/s).
inline PairFriction EvaluatePairFriction(const FrictionLaw& law, const PairDistance& pair,
                                         const Penalty& penalty, const PairGradient& moved,
                                         double rate) {
  SharedPoint<4> at;
  at.weight = Eigen::Map<const Eigen::Vector4d>(pair.weight.data());
  const Eigen::Matrix<double, 2, 12> points = pair.ParametersByNodes();
  at.weight_by = pair.weight_by * points;
  at.offset_by = pair.ways * points;
  for (int i = 0; i < 4; ++i) {
    at.offset_by.middleCols<3>(3 * i) += pair.weight[i] * Eigen::Matrix3d::Identity();
  }
  at.normal = pair.normal, at.direct = pair.direct, at.distance = pair.distance;
  at.distance_by = pair.Gradient().transpose();
  return EvaluateSharedFriction<4>(law, at, penalty, moved, Vector3::Zero(), rate);
}

}  // namespace strand
