#include "model/geometry/frame.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"

namespace strand {
namespace frame_test {

using testing::NextFrame;
using testing::Random;

double OrthonormalError(const Frame& frame) {
  return (frame.transpose() * frame - Frame::Identity()).norm() + std::abs(frame.determinant() - 1);
}

// The expected value is independent of the formula under test: Rodrigues' rotation about t_a x t_b.
TEST(ParallelTransport, IsTheSmallestRotation) {
  Random random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const Vector3 t_a = random.Direction(), t_b = random.Direction();
    const Vector3 v = t_a.cross(random.Direction());
    const Vector3 axis = t_a.cross(t_b);
    const Eigen::AngleAxisd rotation(std::atan2(axis.norm(), t_a.dot(t_b)), axis.normalized());
    const Vector3 moved = ParallelTransport(v, t_a, t_b);
    EXPECT_LT((moved - rotation * v).norm(), 1e-12);
    EXPECT_NEAR(moved.norm(), v.norm(), 1e-12);
    EXPECT_NEAR(moved.dot(t_b), 0, 1e-12);
    EXPECT_LT((ParallelTransport(moved, t_b, t_a) - v).norm(), 1e-12) << "there and back";
  }
}

TEST(ParallelTransport, TransportViaAThirdDirectionAddsTheHolonomy) {
  Random random(5);
  for (double away : {2.0, 0.3, 1e-3, 1e-6}) {
    const Vector3 a = random.Direction(), b = (a + away * random.Direction()).normalized();
    const Vector3 c = 0.7 * (a + away * random.Direction()), t_c = c.normalized();
    const Vector3 v = a.unitOrthogonal(), straight = ParallelTransport(v, a, t_c);
    const Vector3 round = ParallelTransport(ParallelTransport(v, a, b), b, t_c);
    const Vector3 turned = Eigen::AngleAxisd(Holonomy(a, b, c), t_c) * straight;
    EXPECT_LT((round - turned).norm(), 1e-14);
    EXPECT_GT((round - straight).norm(), 1e-3 * away * away);
  }
  EXPECT_EQ(Holonomy(Vector3::UnitX(), Vector3::UnitX(), {3, 4, 5}), 0);
}

TEST(ParallelTransport, DoesNothingBetweenEqualDirections) {
  Random random(2);
  const Frame a = random.Rotation();
  EXPECT_LT((ParallelTransport(a.col(1), a.col(0), a.col(0)) - a.col(1)).norm(), 1e-15);
}

TEST(ParallelTransport, IsFiniteAndBoundedAtAFold) {
  Random random(3);
  for (double away : {0.0, 1e-300, 1e-12, 1e-8, 1e-6, 1e-5, 1e-4}) {
    const Frame a = random.Rotation();
    const Vector3 t_b = Eigen::AngleAxisd(std::numbers::pi - away, a.col(2)) * a.col(0);
    for (int j : {1, 2}) {
      const Vector3 moved = ParallelTransport(a.col(j), a.col(0), t_b);
      EXPECT_TRUE(moved.allFinite());
      EXPECT_LT(moved.norm(), 1 + 1e-6) << away;
    }
  }
}

TEST(TwistAngle, IsTheAngleToTheTransportedFrame) {
  Random random(4);
  for (double turning : {0.0, 1e-9, 1e-3, 0.5, 2.0, 3.1}) {
    for (double twist : {-3.1, -1.0, 0.0, 1e-9, 0.3, 3.1}) {
      const Frame a = random.Rotation(), b = NextFrame(a, turning, twist, &random);
      EXPECT_NEAR(TwistAngle(a, b), twist, 1e-13 / std::cos(turning / 2));
      EXPECT_NEAR(TwistAngle(b, a), -twist, 1e-13 / std::cos(turning / 2));
    }
  }
}

TEST(TwistAngle, ChangesByTheSpinOfEitherFrame) {
  Random random(5);
  const Frame a = random.Rotation(), b = NextFrame(a, 1.2, 0.7, &random);
  const Frame a_spun = Eigen::AngleAxisd(0.4, a.col(0)) * a;
  const Frame b_spun = Eigen::AngleAxisd(0.9, b.col(0)) * b;
  EXPECT_NEAR(TwistAngle(a_spun, b), 0.3, 1e-14);
  EXPECT_NEAR(TwistAngle(a, b_spun), 1.6, 1e-14);
}

TEST(TwistAngle, IsInvariantUnderRotation) {
  Random random(6);
  const Frame a = random.Rotation(), b = NextFrame(a, 2.2, -0.7, &random);
  const Eigen::Matrix3d rotation = random.Rotation();
  EXPECT_NEAR(TwistAngle(rotation * a, rotation * b), TwistAngle(a, b), 1e-14);
}

TEST(TwistAngle, IsFiniteAtAFold) {
  Frame a = Frame::Identity(), b = Frame::Identity();
  b.col(0) *= -1, b.col(1) *= -1;
  EXPECT_TRUE(std::isfinite(TwistAngle(a, b)));
}

TEST(Unwrap, FindsTheNearestTurn) {
  EXPECT_NEAR(Unwrap(0.1, 0), 0.1, 1e-15);
  EXPECT_NEAR(Unwrap(0.1, 27 * kTwoPi + 3), 27 * kTwoPi + 0.1, 1e-12);
  EXPECT_NEAR(Unwrap(3, -3), 3 - kTwoPi, 1e-15);
  EXPECT_NEAR(Unwrap(-3, 3), kTwoPi - 3, 1e-15);
  EXPECT_NEAR(Unwrap(100, -1), 100 - 16 * kTwoPi, 1e-13);
  Random random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const double angle = random.Uniform(-4, 4), reference = random.Uniform(-400, 400);
    const double unwrapped = Unwrap(angle, reference);
    EXPECT_LE(std::abs(unwrapped - reference), std::numbers::pi + 1e-12);
    EXPECT_NEAR(std::remainder(unwrapped - angle, kTwoPi), 0, 1e-12);
  }
}

TEST(TransportFrame, IsARotationWithTheGivenTwist) {
  Random random(8);
  for (int trial = 0; trial < 100; ++trial) {
    const Frame a = random.Rotation();
    const Vector3 t = random.Direction();
    const double twist = random.Uniform(-3, 3);
    const Frame b = TransportFrame(a, t, twist);
    EXPECT_LT(OrthonormalError(b), 1e-13);
    EXPECT_LT((b.col(0) - t).norm(), 1e-15);
    EXPECT_NEAR(TwistAngle(a, b), twist, 1e-12);
  }
}

TEST(TransportFrame, StaysOrthonormalOverManyLinks) {
  Random random(9);
  Frame frame = random.Rotation();
  for (int k = 0; k < 10000; ++k) {
    const Vector3 t = (frame.col(0) + 0.3 * random.Vector()).normalized();
    frame = TransportFrame(frame, t, 0.1);
  }
  EXPECT_LT(OrthonormalError(frame), 1e-11);
}

}  // namespace frame_test
}  // namespace strand
