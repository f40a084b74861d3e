// Chains made from a material converge to beam theory as segments get shorter.
#include "model/vine/material.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/config/error.h"
#include "tests/support/vines.h"

namespace strand {
namespace material_test {

constexpr double kLength = 0.5;
constexpr double kDiameter = 1e-3;  // slender: negligible rotary inertia

Vine MakeCantilever(const VineMaterial& material, int segments, double dt, double weight) {
  const VineChain chain =
      MakeUniformChain(material, kDiameter, kLength, segments, segments, {0, 0}, 0);
  VineOptions options;
  options.dt = dt;
  options.diameter = kDiameter;
  options.gravity = {0, -weight};
  return Vine(chain, NaturalState(chain), options, {});
}

// Relative error of the tip's deflection under a small weight, q L^4 / 8 EI.
double DeflectionError(int segments) {
  const VineMaterial material{.EI = 2e-3, .bending_damping = 2e-3, .mass_per_length = 0.02};
  const double weight = 1e-3;
  Vine vine = MakeCantilever(material, segments, 0.05, weight);
  const std::vector<double> still(segments, 0.0);
  for (int step = 0; step < 2000; ++step) EXPECT_TRUE(vine.Step(still).ok());
  EXPECT_LT(vine.state().v.norm(), 1e-10);
  const double exact =
      -material.mass_per_length * weight * std::pow(kLength, 4) / (8 * material.EI);
  return std::abs(vine.tip().y() / exact - 1);
}

TEST(VineMaterial, DeflectionConvergesToThatOfABeam) {
  const double coarse = DeflectionError(5), middle = DeflectionError(10),
               fine = DeflectionError(20);
  EXPECT_NEAR(coarse / middle, 4, 0.4);  // second order
  EXPECT_NEAR(middle / fine, 4, 0.4);
  EXPECT_LT(fine, 5e-3);
}

constexpr int kCrossings = 40;

// First angular frequency (rad/s), from the times at which the tip passes the middle.
double FirstFrequency(int segments, double dt) {
  // One per cent of the critical damping: higher modes decay within a few periods.
  const VineMaterial material{.EI = 2e-3, .bending_damping = 9e-6, .mass_per_length = 0.02};
  Vine vine = MakeCantilever(material, segments, dt, 0);
  VineState state = vine.state();
  double heading = 0;
  Vector2 at = Vector2::Zero();
  for (int i = 0; i < segments; ++i) {  // approximately the first mode
    const double d = vine.chain().half_length[i], s = (i + 0.5) / segments;
    heading = 0.02 * (s - s * s / 2);
    PlacePair(d, at, heading, 2 * d, i, &state.q);
    at += 4 * d * Vector2(std::cos(heading), std::sin(heading));
  }
  vine.SetState(state);
  const std::vector<double> still(segments, 0.0);
  double last = vine.tip().y(), first = 0;
  int crossings = 0;
  while (crossings < kCrossings) {
    EXPECT_TRUE(vine.Step(still).ok());
    const double y = vine.tip().y();
    if (y * last < 0) {
      const double time = vine.time() - dt * y / (y - last);
      if (++crossings == kCrossings / 2) first = time;
      if (crossings == kCrossings) return kCrossings / 4 * kTwoPi / (time - first);
    }
    last = y;
  }
  return 0;
}

TEST(VineMaterial, FirstFrequencyConvergesToThatOfABeam) {
  const double exact = std::pow(1.8751040687, 2) / (kLength * kLength) * std::sqrt(2e-3 / 0.02);
  const double period = kTwoPi / exact;
  const double coarse = std::abs(FirstFrequency(5, period / 4000) / exact - 1);
  const double fine = std::abs(FirstFrequency(20, period / 4000) / exact - 1);
  EXPECT_LT(coarse, 0.04);
  EXPECT_LT(fine, 0.004);
  EXPECT_LT(fine, coarse / 6);
}

TEST(VineMaterial, ImplicitBendingIsStableAtAnyStep) {
  // omega dt of the stiffest joint is in the hundreds.
  const VineMaterial material{.EI = 1, .bending_damping = 0, .mass_per_length = 0.02};
  Vine vine = MakeCantilever(material, 100, 0.05, 9.81);
  const std::vector<double> still(100, 0.0);
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(vine.Step(still).ok());
  EXPECT_NEAR(vine.tip().y(), -0.02 * 9.81 * std::pow(kLength, 4) / 8, 2e-5);
}

TEST(VineMaterial, CurvatureActuationBendsIntoAnArc) {
  const VineMaterial material{.EI = 0.01, .bending_damping = 0.01, .mass_per_length = 0.02};
  Vine vine = MakeCantilever(material, 20, 0.05, 0);
  const double curvature = 4;
  std::vector<double> angles(20, curvature * kLength / 20);
  angles[0] /= 2;
  vine.SetNaturalAngles(angles);
  const std::vector<double> still(20, 0.0);
  for (int step = 0; step < 400; ++step) ASSERT_TRUE(vine.Step(still).ok());
  const double turn = curvature * kLength;
  EXPECT_NEAR(vine.tip().x(), std::sin(turn) / curvature, 1e-3);
  EXPECT_NEAR(vine.tip().y(), (1 - std::cos(turn)) / curvature, 1e-3);
}

TEST(VineMaterial, BadNumbersAreNamed) {
  EXPECT_THROW(MakeUniformChain({.EI = -1}, 0.01, 1, 5, 5, {0, 0}, 0), ConfigError);
  EXPECT_THROW(MakeUniformChain({.EI = 1}, 0.01, 1, 5, 5, {0, 0}, 0), ConfigError);
  EXPECT_THROW(MakeUniformChain({.EI = 1, .mass_per_length = 1}, 0.01, 1, 0, 5, {0, 0}, 0),
               ConfigError);
}

}  // namespace material_test
}  // namespace strand
