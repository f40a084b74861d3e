// Distance of two segments x0-x1 and y0-y1, gradient and exact Hessian over (x0, x1, y0, y1).
//
// With the offset r = m_i q_i (sum over the four nodes), m = (1 - s, s, t - 1, -t), and n = r / d:
//     d = |r|,   dd/dq_i = m_i n                     (envelope theorem: s and t are minimal)
//     d2d/dq_i dq_j = m_i m_j Q / d - m_i (W K p_j) n^T - m_j n (W K p_i)^T - d (p_i^T K p_j) n n^T
// W = dr/d(s, t) = (x1 - x0, y0 - y1), p_i = dm_i/d(s, t). K = Z (Z^T W^T W Z)^-1 Z^T for a basis Z
// of the directions in which (s, t) may move with the nodes: it is what the implicit derivative of
// s and t leaves. Q projects on what is orthogonal to n and to W Z. With two directions (edge to
// edge) it is 0: no 1 / d is left.
//
// Where the class changes the gradient is continuous and the Hessian jumps, with one exception: the
// distance has a kink at parallel overlap, where the nearest point runs from one end of the overlap
// to the other. There the points stand in its middle (ClosestPoints) and may move by equal lengths
// against each other: derivatives of the distance so restricted, symmetric in the two segments.
//
// Singular: d = 0, where the direction is lost. Below 1e-12 of the lengths it is set to a fixed one
// normal to the segments, and 1 / d stays at what it is there: finite, but without meaning.
#pragma once

#include <array>

#include "model/geometry/segment.h"

namespace strand {

using SegmentGradient = Eigen::Matrix<double, 12, 1>;
using SegmentHessian = Eigen::Matrix<double, 12, 12>;

/// Which of the two nearest points are inside their segments. kParallel: both, see above.
enum class SegmentContact { kPointPoint, kPointEdge, kEdgeEdge, kParallel };

struct SegmentPair {
  SegmentPair(const Vector3& x0, const Vector3& x1, const Vector3& y0, const Vector3& y1)
      : closest(x0, x1, y0, y1), u(x1 - x0), v(y1 - y0), distance(closest.offset.norm()) {
    const bool inside_x = closest.s > 0 && closest.s < 1, inside_y = closest.t > 0 && closest.t < 1;
    kind = inside_x && inside_y
               ? (closest.parallel ? SegmentContact::kParallel : SegmentContact::kEdgeEdge)
               : (inside_x || inside_y ? SegmentContact::kPointEdge : SegmentContact::kPointPoint);
    free_x = inside_x, free_y = inside_y;
    floor = 1e-12 * (u.norm() + v.norm()) + 1e-100;
    normal = distance > floor ? Vector3(closest.offset / distance) : AnyNormal();
  }

  /// dd/d(x0, x1, y0, y1).
  SegmentGradient Gradient() const {
    const std::array<double, 4> m = Weights();
    SegmentGradient gradient;
    for (int i = 0; i < 4; ++i) gradient.segment<3>(3 * i) = m[i] * normal;
    return gradient;
  }

  /// Second derivatives (1/m).
  SegmentHessian Hessian() const {
    const std::array<double, 4> m = Weights();
    const Eigen::Matrix2d k = Mobility();
    Eigen::Matrix<double, 3, 2> w;
    w << u, -v;
    Eigen::Matrix<double, 2, 4> p;
    p << -1, 1, 0, 0, 0, 0, 1, -1;
    const Eigen::Matrix<double, 2, 4> kp = k * p;
    const Eigen::Matrix<double, 3, 4> wkp = w * kp;
    const Eigen::Matrix4d pkp = distance * p.transpose() * kp;
    const Eigen::Matrix3d across = Across() / std::max(distance, floor);
    const Eigen::Matrix3d along = normal * normal.transpose();
    SegmentHessian hessian;
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j) {
        hessian.block<3, 3>(3 * i, 3 * j) =
            (m[i] * m[j]) * across - m[i] * wkp.col(j) * normal.transpose() -
            m[j] * normal * wkp.col(i).transpose() - pkp(i, j) * along;
      }
    }
    return hessian;
  }

  ClosestPoints closest;
  Vector3 u, v;         ///< the edges x1 - x0 and y1 - y0 (m)
  double distance;      ///< m
  double floor;         ///< distance from which on there is a direction (m)
  Vector3 normal;       ///< unit, from the nearest point of y to that of x
  SegmentContact kind;  ///< the active class
  bool free_x, free_y;  ///< whether s and t are inside (0, 1)

 private:
  std::array<double, 4> Weights() const {
    return {1 - closest.s, closest.s, closest.t - 1, -closest.t};
  }

  // The matrix K: what (s, t) move by under unit forces along them.
  Eigen::Matrix2d Mobility() const {
    const double a = u.squaredNorm(), b = u.dot(v), c = v.squaredNorm();
    Eigen::Matrix2d k = Eigen::Matrix2d::Zero();
    if (kind == SegmentContact::kEdgeEdge) {
      k << c, b, b, a;
      return k / u.cross(v).squaredNorm();
    }
    if (kind == SegmentContact::kParallel) {
      const Eigen::Vector2d z(1 / std::sqrt(a), (b > 0 ? -1 : 1) / std::sqrt(c));
      return z * z.transpose() / 4;  // W z is twice the common direction
    }
    if (free_x) k(0, 0) = 1 / a;
    if (free_y) k(1, 1) = 1 / c;
    return k;
  }

  // The projector Q.
  Eigen::Matrix3d Across() const {
    if (kind == SegmentContact::kEdgeEdge) return Eigen::Matrix3d::Zero();
    if (kind == SegmentContact::kPointPoint) {
      return Eigen::Matrix3d::Identity() - normal * normal.transpose();
    }
    const Vector3 side = normal.cross(free_x ? u : v).normalized();
    return side * side.transpose();
  }

  // A unit vector normal to both, or to the one that the other's end lies on.
  Vector3 AnyNormal() const {
    if (kind == SegmentContact::kEdgeEdge) return u.cross(v).normalized();
    const Vector3& edge = free_y && !free_x ? v : u;
    const double length = edge.norm();
    return length > 0 ? Vector3((edge / length).unitOrthogonal()) : Vector3::UnitZ();
  }
};

}  // namespace strand
