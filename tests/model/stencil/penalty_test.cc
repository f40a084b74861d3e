#include "model/stencil/penalty.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/finite_difference.h"

namespace strand {
namespace penalty_test {

using testing::ExpectSecondOrder;
using testing::SweepSteps;

constexpr double kStiffness = 3e4, kTolerance = 2e-4;
constexpr double kForce = kStiffness * kTolerance, kEnergy = kForce * kTolerance;

Penalty At(double gap) { return ContactPenalty(gap, kStiffness, kTolerance); }

TEST(Penalty, DerivativesMatchDifferences) {
  for (double part : {-3.0, -1.0, -0.4, -0.1, 0.0, 0.05, 0.2, 0.5}) {
    SCOPED_TRACE(part);
    const double gap = part * kTolerance;
    const Penalty at = At(gap);
    const auto slope_error = [&](double h) {
      const double difference = (At(gap + h).energy - At(gap - h).energy) / (2 * h);
      return std::abs(difference - at.slope) / kForce;
    };
    const auto curvature_error = [&](double h) {
      const double difference = (At(gap + h).slope - At(gap - h).slope) / (2 * h);
      return std::abs(difference - at.curvature) / kStiffness;
    };
    ExpectSecondOrder(SweepSteps(0.02 * kTolerance, 14, slope_error), 1e-9);
    ExpectSecondOrder(SweepSteps(0.02 * kTolerance, 14, curvature_error), 1e-8);
  }
}

TEST(Penalty, HardensToItsReach) {
  const double reach = 9 * kTolerance;
  const auto hard = [&](double gap) {
    return HardeningPenalty(gap, kStiffness, kTolerance, reach);
  };
  for (double part : {-8.5, -5.0, -1.0, -0.6, -0.51, 0.1}) {
    SCOPED_TRACE(part);
    const double gap = part * kTolerance;
    const auto slope_error = [&](double h) {
      return std::abs((hard(gap + h).energy - hard(gap - h).energy) / (2 * h) - hard(gap).slope) /
             (kForce - hard(gap).slope);
    };
    const auto curvature_error = [&](double h) {
      return std::abs((hard(gap + h).slope - hard(gap - h).slope) / (2 * h) - hard(gap).curvature) /
             (kStiffness + hard(gap).curvature);
    };
    ExpectSecondOrder(SweepSteps(5e-3 * kTolerance, 14, slope_error), 1e-8);
    ExpectSecondOrder(SweepSteps(5e-3 * kTolerance, 14, curvature_error), 1e-7);
  }
  EXPECT_EQ(hard(-0.4 * kTolerance).energy, At(-0.4 * kTolerance).energy);
  EXPECT_GT(-hard(-0.999 * reach).slope, 1e3 * -At(-0.999 * reach).slope);
  EXPECT_FALSE(std::isfinite(hard(-reach).energy));
}

// [log(1 + e^x) / K]^2 as written, where it neither overflows nor cancels.
TEST(Penalty, IsTheImplicitContactModel) {
  for (double part = -1; part < 1; part += 0.125) {
    const long double rate = 15 / static_cast<long double>(kTolerance);
    const long double depth = std::log(1 + std::exp(-rate * (part * kTolerance))) / rate;
    const double expected = static_cast<double>(kStiffness * depth * depth);
    EXPECT_NEAR(At(part * kTolerance).energy, expected, 1e-12 * expected);
  }
  const double at_contact = std::log(2.0) / 15;
  EXPECT_NEAR(At(0).energy, kEnergy * at_contact * at_contact, 1e-14 * kEnergy);
  EXPECT_NEAR(At(0).slope, -kForce * at_contact, 1e-14 * kForce);
}

TEST(Penalty, DeepContactIsASpringOfTwiceTheStiffness) {
  for (double part : {-4.0, -30.0, -47.0, -48.0, -1000.0, -1e9}) {
    const double gap = part * kTolerance;
    const Penalty at = At(gap);
    EXPECT_NEAR(at.energy / (kStiffness * gap * gap), 1, 1e-14) << part;
    EXPECT_NEAR(at.slope / (2 * kStiffness * gap), 1, 1e-14) << part;
    EXPECT_NEAR(at.curvature / (2 * kStiffness), 1, 1e-14) << part;
  }
}

TEST(Penalty, FiniteRepulsiveAndConvexAtEveryGap) {
  double energy = std::numeric_limits<double>::infinity(), slope = -energy;
  for (double part = -1000; part <= 1; part += 0.01) {
    const Penalty at = At(part * kTolerance);
    ASSERT_TRUE(std::isfinite(at.energy) && std::isfinite(at.curvature)) << part;
    ASSERT_LT(at.energy, energy) << part;
    ASSERT_GT(at.slope, slope) << part;
    ASSERT_LE(at.slope, 0) << part;
    ASSERT_GE(at.curvature, 0) << part;
    energy = at.energy, slope = at.slope;
  }
}

TEST(Penalty, ZeroBeyondTheToleranceWithoutAJump) {
  for (double part : {1.0, 1.5, 1e9}) {
    const Penalty at = At(part * kTolerance);
    EXPECT_EQ(at.energy, 0);
    EXPECT_EQ(at.slope, 0);
    EXPECT_EQ(at.curvature, 0);
  }
  const Penalty before = At(kTolerance * (1 - 1e-15));
  EXPECT_GT(before.energy, 0);
  EXPECT_LT(before.energy, 5e-16 * kEnergy);
  EXPECT_GT(before.slope, -2e-14 * kForce);
  EXPECT_LT(before.curvature, 4e-13 * kStiffness);
}

// The jumps avoided by not switching to k g^2 at g = -delta, as IMC does.
TEST(Penalty, SwitchToAParabolaWouldJump) {
  const Penalty at = At(-kTolerance);
  EXPECT_NEAR(at.energy / kEnergy - 1, 4.1e-8, 2e-9);
  EXPECT_NEAR(at.slope / (-2 * kForce) - 1, -2.9e-7, 1e-8);
  EXPECT_NEAR(at.curvature / (2 * kStiffness) - 1, 4.0e-6, 1e-7);
}

}  // namespace penalty_test
}  // namespace strand
