#include "model/reduction/quasistatic_twist.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "model/config/error.h"
#include "tests/support/random.h"
#include "tests/support/twist_cases.h"

namespace strand {
namespace quasistatic_twist_test {

using testing::LargestDifference;
using testing::MakeRandomChain;
using testing::MakeRandomRing;
using testing::MakeRest;
using testing::Material;
using testing::RandomChain;
using testing::Solution;
using testing::SolveTwist;
using testing::Spun;
using testing::Sum;

constexpr CurvatureMeasure kAngle = CurvatureMeasure::kAngle;
constexpr TwistMode kQuasistatic = TwistMode::kQuasistatic;
constexpr TwistMode kDynamic = TwistMode::kDynamic;

void ExpectSameMoment(const RodRest& rest, std::span<const double> twists, int begin, int end) {
  const double moment = TwistMoment(rest.joint[begin].twist, twists[begin]);
  for (int i = begin; i < end; ++i) {
    EXPECT_NEAR(TwistMoment(rest.joint[i].twist, twists[i]), moment, 1e-10) << i;
  }
}

TEST(DynamicTwist, IsThatOfEachJointWithItsTurns) {
  const RandomChain chain = MakeRandomChain(30, 0.8, 9.0, 1);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(30, false, material, kAngle, 1);
    std::vector<double> previous = chain.twists;
    testing::Random random(1);
    for (double& m : previous) m += random.Uniform(-3, 3);  // less than half a turn
    const Solution solution = SolveTwist(rest, kDynamic, {}, chain.frames, previous);
    EXPECT_LT(LargestDifference(solution.twists, chain.twists), 1e-12);
    EXPECT_EQ(solution.frames, chain.frames);
  }
}

TEST(UniformTwist, MomentIsTheSameEverywhere) {
  for (double rest_twist : {0.0, 3.0}) {
    const RandomChain chain = MakeRandomChain(20, 0.8, 2.0, 2);
    auto parameters = testing::MakeParameters(20, false, Material::kUneven, kAngle, 2);
    parameters.rest_twist = rest_twist;
    const RodRest rest = MakeRodRest(parameters, chain.frames);
    const auto twists = SolveTwist(rest, kQuasistatic, {}, chain.frames, chain.twists).twists;
    EXPECT_NEAR(Sum(twists), Sum(chain.twists), 1e-11);
    ExpectSameMoment(rest, twists, 0, 19);
    // Equal stiffnesses: Theta / n at each joint.
    const RodRest even = MakeRest(20, false, Material::kStraight, kAngle, 2);
    for (double m : SolveTwist(even, kQuasistatic, {}, chain.frames, chain.twists).twists) {
      EXPECT_NEAR(m, Sum(chain.twists) / 19, 1e-12);
    }
  }
}

TEST(UniformTwist, DependsOnTheSpinOfTheHoldsOnly) {
  const RandomChain chain = MakeRandomChain(20, 0.8, 0.5, 3);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(20, false, material, kAngle, 3);
    const auto before = SolveTwist(rest, kQuasistatic, {}, chain.frames, chain.twists).twists;
    std::vector<Frame> bodies = chain.frames;
    for (int k = 1; k < 19; ++k) bodies[k] = Spun(bodies[k], 0.4 * k);
    const auto inside = SolveTwist(rest, kQuasistatic, {}, bodies, chain.twists).twists;
    EXPECT_LT(LargestDifference(before, inside), 1e-8);
    bodies[19] = Spun(bodies[19], 0.3);
    const auto end = SolveTwist(rest, kQuasistatic, {}, bodies, chain.twists).twists;
    EXPECT_NEAR(Sum(end) - Sum(before), 0.3, 1e-11);
  }
}

TEST(Holds, TwistIsPiecewise) {
  const RandomChain chain = MakeRandomChain(21, 0.8, 0.9, 4);
  const std::vector<double>& m = chain.twists;
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(21, false, material, kAngle, 4);
    const auto pieces = SolveTwist(rest, kQuasistatic, {5, 12}, chain.frames, m).twists;
    for (auto [begin, end] : {std::pair{0, 5}, std::pair{5, 12}, std::pair{12, 20}}) {
      const auto span = [&](const std::vector<double>& v) {
        return Sum(std::span(v).subspan(begin, end - begin));
      };
      EXPECT_NEAR(span(pieces), span(m), 1e-11);
      if (rest.isotropic_straight) ExpectSameMoment(rest, pieces, begin, end);
    }
    // Turning the grip at link 5 twists one side and untwists the other; the third part does not
    // change.
    std::vector<Frame> bodies = chain.frames;
    bodies[5] = Spun(bodies[5], 0.2);
    const auto turned = SolveTwist(rest, kQuasistatic, {5, 12}, bodies, m).twists;
    EXPECT_NEAR(Sum(std::span(turned).first(5)) - Sum(std::span(pieces).first(5)), 0.2, 1e-11);
    EXPECT_NEAR(Sum(std::span(turned).subspan(5, 7)) - Sum(std::span(pieces).subspan(5, 7)), -0.2,
                1e-11);
    EXPECT_LT(LargestDifference(std::span(turned).last(8), std::span(pieces).last(8)), 1e-12);
  }
}

