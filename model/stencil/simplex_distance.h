// Distance of a point, an edge or a triangle (N = 1, 2, 3 nodes x_i) from the core of a convex
// obstacle, with exact derivatives.
//
// The nearest point sum_i l_i x_i, l_i >= 0, sum_i l_i = 1, minimises
//     f = (|o|^2 + w |l - 1/N|^2) / 2,   D = sqrt(2 f),
// with the offset o from the core (contact/obstacle.h). As in segment_distance.h a small spread w
// (m^2) attracts it to the middle: f is strictly convex, the point moves continuously where a face
// lies on a flat side, and D has a continuous gradient. D exceeds the distance |o| by at most
// w / (3 |o|), at the corners. The gradient is that at fixed weights l; in the Hessian the point
// moves within the face of the simplex whose interior contains it (basis Z):
//     d2 f = l_i l_j P - B (Z^T H Z)^-1 B^T,   B_i = l_i P X Z + o Z_i,   H = X^T P X + w.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "model/contact/obstacle.h"

namespace strand {

template <int N>
class SimplexDistance {
 public:
  using Weights = Eigen::Matrix<double, N, 1>;
  using WeightsBy = Eigen::Matrix<double, N, 3 * N>;
  using Gradient = Eigen::Matrix<double, 3 * N, 1>;
  using Hessian = Eigen::Matrix<double, 3 * N, 3 * N>;
  using Rows = Eigen::Matrix<double, 3, 3 * N>;

  SimplexDistance(const Obstacle& obstacle, const std::array<Vector3, N>& x, double spread)
      : obstacle_(obstacle), origin_(x[0]), spread_(spread) {
    for (int i = 0; i < N; ++i) nodes_.col(i) = x[i] - x[0];
    Minimise();
    distance = std::sqrt(2 * value_);
    direct = core_.offset.norm();
    if (direct > 0) normal = core_.offset / direct;
  }

  /// Computes the derivatives. Must not be called if `direct` is 0 (the point is in the core).
  void Differentiate() {
    int members[N] = {}, count = 0;
    for (int i = 0; i < N; ++i) {
      if (weight[i] > 0) members[count++] = i;
    }
    const Eigen::Matrix3d& kept = core_.by_position;
    for (int i = 0; i < N; ++i) {
      gradient.template segment<3>(3 * i) = weight[i] / distance * core_.offset;
    }
    weight_by.setZero();
    hessian = -gradient * gradient.transpose();
    WithFace(members, count, [&](const auto& face) {
      constexpr int kWays = std::decay_t<decltype(face)>::ColsAtCompileTime;
      const Eigen::Matrix<double, 3, kWays> ways = nodes_ * face;
      Eigen::Matrix<double, 3 * N, kWays> turned;
      for (int i = 0; i < N; ++i) {
        turned.template middleRows<3>(3 * i) = weight[i] * kept * ways + core_.offset * face.row(i);
      }
      const Eigen::Matrix<double, kWays, kWays> stiffness = face.transpose() * Curvature() * face;
      const Eigen::Matrix<double, kWays, 3 * N> points = -stiffness.inverse() * turned.transpose();
      weight_by = face * points;
      hessian += turned * points;
    });
    offset_by = kept * nodes_ * weight_by;
    for (int i = 0; i < N; ++i) {
      offset_by.template middleCols<3>(3 * i) += weight[i] * kept;
      for (int j = 0; j < N; ++j) {
        hessian.template block<3, 3>(3 * i, 3 * j) += weight[i] * weight[j] * kept;
      }
    }
    hessian /= distance;
  }

  Vector3 Point() const { return origin_ + nodes_ * weight; }

  Weights weight;                    ///< l
  double distance = 0, direct = 0;   ///< D and |o| (m)
  Vector3 normal = Vector3::Zero();  ///< o / |o|
  // Set by Differentiate:
  Gradient gradient;    ///< of D
  Hessian hessian;      ///< of D (1/m)
  WeightsBy weight_by;  ///< d weight / dx (1/m)
  Rows offset_by;       ///< d o / dx

 private:
  using Square = Eigen::Matrix<double, N, N>;

  // Calls `use` with the directions from a face's first corner to its others, as columns. A single
  // corner has none, and `use` is not called.
  template <int Count = 2, class Use>
  static void WithFace(const int* members, int count, const Use& use) {
    if constexpr (Count <= N) {
      if (count != Count) return WithFace<Count + 1>(members, count, use);
      Eigen::Matrix<double, N, Count - 1> face = Eigen::Matrix<double, N, Count - 1>::Zero();
      face.row(members[0]).setConstant(-1);
      for (int k = 1; k < Count; ++k) face(members[k], k - 1) = 1;
      use(face);
    }
  }

  Weights FromMiddle() const { return weight.array() - 1.0 / N; }
  Square Curvature() const {
    Square h = nodes_.transpose() * core_.by_position * nodes_;
    h.diagonal().array() += spread_;
    return h;
  }
  void Take(const Weights& at) {
    weight = at;
    core_ = EvaluateCoreOffset(obstacle_, Point());
    value_ = 0.5 * (core_.offset.squaredNorm() + spread_ * FromMiddle().squaredNorm());
  }

  // Newton's method on the simplex: the minimum of the quadratic model, then a line search. It
  // takes two or three steps, since cores are flat or nearly flat over most of their surface.
  void Minimise() {
    constexpr int kSteps = 40, kHalvings = 30;
    constexpr double kEnough = 1e-4, kResolved = 1e-12;  // of the slope of f; of f
    Take(Weights::Constant(1.0 / N));
    for (int i = 0; N > 1 && i < kSteps; ++i) {
      const Weights slope = nodes_.transpose() * core_.offset + spread_ * FromMiddle();
      const Weights from = weight, to = ModelMinimum(slope, Curvature());
      const double fall = slope.dot(to - from), before = value_;
      Take(to);
      if (-fall <= kResolved * before) return;  // last step: the gain is below the round-off of f
      double part = 1;
      for (int k = 0; k < kHalvings && value_ > before + kEnough * part * fall; ++k) {
        Take(from + (part *= 0.5) * (to - from));
      }
    }
  }

  // Minimum of slope . d + d . curvature d / 2 over the simplex, d = l - weight: the best of all
  // faces.
  Weights ModelMinimum(const Weights& slope, const Square& curvature) const {
    Weights best = weight;
    double least = std::numeric_limits<double>::infinity();
    for (int mask = (1 << N) - 1; mask > 0; --mask) {
      int members[N] = {}, count = 0;
      for (int i = 0; i < N; ++i) {
        if (mask >> i & 1) members[count++] = i;
      }
      Weights at = Weights::Unit(members[0]);
      WithFace(members, count, [&](const auto& face) {
        constexpr int kWays = std::decay_t<decltype(face)>::ColsAtCompileTime;
        const Eigen::Matrix<double, kWays, kWays> stiffness = face.transpose() * curvature * face;
        const Weights here = slope + curvature * (at - weight);
        at -= face * (stiffness.inverse() * (face.transpose() * here)).eval();
      });
      if (!(at.minCoeff() >= 0)) continue;
      const Weights step = at - weight;
      const double value = slope.dot(step) + 0.5 * step.dot(curvature * step);
      if (value < least) least = value, best = at;
      if (count == N) break;  // in the interior: no face is better
    }
    return best;
  }

  const Obstacle& obstacle_;
  Vector3 origin_;
  Eigen::Matrix<double, 3, N> nodes_;  // relative to the first
  double spread_, value_ = 0;
  CoreOffset core_;
};

}  // namespace strand
