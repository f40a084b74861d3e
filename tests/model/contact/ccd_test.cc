#include "model/contact/ccd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/config/error.h"
#include "model/contact/broad_phase.h"
#include "model/geometry/segment.h"
#include "tests/support/random.h"

namespace strand {
namespace {

using testing::Random;

double DistanceAt(const PairNodes& x, const PairNodes& dx, double a) {
  return SegmentDistance(x[0] + a * dx[0], x[1] + a * dx[1], x[2] + a * dx[2], x[3] + a * dx[3]);
}

double Floor(double distance, const CcdOptions& options) {
  return distance - (1 - options.fraction) * std::max(distance - options.min_distance, 0.0);
}

// Safe all the way to alpha, and stopped by the floor alone. Returns alpha.
double ExpectSafeAndLong(const PairNodes& x, const PairNodes& dx, const CcdOptions& options) {
  const double alpha = SafeFraction(x, dx, options);
  const double start = DistanceAt(x, dx, 0), floor = Floor(start, options);
  for (int i = 0; i <= 400; ++i) {
    EXPECT_GE(DistanceAt(x, dx, alpha * i / 400), floor * (1 - 1e-9)) << alpha * i / 400;
  }
  if (alpha < 1) {
    EXPECT_LE(DistanceAt(x, dx, alpha),
              std::max(floor + 0.0101 * (start - floor), floor * 1.00001));
  }
  return alpha;
}

PairNodes RandomNodes(double size, Random* random) {
  const Vector3 x = random->Vector(), y = random->Vector();
  return {x, x + size * random->Vector(), y, y + size * random->Vector()};
}

TEST(Ccd, RandomMotions) {
  Random random(1);
  int stopped = 0;
  for (int i = 0; i < 3000; ++i) {
    const PairNodes x = RandomNodes(i % 2 ? 1.0 : 0.1, &random);
    PairNodes dx;
    for (Vector3& d : dx) d = std::pow(10.0, i % 5 - 2) * random.Vector();
    const CcdOptions options{i % 3 ? 0.1 : 0.5, i % 7 ? 0 : 0.05};
    stopped += ExpectSafeAndLong(x, dx, options) < 1;
  }
  EXPECT_GT(stopped, 200);
  EXPECT_LT(stopped, 2800);
}

// Ways that are built to meet at the time tau, at any speed: nothing may tunnel.
TEST(Ccd, NeverPassesThrough) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const double speed = std::pow(10.0, random.Uniform(-2, 6)), tau = random.Uniform(1e-4, 1);
    PairNodes dx;
    for (Vector3& d : dx) d = speed * random.Vector();
    const Vector3 meet = random.Vector(), u = random.Vector();
    const Vector3 v =
        i % 4 ? random.Vector() : Vector3(u + std::pow(10.0, -(i % 13)) * random.Vector());
    const double s = random.Uniform(0, 1), t = i % 5 ? random.Uniform(0, 1) : 0;
    PairNodes x = {meet - s * u, meet + (1 - s) * u, meet - t * v, meet + (1 - t) * v};
    for (int k = 0; k < 4; ++k) x[k] -= tau * dx[k];
    const double alpha = SafeFraction(x, dx, {});
    ASSERT_LT(alpha, tau) << speed;
    ASSERT_GE(alpha, 0);
    const double start = DistanceAt(x, dx, 0);
    ASSERT_GE(DistanceAt(x, dx, alpha), 0.1 * start - 1e-9 * speed) << speed;
  }
}

TEST(Ccd, StraightApproachIsExact) {
  const PairNodes crossed = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, -1, 0),
                             Vector3(0, 1, 0)};
  const PairNodes parallel = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, 0, 0),
                              Vector3(3, 0, 0)};
  for (const PairNodes& x : {crossed, parallel}) {
    for (double speed : {2.0, 1e3, 1e9}) {
      const Vector3 down(0.1, 0, -speed);
      const PairNodes dx = {down, down, Vector3::Zero(), Vector3::Zero()};
      const double alpha = ExpectSafeAndLong(x, dx, {0.2, 0});
      EXPECT_NEAR(alpha * speed, 0.8, 1e-2);
    }
    // The same way for both is no approach, however long.
    const Vector3 away(1e6, -1e6, 1e6);
    EXPECT_EQ(SafeFraction(x, {away, away, away, away}, {}), 1);
  }
}

