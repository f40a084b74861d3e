// Distance of two edges x0-x1 and y0-y1, gradient and exact Hessian over q = (x0, x1, y0, y1).
//
// The shortest distance has a kink where edges overlap in parallel: a tilt by nothing moves the
// nearest points from one end of the overlap to the other, and with them the force. So that rods
// can lie side by side the points are held to the middles of the edges by a little,
//     D^2 = min f,   f(s, t) = |r|^2 + w [(s - 1/2)^2 + (t - 1/2)^2]   over 0 <= s, t <= 1,
// r = m_i q_i (sum over the four nodes), m = (1 - s, s, t - 1, -t), with a spread w > 0 (m^2). f is
// strictly convex: s and t move continuously with q, and D has a continuous gradient. D exceeds the
// shortest distance d by at most w / (4 d), at the edges' ends.
//
// With n = r / D, W = dr/d(s, t) = (x1 - x0, y0 - y1), p_i = dm_i/d(s, t), B_i = m_i W + r p_i^T,
// Z the basis of those of s and t that are inside, and K = Z [Z^T (W^T W + w) Z]^-1 Z^T:
//     dD/dq_i = m_i n   (envelope theorem),   d(s, t)/dq_j = -K B_j^T,
//     d2D/dq_i dq_j = [m_i m_j (1 - n n^T) - B_i K B_j^T] / D
// The Hessian jumps where s or t comes to an end.
//
// Singular: r = 0, where the direction is lost. Below 1e-12 of the lengths the unit normal is set
// to a fixed one: finite, but without meaning.
#pragma once

#include <algorithm>
#include <array>

#include "model/geometry/frame.h"

namespace strand {

using SegmentGradient = Eigen::Matrix<double, 12, 1>;
using SegmentHessian = Eigen::Matrix<double, 12, 12>;

struct SegmentPair {
  SegmentPair(const Vector3& x0, const Vector3& x1, const Vector3& y0, const Vector3& y1,
              double spread)
      : u(x1 - x0), v(y1 - y0), w(spread) {
    Meet(x0 - y0);
    offset = x0 - y0 + s * u - t * v;
    const double squares = (s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5);
    const double least = 1e-12 * (u.norm() + v.norm()) + 1e-100, length = offset.norm();
    distance = std::max(std::sqrt(offset.squaredNorm() + w * squares), least);
    normal = length > least ? Vector3(offset / length) : AnyNormal();
    direct = std::max(length, least);
  }

  /// dD/d(x0, x1, y0, y1).
  SegmentGradient Gradient() const {
    const std::array<double, 4> m = Weights();
    SegmentGradient gradient;
    for (int i = 0; i < 4; ++i) gradient.segment<3>(3 * i) = m[i] / distance * offset;
    return gradient;
  }

  /// Second derivatives of D (1/m).
  SegmentHessian Hessian() const {
    const std::array<double, 4> m = Weights();
    const Mixed b = MixedDerivatives();
    SegmentHessian hessian = -b * Mobility() * b.transpose() / distance;
    const Vector3 n = offset / distance;
    const Eigen::Matrix3d across = (Eigen::Matrix3d::Identity() - n * n.transpose()) / distance;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) hessian.block<3, 3>(3 * i, 3 * j) += m[i] * m[j] * across;
    }
    return hessian;
  }

  /// m: what the nodes move the nearest points against each other by.
  std::array<double, 4> Weights() const { return {1 - s, s, t - 1, -t}; }

  /// The part of dD's force that acts along the normal: |r| / D.
  double share() const { return direct / distance; }

  /// d(s, t)/d(x0, x1, y0, y1).
  Eigen::Matrix<double, 2, 12> PointsByNodes() const {
    return -Mobility() * MixedDerivatives().transpose();
  }

  Vector3 u, v;     ///< the edges x1 - x0 and y1 - y0 (m)
  double w;         ///< spread (m^2)
  double s, t;      ///< where the points are on them, 0 to 1
  Vector3 offset;   ///< r, from the point of y to that of x (m)
  double distance;  ///< D (m)
  double direct;    ///< |r| (m), if that is any
  Vector3 normal;   ///< unit, along r

 private:
  using Mixed = Eigen::Matrix<double, 12, 2>;

  // The minimum of f, from `apart` = x0 - y0: f is convex, so that it is the one inside or lies on
  // an edge of the square (C. Ericson, Real-Time Collision Detection, section 5.1.9).
  void Meet(const Vector3& apart) {
    const double a = u.squaredNorm() + w, b = u.dot(v), c = v.squaredNorm() + w;
    const double d = 0.5 * w - u.dot(apart), e = 0.5 * w + v.dot(apart);
    const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
    // c d + b e, from cross products: nothing cancels in nearly parallel edges.
    const double inside = u.cross(v).dot(v.cross(apart)) + w * (0.5 * (b + c) - u.dot(apart));
    s = clamp(inside / Determinant());
    const double free_t = (b * s + e) / c;
    t = clamp(free_t);
    if (t != free_t) s = clamp((b * t + d) / a);
  }

  // Of W^T W + w.
  double Determinant() const {
    return u.cross(v).squaredNorm() + w * (u.squaredNorm() + v.squaredNorm() + w);
  }

  // The matrix K: what (s, t) move by under unit forces along them.
  Eigen::Matrix2d Mobility() const {
    const bool free_s = s > 0 && s < 1, free_t = t > 0 && t < 1;
    const double a = u.squaredNorm() + w, b = u.dot(v), c = v.squaredNorm() + w;
    Eigen::Matrix2d k = Eigen::Matrix2d::Zero();
    if (free_s && free_t) {
      k << c, b, b, a;
      return k / Determinant();
    }
    if (free_s) k(0, 0) = 1 / a;
    if (free_t) k(1, 1) = 1 / c;
    return k;
  }

  // The B_i, one below the other.
  Mixed MixedDerivatives() const {
    const std::array<double, 4> m = Weights();
    Mixed b;
    for (int i = 0; i < 4; ++i) b.middleRows<3>(3 * i) << m[i] * u, -m[i] * v;
    b.block<3, 1>(0, 0) -= offset, b.block<3, 1>(3, 0) += offset;
    b.block<3, 1>(6, 1) += offset, b.block<3, 1>(9, 1) -= offset;
    return b;
  }

  // A unit vector normal to both, or to the longer one of parallel ones.
  Vector3 AnyNormal() const {
    const Vector3 both = u.cross(v), &edge = u.squaredNorm() > v.squaredNorm() ? u : v;
    const double sine = both.norm(), length = edge.norm();
    if (sine > 1e-12 * u.norm() * v.norm() && sine > 0) return both / sine;
    return length > 0 ? Vector3((edge / length).unitOrthogonal()) : Vector3::UnitZ();
  }
};

}  // namespace strand
