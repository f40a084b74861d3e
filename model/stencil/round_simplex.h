// A point, an edge or a triangle (N = 1, 2, 3 points) with a round rim against an obstacle: gap,
// nearest points with their derivatives, and how far the points may move.
#pragma once

#include <algorithm>
#include <array>
#include <limits>

#include "model/stencil/pair_friction.h"
#include "model/stencil/simplex_distance.h"

namespace strand {

/// A gap (m) with its derivatives by the points: at.distance_by and `hessian` (1/m).
template <int N>
struct SimplexTouch {
  double gap;
  SharedPoint<N> at;
  Eigen::Matrix<double, 3 * N, 3 * N> hessian;
};

template <int N>
class RoundSimplex {
 public:
  using Points = std::array<Vector3, N>;

  RoundSimplex() = default;
  /// `radius` (m) of the rim, `tolerance` (m) of the contact.
  RoundSimplex(double radius, double tolerance) : radius_(radius), tolerance_(tolerance) {}

  double radius() const { return radius_; }
  /// Largest depth (m) of overlap: to the middle of the simplex or, if that has no thickness, to
  /// the obstacle's core.
  double Reach(const Obstacle& obstacle) const { return radius_ > 0 ? radius_ : obstacle.radius; }

  /// A lower bound of the gap (m), exact for a point: cheap, and enough for most obstacles, which
  /// are far away.
  double GapBound(const Obstacle& obstacle, const Points& x) const {
    if constexpr (N == 1) return GapValue(obstacle, x[0]) - radius_;
    const Vector3 middle = Middle(x);
    return GapValue(obstacle, middle) - Extent(x, middle) - radius_;
  }

  double Gap(const Obstacle& obstacle, const Points& x) const {
    if constexpr (N == 1) {
      return GapBound(obstacle, x);
    } else {
      const SimplexDistance<N> at(obstacle, x, Spread(obstacle));
      if (at.direct > 0) return at.distance - obstacle.radius - radius_;
      return GapValue(obstacle, at.Point()) - radius_;
    }
  }

  /// Smallest gap (m) of the middle surface, without the rim.
  static double MiddleGap(const Obstacle& obstacle, const Points& x) {
    return GapValue(obstacle, N == 1 ? x[0] : Nearest(obstacle, x).Point());
  }
  /// Smallest gap (m) of any point. (Gap is a mean of corners that are about equally near.)
  double LeastGap(const Obstacle& obstacle, const Points& x) const {
    return MiddleGap(obstacle, x) - radius_;
  }

  SimplexTouch<N> Touch(const Obstacle& obstacle, const Points& x) const {
    SimplexTouch<N> touch;
    SharedPoint<N>& at = touch.at;
    Vector3 point = x[0];
    at.weight.setOnes();
    if constexpr (N > 1) {
      SimplexDistance<N> nearest(obstacle, x, Spread(obstacle));
      at.weight = nearest.weight;
      if (nearest.direct > 0) {
        nearest.Differentiate();
        touch.gap = nearest.distance - obstacle.radius - radius_;
        touch.hessian = nearest.hessian;
        touch.at = {nearest.weight, nearest.weight_by, nearest.offset_by,           nearest.normal,
                    nearest.direct, nearest.distance,  nearest.gradient.transpose()};
        return touch;
      }
      point = nearest.Point();
    }
    // A point, or a simplex whose middle is in the core, at its nearest point.
    const ObstacleGap gap = EvaluateGap(obstacle, point);
    touch.gap = gap.gap - radius_;
    at.weight_by.setZero();
    at.normal = gap.normal;
    at.direct = at.distance = 1;  // the offset is n
    for (int j = 0; j < N; ++j) {
      at.offset_by.template middleCols<3>(3 * j) = at.weight[j] * gap.curvature;
      at.distance_by.template segment<3>(3 * j) = at.weight[j] * gap.normal.transpose();
      for (int i = 0; i < N; ++i) {
        touch.hessian.template block<3, 3>(3 * i, 3 * j) =
            at.weight[i] * at.weight[j] * gap.curvature;
      }
    }
    at.offset_by += gap.normal * at.distance_by;
    return touch;
  }

  /// Largest fraction, at most `part`, of the displacement `dx` (m) over which the middle keeps the
  /// fraction kKeep of its distance to the end of its reach.
  double Limit(const Obstacle& obstacle, const Points& x, const Points& dx, double part) const {
    double length = 0;
    for (const Vector3& way : dx) length = std::max(length, way.norm());
    double gap = GapBound(obstacle, x) + radius_;
    if ((N == 1 && gap <= 0) || (1 - kKeep) * gap > part * length) return part;
    if constexpr (N == 1) {
      return std::min(part, FreeFraction(obstacle, x[0], dx[0], kKeep * gap));
    } else {
      const double end = radius_ > 0 ? obstacle.radius : 0;
      gap = Nearest(obstacle, x).direct - end;
      if (gap <= 0 || (1 - kKeep) * gap > part * length) return part;
      return Fraction(obstacle, x, dx, end + kKeep * gap, part);
    }
  }

