#include "model/vine/eversion.h"

#include <gtest/gtest.h>

#include "tests/support/vines.h"

namespace strand {
namespace eversion_test {

constexpr double kSegment = 0.02;

VineOptions TipOptions() {
  VineOptions options;
  options.dt = 0.01;
  options.diameter = 0.01;
  options.growth = VineGrowth::kTip;
  options.material = {.EI = 2e-3, .bending_damping = 5e-3, .mass_per_length = 0.05};
  options.segment = kSegment;
  return options;
}

Vine MakeEverting(const VineOptions& options, int capacity,
                  const std::vector<PlanarObstacle>& obstacles, double heading = 0) {
  const VineChain chain = MakeUniformChain(options.material, options.diameter, 3 * kSegment, 3,
                                           capacity, {0, 0}, heading);
  return Vine(chain, NaturalState(chain), options, obstacles);
}

TEST(Eversion, DeployedSkinDoesNotMove) {
  Vine vine = MakeEverting(TipOptions(), 40, {}, 0.3);
  const std::vector<double> rate = {0.05};
  Vector2 pins[2];
  for (int i = 0; i < 2; ++i) pins[i] = ContactPoint(vine.chain(), vine.state().q, i);
  for (int step = 1; step <= 1000; ++step) {
    ASSERT_TRUE(vine.Step(rate).ok());
    const double length = 3 * kSegment + 0.05 * 0.01 * step;
    ASSERT_NEAR(ChainLength(vine.chain(), vine.state().q), length, 1e-8);
    ASSERT_NEAR(vine.tip().norm(), length, 1e-8);
  }
  EXPECT_EQ(vine.chain().pairs, 28);  // 0.56 m: the last pair is between h / 16 and 17 h / 16
  for (int i = 0; i < 2; ++i) {
    EXPECT_LT((ContactPoint(vine.chain(), vine.state().q, i) - pins[i]).norm(), 1e-8);
  }
}

TEST(Eversion, RetractionUndoesGrowth) {
  VineOptions options = TipOptions();
  options.gravity = {0, -1};
  Vine vine = MakeEverting(options, 20, {});
  for (int step = 0; step < 400; ++step) ASSERT_TRUE(vine.Step(std::vector{0.04}).ok());
  EXPECT_EQ(vine.chain().pairs, 11);
  for (int step = 0; step < 400; ++step) {
    const VineReport report = vine.Step(std::vector{-0.04});
    ASSERT_TRUE(report.ok()) << vine.Describe(report);
    ASSERT_TRUE(vine.state().v.allFinite());
  }
  EXPECT_NEAR(ChainLength(vine.chain(), vine.state().q), 3 * kSegment, 1e-8);
  EXPECT_LE(vine.chain().pairs, 4);
}

TEST(Eversion, SplittingKeepsShapeAndVelocities) {
  const VineOptions options = TipOptions();
  VineChain chain =
      MakeUniformChain(options.material, options.diameter, 3 * kSegment, 3, 4, {0, 0}, 0.2);
  SetPairLength(options.material, options.diameter, 1.5 * kSegment, 2, &chain);
  VineState state = NaturalState(chain);
  // The chain turns about its first pin and lengthens by .08 m/s at its end.
  const Vector2 t(std::cos(0.2), std::sin(0.2)), n(-t.y(), t.x());
  for (int k = 0; k < 6; ++k) {
    const double away = state.q.segment<2>(3 * k).norm();
    state.v.segment<3>(3 * k) << 0.7 * away * n, 0.7;
  }
  state.v.segment<2>(12) += 0.02 * t;
  state.v.segment<2>(15) += 0.06 * t;
  const Vector2 tip = ContactPoint(chain, state.q, 2);
  ASSERT_EQ(RemeshTip(options.material, options.diameter, kSegment, 1e-3, &chain, &state),
            TipChange::kSplit);
  ASSERT_EQ(chain.pairs, 4);
  EXPECT_LT((ContactPoint(chain, state.q, 3) - tip).norm(), 1e-15);
  EXPECT_NEAR(TipLength(chain), 0.5 * kSegment, 1e-15);
  const double grown[4] = {0, 0, 0.02, 0.06};
  for (int k = 4; k < 8; ++k) {
    const double away = state.q.segment<2>(3 * k).norm();
    const Vector2 expected = 0.7 * away * n + grown[k - 4] * t;
    EXPECT_LT((state.v.segment<2>(3 * k) - expected).norm(), 1e-14) << k;
    EXPECT_DOUBLE_EQ(state.v[3 * k + 2], 0.7);
  }
}

TEST(Eversion, ATipGrowsAroundAnObstacle) {
  const std::vector<PlanarObstacle> wall = {MakeCircle({0.2, -0.03}, 0.05)};
  Vine vine = MakeEverting(TipOptions(), 60, wall);
  int contacts = 0;
  for (int step = 0; step < 1200; ++step) {
    const VineReport report = vine.Step(std::vector{0.04});
    ASSERT_TRUE(report.ok()) << step << " " << vine.Describe(report);
    ASSERT_GE(report.least_gap, -1e-9);
    contacts += report.contacts;
  }
  EXPECT_GT(contacts, 100);
  EXPECT_GT(vine.tip().norm(), 0.3);
}

// A robot with natural curvature grows along a circle, segment by segment.
TEST(Eversion, ACurvedTipGrowsAlongItsArc) {
  VineOptions options = TipOptions();
  options.material.curvature = 3;
  Vine vine = MakeEverting(options, 60, {});
  const double start = ChainLength(vine.chain(), vine.state().q);
  for (int step = 0; step < 1000; ++step) ASSERT_TRUE(vine.Step(std::vector{0.04}).ok());
  for (int step = 0; step < 300; ++step) ASSERT_TRUE(vine.Step(std::vector{0.0}).ok());
  const double angle = options.material.curvature * (start + 0.4);
  const Vector2 arc(std::sin(angle) / 3, (1 - std::cos(angle)) / 3);
  EXPECT_LT((vine.tip() - arc).norm(), 0.02 * arc.norm());
}

TEST(Eversion, LimitsAreReported) {
  Vine full = MakeEverting(TipOptions(), 4, {});
  VineReport report;
  while (report.ok()) report = full.Step(std::vector{0.05});
  EXPECT_EQ(full.Describe(report), "no room for another segment: 4 are all");
  Vine empty = MakeEverting(TipOptions(), 4, {});
  report = {};
  while (report.ok()) report = empty.Step(std::vector{-0.05});
  EXPECT_EQ(empty.Describe(report), "nothing left to retract");
}

}  // namespace eversion_test
}  // namespace strand