TEST(Ccd, SlidingAlongAndSeparatingAreFree) {
  const PairNodes x = {Vector3(-1, 0, 1e-3), Vector3(1, 0, 1e-3), Vector3(-1, 0, 0),
                       Vector3(1, 0, 0)};
  const Vector3 along(50, 10, 0), up(0, 0, 5), none = Vector3::Zero();
  EXPECT_EQ(SafeFraction(x, {along, along, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {along, none, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {up, up, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {none, none, none, none}, {}), 1);
}

// An end that goes by at a little more or less than the floor.
TEST(Ccd, Grazing) {
  const Vector3 start(-1, 0, 0.5), up(0, 0, 2), none = Vector3::Zero();
  const double distance = start.norm(), floor = 0.1 * distance;
  const PairNodes x = {start, start + up, Vector3(0, -1, 0), Vector3(0, 1, 0)};
  int stopped = 0, passed = 0;
  for (double part : {0.5, 0.3, 0.05, 1e-2, 1e-3, -1e-3, -1e-2, -0.05, -0.3}) {
    const Vector3 way = 2 * (Vector3(0, 0, floor * (1 + part)) - start);
    const PairNodes dx = {way, way, none, none};
    double nearest = distance;
    for (int i = 0; i <= 100000; ++i) nearest = std::min(nearest, DistanceAt(x, dx, i * 1e-5));
    const double alpha = ExpectSafeAndLong(x, dx, {});
    if (nearest < floor) {
      EXPECT_LT(alpha, 1);
      ++stopped;
    } else if (nearest > floor + 0.0101 * (distance - floor)) {
      EXPECT_EQ(alpha, 1);
      ++passed;
    }
  }
  EXPECT_GE(stopped, 3);
  EXPECT_GE(passed, 2);
}

// The ends of one edge swap sides: the plane between the edges turns, and steps are short. Where
// that exceeds the number of steps (the ends go a million distances) the answer is only safe.
TEST(Ccd, TurningAround) {
  Random random(3);
  const Vector3 none = Vector3::Zero();
  for (int i = 0; i < 500; ++i) {
    const Vector3 x = random.Vector(), u = random.Direction(), v = random.Direction();
    const Vector3 y = x + 1e-2 * u.cross(v).normalized();
    const PairNodes nodes = {x - u, x + u, y - v, y + v};
    const Vector3 turn = random.Vector();
    ExpectSafeAndLong(nodes, {turn, -turn, none, none}, {});
    const Vector3 fast = 1e4 * turn;
    const double alpha = SafeFraction(nodes, {fast, -fast, none, none}, {});
    ASSERT_GT(alpha, 0);
    for (int k = 0; k <= 1000; ++k) {
      ASSERT_GE(DistanceAt(nodes, {fast, -fast, none, none}, alpha * k / 1000), 0.99e-3);
    }
  }
}

TEST(Ccd, MinimalDistanceIsNeverReached) {
  const PairNodes x = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, -1, 0), Vector3(0, 1, 0)};
  const Vector3 down(0, 0, -0.5), none = Vector3::Zero();
  const PairNodes closer = {down, down, none, none}, apart = {none, none, down, down};
  EXPECT_NEAR(SafeFraction(x, closer, {0.1, 0.6}), 0.72, 5e-3);
  EXPECT_EQ(SafeFraction(x, closer, {0.1, 0.4}), 1);
  // A pair that starts below may go apart, and not come nearer.
  EXPECT_EQ(SafeFraction(x, apart, {0.1, 2}), 1);
  EXPECT_EQ(SafeFraction(x, closer, {0.1, 2}), 0);
}

TEST(Ccd, NothingMovesThatTouchesOrIsNotFinite) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  EXPECT_EQ(SafeFraction({-x, x, -y, y}, {z, z, -z, -z}, {}), 0);
  for (double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(SafeFraction({-x, x, z - y, z + y}, {bad * y, y, y, y}, {}), 0);
    EXPECT_EQ(SafeFraction({-x, bad * x, z - y, z + y}, {y, y, y, y}, {}), 0);
  }
}

TEST(Ccd, SmallestOfAllPairs) {
  Random random(4);
  std::vector<Vector3> points, displacement;
  std::vector<EdgeNodes> edges;
  std::vector<double> radius(200, 0.0);
  for (int i = 0; i < 200; ++i) {
    points.push_back(0.5 * random.Vector());
    points.push_back(points.back() + 0.1 * random.Vector());
    edges.push_back({2 * i, 2 * i + 1});
    for (int k = 0; k < 2; ++k) displacement.push_back(0.1 * random.Vector());
  }
  BroadPhase phase;
  const double margin = 2 * 0.1 * std::sqrt(3.0);
  const auto pairs = phase.Find(points, edges, radius, margin, {});
  double expected = 1;
  for (int a = 0; a < 200; ++a) {
    for (int b = a + 1; b < 200; ++b) {
      const PairNodes x = {points[2 * a], points[2 * a + 1], points[2 * b], points[2 * b + 1]};
      const PairNodes dx = {displacement[2 * a], displacement[2 * a + 1], displacement[2 * b],
                            displacement[2 * b + 1]};
      expected = std::min(expected, SafeFraction(x, dx, {}));
    }
  }
  EXPECT_LT(expected, 0.9);
  EXPECT_EQ(SafeFraction(points, displacement, edges, pairs, {}), expected);
  EXPECT_EQ(SafeFraction(points, displacement, edges, {}, {}), 1);
}

TEST(Ccd, RefusesOptionsOutOfRange) {
  const std::vector<Vector3> points(4, Vector3::Zero()), few(3, Vector3::Zero());
  const auto refused = [&](const std::vector<Vector3>& displacement, const CcdOptions& options) {
    EXPECT_THROW(SafeFraction(points, displacement, {}, {}, options), ConfigError);
  };
  refused(few, {});
  for (double fraction : {0.0, 1.0, -0.1, std::numeric_limits<double>::quiet_NaN()}) {
    refused(points, {fraction, 0});
  }
  refused(points, {0.1, -1});
  refused(points, {0.1, std::numeric_limits<double>::infinity()});
}

}  // namespace
}  // namespace strand
