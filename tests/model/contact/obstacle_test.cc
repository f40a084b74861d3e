#include "model/contact/obstacle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "model/config/error.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand {
namespace obstacle_test {

using testing::CentralGradient;
using testing::CentralJacobian;
using testing::ExpectSecondOrder;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

const Vector3 kBox(0.3, 0.2, 0.5), kEndA(-0.4, 0.1, 0.2), kEndB(0.3, 0.2, -0.1);
constexpr double kRadius = 0.25;

double Gap(const Obstacle& obstacle, const Vector3& x) { return EvaluateGap(obstacle, x).gap; }

// Random points of the surface, one for each direction or parameter: dense.
std::vector<Vector3> SphereSurface(const Vector3& centre, int count, Random* random) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) points.push_back(centre + kRadius * random->Direction());
  return points;
}

std::vector<Vector3> CapsuleSurface(int count, Random* random) {
  std::vector<Vector3> points;
  const Vector3 axis = (kEndB - kEndA).normalized();
  for (int i = 0; i < count; ++i) {
    const Vector3 out = random->Direction();
    points.push_back((out.dot(axis) > 0 ? kEndB : kEndA) + kRadius * out);
    const Vector3 around = (out - out.dot(axis) * axis).normalized();
    points.push_back(kEndA + random->Uniform(0, 1) * (kEndB - kEndA) + kRadius * around);
  }
  return points;
}

std::vector<Vector3> BoxSurface(int count, Random* random) {
  std::vector<Vector3> points;
  for (int i = 0; i < count; ++i) {
    for (int axis = 0; axis < 3; ++axis) {
      Vector3 p = 1.2 * random->Vector();
      p = p.cwiseMax(-1).cwiseMin(1);  // clamped: dense on edges and corners too
      p[axis] = i % 2 ? 1 : -1;
      points.push_back(p.cwiseProduct(kBox));
    }
  }
  return points;
}

double DistanceToSegment(const Vector3& x) {
  const Vector3 along = kEndB - kEndA;
  const double t = std::clamp((x - kEndA).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - kEndA - t * along).norm();
}

double BoxLevel(const Vector3& x) {  // > 0 outside, 0 on the surface
  return (x.cwiseAbs() - kBox).maxCoeff();
}

// |gap| is the distance to a point of the surface, no sampled point is nearer, and the sign is that
// of an independent level function.
template <typename Level>
void ExpectNearestDistance(const Obstacle& obstacle, const std::vector<Vector3>& surface,
                           Level level, Random* random) {
  for (const Vector3& point : surface) ASSERT_NEAR(Gap(obstacle, point), 0, 1e-15);
  double largest_excess = 0;
  for (int i = 0; i < 200; ++i) {
    const Vector3 x = random->Vector();
    const ObstacleGap at = EvaluateGap(obstacle, x);
    EXPECT_NEAR(level(x - at.gap * at.normal), 0, 1e-14);
    EXPECT_EQ(at.gap > 0, level(x) > 0);
    double nearest = 10;
    for (const Vector3& point : surface) nearest = std::min(nearest, (x - point).norm());
    EXPECT_GT(nearest, std::abs(at.gap) - 1e-14);
    largest_excess = std::max(largest_excess, nearest - std::abs(at.gap));
  }
  EXPECT_LT(largest_excess, 0.03);  // dense samples: the bound above is meaningful
}

TEST(Obstacle, GapIsTheDistanceToSampledSurfaces) {
  Random random(1);
  const Vector3 centre(0.1, -0.2, 0.05);
  ExpectNearestDistance(
      MakeSphere(centre, kRadius), SphereSurface(centre, 20000, &random),
      [&](const Vector3& x) { return (x - centre).norm() - kRadius; }, &random);
  ExpectNearestDistance(
      MakeCapsule(kEndA, kEndB, kRadius), CapsuleSurface(20000, &random),
      [](const Vector3& x) { return DistanceToSegment(x) - kRadius; }, &random);
  ExpectNearestDistance(MakeBox(kBox), BoxSurface(20000, &random), BoxLevel, &random);
}

