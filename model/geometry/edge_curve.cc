#include "model/geometry/edge_curve.h"

#include <algorithm>
#include <cmath>

#include "model/geometry/segment.h"

namespace strand {
namespace {

using Weights = EdgeCurve::Weights;

// Weights of the slope at x_1, from the parabola through x_0, x_1, x_2. Those at x_2 follow by
// symmetry.
Weights NodeSlope(double before, double length) {
  const double own = before / (before + length);
  const double other = length / before * (length / (before + length));
  return {-other, other - own, own, 0};
}

Weights Mirrored(const Weights& weights) { return -weights.reverse(); }

}  // namespace

EdgeCurve::EdgeCurve(double before, double length, double behind) : length_(length) {
  const Weights chord(0, -1, 1, 0);
  Weights first = chord, last = chord;
  if (before > 0) first = NodeSlope(before, length);
  if (behind > 0) last = Mirrored(NodeSlope(behind, length));
  if (!(before > 0)) first = 2 * chord - last;  // both missing: the chord
  if (!(behind > 0)) last = 2 * chord - first;
  const Weights start = Weights::Unit(1);
  by_power_ << start, first, 3 * chord - 2 * first - last, first + last - 2 * chord;
  low_ = before > 0 ? -kOverlap : 0, high_ = behind > 0 ? 1 + kOverlap : 1;
  const double third = (high_ - low_) / 3;
  hull_ << At(low_), At(low_) + third * Slope(low_), At(high_) - third * Slope(high_), At(high_);
}

// Rises from 0 to 1 over the overlaps on both sides of a node, twice differentiable. It is
// symmetric, so that the weights of the two edges sum to 1.
EdgeCurve::Count EdgeCurve::CountAt(double s) const {
  constexpr double kBySide = 1 / (2 * kOverlap);
  double x = 1, sign = 0;
  if (low_ < 0 && s < kOverlap) x = (s + kOverlap) * kBySide, sign = 1;
  if (high_ > 1 && s > 1 - kOverlap) x = (1 + kOverlap - s) * kBySide, sign = -1;
  const double rest = 1 - x;
  return {x * x * x * (10 + x * (6 * x - 15)), sign * kBySide * 30 * x * x * rest * rest,
          kBySide * kBySide * 60 * x * rest * (rest - x)};
}

std::vector<CurvedEdge> CurvesThrough(std::span<const int> node, std::span<const double> length,
                                      const std::vector<bool>& corner, bool closed) {
  const int nodes = static_cast<int>(node.size()), edges = static_cast<int>(length.size());
  std::vector<CurvedEdge> curves;
  for (int e = 0; e < edges; ++e) {
    const int start = e, end = (e + 1) % nodes;
    const bool begins = corner[start] || (!closed && e == 0);
    const bool ends = corner[end] || (!closed && e == edges - 1);
    const int before = begins ? start : (e + nodes - 1) % nodes;
    const int behind = ends ? end : (end + 1) % nodes;
    const EdgeCurve shape(begins ? 0 : length[(e + edges - 1) % edges], length[e],
                          ends ? 0 : length[(e + 1) % edges]);
    curves.push_back({{node[before], node[start], node[end], node[behind]}, shape});
  }
  return curves;
}

CurveMeeting::CurveMeeting(const EdgeCurve& of_x, const CurveNodes& x, const EdgeCurve& of_y,
                           const CurveNodes& y, double w)
    : a(&of_x), b(&of_y), spread(w) {
  const Eigen::Vector2d low(a->low(), b->low()), high(a->high(), b->high());
  constexpr int kSteps = 50, kHalvings = 30;
  // Step sizes: below kSmall round-off may hide a decrease of the value, below kLast it has
  // converged.
  constexpr double kSmall = 1e-5, kLast = 1e-13;
  const CurveNodes first = a->Powers(x), second = b->Powers(y);
  const ClosestPoints straight(x.col(1), x.col(2), y.col(1), y.col(2));
  Take(first, second, {straight.s, straight.t});
  for (int i = 0; i < kSteps; ++i) {
    const Eigen::Vector2d from = p, step = Step();
    const double before = Value();
    double part = 1;
    for (int k = 0; k < kHalvings; ++k, part *= 0.5) {
      Take(first, second, (from + part * step).cwiseMax(low).cwiseMin(high));
      if (Value() < before || part * step.lpNorm<Eigen::Infinity>() < kSmall) break;
    }
    if ((p - from).lpNorm<Eigen::Infinity>() < kLast) return;
  }
}

void CurveMeeting::Take(const CurveNodes& first, const CurveNodes& second,
                        const Eigen::Vector2d& at) {
  p = at;
  const auto point = [](const CurveNodes& c, double s) -> Vector3 {
    return c.col(0) + s * (c.col(1) + s * (c.col(2) + s * c.col(3)));
  };
  const auto slope = [](const CurveNodes& c, double s) -> Vector3 {
    return c.col(1) + s * (2 * c.col(2) + 3 * s * c.col(3));
  };
  offset = point(first, p[0]) - point(second, p[1]);
  slope_a = slope(first, p[0]), slope_b = slope(second, p[1]);
  third_a = 6 * first.col(3), third_b = 6 * second.col(3);
  bend_a = 2 * first.col(2) + p[0] * third_a, bend_b = 2 * second.col(2) + p[1] * third_b;
  bend = {offset.dot(bend_a), -offset.dot(bend_b)};
}

Eigen::Vector2d CurveMeeting::Curvature() const {
  return Eigen::Vector2d(slope_a.squaredNorm() + spread, slope_b.squaredNorm() + spread) + bend;
}

bool CurveMeeting::convex() const {
  constexpr double kLeast = 1e-6;  // fraction of the curvature that straight edges have
  const Eigen::Vector2d curvature = Curvature(), straight = curvature - bend;
  const double across = slope_a.dot(slope_b);
  const double flat = slope_a.cross(slope_b).squaredNorm() +
                      spread * (straight.sum() - spread);  // straight edges' determinant
  return (curvature.array() > kLeast * straight.array()).all() &&
         curvature.prod() - across * across > kLeast * flat;
}

// Newton step in the directions that are not at a bound. Where the function is not convex, the
// second derivatives of the curves are left out.
Eigen::Vector2d CurveMeeting::Step() const {
  const Eigen::Vector2d fall(-offset.dot(slope_a) - spread * (p[0] - 0.5),
                             offset.dot(slope_b) - spread * (p[1] - 0.5));
  const auto held = [&](int k) {
    const EdgeCurve& curve = k == 0 ? *a : *b;
    return (p[k] <= curve.low() && fall[k] <= 0) || (p[k] >= curve.high() && fall[k] >= 0);
  };
  const Eigen::Vector2d lengths(slope_a.squaredNorm(), slope_b.squaredNorm());
  const Eigen::Vector2d straight = Curvature() - bend;
  Eigen::Vector2d curvature = Curvature();
  for (int k : {0, 1}) {
    if (!(curvature[k] > 1e-3 * straight[k])) curvature[k] = straight[k];
  }
  if (held(0) || held(1)) {
    return {held(0) ? 0 : fall[0] / curvature[0], held(1) ? 0 : fall[1] / curvature[1]};
  }
  // Least determinant, as a fraction of its terms: points of parallel edges can slide along
  // together.
  constexpr double kFlat = 1e-9;
  const double across = -slope_a.dot(slope_b), least = kFlat * lengths.prod();
  double determinant = curvature.prod() - across * across;
  if (!(determinant > least)) {
    curvature = straight + kFlat * lengths;
    determinant = slope_a.cross(slope_b).squaredNorm() + least + spread * straight.sum();
  }
  return {(curvature[1] * fall[0] - across * fall[1]) / determinant,
          (curvature[0] * fall[1] - across * fall[0]) / determinant};
}

}  // namespace strand
