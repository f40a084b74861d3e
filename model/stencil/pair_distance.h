// Distance of two primitives with N nodes q_i in total, with gradient and exact Hessian: two edges
// (segment_distance.h) or a point and a triangle (point_triangle.h), with four nodes, or two curved
// edges, with eight (curve_distance.h).
//
// The offset r between points of the two primitives is a weighted sum of the nodes. The weights m_i
// sum to zero and depend on two parameters p in a convex range. A spread w >= 0 attracts p to the
// middle p0 of the range:
//     D^2 = min f,   f(p) = |r|^2 + w |p - p0|^2,   r = sum_i m_i q_i.
// With n = r / D, W = dr/dp, p_i = dm_i/dp, B_i = m_i W + r p_i^T, Z a basis of the directions in
// which p is free, and
//     K = Z [Z^T (W^T W + C + w) Z]^-1 Z^T,   C = r . d2r/dp2, diagonal, zero for straight edges:
//     dD/dq_i = m_i n   (envelope theorem),   dp/dq_j = -K B_j^T,
//     d2D/dq_i dq_j = [m_i m_j - B_i K B_j^T - dD/dq_i (dD/dq_j)^T] / D
// The gradient is continuous; the Hessian jumps where p reaches the boundary of its range.
//
// Singular: r = 0, where the normal is undefined. If |r| is below 1e-12 of the lengths, the normal
// is set to an arbitrary unit vector: finite, but without meaning.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "model/geometry/frame.h"

namespace strand {

template <int N>
struct PairDistance {
  static constexpr int kNodes = N, kSize = 3 * N;
  using Gradients = Eigen::Matrix<double, kSize, 1>;
  using Hessians = Eigen::Matrix<double, kSize, kSize>;

  /// dD/dq.
  Gradients Gradient() const {
    Gradients gradient;
    for (int i = 0; i < N; ++i) gradient.template segment<3>(3 * i) = weight[i] / distance * offset;
    return gradient;
  }

  /// Second derivatives of D (1/m).
  Hessians Hessian() const { return HessianOf(Gradient(), MixedDerivatives()); }

  /// Weight of the pair (constant here; see CurvePair), and whether the contact belongs to it.
  static constexpr double count() { return 1; }
  static constexpr bool counts_change() { return false; }
  static constexpr bool owns() { return true; }
  static Gradients CountGradient() { return Gradients::Zero(); }
  static Hessians CountHessian() { return Hessians::Zero(); }

  /// Fraction of the force along the gradient of D that acts along the normal: |r| / D.
  double share() const { return direct / distance; }

  /// dp/dq.
  Eigen::Matrix<double, 2, kSize> ParametersByNodes() const {
    return -Mobility() * MixedDerivatives().transpose();
  }

  /// m: relative displacement of the nearest points per displacement of each node.
  std::array<double, N> weight;
  Eigen::Matrix<double, N, 2> weight_by;           ///< p_i, one per row
  Eigen::Matrix<double, 3, 2> ways;                ///< W (m)
  Eigen::Vector2d bend = Eigen::Vector2d::Zero();  ///< C's diagonal (m^2)
  double spread = 0;                               ///< w (m^2)
  int freedoms = 0;                                ///< number of directions in which p is free
  Eigen::Vector2d free_way;                        ///< that direction, if there is one
  Vector3 offset;                                  ///< r, from the second point to the first (m)
  double distance;                                 ///< D (m)
  double direct;                                   ///< |r| (m), but not zero
  Vector3 normal;                                  ///< unit, along r

 protected:
  /// Sets distances and normal from r, `ways`, `spread` and `squares` = |p - p0|^2.
  void Measure(const Vector3& r, double squares) {
    offset = r;
    const double least = 1e-12 * (ways.col(0).norm() + ways.col(1).norm()) + 1e-100;
    const double length = offset.norm();
    distance = std::max(std::sqrt(offset.squaredNorm() + spread * squares), least);
    normal = length > least ? Vector3(offset / length) : AnyNormal();
    direct = std::max(length, least);
  }

  using Mixed = Eigen::Matrix<double, kSize, 2>;

  Hessians HessianOf(const Gradients& gradient, const Mixed& b) const {
    Hessians hessian = -(b * Mobility() * b.transpose()) / distance;
    hessian -= gradient * gradient.transpose() / distance;
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        const double both = weight[i] * weight[j] / distance;
        for (int k = 0; k < 3; ++k) hessian(3 * i + k, 3 * j + k) += both;
      }
    }
    return hessian;
  }

  // The matrix K: displacement of p under unit forces along it.
  Eigen::Matrix2d Mobility() const {
    Eigen::Matrix2d k = Eigen::Matrix2d::Zero();
    if (freedoms == 2) {
      const Vector3 u = ways.col(0), v = ways.col(1);
      const double uu = u.squaredNorm(), vv = v.squaredNorm();
      const double s = spread + bend[0], t = spread + bend[1];
      k << vv + t, -u.dot(v), -u.dot(v), uu + s;
      return k / (u.cross(v).squaredNorm() + s * vv + t * uu + s * t);
    }
    if (freedoms == 1) {
      const double resistance = (ways * free_way).squaredNorm() + spread * free_way.squaredNorm() +
                                free_way.cwiseAbs2().dot(bend);
      k = free_way * free_way.transpose() / resistance;
    }
    return k;
  }

  // The B_i, stacked.
  Mixed MixedDerivatives() const {
    Mixed b;
    for (int i = 0; i < N; ++i) {
      b.template middleRows<3>(3 * i) = weight[i] * ways + offset * weight_by.row(i);
    }
    return b;
  }

 private:
  // A unit vector normal to both ways, or to the longer one if they are parallel.
  Vector3 AnyNormal() const {
    const Vector3 u = ways.col(0), v = ways.col(1), both = u.cross(v);
    const Vector3& longer = u.squaredNorm() > v.squaredNorm() ? u : v;
    const double sine = both.norm(), length = longer.norm();
    if (sine > 1e-12 * u.norm() * v.norm() && sine > 0) return both.stableNormalized();
    return length > 0 ? Vector3((longer / length).unitOrthogonal()) : Vector3::UnitZ();
  }
};

}  // namespace strand