TEST(Obstacle, HalfSpaceByHand) {
  const Obstacle plane = MakeHalfSpace({0, 0, 2}, {0, 3, 4});
  const ObstacleGap at = EvaluateGap(plane, {7, 1, 3});
  EXPECT_NEAR(at.gap, 0.6 + 0.8, 1e-15);
  EXPECT_LT((at.normal - Vector3(0, 0.6, 0.8)).norm(), 1e-15);
  EXPECT_EQ(at.curvature.norm(), 0);
  EXPECT_EQ(Gap(MakeHalfSpace({0, 0, 2}, {0, 0, 1}), {7, 1, 3}), 1);
  EXPECT_NEAR(Gap(MakeHalfSpace({0, 0, 0}, {0, 0, 1e-300}), {7, 1, 3}), 3, 1e-15);
}

std::vector<Obstacle> AllShapes() {
  Random random(2);
  std::vector<Obstacle> shapes{MakeHalfSpace({0.1, 0.2, 0}, {1, 2, 3}),
                               MakeSphere({0.1, 0, 0}, kRadius), MakeCapsule(kEndA, kEndB, kRadius),
                               MakeBox(kBox),
                               Placed(MakeBox(kBox), random.Rotation(), 0.3 * random.Vector())};
  for (int i = 1; i < 5; ++i) shapes.push_back(Hollow(shapes[i]));
  return shapes;
}

// Curvature jumps between the regions of a box and at the ends of a capsule. Points that have such
// a jump, or a singular set, within `reach` are left out; a jump of curvature or normal detects
// them.
bool IsSmooth(const Obstacle& obstacle, const Vector3& x, double reach) {
  const ObstacleGap at = EvaluateGap(obstacle, x);
  if (at.curvature.norm() * reach > 0.2) return false;
  Random random(5);
  for (int i = 0; i < 60; ++i) {
    const ObstacleGap near = EvaluateGap(obstacle, x + reach * random.Direction());
    if (std::abs(near.curvature.trace() - at.curvature.trace()) > 0.5 * at.curvature.norm()) {
      return false;
    }
    if (near.normal.dot(at.normal) < 0.9) return false;
  }
  return true;
}

TEST(Obstacle, DerivativesMatchDifferences) {
  Random random(3);
  int points = 0, curved = 0;
  for (const Obstacle& obstacle : AllShapes()) {
    for (int i = 0; i < 60; ++i) {
      const Vector3 x = 0.9 * random.Vector();
      if (!IsSmooth(obstacle, x, 0.06)) continue;
      ++points;
      const ObstacleGap at = EvaluateGap(obstacle, x);
      curved += at.curvature.norm() > 0;
      EXPECT_LE((at.curvature - at.curvature.transpose()).norm(), 1e-15 * at.curvature.norm());
      const auto gap = [&](const Vector& y) { return Gap(obstacle, y); };
      const auto normal = [&](const Vector& y) -> Vector {
        return EvaluateGap(obstacle, y).normal;
      };
      ExpectSecondOrder(
          SweepSteps(0.03, 16,
                     [&](double h) { return (CentralGradient(gap, x, h) - at.normal).norm(); }),
          1e-9);
      ExpectSecondOrder(SweepSteps(0.03, 16,
                                   [&](double h) {
                                     return (CentralJacobian(normal, x, h) - at.curvature).norm();
                                   }),
                        1e-8);
    }
  }
  EXPECT_GT(points, 200);
  EXPECT_GT(curved, 100);
}

// The curvature of each region from its two principal radii.
TEST(Obstacle, CurvatureOfEveryRegionOfABox) {
  const Obstacle box = MakeBox(kBox);
  const auto trace = [&](double x, double y, double z) {
    const ObstacleGap at = EvaluateGap(box, {x, y, z});
    EXPECT_LT((at.curvature * at.normal).norm(), 1e-14);
    return at.curvature.trace();
  };
  EXPECT_EQ(trace(0.4, 0.1, -0.2), 0);                                       // face
  EXPECT_NEAR(trace(0.3 + 0.03, 0.1, -0.5 - 0.04), 1 / 0.05, 1e-12);         // edge
  EXPECT_NEAR(trace(-0.3 - 0.02, 0.2 + 0.01, 0.5 + 0.02), 2 / 0.03, 1e-12);  // corner
  EXPECT_EQ(trace(0.1, 0.15, 0.1), 0);                                       // inside
}

