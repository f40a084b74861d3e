#include "model/geometry/curve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "tests/support/random.h"

namespace strand {
namespace curve_test {

double Turning(const std::vector<Vector3>& nodes, size_t k) {
  const Vector3 a = nodes[k] - nodes[k - 1], b = nodes[k + 1] - nodes[k];
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

void ExpectEvenSteps(const std::vector<Vector3>& nodes, double length, double turning) {
  for (size_t k = 0; k + 1 < nodes.size(); ++k) {
    EXPECT_NEAR((nodes[k + 1] - nodes[k]).norm(), length, 1e-14);
    if (k == 0) continue;
    EXPECT_NEAR(Turning(nodes, k), turning, 1e-13);
  }
}

template <typename Function>
void ExpectError(const std::string& field, Function function) {
  try {
    function();
    ADD_FAILURE() << "no error for " << field;
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.field(), field) << error.what();
  }
}

TEST(Curve, Straight) {
  const auto nodes = StraightNodes(1.5, 6);
  ASSERT_EQ(nodes.size(), 7u);
  EXPECT_EQ(nodes.front(), Vector3::Zero());
  EXPECT_EQ(nodes.back(), Vector3(1.5, 0, 0));
  ExpectEvenSteps(nodes, 0.25, 0);
}

TEST(Curve, ArcKeepsLengthAndTurning) {
  const auto nodes = ArcNodes(2, 1.2, 8);
  ASSERT_EQ(nodes.size(), 9u);
  ExpectEvenSteps(nodes, 0.25, 0.15);
  EXPECT_GT(nodes.back().y(), 0);
  // The chord of the true arc has length 2 R sin(angle / 2) and points at angle / 2.
  const double chord = 2 * (2 / 1.2) * std::sin(0.6);
  EXPECT_NEAR(std::atan2(nodes.back().y(), nodes.back().x()), 0.6, 1e-14);
  EXPECT_NEAR(nodes.back().norm() / chord, 1, 1e-3);
}

TEST(Curve, RingClosesAndOverlaps) {
  const int links = 50, overlap = 1;
  const auto nodes = RingNodes(0.3, links, overlap);
  ASSERT_EQ(nodes.size(), 52u);
  ExpectEvenSteps(nodes, kTwoPi * 0.3 / links, kTwoPi / links);
  EXPECT_LT((nodes[links] - nodes[0]).norm(), 1e-15);
  EXPECT_LT((nodes[links + 1] - nodes[1]).norm(), 1e-15);
  EXPECT_LT((RingNodes(0.3, links, 0).back() - nodes[0]).norm(), 1e-15);
}

// Length, rise and turning of the exact helix, for any number of links.
TEST(Curve, HelixKeepsLengthAndRise) {
  const double radius = 0.2;
  for (const double turns : {2.5, -1.0, 0.3}) {
    for (const double pitch : {0.1, 0.0, -0.05}) {
      const int links = 40;
      const auto nodes = HelixNodes(radius, pitch, turns, links);
      ASSERT_EQ(nodes.size(), 41u);
      const double round = kTwoPi * radius * std::abs(turns), rise = pitch * std::abs(turns);
      for (int k = 0; k < links; ++k) {
        const Vector3 step = nodes[k + 1] - nodes[k];
        EXPECT_NEAR(step.norm(), std::hypot(round, rise) / links, 1e-14);
        EXPECT_NEAR(step.z(), rise / links, 1e-14);
        // The direction is that of the curve at the middle of the piece.
        const double angle = kTwoPi * turns * (k + 0.5) / links;
        const Vector3 around(-std::sin(angle), std::cos(angle), 0);
        const Vector3 flat(step.x(), step.y(), 0);
        EXPECT_LT((flat.normalized() - (turns > 0 ? 1 : -1) * around).norm(), 1e-12);
      }
      for (const Vector3& node : nodes) {
        EXPECT_NEAR(std::hypot(node.x(), node.y()), radius, 2e-2 * radius);
      }
      EXPECT_LT((nodes[0] - Vector3(radius, 0, 0)).norm(), 2e-2 * radius);
    }
  }
}

// The distance of the nodes from the curve is of second order in the length of the links.
TEST(Curve, HelixConverges) {
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int links = 20 << i;
    const auto nodes = HelixNodes(0.2, 0.1, 1.5, links);
    error[i] = 0;
    for (int k = 0; k <= links; ++k) {
      const double angle = kTwoPi * 1.5 * k / links;
      const Vector3 curve(0.2 * std::cos(angle), 0.2 * std::sin(angle), 0.1 * 1.5 * k / links);
      error[i] = std::max(error[i], (nodes[k] - curve).norm());
    }
  }
  EXPECT_GT(error[1], 0);
  EXPECT_NEAR(error[1] / error[0], 0.25, 0.03);
}

TEST(Curve, LinkFramesHaveNoTwist) {
  testing::Random random(1);
  std::vector<Vector3> nodes{random.Vector()};
  for (int k = 0; k < 20; ++k) {
    nodes.push_back(nodes.back() + Vector3(0.4, 0, 0) + 0.3 * random.Vector());
  }
  const Vector3 normal(0.1, 0.2, 2);
  const auto frames = LinkFrames(nodes, normal);
  ASSERT_EQ(frames.size(), 20u);
  const Vector3 t = (nodes[1] - nodes[0]).normalized();
  EXPECT_LT((frames[0].col(1) - (normal - normal.dot(t) * t).normalized()).norm(), 1e-14);
  for (size_t k = 0; k < frames.size(); ++k) {
    EXPECT_LT((frames[k].transpose() * frames[k] - Frame::Identity()).norm(), 1e-14);
    EXPECT_NEAR(frames[k].determinant(), 1, 1e-14);
    EXPECT_LT((frames[k].col(0) - (nodes[k + 1] - nodes[k]).normalized()).norm(), 1e-14);
    if (k == 0) continue;
    EXPECT_NEAR(TwistAngle(frames[k - 1], frames[k]), 0, 1e-14);
  }
}

TEST(Curve, BadInputIsNamed) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  ExpectError("segments", [] { StraightNodes(1, 1); });
  ExpectError("length", [] { StraightNodes(0, 3); });
  ExpectError("length", [&] { ArcNodes(nan, 1, 3); });
  ExpectError("angle", [&] { ArcNodes(1, nan, 3); });
  ExpectError("radius", [] { RingNodes(-1, 3, 0); });
  ExpectError("segments", [] { RingNodes(1, 2, 0); });
  ExpectError("overlap", [] { RingNodes(1, 5, -1); });
  ExpectError("overlap", [] { RingNodes(1, 5, 5); });
  ExpectError("radius", [] { HelixNodes(0, 1, 1, 5); });
  ExpectError("pitch", [&] { HelixNodes(1, nan, 1, 5); });
  ExpectError("turns", [] { HelixNodes(1, 1, 0, 5); });
  ExpectError("segments", [] { HelixNodes(1, 1, 1, 1); });
  const auto nodes = StraightNodes(1, 3);
  ExpectError("nodes", [&] { LinkFrames({nodes[0]}, Vector3::UnitZ()); });
  ExpectError("nodes", [&] { LinkFrames({nodes[0], nodes[1], nodes[1]}, Vector3::UnitZ()); });
  ExpectError("nodes",
              [&] { LinkFrames({nodes[0], nodes[1], Vector3(nan, 0, 0)}, Vector3::UnitZ()); });
  ExpectError("normal", [&] { LinkFrames(nodes, Vector3::UnitX()); });
  ExpectError("normal", [&] { LinkFrames(nodes, Vector3::Zero()); });
  ExpectError("normal", [&] { LinkFrames(nodes, Vector3(0, nan, 1)); });
}

}  // namespace curve_test
}  // namespace strand
