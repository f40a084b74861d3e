#include "model/contact/ccd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

constexpr int kMaxSteps = 1000;
constexpr double kSlack = 0.01;     // of the distance to the floor: enough to stop
constexpr double kRoundOff = 1e-9;  // of the floor
constexpr double kNear = 1e-6;      // of the floor: enough, for pairs that start on it
constexpr double kGraze = 1e-3;     // of the floor: enough, to come within it

// Points that span the two primitives of a pair (the first has the points before `split`), and
// their displacements. Each primitive stays within the convex hull of its moving points.
template <size_t N>
struct Course {
  bool finite() const {
    const auto is = [](const Vector3& x) { return x.allFinite(); };
    return std::ranges::all_of(points, is) && std::ranges::all_of(ways, is);
  }

  // Further fraction of the displacements, from `alpha`, over which a plane with this normal keeps
  // the two primitives `floor` (m) apart; 0 if it does not do so at `alpha`.
  double PlaneStep(double alpha, const Vector3& normal, double floor) const {
    double step = std::numeric_limits<double>::infinity();
    ForEachTwo([&](const Vector3& apart, const Vector3& way) {
      const double gap = normal.dot(apart + alpha * way) - floor, speed = normal.dot(way);
      if (speed < 0) step = std::min(step, std::max(gap, 0.0) / -speed);
      if (gap < -kRoundOff * floor) step = 0;
    });
    return step;
  }

  // Longest relative displacement (m) of any two points.
  double Fastest() const {
    double squared = 0;
    ForEachTwo([&](const Vector3&, const Vector3& way) {
      squared = std::max(squared, way.squaredNorm());
    });
    return std::sqrt(squared);
  }

  template <class Use>
  void ForEachTwo(const Use& use) const {
    for (size_t i = 0; i < split; ++i) {
      for (size_t j = split; j < N; ++j) use(points[i] - points[j], ways[i] - ways[j]);
    }
  }

  std::array<Vector3, N> points, ways;
  size_t split;
};

// Smallest distance (m) that a pair with this initial distance (m) may reach.
double Floor(double distance, const CcdOptions& options) {
  return distance - (1 - options.fraction) * std::max(distance - options.min_distance, 0.0);
}

// Distances at which the search ends: those above `floor` are free, and at `enough` it stops.
struct Target {
  double floor, enough;
};

Target TargetOf(double distance, const CcdOptions& options) {
  const double floor = Floor(distance, options);
  return {floor, std::max(floor + kSlack * (distance - floor), floor * (1 + kNear))};
}

// `apart_at(alpha)` returns distance and direction, `target_of(distance)` the Target of a pair that
// starts with it; `fastest` (m) as in Fastest, infinite: unused.
template <size_t N, class ApartAt, class TargetOf>
double Advance(const Course<N>& course, const ApartAt& apart_at, const TargetOf& target_of,
               double limit, double fastest) {
  double alpha = 0;
  Target target{};
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    const Apart apart = apart_at(alpha);
    if (steps == 0) {
      if (!(apart.distance > 0)) return 0;
      target = target_of(apart.distance);
    } else if (apart.distance <= target.enough) {
      return alpha;
    }
    const double step = std::max(course.PlaneStep(alpha, apart.direction, target.floor),
                                 std::max(apart.distance - target.floor, 0.0) / fastest);
    if (alpha + step >= limit) return limit;
    if (!(alpha + step > alpha)) return alpha;
    alpha += step;
  }
  return alpha;
}

template <class TargetOf>
double CurvesFraction(const Primitives& primitives, const PrimitivePair& pair,
                      const CurvePairNodes& nodes, const CurvePairNodes& displacement,
                      const TargetOf& target_of, double limit) {
  const Course<8> course{primitives.Hulls(pair, nodes), primitives.Hulls(pair, displacement), 4};
  if (!course.finite()) return 0;
  // Cheap test for the many pairs that pass each other: the nearest points of the straight edges.
  const Vector3 near = primitives.StraightMeeting(pair, nodes);
  if (near.norm() > 0 &&
      course.PlaneStep(0, near.normalized(), target_of(near.norm()).floor) >= limit) {
    return limit;
  }
  const auto apart_at = [&](double alpha) {
    CurvePairNodes hulls;
    for (size_t i = 0; i < hulls.size(); ++i) {
      hulls[i] = course.points[i] + alpha * course.ways[i];
    }
    const auto [a, b] = Primitives::Halves(hulls);
    return CurvesApart(a, b, 0);
  };
  return Advance(course, apart_at, target_of, limit, course.Fastest());
}

template <class TargetOf>
double StraightFraction(PairKind kind, const PairNodes& nodes, const PairNodes& displacement,
                        const TargetOf& target_of, double limit) {
  const Course<4> course{nodes, displacement, kind == PairKind::kPointTriangle ? 1U : 2U};
  if (!course.finite()) return 0;
  const auto apart_at = [&](double alpha) {
    PairNodes q;
    for (size_t i = 0; i < q.size(); ++i) q[i] = nodes[i] + alpha * displacement[i];
    const Vector3 offset = NearestOffset(kind, q);
    return Apart{offset.norm(), offset.normalized()};
  };
  return Advance(course, apart_at, target_of, limit, std::numeric_limits<double>::infinity());
}

template <class TargetOf>
double Fraction(std::span<const Vector3> points, std::span<const Vector3> displacement,
                const Primitives& primitives, const PrimitivePair& pair, const TargetOf& target_of,
                double limit) {
  const PairKind kind = primitives.kind(pair);
  return kind == PairKind::kCurves
             ? CurvesFraction(primitives, pair, primitives.CurvesOf(pair, points),
                              primitives.CurvesOf(pair, displacement), target_of, limit)
             : StraightFraction(kind, primitives.Of(pair, points),
                                primitives.Of(pair, displacement), target_of, limit);
}

void CheckInput(std::size_t points, std::size_t displacement, const CcdOptions& options) {
  if (displacement != points) {
    throw ConfigError("displacement", std::to_string(displacement) + " values",
                      std::to_string(points) + ", one per point");
  }
  if (!(options.fraction > 0 && options.fraction < 1)) {
    throw ConfigError("fraction", std::to_string(options.fraction), "above 0, below 1");
  }
  if (!(options.min_distance >= 0 && std::isfinite(options.min_distance))) {
    throw ConfigError("min_distance", std::to_string(options.min_distance), ">= 0");
  }
}

}  // namespace

double SafeFraction(const PairNodes& nodes, const PairNodes& displacement,
                    const CcdOptions& options, double limit, PairKind kind) {
  const auto target_of = [&](double distance) { return TargetOf(distance, options); };
  return StraightFraction(kind, nodes, displacement, target_of, limit);
}

double SafeFraction(std::span<const Vector3> points, std::span<const Vector3> displacement,
                    const Primitives& primitives, std::span<const PrimitivePair> pairs,
                    const CcdOptions& options) {
  CheckInput(points.size(), displacement.size(), options);
  const auto target_of = [&](double distance) { return TargetOf(distance, options); };
  double smallest = 1;
  for (const PrimitivePair& pair : pairs) {
    smallest = Fraction(points, displacement, primitives, pair, target_of, smallest);
  }
  return smallest;
}

bool ComesWithin(double distance, std::span<const Vector3> points,
                 std::span<const Vector3> displacement, const Primitives& primitives,
                 const PrimitivePair& pair) {
  const Target target{distance, distance * (1 + kGraze)};
  return Fraction(points, displacement, primitives, pair, [&](double) { return target; }, 1.0) < 1;
}

}  // namespace strand