// Exactly above an axis, and above a centre, a surface is as round as beside them.
TEST(Obstacle, CurvatureOfPointsInLineWithTheAxes) {
  const Obstacle capsule = MakeCapsule({-1, 0, 0}, {1, 0, 0}, kRadius);
  const Obstacle sphere = MakeSphere({0, 0, 0}, kRadius);
  for (const Vector3& x : {Vector3(0, 0, 0.5), Vector3(0.2, 0.5, 0), Vector3(0.2, 0.3, 0.4)}) {
    EXPECT_NEAR(EvaluateGap(capsule, x).curvature.trace(), 1 / 0.5, 1e-12);
  }
  EXPECT_NEAR(EvaluateGap(capsule, {1.5, 0, 0}).curvature.trace(), 2 / 0.5, 1e-12);
  EXPECT_NEAR(EvaluateGap(sphere, {0, 0, 0.5}).curvature.trace(), 2 / 0.5, 1e-12);
}

// The wall of a hollow cylinder turns with the place on it; its ends are flat.
TEST(Obstacle, CurvatureInsideACylinder) {
  const Obstacle can = Hollow(MakeCylinder({-1, 0, 0}, {1, 0, 0}, 0.4));
  for (const Vector3& x : {Vector3(0.1, 0.3, 0), Vector3(-0.5, 0.18, -0.24)}) {
    const ObstacleGap at = EvaluateGap(can, x);
    EXPECT_NEAR(at.curvature.trace(), -1 / 0.3, 1e-12);
    EXPECT_LT((at.curvature * at.normal).norm(), 1e-14);
    EXPECT_LT((at.curvature * Vector3::UnitX()).norm(), 1e-14);
  }
  EXPECT_EQ(EvaluateGap(can, {0.9, 0.1, 0}).curvature.norm(), 0);
}

// Across all regions |gap(x) - gap(y)| <= |x - y|; outside a solid the normal is continuous.
TEST(Obstacle, ContinuousAcrossRegions) {
  Random random(4);
  for (const Obstacle& obstacle : AllShapes()) {
    for (int shot = 0; shot < 30; ++shot) {
      const Vector3 start = random.Vector(), step = 2e-4 * random.Direction();
      ObstacleGap last = EvaluateGap(obstacle, start);
      for (int k = 1; k < 5000; ++k) {
        const ObstacleGap at = EvaluateGap(obstacle, start + k * step);
        ASSERT_NEAR(at.normal.norm(), 1, 1e-15);
        ASSERT_EQ(GapValue(obstacle, start + k * step), at.gap);
        ASSERT_LE(std::abs(at.gap - last.gap), step.norm() + 1e-15);
        const bool outside = obstacle.hollow ? at.gap < -0.01 : at.gap > 0.01;
        const double turned = outside ? (at.normal - last.normal).norm() : 0;
        ASSERT_LE(turned, 1.1 * step.norm() / 0.01);
        last = at;
      }
    }
  }
}

TEST(Obstacle, FiniteAndDeterministicOnSingularSets) {
  const Obstacle sphere = MakeSphere({1, 2, 3}, kRadius), box = MakeBox(kBox);
  const Obstacle capsule = MakeCapsule({0, 0, -1}, {0, 0, 1}, kRadius);
  const double edge = 1e-200;
  struct Case {
    const Obstacle& obstacle;
    Vector3 x;
    double gap;
    Vector3 normal;
  };
  const std::vector<Case> cases{
      {sphere, {1, 2, 3}, -kRadius, {1, 0, 0}},
      {box, {0, 0, 0}, -0.2, {0, 1, 0}},
      {box, {-0.2, 0.1, 0}, -0.1, {-1, 0, 0}},  // equally far from two faces
      {box, {0.3, 0.2, -0.5}, 0, {1, 0, 0}},    // corner
      {box, {0.3 + 1e-14, 0.2 + 1e-14, 0}, 1e-14, {1, 0, 0}},
      {box, {edge, -edge, edge}, -0.2, {0, -1, 0}},
  };
  for (const Case& c : cases) {
    const ObstacleGap at = EvaluateGap(c.obstacle, c.x);
    EXPECT_NEAR(at.gap, c.gap, 1e-15);
    EXPECT_LT((at.normal - c.normal).norm(), 1e-15);
    EXPECT_EQ(at.curvature.norm(), 0);
  }
  for (const Vector3& x : {Vector3(0, 0, 0.3), Vector3(edge, edge, 0), Vector3(0, 0, 0.99),
                           Vector3(1e-13, 0, -1), Vector3(1e-11, 0, 0)}) {
    const ObstacleGap at = EvaluateGap(capsule, x);
    EXPECT_NEAR(at.gap, x.head<2>().norm() - kRadius, 1e-12);
    EXPECT_NEAR(at.normal.norm(), 1, 1e-15);
    EXPECT_NEAR(at.normal.z(), 0, 1e-15);
    EXPECT_LT(at.curvature.norm(), 2e12);
  }
}

