// A round simplex against an obstacle, where one or both are fixed in rigid bodies.
//
// A body has the placement x = c + F p, determined by its four carriers X_j (energy/affine_body.h).
// A world point z that moves with the body has the weights
//     w_j(z) = 1/4 + u_j . (z - c),   u_j = F^-T s_j,   sum_j w_j = 1,   sum_j w_j X_j = z.
// Points of a body have constant weights. An obstacle in a body is evaluated in the body's axes, at
// p_i = F^-1 (x_i - c), whose change is
//     dp_i = F^-1 (dx_i - sum_j w_j(x_i) dX_j),
// so that a force on the x_i acts on the body with the opposite sign at the same points: momentum
// and angular momentum are conserved. Friction acts where the surfaces touch, at the nearest point
// minus `reach` along the normal; its weights vary as bodies roll. With m_i = F^-T dD/dp_i and the
// weights b_ik of all nodes (-w_j for an obstacle's carriers), the Hessian of D is
//     J^T H J - sum_i (b_ik u_l m_i^T + b_il m_i u_k^T), u = 0 but for the obstacle's carriers.
// All derivatives are exact.
#pragma once

#include <array>

#include "model/geometry/network.h"
#include "model/stencil/round_simplex.h"

namespace strand {

/// Placement of a body.
struct BodyPlace {
  using Carriers = std::array<Vector3, 4>;

  BodyPlace(const Carriers& carrier, const CarrierSlopes& slope);

  Vector3 In(const Vector3& z) const;
  Vector3 Out(const Vector3& p) const;
  Eigen::Vector4d Weights(const Vector3& z) const;

