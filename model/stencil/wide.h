// Terms of higher order in the link length, which join the joints next to a link of a chain.
//
// The direction of link k is the tangent at its middle, t_k = t(k l); d_i = t_{i+1} - t_i is the
// turn of joint i. In a chain of equal links
//     integral of |t'|^2 ds = 1/l sum (|d|^2 + |D d|^2 / 12 + |D^2 d|^2 / 90 + ...)           (1)
// with differences D over neighbouring joints: the series of (x / sin x)^2 in 4 sin^2 x, where
// x = l / 2 times the wave number. Every term is a square, so that no shape is free of energy. On
// an arc of a circle |D d| = |d|^2 and |D^2 d| = |d|^3, and (1) is the series of the squared
// turning angle, the measure `angle`. The terms below are what (1) adds to that measure; they
// vanish on arcs. Truncated, the curvature is correct up to order 4 or 6.
//
// Twist is measured against parallel transport along the curve; parallel transport over the joints
// follows the polygon of great circles between the t_k instead. The curve turns further, by the
// area between curve and polygon on the sphere, per link
//     h = w_1 t.(d_- x d_+) + w_2 t.(d_- x d_++ + d_-- x d_+) + w_3 t.(d_-- x d_++)
//       + (|d_-|^2 + |d_+|^2) t.(d_- x d_+) / 160                                             (2)
// where d_--, d_-, d_+, d_++ are the turns of the joints k-2 to k+1. To lowest order h is
// l^3 t.(t' x t'') / 12. The weights match, for small circles, the series of theta / sin(theta) in
// 2 sin^2(theta / 2); the last term is the curvature of the sphere.
#pragma once

#include <array>

#include "model/stencil/joint.h"

namespace strand {

/// Link k and the turns of the joints k-2 .. k+1 next to it.
template <class T>
struct WideTurnsOf {
  Vector3Of<T> direction;
  std::array<Vector3Of<T>, 4> turn;

  void SetZero() {
    direction.setZero();
    for (Vector3Of<T>& d : turn) d.setZero();
  }
};
using WideTurns = WideTurnsOf<double>;

/// Weights of (2).
template <class T>
struct HolonomyWeightsOf {
  T near, skew, far, quartic;