TEST(Obstacle, HollowNegatesTheGapAndPlacedMovesTheShape) {
  Random random(6);
  for (const Obstacle& obstacle : AllShapes()) {
    const Frame turn = random.Rotation();
    const Vector3 shift = random.Vector(), x = random.Vector();
    const ObstacleGap at = EvaluateGap(obstacle, x);
    const ObstacleGap inner = EvaluateGap(Hollow(obstacle), x);
    EXPECT_EQ(inner.gap, -at.gap);
    EXPECT_EQ(inner.normal, -at.normal);
    EXPECT_EQ(inner.curvature, -at.curvature);
    const ObstacleGap moved = EvaluateGap(Placed(obstacle, turn, shift), turn * x + shift);
    EXPECT_NEAR(moved.gap, at.gap, 1e-14);
    EXPECT_LT((moved.normal - turn * at.normal).norm(), 1e-13);
    EXPECT_LT((moved.curvature - turn * at.curvature * turn.transpose()).norm(), 1e-11);
  }
  EXPECT_NEAR(Gap(Hollow(MakeSphere({0, 0, 0}, 2)), {0, 0.5, 0}), 1.5, 1e-15);
  const Vector3 velocity(1, 2, 3);
  EXPECT_EQ(Moving(MakeBox(kBox), velocity).velocity, velocity);
}

TEST(FreeFraction, NeverPassesThroughAndIsTheLargest) {
  Random random(7);
  int stopped = 0, passed = 0;
  for (const Obstacle& obstacle : AllShapes()) {
    for (int shot = 0; shot < 400; ++shot) {
      const double min_gap = random.Uniform(0, 0.1);
      const Vector3 x = random.Vector();
      const Vector3 dx = std::pow(10, random.Uniform(-1, 3)) * (0.5 * random.Vector() - x);
      if (Gap(obstacle, x) < min_gap) continue;
      const double fraction = FreeFraction(obstacle, x, dx, min_gap);
      ASSERT_GE(fraction, 0);
      ASSERT_LE(fraction, 1);
      const double round_off = 1e-15 * std::max(1.0, dx.norm());
      for (int k = 0; k <= 300; ++k) {
        ASSERT_GE(Gap(obstacle, x + k / 300.0 * fraction * dx), min_gap - round_off);
      }
      (fraction < 1 ? stopped : passed) += 1;
      if (fraction == 1) continue;
      EXPECT_LT(Gap(obstacle, x + fraction * dx) - min_gap, 1e-12 * std::max(1.0, dx.norm()));
      // Just beyond the fraction the gap is smaller than allowed, except for a graze, which has no
      // slope.
      const double beyond = fraction + 1e-5 * std::min(1.0, 1 / dx.norm());
      EXPECT_LT(Gap(obstacle, x + beyond * dx), min_gap);
    }
  }
  EXPECT_GT(stopped, 500);
  EXPECT_GT(passed, 500);
}

TEST(FreeFraction, ByHand) {
  const Obstacle plane = MakeHalfSpace({0, 0, 0}, {0, 0, 1});
  EXPECT_NEAR(FreeFraction(plane, {0, 0, 1}, {3, 0, -4}, 0.2), 0.2, 1e-15);
  EXPECT_EQ(FreeFraction(plane, {0, 0, 1e-9}, {1, 1, 0}, 0), 1);  // slides
  EXPECT_EQ(FreeFraction(plane, {0, 0, -1}, {0, 0, 1}, 0), 1);    // leaves
  EXPECT_EQ(FreeFraction(plane, {0, 0, -1}, {1, 0, 0}, 0), 1);
  EXPECT_EQ(FreeFraction(plane, {0, 0, -1}, {0, 0, -1}, 0), 0);  // goes deeper
  EXPECT_EQ(FreeFraction(plane, {0, 0, 0}, {0, 0, 0}, 0), 1);
  const Obstacle sphere = MakeSphere({0, 0, 0}, 1);
  EXPECT_NEAR(FreeFraction(sphere, {-5, 0, 0}, {10, 0, 0}, 0), 0.4, 1e-15);
  EXPECT_NEAR(FreeFraction(sphere, {-5, 0.6, 0}, {10, 0, 0}, 0), 0.42, 1e-15);
  EXPECT_EQ(FreeFraction(sphere, {-5, 1.0001, 0}, {10, 0, 0}, 0), 1);
  EXPECT_NEAR(FreeFraction(sphere, {-5, 1, 0}, {10, 0, 0}, 1e-12), 0.5, 1e-6);  // grazes
  EXPECT_NEAR(FreeFraction(Hollow(sphere), {0, 0, 0}, {4, 0, 0}, 0), 0.25, 1e-15);
  EXPECT_EQ(FreeFraction(Hollow(sphere), {0.9, 0, 0}, {-1.8, 0, 0}, 0.05), 1);
  EXPECT_EQ(FreeFraction(Hollow(sphere), {1.5, 0, 0}, {-0.3, 0, 0}, 0), 1);  // returns
  EXPECT_NEAR(FreeFraction(Hollow(sphere), {1.5, 0, 0}, {0.3, 0, 0}, 0), 0, 1e-15);
}