TEST(Holds, HoldingEveryLinkEqualsDynamicTwist) {
  const RandomChain chain = MakeRandomChain(9, 0.8, 0.9, 5);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(9, false, material, kAngle, 5);
    const Solution solution =
        SolveTwist(rest, kQuasistatic, {8, 1, 2, 3, 4, 5, 6, 7, 0, 4}, chain.frames, chain.twists);
    EXPECT_LT(LargestDifference(solution.twists, chain.twists), 1e-12);
    EXPECT_TRUE(solution.report.converged);
    EXPECT_EQ(solution.frames, chain.frames);
  }
}

TEST(Holds, OutOfRangeIsNamed) {
  const RodRest rest = MakeRest(9, false, Material::kStraight, kAngle, 6);
  for (int hold : {-1, 9, 1000}) {
    try {
      TwistSolver solver(rest, kQuasistatic, {3, hold});
      ADD_FAILURE() << hold << " was accepted";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.field(), "holds");
      EXPECT_EQ(std::string(error.what()),
                "holds: got '" + std::to_string(hold) + "', allowed: links 0 to 8");
    }
  }
}

// Winds the last link by 27 turns, a fifth of a turn per step, and back again.
TEST(Winding, ManyTurnsAreKeptAndUndone) {
  const RandomChain chain = MakeRandomChain(41, 0.3, 0, 7);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(41, false, material, kAngle, 7);
    TwistSolver solver(rest, kQuasistatic, {});
    std::vector<double> previous = chain.twists, twists(40), start;
    std::vector<Frame> bodies = chain.frames;
    for (int step = 0; step <= 270; ++step) {
      const int turned = step <= 135 ? step : 270 - step;
      bodies[40] = Spun(chain.frames[40], turned * kTwoPi / 5);
      ASSERT_TRUE(solver.Solve(bodies, previous, twists).converged);
      previous = twists;
      if (step == 0) start = twists;
      EXPECT_NEAR(Sum(twists) - Sum(start), turned * kTwoPi / 5, 1e-9);
    }
    if (!rest.isotropic_straight) continue;
    EXPECT_LT(LargestDifference(twists, start), 1e-12);
  }
}

TEST(Winding, DynamicCountsPerJoint) {
  const RodRest rest = MakeRest(5, false, Material::kAnisotropic, kAngle, 8);
  const RandomChain chain = MakeRandomChain(5, 0.5, 0, 8);
  TwistSolver solver(rest, kDynamic, {});
  std::vector<double> previous = chain.twists, twists(4);
  std::vector<Frame> bodies = chain.frames;
  for (int step = 1; step <= 108; ++step) {
    bodies[2] = Spun(chain.frames[2], step * kTwoPi / 4);
    solver.Solve(bodies, previous, twists);
    previous = twists;
  }
  EXPECT_NEAR(twists[1] - chain.twists[1], 27 * kTwoPi, 1e-9);
  EXPECT_NEAR(twists[2] - chain.twists[2], -27 * kTwoPi, 1e-9);
  EXPECT_NEAR(twists[0], chain.twists[0], 1e-12);
  EXPECT_NEAR(twists[3], chain.twists[3], 1e-12);
}

TEST(ClosedRod, TotalTwistIsThatOfTheLoop) {
  const RandomChain ring = MakeRandomRing(24, 1.4, 9);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(24, true, material, kAngle, 9);
    const Solution solution = SolveTwist(rest, kQuasistatic, {}, ring.frames, ring.twists);
    EXPECT_NEAR(Sum(solution.twists), Sum(ring.twists), 1e-10);
    if (rest.isotropic_straight) ExpectSameMoment(rest, solution.twists, 0, 24);
  }
}

