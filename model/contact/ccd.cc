#include "model/contact/ccd.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

constexpr int kMaxSteps = 1000;
constexpr double kSlack = 0.01;  // of the way to the floor that may be left
constexpr double kNear = 1e-6;   // the same of the floor, for pairs that start on it

// The part of the displacement over which the plane normal to `normal` keeps the two, of which the
// first has the nodes before `split`, `floor` apart.
double PlaneStep(const PairNodes& q, const PairNodes& displacement, int split,
                 const Vector3& normal, double floor) {
  double step = std::numeric_limits<double>::infinity();
  for (int i = 0; i < split; ++i) {
    for (int j = split; j < 4; ++j) {
      const double gap = normal.dot(q[i] - q[j]) - floor;
      const double speed = normal.dot(displacement[i] - displacement[j]);
      if (speed < 0) step = std::min(step, std::max(gap, 0.0) / -speed);
    }
  }
  return step;
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
  for (const Vector3& x : nodes) {
    if (!x.allFinite()) return 0;
  }
  for (const Vector3& dx : displacement) {
    if (!dx.allFinite()) return 0;
  }
  const int split = kind == PairKind::kEdges ? 2 : 1;
  PairNodes q = nodes;
  double alpha = 0, floor = 0, enough = 0;
  for (int steps = 0; steps < kMaxSteps; ++steps) {
    for (int i = 0; i < 4; ++i) q[i] = nodes[i] + alpha * displacement[i];
    const Vector3 offset = NearestOffset(kind, q);
    const double distance = offset.norm();
    if (steps == 0) {
      if (!(distance > 0)) return 0;
      floor = distance - (1 - options.fraction) * std::max(distance - options.min_distance, 0.0);
      enough = std::max(floor + kSlack * (distance - floor), floor * (1 + kNear));
    } else if (distance <= enough) {
      return alpha;
    }
    const double step = PlaneStep(q, displacement, split, offset / distance, floor);
    if (alpha + step >= limit) return limit;
    if (!(alpha + step > alpha)) return alpha;
    alpha += step;
  }
  return alpha;
}

double SafeFraction(std::span<const Vector3> points, std::span<const Vector3> displacement,
                    const Primitives& primitives, std::span<const PrimitivePair> pairs,
                    const CcdOptions& options) {
  CheckInput(points.size(), displacement.size(), options);
  double smallest = 1;
  for (const PrimitivePair& pair : pairs) {
    smallest = SafeFraction(primitives.Of(pair, points), primitives.Of(pair, displacement), options,
                            smallest, primitives.kind(pair));
  }
  return smallest;
}

}  // namespace strand