  Vector3 centre;  ///< c (m)
  Eigen::Matrix3d F, inverse;
  CarrierSlopes turned;  ///< u_j (1/m), one per row
};

/// Weights of a body's points on its carriers, one point per row.
template <int N>
using BodyWeights = Eigen::Matrix<double, N, 4>;

/// Positions (or displacements) of a body's points from those of its carriers.
template <int N>
std::array<Vector3, N> BodyPoints(const BodyWeights<N>& weights, const std::array<Vector3, 4>& of) {
  std::array<Vector3, N> points;
  for (int i = 0; i < N; ++i) {
    points[i] = weights(i, 0) * of[0];
    for (int j = 1; j < 4; ++j) points[i] += weights(i, j) * of[j];
  }
  return points;
}

namespace internal {

/// Blocks of three rows and columns, or three columns, of a matrix with `rows` rows. Their types do
/// not depend on the number of nodes, so that expressions with them compile once.
inline auto Block(double* matrix, int rows, int i, int j) {
  using Square = Eigen::Map<Eigen::Matrix3d, 0, Eigen::OuterStride<>>;
  return Square(matrix + 3 * i + 3 * j * rows, Eigen::OuterStride<>(rows));
}
inline auto Part(double* vector, int i) { return Eigen::Map<Vector3>(vector + 3 * i); }

}  // namespace internal

/// Rewrites `touch` in terms of the nodes of the simplex and the carriers of bodies. `x`: the
/// points (m, world); `touch` is evaluated in the axes of the obstacle's body, if it has one
/// (`carrier`), else in world axes. The result has S + C nodes: first the S nodes of the simplex
/// (the points themselves, or the carriers of the body `of` that they are fixed in with `weights`),
/// then the C carriers of the obstacle. `reach` (m): distance from the nearest point, against the
/// normal, to the point where friction acts on bodies.
template <int N, int S, int C>
SimplexTouch<S + C> CarriedTouch(const SimplexTouch<N>& touch, const std::array<Vector3, N>& x,
                                 const BodyPlace* of, const BodyWeights<N>& weights,
                                 const BodyPlace* carrier, double reach) {
  using internal::Block, internal::Part;
  static_assert((S == N || S == 4) && (C == 0 || C == 4) && S + C > N);
  constexpr int M = S + C, kSize = 3 * M;
  const SharedPoint<N>& seen = touch.at;
  SimplexTouch<M> result;
  SharedPoint<M>& at = result.at;
  Eigen::Matrix<double, N, M> b = Eigen::Matrix<double, N, M>::Zero();
  if constexpr (S == N) b.template leftCols<S>().setIdentity();
  if constexpr (S == 4) b.template leftCols<4>() = weights;
  Eigen::Matrix3d inverse = Eigen::Matrix3d::Identity();
  if constexpr (C > 0) {
    inverse = carrier->inverse;
    for (int i = 0; i < N; ++i) b.row(i).template tail<4>() = -carrier->Weights(x[i]);
  }
  result.gap = touch.gap;
  at.distance = seen.distance;
  const Vector3 offset = inverse.transpose() * (seen.direct * seen.normal);
  // J has blocks b_ik F^-1; products with J are summed over the points.
  at.distance_by.setZero(), at.offset_by.setZero(), result.hessian.setZero();
  Eigen::Matrix<double, N, kSize> share_by = Eigen::Matrix<double, N, kSize>::Zero();
  std::array<Vector3, N> m;
  for (int i = 0; i < N; ++i) {
    m[i] = inverse.transpose() * seen.distance_by.template segment<3>(3 * i).transpose();
    const Eigen::Matrix3d moved =
        inverse.transpose() * seen.offset_by.template middleCols<3>(3 * i) * inverse;
    const Eigen::Matrix<double, N, 3> shared =
        seen.weight_by.template middleCols<3>(3 * i) * inverse;
    for (int k = 0; k < M; ++k) {
      Part(at.distance_by.data(), k) += b(i, k) * m[i];
      Block(at.offset_by.data(), 3, 0, k) += b(i, k) * moved;
      Eigen::Map<Eigen::Matrix<double, N, 3>>(share_by.data() + 3 * N * k) += b(i, k) * shared;
    }
    for (int j = 0; j < N; ++j) {
      const Eigen::Matrix3d curved =
          inverse.transpose() * touch.hessian.template block<3, 3>(3 * i, 3 * j) * inverse;
      for (int k = 0; k < M; ++k) {
        for (int l = 0; l < M; ++l) {
          Block(result.hessian.data(), kSize, k, l) += b(i, k) * b(j, l) * curved;
        }
      }
    }
  }
  if constexpr (C > 0) {
    for (int l = 0; l < 4; ++l) {
      const Vector3 u = carrier->turned.row(l);
      Block(at.offset_by.data(), 3, 0, S + l) -= u * offset.transpose();
      for (int i = 0; i < N; ++i) {
        for (int k = 0; k < M; ++k) {
          const Eigen::Matrix3d turn = b(i, k) * u * m[i].transpose();
          Block(result.hessian.data(), kSize, k, S + l) -= turn;
          Block(result.hessian.data(), kSize, S + l, k) -= turn.transpose();
        }
      }
    }
  }
  at.direct = offset.norm();
  at.normal = offset / at.direct;

  // The point z where friction acts, and its weights.
  Vector3 z = -reach * at.normal;
  for (int i = 0; i < N; ++i) z += seen.weight[i] * x[i];
  std::array<Vector3, kSize> z_by;
  for (int c = 0; c < kSize; ++c) {
    const Vector3 offset_by = at.offset_by.col(c);
    z_by[c] = -reach / at.direct * (offset_by - at.normal * at.normal.dot(offset_by));
    for (int i = 0; i < N; ++i) {
      z_by[c] += share_by(i, c) * (x[i] - x[0]);
      if (c < 3 * S) z_by[c][c % 3] += seen.weight[i] * b(i, c / 3);
    }
  }
  const auto weigh = [&](const BodyPlace& place, int first, double sign) {
    const Eigen::Vector4d w = place.Weights(z);
    at.weight.template segment<4>(first) = sign * w;
    for (int c = 0; c < kSize; ++c) {
      Vector3 apart_by = z_by[c];
      const int j = c / 3 - first;
      if (j >= 0 && j < 4) apart_by[c % 3] -= w[j];
      Eigen::Map<Eigen::Vector4d>(at.weight_by.data() + M * c + first) =
          sign * (place.turned * apart_by);
    }
  };
  if constexpr (S == N) {
    at.weight.template head<S>() = seen.weight;
    at.weight_by.template topRows<S>() = share_by;
  }
  if constexpr (S == 4) weigh(*of, 0, 1);
  if constexpr (C > 0) weigh(*carrier, S, -1);
  return result;
}

}  // namespace strand