// The same ring, numbered from another link, has the same twists, shifted.
TEST(ClosedRod, HoldsMayLieAnywhere) {
  constexpr int kLinks = 24, kShift = 7;
  const RandomChain ring = MakeRandomRing(kLinks, 0.4, 10);
  const auto moved = [](const auto& values) {
    auto result = values;
    for (int i = 0; i < kLinks; ++i) result[i] = values[(i + kShift) % kLinks];
    return result;
  };
  for (Material material : {Material::kUneven, Material::kCurved, Material::kAllAtOnce}) {
    auto p = testing::MakeParameters(kLinks, true, material, kAngle, 10);
    const auto shape = MakeRandomRing(kLinks, 0.1, 11).frames;
    const RodRest rest = MakeRodRest(p, shape);
    p.length = moved(p.length), p.stiffness = moved(p.stiffness);
    const RodRest rest_moved = MakeRodRest(p, moved(shape));
    for (const auto& [here, there] : {std::pair<std::vector<int>, std::vector<int>>{{7}, {0}},
                                      {{3}, {20}},
                                      {{2, 9, 20}, {19, 2, 13}}}) {
      const Solution a = SolveTwist(rest, kQuasistatic, here, ring.frames, ring.twists);
      const Solution b =
          SolveTwist(rest_moved, kQuasistatic, there, moved(ring.frames), moved(ring.twists));
      EXPECT_TRUE(a.report.converged && b.report.converged);
      EXPECT_LT(LargestDifference(moved(a.twists), b.twists), 1e-8);
      EXPECT_NEAR(testing::TotalEnergy(rest, a.frames, a.twists),
                  testing::TotalEnergy(rest_moved, b.frames, b.twists), 1e-10);
    }
  }
}

TEST(Solve, IsAPureFunction) {
  const RandomChain chain = MakeRandomChain(30, 0.8, 0.9, 12),
                    other = MakeRandomChain(30, 1, 3, 13);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(30, false, material, kAngle, 12);
    TwistSolver solver(rest, kQuasistatic, {11});
    std::vector<double> first(29), second(29), scratch(29);
    solver.Solve(chain.frames, chain.twists, first);
    solver.Solve(other.frames, other.twists, scratch);
    solver.Solve(chain.frames, chain.twists, second);
    EXPECT_EQ(first, second);
    EXPECT_NE(first, scratch);
  }
}

// For a link folded back exactly onto its neighbour any finite answer is accepted.
TEST(Solve, SurvivesAFold) {
  for (Material material : testing::kMaterials) {
    for (CurvatureMeasure measure : {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent}) {
      for (TwistMode mode : {kQuasistatic, kDynamic}) {
        RandomChain chain = MakeRandomChain(12, 0.5, 0.3, 14);
        const RodRest rest = MakeRest(12, false, material, measure, 14);
        for (double away : {0.0, 1e-12, 1e-7, 1e-4}) {
          for (int k : {1, 6, 11}) {
            std::vector<Frame> bodies = chain.frames;
            bodies[k] =
                Eigen::AngleAxisd(std::numbers::pi - away, bodies[k - 1].col(2)) * bodies[k - 1];
            const Solution s = SolveTwist(rest, mode, {}, bodies, chain.twists);
            for (double m : s.twists) EXPECT_TRUE(std::isfinite(m));
            std::vector<Vector3> couples(11);
            const RodEnergy energy = EvaluateRod(rest, s.frames, s.twists, couples);
            EXPECT_TRUE(std::isfinite(energy.bend + energy.twist));
            for (const Vector3& couple : couples) EXPECT_TRUE(couple.allFinite());
          }
        }
      }
    }
  }
}

TEST(Solve, TerminatesOnNaNAndRecovers) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const RandomChain chain = MakeRandomChain(12, 0.5, 0.3, 15);
  for (Material material : testing::kMaterials) {
    const RodRest rest = MakeRest(12, false, material, kAngle, 15);
    TwistSolver solver(rest, kQuasistatic, {4});
    std::vector<double> before(11), after(11), spoilt(11);
    solver.Solve(chain.frames, chain.twists, before);
    for (int k : {0, 4, 7, 11}) {
      std::vector<Frame> bodies = chain.frames;
      bodies[k](1, 0) = nan;
      const auto report = solver.Solve(bodies, chain.twists, spoilt);
      EXPECT_LE(report.iterations, 10);
      EXPECT_EQ(report.converged, rest.isotropic_straight);  // Newton reports failure
      EXPECT_TRUE(std::isnan(Sum(spoilt)));
    }
    solver.Solve(chain.frames, std::vector<double>(11, nan), spoilt);
    solver.Solve(chain.frames, std::vector<double>(11, INFINITY), spoilt);
    solver.Solve(chain.frames, chain.twists, after);
    EXPECT_EQ(before, after);
  }
}

}  // namespace quasistatic_twist_test
}  // namespace strand