  bool exist() const { return near != 0; }
};
using HolonomyWeights = HolonomyWeightsOf<double>;

/// Weights of (2) with the turns of two (`narrow`) or four joints, in the latter case for bending
/// of order 4 or 6. The error is one order in l^2 smaller than that of the bending terms.
inline constexpr HolonomyWeights kNarrowHolonomy{1. / 12, 0, 0, 0};
inline constexpr HolonomyWeights kHolonomy4{14. / 120, -1. / 120, 0, 1. / 160};
inline constexpr HolonomyWeights kHolonomy6{113. / 840, -13. / 840, 3. / 840, 1. / 160};

/// h (rad) of equation (2). Adds `weight` times its gradient, unless null.
template <class T>
T WideHolonomy(const HolonomyWeightsOf<T>& w, const WideTurnsOf<T>& at, const Given<T>& weight,
               WideTurnsOf<Given<T>>* gradient) {
  const Vector3Of<T>& t = at.direction;
  const auto& d = at.turn;
  // sum of w_ij d_i x d_j = d_-- x outer + d_- x inner
  const Vector3Of<T> inner = w.near * d[2] + w.skew * d[3], outer = w.skew * d[2] + w.far * d[3];
  const Vector3Of<T> pair = d[1].cross(d[2]);
  const T volume = t.dot(pair);
  const T spread = w.quartic * (d[1].squaredNorm() + d[2].squaredNorm());
  const Vector3Of<T> area = d[1].cross(inner) + d[0].cross(outer);
  if (gradient) {
    const Vector3Of<T> before = w.near * d[1] + w.skew * d[0];
    const Vector3Of<T> after = w.skew * d[1] + w.far * d[0];
    const Vector3Of<T> scaled = weight * t;
    const T quartic = T(2) * weight * w.quartic * volume;
    gradient->direction += weight * (area + spread * pair);
    gradient->turn[0] += outer.cross(scaled);
    gradient->turn[1] += (inner + spread * d[2]).cross(scaled) + quartic * d[1];
    gradient->turn[2] += scaled.cross(before + spread * d[1]) + quartic * d[2];
    gradient->turn[3] += scaled.cross(after);
  }
  return t.dot(area) + spread * volume;
}

/// Second term of (1) less that of arcs: (|b - a|^2 - (|a|^4 + |b|^4) / 2) / 12 for the turns a and
/// b of two neighbouring joints. Adds `weight` times the gradient.
template <class T>
T TurnChange(const Vector3Of<T>& a, const Vector3Of<T>& b, const Given<T>& weight,
             Vector3Of<Given<T>>* by_a, Vector3Of<Given<T>>* by_b) {
  const Vector3Of<T> change = b - a;
  const T aa = a.squaredNorm(), bb = b.squaredNorm(), sixth = weight * T(1. / 6);
  *by_a -= sixth * (change + aa * a);
  *by_b += sixth * (change - bb * b);
  return T(1. / 12) * (change.squaredNorm() - T(0.5) * (aa * aa + bb * bb));
}

/// Third term of (1) less that of arcs: (|a - 2 b + c|^2 - |b|^6) / 90 for the turns a, b, c of
/// three neighbouring joints. Adds `weight` times the gradient.
template <class T>
T TurnSecondChange(const Vector3Of<T>& a, const Vector3Of<T>& b, const Vector3Of<T>& c,
                   const Given<T>& weight, Vector3Of<Given<T>>* by_a, Vector3Of<Given<T>>* by_b,
                   Vector3Of<Given<T>>* by_c) {
  const Vector3Of<T> change = a - T(2) * b + c;
  const T bb = b.squaredNorm(), part = weight * T(1. / 45);
  const Vector3Of<T> slope = part * change;
  *by_a += slope;
  *by_b -= T(2) * slope + T(3) * part * bb * bb * b;
  *by_c += slope;
  return T(1. / 90) * (change.squaredNorm() - bb * bb * bb);
}

/// Couples on the links beyond each of the four joints that turn with them, from the gradient by
/// their directions of an energy that depends on the turns and on the direction of link k.
template <class T>
std::array<Vector3Of<T>, 4> WideCouples(const WideTurnsOf<T>& at, const WideTurnsOf<T>& gradient) {
  std::array<Vector3Of<T>, 4> couples;
  Vector3Of<T> direction = at.direction - at.turn[1] - at.turn[0];
  Vector3Of<T> by_link = -gradient.turn[0], couple = direction.cross(by_link);
  for (int m = 0; m < 4; ++m) {
    couples[m] = couple;
    if (m == 3) break;
    direction += at.turn[m];
    by_link = gradient.turn[m] - gradient.turn[m + 1];
    if (m == 1) by_link += gradient.direction;
    couple += direction.cross(by_link);
  }
  return couples;
}

/// Second derivatives over (t, d_--, d_-, d_+, d_++), in blocks of three.
using WideHessian = Eigen::Matrix<double, 15, 15>;

/// Adds `weight` times the second derivative of h.
inline void AddHolonomyHessian(const HolonomyWeights& w, const WideTurns& at, double weight,
                               WideHessian* hessian) {
  const auto& [t, d] = at;
  const auto add = [&](int row, int column, const Eigen::Matrix3d& block) {
    hessian->block<3, 3>(3 * row, 3 * column) += block;
    if (row != column) hessian->block<3, 3>(3 * column, 3 * row) += block.transpose();
  };
  // f t.(d_i x d_j)
  const auto add_volume = [&](int i, int j, double f) {
    add(1 + i, 1 + j, -CrossMatrix<double>(f * t));
    add(0, 1 + i, -CrossMatrix<double>(f * d[j]));
    add(0, 1 + j, CrossMatrix<double>(f * d[i]));
  };
  const double spread = w.quartic * (d[1].squaredNorm() + d[2].squaredNorm());
  add_volume(1, 2, weight * (w.near + spread));
  if (w.skew != 0) add_volume(1, 3, weight * w.skew), add_volume(0, 2, weight * w.skew);
  if (w.far != 0) add_volume(0, 3, weight * w.far);
  if (w.quartic == 0) return;
  // w_4 S V with S = |d_-|^2 + |d_+|^2 and V = t.(d_- x d_+), beyond S times the derivative of V
  const double f = 2 * weight * w.quartic;
  const Vector3 by_t = d[1].cross(d[2]), by_1 = d[2].cross(t), by_2 = t.cross(d[1]);
  const double volume = t.dot(by_t);
  const Eigen::Matrix3d one = f * d[1] * by_1.transpose(), two = f * d[2] * by_2.transpose();
  add(2, 2, f * volume * Eigen::Matrix3d::Identity() + one + one.transpose());
  add(3, 3, f * volume * Eigen::Matrix3d::Identity() + two + two.transpose());
  add(2, 3, f * (d[1] * by_2.transpose() + by_1 * d[2].transpose()));
  add(0, 2, f * by_t * d[1].transpose());
  add(0, 3, f * by_t * d[2].transpose());
}

/// Second derivatives of TurnChange over (a, b): blocks aa, bb; ab is -1/6 of the identity.
inline std::array<Eigen::Matrix3d, 2> TurnChangeHessian(const Vector3& a, const Vector3& b) {
  const auto own = [](const Vector3& v) -> Eigen::Matrix3d {
    return ((1 - v.squaredNorm()) * Eigen::Matrix3d::Identity() - 2 * v * v.transpose()) / 6;
  };
  return {own(a), own(b)};
}

/// Second derivative of TurnSecondChange by its second argument b; the other blocks are those of
/// |a - 2 b + c|^2 / 90.
inline Eigen::Matrix3d TurnSecondChangeHessian(const Vector3& b) {
  const double bb = b.squaredNorm();
  return ((4 - 3 * bb * bb) * Eigen::Matrix3d::Identity() - 12 * bb * b * b.transpose()) / 45;
}

}  // namespace strand
