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
// point exert no net moment. At a node between two edges each turns half of the arm.
#pragma once

#include <array>
#include <span>

#include "model/stencil/friction.h"
#include "model/stencil/pair_distance.h"
#include "model/stencil/penalty.h"

namespace strand {

/// Arm from a rod's axis to its surface.
struct Arm {
  double reach = 0;                  ///< constant length along n (m), plus
  double part = 0;                   ///< this fraction of the offset; both 0: no arm
  double spin = 0;                   ///< psi (rad), in this step
  Vector3 axis = Vector3::UnitX();   ///< t, unit
  std::array<int, 2> node{-1, -1};   ///< stencil indices of the edge's nodes; -1: no edge
  double length = 1;                 ///< l (m)
  Vector3 across = Vector3::Zero();  ///< D1 - D0 (m)

  bool exists() const { return reach != 0 || part != 0; }
  /// a (m), for this normal and the distance `direct` (m) of the nearest points.
  Vector3 Along(const Vector3& normal, double direct) const {
    return (reach + part * direct) * normal;
  }
};

/// Friction over N nodes, E extra nodes and K arms. Extra nodes have no weight, they only turn
/// arms: they are the neighbours of a node that touches. The unknowns are the positions of the
/// nodes and of the extra nodes, then the spins.
template <int N, int K, int E = 0>
struct SharedFriction {
  static constexpr int kSize = 3 * (N + E) + K;
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

/// The numbers of a SharedPoint, column-major, and the arms at it. Friction has no type that
/// depends on their numbers, so that it is compiled once.
struct FrictionStencil {
  static constexpr int kMostNodes = 8, kMostArms = 2;

  int nodes, extra;
  std::span<const Arm> arms;
  Vector3 normal;
  double direct, distance;
  const double *weight, *weight_by, *offset_by, *distance_by, *count_by;

  int positions() const { return 3 * (nodes + extra); }
  int size() const { return positions() + static_cast<int>(arms.size()); }
};

/// As the functions below. `positions`: number of those of all nodes.
void FillWays(const double* weight, int nodes, int extra, const Vector3& normal, double direct,
              std::span<const Arm> arms, double* ways);
Vector3 DisplacementAlong(const double* ways, const double* moved, int positions,
                          std::span<const Arm> arms, const Vector3& beside);
/// Returns the magnitude. `by_position` and `lagged` may be null.
double FillFriction(const FrictionLaw& law, const FrictionStencil& at, const Penalty& penalty,
                    const double* moved, const Vector3& beside, double rate, double* force,
                    double* by_position, LaggedDirection* lagged);

}  // namespace internal

/// Relative displacement of the touching points per unknown, for fixed weights, normal and arms.
/// Its transpose maps the friction force to the unknowns.
template <int N, int K, int E = 0>
typename SharedFriction<N, K, E>::Rows SurfaceWays(const Eigen::Matrix<double, N, 1>& weight,
                                                   const Vector3& normal, double direct,
                                                   const std::array<Arm, K>& arms) {
  typename SharedFriction<N, K, E>::Rows ways;
  internal::FillWays(weight.data(), N, E, normal, direct, arms, ways.data());
  return ways;
}

/// Relative displacement d (m) of the touching points. `moved`: q_i - q_i^0 of the nodes (m);
/// `beside` (m): added to d, from the obstacle's own motion and the carried slip.
template <int N, int K, int E = 0>
Vector3 SurfaceDisplacement(const typename SharedFriction<N, K, E>::Rows& ways,
                            const Eigen::Matrix<double, 3 * (N + E), 1>& moved,
                            const std::array<Arm, K>& arms, const Vector3& beside) {
  return internal::DisplacementAlong(ways.data(), moved.data(), 3 * (N + E), arms, beside);
}

/// Friction for the `penalty` at the distance D; other arguments as in SurfaceDisplacement. `rate`
/// (1/s; anchored: 1). by_position is set only if `derivatives`; it is exact, or has the `lagged`
/// direction.
template <int N, int K, int E = 0>
SharedFriction<N, K, E> EvaluateSharedFriction(const FrictionLaw& law, const SharedPoint<N>& at,
                                               const Penalty& penalty,
                                               const Eigen::Matrix<double, 3 * (N + E), 1>& moved,
                                               const Vector3& beside,
                                               const std::array<Arm, K>& arms, double rate,
                                               bool derivatives,
                                               LaggedDirection* lagged = nullptr) {
  using internal::FrictionStencil;
  static_assert(N + E <= FrictionStencil::kMostNodes && K <= FrictionStencil::kMostArms);
  const FrictionStencil stencil{N,
                                E,
                                arms,
                                at.normal,
                                at.direct,
                                at.distance,
                                at.weight.data(),
                                at.weight_by.data(),
                                at.offset_by.data(),
                                at.distance_by.data(),
                                at.count_by.data()};
  SharedFriction<N, K, E> result;
  result.magnitude = internal::FillFriction(
      law, stencil, penalty, moved.data(), beside, rate, result.force.data(),
      derivatives ? result.by_position.data() : nullptr, derivatives ? lagged : nullptr);
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
