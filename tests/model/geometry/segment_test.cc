#include "model/geometry/segment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/random.h"

namespace strand {
namespace segment_test {

double PointDistance(const Vector3& point, const Vector3& a, const Vector3& b) {
  const double length2 = (b - a).squaredNorm();
  const double s = length2 > 0 ? std::clamp((point - a).dot(b - a) / length2, 0.0, 1.0) : 0.0;
  return (point - a - s * (b - a)).norm();
}

// The distance from a point moving along p to the segment q is convex; ternary search finds the
// minimum.
double BruteForce(const Vector3& p0, const Vector3& p1, const Vector3& q0, const Vector3& q1) {
  const auto at = [&](double s) { return PointDistance(p0 + s * (p1 - p0), q0, q1); };
  double low = 0, high = 1;
  for (int i = 0; i < 200; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (at(a) < at(b) ? high : low) = at(a) < at(b) ? b : a;
  }
  return std::min({at(low), at(0), at(1)});
}

void ExpectBruteForce(const Vector3& p0, const Vector3& p1, const Vector3& q0, const Vector3& q1) {
  const double expected = BruteForce(p0, p1, q0, q1);
  EXPECT_NEAR(SegmentDistance(p0, p1, q0, q1), expected, 1e-7);
  EXPECT_NEAR(SegmentDistance(q1, q0, p0, p1), expected, 1e-7);
}

TEST(SegmentDistance, RandomSegments) {
  testing::Random random(11);
  for (int i = 0; i < 2000; ++i) {
    const Vector3 p0 = random.Vector(), q0 = random.Vector();
    const double size = i % 2 ? 1 : 0.1;
    ExpectBruteForce(p0, p0 + size * random.Vector(), q0, q0 + random.Vector());
  }
}

TEST(SegmentDistance, ParallelSegments) {
  testing::Random random(12);
  for (int i = 0; i < 500; ++i) {
    const Vector3 p0 = random.Vector(), along = random.Vector(), q0 = random.Vector();
    const double length = i % 2 ? 0.7 : -2;
    ExpectBruteForce(p0, p0 + along, q0, q0 + length * along);
    // On one line, overlapping or apart, and nearly parallel.
    ExpectBruteForce(p0, p0 + along, p0 + length * along, p0 + 1.5 * length * along);
    ExpectBruteForce(p0, p0 + along, q0, q0 + along + 1e-8 * random.Vector());
  }
}

// To many more digits, at all angles down to exactly parallel, also on one line and touching.
TEST(SegmentDistance, NearlyParallelSegments) {
  testing::Random random(13);
  for (int i = 0; i < 6000; ++i) {
    const double sine = i % 40 < 30 ? std::pow(10.0, -(i % 40) / 2.0) : 0;
    const double apart = i % 3 ? random.Uniform(0, 0.5) : 0;
    const Vector3 p0 = random.Vector(), u = random.Direction();
    const Vector3 v = random.Uniform(-2, 2) * (u + sine * random.Vector());
    const Vector3 q0 = p0 + random.Uniform(-2, 2) * u + apart * random.Vector();
    const double expected = BruteForce(p0, p0 + u, q0, q0 + v);
    const ClosestPoints closest(p0, p0 + u, q0, q0 + v);
    ASSERT_NEAR(closest.offset.norm(), expected, 2e-12) << sine << ' ' << apart;
    const Vector3 between = p0 + closest.s * u - q0 - closest.t * v;
    ASSERT_LT((between - closest.offset).norm(), 1e-14);
    ASSERT_TRUE(closest.s >= 0 && closest.s <= 1 && closest.t >= 0 && closest.t <= 1);
  }
}

TEST(SegmentDistance, PointsAndCrossings) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  EXPECT_EQ(SegmentDistance(x, x, -x, -x), 2);
  EXPECT_NEAR(SegmentDistance(z, z, -x, x), 1, 1e-15);
  EXPECT_NEAR(SegmentDistance(-x, x, z, z), 1, 1e-15);
  EXPECT_NEAR(SegmentDistance(-x, x, -y, y), 0, 1e-15);
  EXPECT_NEAR(SegmentDistance(-x, x, z - y, z + y), 1, 1e-15);
  EXPECT_NEAR(SegmentDistance(x, 2 * x, y, 3 * y), std::sqrt(2), 1e-15);
}

}  // namespace segment_test
}  // namespace strand
