#include "model/geometry/spline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "model/config/error.h"
#include "tests/support/random.h"

namespace strand {
namespace spline_test {

// Largest relative difference between the lengths of two links.
double Unevenness(const std::vector<Vector3>& nodes) {
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;
  for (size_t k = 0; k + 1 < nodes.size(); ++k) {
    const double length = (nodes[k + 1] - nodes[k]).norm();
    shortest = std::min(shortest, length), longest = std::max(longest, length);
  }
  return longest / shortest - 1;
}

std::vector<Vector3> Helix(int points) {
  std::vector<Vector3> on_helix;
  for (int k = 0; k < points; ++k) {
    const double t = 3.0 * k / (points - 1);
    on_helix.emplace_back(std::cos(t), std::sin(t), 0.3 * t);
  }
  return on_helix;
}

TEST(Spline, LinksAreEquallyLong) {
  for (bool closed : {false, true}) {
    const std::vector<Vector3> points{{0, 0, 0}, {1, 0, 0.2}, {1, 2, 0}, {-1, 1.5, 1}, {-1, 0, 0}};
    EXPECT_LT(Unevenness(SplineNodes(points, 57, closed)), 1e-11);
  }
}

TEST(Spline, EndsAreThePoints) {
  const auto nodes = SplineNodes(Helix(6), 30, false);
  ASSERT_EQ(nodes.size(), 31u);
  EXPECT_LT((nodes.front() - Helix(6).front()).norm(), 1e-15);
  EXPECT_LT((nodes.back() - Helix(6).back()).norm(), 1e-15);
  const auto ring = SplineNodes(Helix(6), 30, true);
  EXPECT_EQ(ring.front(), ring.back());
}

TEST(Spline, TwoPointsAreAStraightLine) {
  const auto nodes = SplineNodes({{0, 0, 0}, {2, 4, 6}}, 4, false);
  for (int k = 0; k <= 4; ++k) EXPECT_LT((nodes[k] - 0.25 * k * Vector3(2, 4, 6)).norm(), 1e-15);
}

// With chords of equal parameter, the spline is the parabola itself at every node.
TEST(Spline, ThreePointsAreAParabola) {
  const auto nodes = SplineNodes({{-1, 1, 0}, {0, 0, 0}, {1, 1, 0}}, 40, false);
  for (const Vector3& node : nodes) EXPECT_NEAR(node.y(), node.x() * node.x(), 1e-14);
}

// With evenly spaced knots, the curve converges to the helix with the fourth power of the spacing.
TEST(Spline, ConvergesWithTheFourthPower) {
  double error[2];
  for (int k = 0; k < 2; ++k) {
    error[k] = 0;
    for (const Vector3& node : SplineNodes(Helix(k == 0 ? 9 : 17), 200, false)) {
      error[k] = std::max(error[k], std::abs(std::hypot(node.x(), node.y()) - 1));
    }
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 4, 0.7) << error[0] << " " << error[1];
}

TEST(Spline, AClosedCurveIsSmoothWhereItCloses) {
  std::vector<Vector3> points;
  for (int k = 0; k < 12; ++k) {
    const double angle = 2 * std::numbers::pi * k / 12;
    points.emplace_back(std::cos(angle), std::sin(angle), 0);
  }
  for (const Vector3& node : SplineNodes(points, 100, true)) EXPECT_NEAR(node.norm(), 1, 3e-4);
}

TEST(Spline, BadPointsAreNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<Vector3> good{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}};
  EXPECT_THROW(SplineNodes({{0, 0, 0}}, 4, false), ConfigError);
  EXPECT_THROW(SplineNodes({{0, 0, 0}, {1, 0, 0}}, 4, true), ConfigError);
  EXPECT_THROW(SplineNodes({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}}, 4, false), ConfigError);
  EXPECT_THROW(SplineNodes({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, 4, true), ConfigError);
  EXPECT_THROW(SplineNodes({{0, 0, 0}, {nan, 0, 0}, {1, 0, 0}}, 4, false), ConfigError);
  EXPECT_THROW(SplineNodes(good, 1, false), ConfigError);
  EXPECT_NO_THROW(SplineNodes({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, 4, false));
}

}  // namespace spline_test
}  // namespace strand