template <typename Function>
void ExpectError(Function function, const std::string& message) {
  try {
    function();
    ADD_FAILURE() << "accepted: " << message;
  } catch (const ConfigError& error) {
    EXPECT_EQ(std::string(error.what()), message);
  }
}

TEST(Obstacle, ShapesHaveNames) {
  EXPECT_EQ(ObstacleName(MakeHalfSpace({0, 0, 1}, {1, 0, 0})), "plane");
  EXPECT_EQ(ObstacleName(MakeSphere({0, 0, 1}, 2)), "sphere");
  EXPECT_EQ(ObstacleName(Hollow(MakeCapsule(kEndA, kEndB, 1))), "hollow capsule");
  EXPECT_EQ(ObstacleName(MakeBox(kBox)), "box");
  EXPECT_EQ(ObstacleName(MakeCylinder(kEndA, kEndB, 1)), "cylinder");
}

TEST(Obstacle, BadInputIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Vector3 zero = Vector3::Zero();
  ExpectError([&] { MakeHalfSpace(zero, zero); },
              "normal: got '0 0 0', allowed: finite, not 0 0 0");
  ExpectError([&] { MakeHalfSpace(zero, {inf, 0, 0}); },
              "normal: got 'inf 0 0', allowed: finite, not 0 0 0");
  ExpectError([&] { MakeHalfSpace({1, nan, 0}, {1, 0, 0}); },
              "point: got '1 nan 0', allowed: finite (m)");
  for (double radius : {0.0, -1e-9}) {
    const std::string text = radius == 0 ? "0" : "-1e-09";
    ExpectError([&] { MakeSphere(zero, radius); },
                "radius: got '" + text + "', allowed: finite numbers > 0 (m)");
  }
  ExpectError([&] { MakeSphere(zero, inf); }, "radius: got 'inf', allowed: finite numbers > 0 (m)");
  ExpectError([&] { MakeSphere({nan, 0, 0}, 1); }, "centre: got 'nan 0 0', allowed: finite (m)");
  ExpectError([&] { MakeCapsule(kEndA, {0, 0, inf}, 1); }, "b: got '0 0 inf', allowed: finite (m)");
  ExpectError([&] { MakeCapsule({0, 1, 2}, {0, 1, 2}, 1); },
              "b: got '0 1 2', allowed: another point than a");
  ExpectError([&] { MakeCapsule(kEndA, kEndB, nan); },
              "radius: got 'nan', allowed: finite numbers > 0 (m)");
  ExpectError([&] { MakeBox({1, 0, 1}); },
              "half_extents: got '1 0 1', allowed: finite numbers > 0 (m)");
  ExpectError([&] { Placed(MakeBox(kBox), Frame::Identity(), {0, 0, nan}); },
              "translation: got '0 0 nan', allowed: finite (m)");
  ExpectError([&] { Moving(MakeBox(kBox), {0, 0, inf}); },
              "velocity: got '0 0 inf', allowed: finite (m/s)");
  for (const Frame& bad :
       {Frame(-Frame::Identity()), Frame(1.01 * Frame::Identity()), Frame(Frame::Constant(nan))}) {
    EXPECT_THROW(Placed(MakeBox(kBox), bad, zero), ConfigError);
  }
}

}  // namespace obstacle_test
}  // namespace strand
