#include "model/contact/obstacle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>

#include "model/config/error.h"

namespace strand {
namespace {

// Distance (m) from a core (centre, axis, edge) below which the direction counts as undefined; its
// inverse bounds the curvature.
constexpr double kLostDirection = 1e-12;

constexpr int kMaxHalvings = 52;  // to the last bit; Newton needs fewer, unless it grazes

[[noreturn]] void Reject(const char* field, const Eigen::MatrixXd& value, const char* allowed) {
  std::ostringstream text;
  text << value.format(Eigen::IOFormat(Eigen::StreamPrecision, Eigen::DontAlignCols, " ", " "));
  throw ConfigError(field, text.str(), allowed);
}

void CheckFinite(const char* field, const Vector3& value, const char* allowed) {
  if (!value.allFinite()) Reject(field, value, allowed);
}

void CheckPositive(const char* field, const Eigen::MatrixXd& value) {
  if (!value.allFinite() || !(value.minCoeff() > 0)) {
    Reject(field, value, "finite numbers > 0 (m)");
  }
}

Frame FrameAlong(const Vector3& direction) {
  const Vector3 side = direction.unitOrthogonal();
  Frame frame;
  frame << direction, side, direction.cross(side);
  return frame;
}

// Position of a point relative to the core: how far it is beyond the core in each of three unit
// directions (own axes).
struct CorePoint {
  Frame direction;
  Vector3 beyond;    // m; >= 0: outside
  double from_axis;  // m; of a core with a round side, else 0
  double outside;    // distance from the core (m), 0 inside
  // Where the core has no extent in a direction, as a capsule's across its axis, no point of it
  // follows.
  std::array<bool, 3> thin{};
  bool Follows(int k) const { return !(beyond[k] > 0) && !thin[k]; }
  // d offset / dx in the last direction, along the core's round side.
  double turning() const { return from_axis > 0 ? std::max(beyond.y(), 0.0) / from_axis : 0; }
  bool OnAFace() const { return Follows(0) + Follows(1) + Follows(2) == 2 && !(turning() > 0); }
  bool directed() const { return outside > kLostDirection; }
  double distance() const { return directed() ? outside : beyond.maxCoeff(); }
  Vector3 Offset() const { return direction * beyond.cwiseMax(0); }
  // 1 - sum of a a^T over the directions in which the nearest point of the core follows the point.
  Eigen::Matrix3d Kept(const Frame& axes) const {
    Eigen::Matrix3d kept = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 3; ++k) {
      if (!Follows(k)) continue;
      const Vector3 along = axes * direction.col(k);
      kept -= (k == 2 ? 1 - turning() : 1) * along * along.transpose();
    }
    return kept;
  }
};

Vector3 Sides(const Vector3& p) {
  return (p.array() >= 0).select(Vector3::Ones(), -Vector3::Ones());
}

// Directions: along the axis, outwards, and circumferential, where no point is beyond the core.
CorePoint LocateFromCylinder(const Vector3& p, const Vector3& h) {
  const double from_axis = p.tail<2>().norm(), out = from_axis - h.y();
  const Vector3 outwards =
      from_axis > 0 ? Vector3(0, p.y() / from_axis, p.z() / from_axis) : Vector3(Vector3::UnitY());
  CorePoint at;
  at.direction << Sides(p).x() * Vector3::UnitX(), outwards, Vector3::UnitX().cross(outwards);
  at.beyond = {std::abs(p.x()) - h.x(), out, -std::numeric_limits<double>::max()};
  at.from_axis = from_axis;
  return at;
}

CorePoint LocateFromCore(const Obstacle& obstacle, const Vector3& x) {
  const Vector3 p = obstacle.rotation.transpose() * (x - obstacle.position);
  CorePoint at;
  if (obstacle.shape == Obstacle::Shape::kCylinder) {
    at = LocateFromCylinder(p, obstacle.half_extents);
  } else {
    at = {Sides(p).asDiagonal(), p.cwiseAbs() - obstacle.half_extents, 0, 0, {}};
  }
  for (int k = 0; k < 3; ++k) at.thin[k] = obstacle.half_extents[k] == 0;
  at.outside = at.beyond.cwiseMax(0).norm();
  return at;
}

// Normal and curvature of the solid: d normal / dx = (kept - n n^T) / distance; in a cylinder's
// core the normal turns with the direction from the axis.
void AddDerivatives(const CorePoint& core, const Frame& axes, ObstacleGap* at) {
  if (!core.directed()) {
    int nearest = 0;
    core.beyond.maxCoeff(&nearest);
    at->normal = axes * core.direction.col(nearest);
    if (nearest == 1 && core.from_axis > 0) {
      const Vector3 around = axes * core.direction.col(2);
      at->curvature = around * around.transpose() / core.from_axis;
    }
    return;
  }
  at->normal = axes * (core.Offset() / core.outside);
  if (core.OnAFace()) return;
  at->curvature = (core.Kept(axes) - at->normal * at->normal.transpose()) / core.outside;
}

// The gap of a convex solid is convex along a line and lies above its tangents: Newton's iterates
// from the left are all free and increase to the first contact.
double SolidFraction(const Obstacle& obstacle, const Vector3& x, const Vector3& dx, double floor) {
  double fraction = 0;
  for (int i = 0; i < kMaxHalvings; ++i) {
    const ObstacleGap at = EvaluateGap(obstacle, x + fraction * dx);
    const double slope = at.normal.dot(dx);
    if (slope >= 0) return 1;
    const double next = fraction - (at.gap - floor) / slope;
    if (next >= 1) return 1;
    if (next <= fraction) return fraction;
    fraction = next;
  }
  return fraction;
}

// The gap inside a convex surface is concave along a line: all points between two free ones are
// free.
double HollowFraction(const Obstacle& obstacle, const Vector3& x, const Vector3& dx, double floor) {
  if (GapValue(obstacle, x + dx) >= floor) return 1;
  double fraction = 0, blocked = 1;
  for (int i = 0; i < kMaxHalvings; ++i) {
    const double middle = 0.5 * (fraction + blocked);
    const bool free = GapValue(obstacle, x + middle * dx) >= floor;
    (free ? fraction : blocked) = middle;
  }
  return fraction;
}

}  // namespace

