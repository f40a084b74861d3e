// Friction at the nearest points of two primitives, or of one and an obstacle, over their nodes
// q_i.
//
// With the weights m_i and the unit normal n of the distance (pair_distance.h, simplex_distance.h)
// the relative displacement of the nearest points is d = sum_i m_i (q_i - q_i^0), the slip is
// s = rate (1 - n n^T) d, and the friction force on node i is m_i F(s, N). [D. Tong et al., Extreme
// Mechanics Letters 58, 2023, whose weights, taken from the contact forces, are the same m_i.]
//
// This is friction on a rod's axis. The rod's surface is offset from the axis by an arm a along n.
// The arm turns with the edge by w = psi t + t x (D1 - D0) / l, from the spin psi and the nodes'
// displacements D. d then has the additional term w x a, and the couple C = a x F acts as C . t on
// the spin and as +-(C x t) / l on the nodes. Thus rods roll, and equal and opposite forces at one
// point exert no net moment.
#pragma once

#include <array>

#include "model/stencil/friction.h"
#include "model/stencil/joint.h"
#include "model/stencil/pair_distance.h"
#include "model/stencil/penalty.h"

namespace strand {

/// Arm from a rod's axis to its surface.
struct Arm {
  double reach = 0;                  ///< constant length along n (m), plus
  double part = 0;                   ///< this fraction of the offset; both 0: no arm
  double spin = 0;                   ///< psi (rad), in this step
  Vector3 axis = Vector3::UnitX();   ///< t, unit
  int first = -1;                    ///< stencil index of the edge's first node; -1: t is fixed
  double length = 1;                 ///< l (m)
  Vector3 across = Vector3::Zero();  ///< D1 - D0 (m)

  bool exists() const { return reach != 0 || part != 0; }
  /// a (m), for this normal and the distance `direct` (m) of the nearest points.
  Vector3 Along(const Vector3& normal, double direct) const {
    return (reach + part * direct) * normal;
  }
};

/// Friction over N nodes and K arms. The unknowns are the nodes' positions, then the spins.
template <int N, int K>
struct SharedFriction {
  static constexpr int kSize = 3 * N + K;
  using Rows = Eigen::Matrix<double, 3, kSize>;

  Eigen::Matrix<double, kSize, 1> force;            ///< on nodes and spins (N, N m)
  Eigen::Matrix<double, kSize, kSize> by_position;  ///< its derivative (N/m), not symmetric
  double magnitude = 0;                             ///< at the nearest points (N)
};

/// Nearest points and their derivatives by the nodes.
template <int N>
struct SharedPoint {
  using Rows = Eigen::Matrix<double, 3, 3 * N>;
  Eigen::Matrix<double, N, 1> weight;           ///< m
  Eigen::Matrix<double, N, 3 * N> weight_by;    ///< 1/m
  Rows offset_by;                               ///< derivative of the offset between the points
  Vector3 normal;                               ///< n
  double direct, distance;                      ///< |r|, D (m)
  Eigen::Matrix<double, 1, 3 * N> distance_by;  ///< derivative of D
  /// Derivative of the logarithm of the pair's weight (1/m); zero if that is constant.
  Eigen::Matrix<double, 1, 3 * N> count_by = Eigen::Matrix<double, 1, 3 * N>::Zero();
};

namespace internal {

/// Rotation w of an arm's edge, and derivatives by its second node: of w, beyond the first-order
/// term in SurfaceWays, of the axis and of the length. Those by its first node are the opposite.
struct ArmTurn {
  ArmTurn() = default;
  explicit ArmTurn(const Arm& arm);

  Vector3 turn = Vector3::Zero();  ///< w (rad)
  Eigen::Matrix3d bend_by = Eigen::Matrix3d::Zero(), axis_by = Eigen::Matrix3d::Zero();
  Vector3 length_by = Vector3::Zero();
};

/// The derivatives of an arm by one of the unknowns.
struct ArmColumn {
  ArmColumn() = default;
  /// `component` of the unknown among the six of the edge's nodes; beyond them all is zero.
  ArmColumn(const ArmTurn& arm, int component);

