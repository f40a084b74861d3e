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

inline constexpr int kPoints = 3, kNodes = 8;  ///< of a touch, before and after: at most

/// The numbers of a SimplexTouch of `nodes` nodes, column-major. Rewriting it has no type that
/// depends on the number of nodes, so that it is compiled once.
template <class Number>
struct TouchNumbers {
  int nodes;
  Number *distance_by, *offset_by, *weight, *weight_by, *hessian;
};

template <int N>
TouchNumbers<const double> NumbersOf(const SimplexTouch<N>& touch) {
  const SharedPoint<N>& at = touch.at;
  return {N,
          at.distance_by.data(),
          at.offset_by.data(),
          at.weight.data(),
          at.weight_by.data(),
          touch.hessian.data()};
}
template <int N>
TouchNumbers<double> NumbersOf(SimplexTouch<N>* touch) {
  SharedPoint<N>& at = touch->at;
  return {N,
          at.distance_by.data(),
          at.offset_by.data(),
          at.weight.data(),
          at.weight_by.data(),
          touch->hessian.data()};
}

/// The normal and the distance along it, of an offset.
struct Offset {
  Vector3 normal;
  double direct;
};

/// CarriedTouch in numbers: x of `from.nodes` points, `weights` on `of`, 4 per point. Returns the
/// offset of the result; `offset` is that of `from`.
Offset Carry(const TouchNumbers<const double>& from, const Vector3& offset, const Vector3* x,
             const BodyPlace* of, const double* weights, const BodyPlace* carrier, double reach,
             const TouchNumbers<double>& to);

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
  static_assert((S == N || S == 4) && (C == 0 || C == 4) && S + C > N);
  static_assert(N <= internal::kPoints && S + C <= internal::kNodes);
  SimplexTouch<S + C> result;
  const internal::Offset offset =
      internal::Carry(internal::NumbersOf(touch), touch.at.direct * touch.at.normal, x.data(),
                      S == 4 ? of : nullptr, weights.data(), C == 4 ? carrier : nullptr, reach,
                      internal::NumbersOf(&result));
  result.gap = touch.gap;
  result.at.distance = touch.at.distance;
  result.at.normal = offset.normal, result.at.direct = offset.direct;
  return result;
}

}  // namespace strand