std::string ObstacleName(const Obstacle& obstacle) {
  std::string name = "plane";
  if (obstacle.shape == Obstacle::Shape::kRoundedBox) {
    const auto flat = (obstacle.half_extents.array() == 0).count();
    name = flat == 3 ? "sphere" : flat == 2 ? "capsule" : "box";
  }
  if (obstacle.shape == Obstacle::Shape::kCylinder) name = "cylinder";
  return obstacle.hollow ? "hollow " + name : name;
}

Obstacle MakeNothing() {
  Obstacle nothing;
  nothing.shape = Obstacle::Shape::kNothing;
  return nothing;
}

Obstacle MakeHalfSpace(const Vector3& point, const Vector3& normal) {
  CheckFinite("point", point, "finite (m)");
  const double length = normal.stableNorm();
  if (!normal.allFinite() || !(length > 0)) Reject("normal", normal, "finite, not 0 0 0");
  Obstacle plane;
  plane.rotation = FrameAlong((normal / length).normalized());
  plane.position = point;
  return plane;
}

Obstacle MakeSphere(const Vector3& centre, double radius) {
  CheckFinite("centre", centre, "finite (m)");
  CheckPositive("radius", Eigen::Matrix<double, 1, 1>(radius));
  Obstacle sphere;
  sphere.shape = Obstacle::Shape::kRoundedBox;
  sphere.position = centre;
  sphere.radius = radius;
  return sphere;
}

Obstacle MakeCapsule(const Vector3& a, const Vector3& b, double radius) {
  CheckFinite("a", a, "finite (m)");
  CheckFinite("b", b, "finite (m)");
  const double length = (b - a).norm();
  if (!(length > 0)) Reject("b", b, "another point than a");
  Obstacle capsule = MakeSphere(0.5 * (a + b), radius);
  capsule.rotation = FrameAlong((b - a) / length);
  capsule.half_extents.x() = 0.5 * length;
  return capsule;
}

Obstacle MakeBox(const Vector3& half_extents) {
  CheckPositive("half_extents", half_extents);
  Obstacle box;
  box.shape = Obstacle::Shape::kRoundedBox;
  box.half_extents = half_extents;
  return box;
}

Obstacle MakeCylinder(const Vector3& a, const Vector3& b, double radius) {
  Obstacle cylinder = MakeCapsule(a, b, radius);
  cylinder.shape = Obstacle::Shape::kCylinder;
  cylinder.half_extents.tail<2>().setConstant(radius);
  cylinder.radius = 0;
  return cylinder;
}

Obstacle Hollow(Obstacle obstacle) {
  obstacle.hollow = !obstacle.hollow;
  return obstacle;
}

Obstacle Placed(Obstacle obstacle, const Frame& rotation, const Vector3& translation) {
  CheckFinite("translation", translation, "finite (m)");
  const double error = (rotation.transpose() * rotation - Frame::Identity()).norm();
  if (!(error < 1e-9) || !(rotation.determinant() > 0)) {
    Reject("rotation", rotation, "a right-handed orthonormal 3 x 3 matrix");
  }
  obstacle.rotation = rotation * obstacle.rotation;
  obstacle.position = rotation * obstacle.position + translation;
  return obstacle;
}

Obstacle Moving(Obstacle obstacle, const Vector3& velocity) {
  CheckFinite("velocity", velocity, "finite (m/s)");
  obstacle.velocity = velocity;
  return obstacle;
}

double GapValue(const Obstacle& obstacle, const Vector3& x) {
  const double solid = obstacle.shape == Obstacle::Shape::kHalfSpace
                           ? obstacle.rotation.col(0).dot(x - obstacle.position)
                           : LocateFromCore(obstacle, x).distance() - obstacle.radius;
  return obstacle.hollow ? -solid : solid;
}

bool NodesSuffice(const Obstacle& obstacle) {
  return obstacle.hollow || obstacle.shape == Obstacle::Shape::kHalfSpace;
}

CoreOffset EvaluateCoreOffset(const Obstacle& obstacle, const Vector3& x) {
  const CorePoint core = LocateFromCore(obstacle, x);
  if (!core.directed()) return {};
  return {obstacle.rotation * core.Offset(), core.Kept(obstacle.rotation)};
}

ObstacleGap EvaluateGap(const Obstacle& obstacle, const Vector3& x) {
  ObstacleGap at;
  if (obstacle.shape == Obstacle::Shape::kHalfSpace) {
    at.normal = obstacle.rotation.col(0);
    at.gap = at.normal.dot(x - obstacle.position);
  } else {
    const CorePoint core = LocateFromCore(obstacle, x);
    at.gap = core.distance() - obstacle.radius;
    AddDerivatives(core, obstacle.rotation, &at);
  }
  if (!obstacle.hollow) return at;
  return {-at.gap, -at.normal, -at.curvature};
}

double FreeFraction(const Obstacle& obstacle, const Vector3& x, const Vector3& dx, double min_gap) {
  const double start = GapValue(obstacle, x), floor = std::min(min_gap, start);
  if (start - floor >= dx.norm()) return 1;  // |grad gap| = 1
  return obstacle.hollow ? HollowFraction(obstacle, x, dx, floor)
                         : SolidFraction(obstacle, x, dx, floor);
}

}  // namespace strand