  /// Fraction of the displacement `dx` (m) before the simplex touches the obstacle: 0 to 1.
  double FreePart(const Obstacle& obstacle, const Points& x, const Points& dx) const {
    double length = 0;
    for (const Vector3& way : dx) length = std::max(length, way.norm());
    if (GapBound(obstacle, x) > length) return 1;
    return FreeOf(0, obstacle, x, dx);
  }

  /// The gap (m) in between that is smaller by `part` of the reach than both gaps at the ends, and
  /// than 0.
  double Dip(const Obstacle& obstacle, const Points& start, const Points& end, double part) const {
    return std::min({0.0, LeastGap(obstacle, start), LeastGap(obstacle, end)}) -
           part * Reach(obstacle);
  }

  /// Whether LeastGap falls below `gap` (m), which it exceeds at the start, along the displacement
  /// `dx` (m).
  bool ComesWithin(double gap, const Obstacle& obstacle, Points x, const Points& dx) const {
    constexpr int kMaxParts = 20;
    constexpr double kGraze = 1e-3;  // of the reach
    const double graze = kGraze * Reach(obstacle);
    double length = 0;
    for (const Vector3& way : dx) length = std::max(length, way.norm());
    if (GapBound(obstacle, x) > gap + length) return false;
    Points left = dx;
    for (int k = 0; k < kMaxParts; ++k) {
      const double part = FreeOf(gap, obstacle, x, left);
      if (!(part > 0 && part < 1)) return false;
      for (int i = 0; i < N; ++i) x[i] += part * left[i], left[i] *= 1 - part;
      if (LeastGap(obstacle, x) <= gap + graze) return true;
    }
    return false;
  }

 private:
  // The middle keeps at least this fraction of its distance to the surface in one Newton step.
  static constexpr double kKeep = 0.1;
  // A simplex on a flat side touches at its corners if these are closer than its middle by a tenth
  // of the tolerance or slightly more, like parallel edges (energy/surface_contact.cc).
  static constexpr double kSpread = 0.4;
  // Spread if the nearest point only has to be unique, as a fraction of the squared extent.
  static constexpr double kHardlySpread = 1e-10;

  static Vector3 Middle(const Points& x) {
    Vector3 sum = Vector3::Zero();
    for (const Vector3& point : x) sum += point;
    return sum / N;
  }
  static double Extent(const Points& x, const Vector3& from) {
    double extent = 0;
    for (const Vector3& point : x) extent = std::max(extent, (point - from).norm());
    return extent;
  }
  // Shortest distance from the core, practically without spread.
  static SimplexDistance<N> Nearest(const Obstacle& obstacle, const Points& x) {
    const double extent = Extent(x, Middle(x));
    return {obstacle, x, kHardlySpread * extent * extent};
  }
  double Spread(const Obstacle& obstacle) const {
    return kSpread * (obstacle.radius + radius_) * tolerance_;
  }

  // Fraction of the displacement before the gap falls below `gap`, or below that at the start.
  double FreeOf(double gap, const Obstacle& obstacle, const Points& x, const Points& dx) const {
    if constexpr (N == 1) {
      return FreeFraction(obstacle, x[0], dx[0], radius_ + gap);
    } else {
      const double direct = Nearest(obstacle, x).direct;
      return Fraction(obstacle, x, dx, std::min(direct, obstacle.radius + radius_ + gap), 1);
    }
  }

  // Like FreeFraction of a point, for the core: the core lies entirely behind the tangent plane at
  // its nearest point, so that the simplex is free as long as all its points stay `floor` (m) in
  // front of that plane.
  static double Fraction(const Obstacle& obstacle, Points x, const Points& dx, double floor,
                         double limit) {
    constexpr int kMaxSteps = 50;
    constexpr double kSmallStep = 1e-3;  // of the limit
    double fraction = 0;
    for (int k = 0; k < kMaxSteps; ++k) {
      const SimplexDistance<N> at = Nearest(obstacle, x);
      if (!(at.direct > 0)) return fraction;
      double next = std::numeric_limits<double>::infinity();
      for (int i = 0; i < N; ++i) {
        const double approach = -at.normal.dot(dx[i]);
        const double room = at.normal.dot(x[i] - at.Point()) + at.direct - floor;
        if (approach > 0) next = std::min(next, fraction + std::max(room, 0.0) / approach);
      }
      if (next >= limit) return limit;
      for (int i = 0; i < N; ++i) x[i] += (next - fraction) * dx[i];
      const bool small = next - fraction < kSmallStep * limit;
      fraction = next;
      if (small) break;
    }
    return fraction;
  }

  double radius_ = 0, tolerance_ = 0;  // m
};

}  // namespace strand