  Vector3 bend = Vector3::Zero(), axis = Vector3::Zero();
  double length = 0;
};

}  // namespace internal

/// Relative displacement of the touching points per unknown, for fixed weights, normal and arms.
/// Its transpose maps the friction force to the unknowns.
template <int N, int K>
typename SharedFriction<N, K>::Rows SurfaceWays(const Eigen::Matrix<double, N, 1>& weight,
                                                const Vector3& normal, double direct,
                                                const std::array<Arm, K>& arms) {
  typename SharedFriction<N, K>::Rows ways;
  for (int i = 0; i < N; ++i) {
    ways.template middleCols<3>(3 * i) = weight[i] * Eigen::Matrix3d::Identity();
  }
  for (int k = 0; k < K; ++k) {
    const Arm& arm = arms[k];
    const Vector3 a = arm.Along(normal, direct);
    ways.col(3 * N + k) = arm.axis.cross(a);
    if (arm.first < 0) continue;
    const Eigen::Matrix3d way =
        -CrossMatrix<double>(a) * CrossMatrix<double>(arm.axis) / arm.length;
    ways.template middleCols<3>(3 * arm.first) -= way;
    ways.template middleCols<3>(3 * arm.first + 3) += way;
  }
  return ways;
}

/// Relative displacement d (m) of the touching points. `moved`: q_i - q_i^0 of the nodes (m);
/// `beside` (m): added to d, from the obstacle's own motion and the carried slip.
template <int N, int K>
Vector3 SurfaceDisplacement(const typename SharedFriction<N, K>::Rows& ways,
                            const Eigen::Matrix<double, 3 * N, 1>& moved,
                            const std::array<Arm, K>& arms, const Vector3& beside) {
  Vector3 d = beside;
  for (int k = 0; k < 3 * N; ++k) d += moved[k] * ways.col(k);
  for (int k = 0; k < K; ++k) d += arms[k].spin * ways.col(3 * N + k);
  return d;
}

/// Friction for the `penalty` at the distance D; other arguments as in SurfaceDisplacement. `rate`
/// (1/s; anchored: 1). by_position is set only if `derivatives`.
template <int N, int K>
SharedFriction<N, K> EvaluateSharedFriction(const FrictionLaw& law, const SharedPoint<N>& at,
                                            const Penalty& penalty,
                                            const Eigen::Matrix<double, 3 * N, 1>& moved,
                                            const Vector3& beside, const std::array<Arm, K>& arms,
                                            double rate, bool derivatives) {
  using Result = SharedFriction<N, K>;
  const Vector3& n = at.normal;
  const Eigen::Matrix3d across = Eigen::Matrix3d::Identity() - n * n.transpose();
  const typename Result::Rows ways = SurfaceWays<N, K>(at.weight, n, at.direct, arms);
  const Vector3 d = SurfaceDisplacement<N, K>(ways, moved, arms, beside);
  const double share = at.direct / at.distance;
  const FrictionForce friction = EvaluateFriction(law, rate * across * d, -penalty.slope * share);
  Result result;
  result.magnitude = friction.force.norm();
  result.force = ways.transpose() * friction.force;
  if (!derivatives) return result;

  std::array<internal::ArmTurn, K> turn{};
  std::array<Vector3, K> along, couple;
  for (int k = 0; k < K; ++k) {
    turn[k] = internal::ArmTurn(arms[k]);
    along[k] = arms[k].Along(n, at.direct), couple[k] = along[k].cross(friction.force);
  }
  // One unknown after the other: vectors of three, which compile once for all N and K.
  for (int c = 0; c < Result::kSize; ++c) {
    const bool of_node = c < 3 * N;
    const Vector3 offset_by = of_node ? Vector3(at.offset_by.col(c)) : Vector3::Zero();
    const Vector3 normal_by = across * offset_by / at.direct;
    // Derivative of d, through weights, normal and arms.
    Vector3 d_by = ways.col(c);
    for (int i = 0; N > 1 && of_node && i < N; ++i) {
      d_by += at.weight_by(i, c) * Vector3(moved.template segment<3>(3 * i));
    }
    std::array<Vector3, K> arm_by;
    arm_by.fill(Vector3::Zero());
    std::array<internal::ArmColumn, K> column;
    for (int k = 0; k < K; ++k) {
      if (!arms[k].exists()) continue;
      arm_by[k] = arms[k].reach * normal_by + arms[k].part * offset_by;
      column[k] = internal::ArmColumn(turn[k], of_node ? c - 3 * arms[k].first : -1);
      d_by += turn[k].turn.cross(arm_by[k]) - along[k].cross(column[k].bend);
    }
    // Derivatives of the normal force N, the slip and the force.
    double pressure_by = 0;
    if (of_node) {
      pressure_by = -penalty.curvature * share * at.distance_by[c] -
                    penalty.slope * share * at.count_by[c] -
                    penalty.slope * (n.dot(offset_by) - share * at.distance_by[c]) / at.distance;
    }
    const Vector3 slip_by = rate * (across * d_by - n.dot(d) * normal_by - n * d.dot(normal_by));
    const Vector3 force_by = friction.by_slip * slip_by + friction.by_normal_force * pressure_by;
    auto by = result.by_position.col(c);
    by = ways.transpose() * force_by;
    for (int i = 0; N > 1 && of_node && i < N; ++i) {
      by.template segment<3>(3 * i) += at.weight_by(i, c) * friction.force;
    }
    // Derivatives of the couples, through arms and axes.
    for (int k = 0; k < K; ++k) {
      const Arm& arm = arms[k];
      if (!arm.exists()) continue;
      const Vector3 couple_by = arm_by[k].cross(friction.force);
      by[3 * N + k] += arm.axis.dot(couple_by) + couple[k].dot(column[k].axis);
      if (arm.first < 0) continue;
      const Vector3 push_by = (couple[k].cross(column[k].axis) - arm.axis.cross(couple_by) -
                               couple[k].cross(arm.axis) / arm.length * column[k].length) /
                              arm.length;
      by.template segment<3>(3 * arm.first) -= push_by;
      by.template segment<3>(3 * arm.first + 3) += push_by;
    }
  }
  return result;
}

/// SharedPoint of a pair, which is a PairDistance.
template <class Pair>
SharedPoint<Pair::kNodes> SharedPointOf(const Pair& pair) {
  constexpr int N = Pair::kNodes;
  SharedPoint<N> at;
  at.weight = Eigen::Map<const Eigen::Matrix<double, N, 1>>(pair.weight.data());
  const Eigen::Matrix<double, 2, 3 * N> points = pair.ParametersByNodes();
  at.weight_by = pair.weight_by * points;
  at.offset_by = pair.ways * points;
  for (int i = 0; i < N; ++i) {
    at.offset_by.template middleCols<3>(3 * i) += pair.weight[i] * Eigen::Matrix3d::Identity();
  }
  at.normal = pair.normal, at.direct = pair.direct, at.distance = pair.distance;
  at.distance_by = pair.Gradient().transpose();
  if (pair.counts_change()) at.count_by = pair.CountGradient().transpose() / pair.count();
  return at;
}

}  // namespace strand
