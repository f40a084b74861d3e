// The Newton solve of quasistatic twist: curved rest shapes, unequal bending stiffnesses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/twist_cases.h"

namespace strand {
namespace quasistatic_twist_newton_test {

using testing::LargestDifference;
using testing::MakeParameters;
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

// dE/dtheta of every link at the solution, from the kernels.
std::vector<double> AngleGradient(const RodRest& rest, const Solution& solution) {
  std::vector<double> slope(rest.links(), 0);
  for (int i = 0; i < rest.joints(); ++i) {
    const int next = rest.next(i);
    const Frame &a = solution.frames[i], &b = solution.frames[next];
    const JointGeometry geometry(a.col(0), b.col(0));
    JointGradient g;
    BendMaterial(geometry, a, b, rest.joint[i].bend, rest.measure, BendAverage::kEnergies, &g);
    AddTwist(geometry, solution.twists[i], rest.joint[i].twist, &g);
    slope[i] += g[kAngleA], slope[next] += g[kAngleB];
  }
  return slope;
}

// The energy after small random rotations of all links that are not held.
double EnergyNearby(const RodRest& rest, const Solution& solution, const std::vector<int>& holds,
                    double size, std::uint64_t seed) {
  testing::Random random(seed);
  std::vector<double> turn(rest.links());
  for (double& angle : turn) angle = random.Uniform(-size, size);
  for (int hold : holds) turn[hold] = 0;
  std::vector<Frame> frames;
  std::vector<double> twists = solution.twists;
  for (int k = 0; k < rest.links(); ++k) frames.push_back(Spun(solution.frames[k], turn[k]));
  for (int i = 0; i < rest.joints(); ++i) twists[i] += turn[rest.next(i)] - turn[i];
  return testing::TotalEnergy(rest, frames, twists);
}

void ExpectEquilibrium(const RodRest& rest, const Solution& solution, std::span<const Frame> bodies,
                       const std::vector<int>& holds) {
  EXPECT_TRUE(solution.report.converged);
  const std::vector<double> slope = AngleGradient(rest, solution);
  double largest = 0;
  for (const auto& joint : rest.joint) largest = std::max(largest, joint.twist.stiffness);
  for (int k = 0; k < rest.links(); ++k) {
    const bool held = std::find(holds.begin(), holds.end(), k) != holds.end();
    if (held) {
      EXPECT_EQ(solution.frames[k], bodies[k]) << "link " << k;
    } else {
      EXPECT_NEAR(slope[k], 0, 1e-9 * largest) << "link " << k;
    }
    EXPECT_LT((solution.frames[k].col(0) - bodies[k].col(0)).norm(), 1e-13);
    EXPECT_LT((solution.frames[k].transpose() * solution.frames[k] - Frame::Identity()).norm(),
              1e-12);
  }
  for (int i = 0; i < rest.joints(); ++i) {
    const double seen = TwistAngle(solution.frames[i], solution.frames[rest.next(i)]);
    EXPECT_NEAR(std::remainder(seen - solution.twists[i], kTwoPi), 0, 1e-10) << "joint " << i;
  }
  const double energy = testing::TotalEnergy(rest, solution.frames, solution.twists);
  for (std::uint64_t seed : {1, 2, 3}) {
    EXPECT_GT(EnergyNearby(rest, solution, holds, 1e-3, seed), energy);
  }
}

class Equilibrium : public ::testing::TestWithParam<std::tuple<Material, CurvatureMeasure, int>> {};

TEST_P(Equilibrium, OpenRod) {
  const auto [material, measure, links] = GetParam();
  const RandomChain chain = MakeRandomChain(links, 0.8, 5 * kTwoPi / links, 1);
  const RodRest rest = MakeRest(links, false, material, measure, 1);
  Solution solution = SolveTwist(rest, kQuasistatic, {}, chain.frames, chain.twists);
  ExpectEquilibrium(rest, solution, chain.frames, {0, links - 1});
  const int middle = links / 2;
  solution = SolveTwist(rest, kQuasistatic, {middle}, chain.frames, chain.twists);
  ExpectEquilibrium(rest, solution, chain.frames, {0, middle, links - 1});
}

TEST_P(Equilibrium, ClosedRod) {
  const auto [material, measure, links] = GetParam();
  const RandomChain ring = MakeRandomRing(links, 5 * kTwoPi / links, 2);
  const RodRest rest = MakeRest(links, true, material, measure, 2);
  Solution solution = SolveTwist(rest, kQuasistatic, {}, ring.frames, ring.twists);
  ExpectEquilibrium(rest, solution, ring.frames, {0});
  solution = SolveTwist(rest, kQuasistatic, {links - 1, 2}, ring.frames, ring.twists);
  ExpectEquilibrium(rest, solution, ring.frames, {2, links - 1});
}

INSTANTIATE_TEST_SUITE_P(
    All, Equilibrium,
    ::testing::Combine(::testing::Values(Material::kCurved, Material::kAnisotropic,
                                         Material::kAllAtOnce),
                       ::testing::Values(CurvatureMeasure::kAngle, CurvatureMeasure::kTangent),
                       ::testing::Values(8, 17, 120)));

// A negligible difference sends the same rod through Newton, which must find the closed form's
// answer.
TEST(Newton, AgreesWithTheClosedForm) {
  for (double twist : {0.3, 4.2}) {
    const RandomChain chain = MakeRandomChain(40, 0.6, twist, 3);
    auto plain = MakeParameters(40, false, Material::kUneven, kAngle, 3);
    plain.rest_twist = 2;
    const RodRest straight = MakeRodRest(plain, chain.frames);
    ASSERT_TRUE(straight.isotropic_straight);
    const Solution expected = SolveTwist(straight, kQuasistatic, {}, chain.frames, chain.twists);
    EXPECT_EQ(expected.report.iterations, 0);

    auto uneven = plain;
    for (auto& stiffness : uneven.stiffness) stiffness.EI[1] *= 1 + 1e-12;
    const RodRest almost = MakeRodRest(uneven, chain.frames);
    const Solution found = SolveTwist(almost, kQuasistatic, {}, chain.frames, chain.twists);
    EXPECT_GE(found.report.iterations, 1);
    EXPECT_TRUE(found.report.converged);
    EXPECT_LT(LargestDifference(found.twists, expected.twists), 1e-9);

    auto bent = plain;
    bent.rest_straight = false;
    std::vector<Frame> shape{Frame::Identity()};
    for (int k = 1; k < 40; ++k) {
      shape.push_back(Eigen::AngleAxisd(1e-7 * k, Vector3::UnitZ()).toRotationMatrix());
    }
    const RodRest curved = MakeRodRest(bent, shape);
    ASSERT_FALSE(curved.isotropic_straight);
    const Solution near = SolveTwist(curved, kQuasistatic, {}, chain.frames, chain.twists);
    EXPECT_GE(near.report.iterations, 1);
    EXPECT_LT(LargestDifference(near.twists, expected.twists), 1e-5);
  }
}

// The bending stiffnesses do not matter while the rod is straight.
TEST(Newton, StraightAnisotropicRodTwistsEvenly) {
  std::vector<Frame> bodies(30, Frame::Identity());
  const RodRest rest = MakeRest(30, false, Material::kAnisotropic, kAngle, 4);
  bodies.back() = Spun(bodies.back(), 2.0);
  testing::Random random(4);
  std::vector<double> previous(29);
  for (double& m : previous) m = random.Uniform(-1, 1);
  const double turns = std::round(Sum(previous) / kTwoPi) * kTwoPi;
  const Solution solution = SolveTwist(rest, kQuasistatic, {}, bodies, previous);
  const double total = Unwrap(2.0, Sum(previous));
  EXPECT_LE(std::abs(total - turns), kTwoPi);
  for (double m : solution.twists) EXPECT_NEAR(m, total / 29, 1e-11);
}

// In its rest shape a curved rod recovers its rest twist from any start.
TEST(Newton, RestShapeIsFoundAgain) {
  for (int links : {4, 17, 120}) {
    const RandomChain chain = MakeRandomChain(links, 0.4, 0.1, 5);
    auto parameters = MakeParameters(links, false, Material::kAllAtOnce, kAngle, 5);
    parameters.rest_twist = 0;
    const RodRest rest = MakeRodRest(parameters, chain.frames);
    testing::Random random(5);
    std::vector<double> previous = chain.twists;
    for (double& m : previous) m += random.Uniform(-0.2, 0.2);
    const Solution solution = SolveTwist(rest, kQuasistatic, {}, chain.frames, previous);
    EXPECT_TRUE(solution.report.converged);
    EXPECT_LT(LargestDifference(solution.twists, chain.twists), 1e-9);
    EXPECT_LT(testing::TotalEnergy(rest, solution.frames, solution.twists), 1e-18);
  }
}

// A helix of `links` links with `twist` per joint.
RandomChain Helix(int links, double twist) {
  RandomChain chain;
  chain.frames.push_back(Frame::Identity());
  for (int k = 1; k < links; ++k) {
    const double s = 0.05 * k;
    const Vector3 t = Vector3(2, std::cos(s), std::sin(s)).normalized();
    chain.frames.push_back(TransportFrame(chain.frames.back(), t, twist));
    chain.twists.push_back(twist);
  }
  return chain;
}

TEST(Newton, AThousandLinksTakeFewIterations) {
  constexpr int kLinks = 1000;
  for (Material material : {Material::kCurved, Material::kAnisotropic, Material::kAllAtOnce}) {
    const RandomChain chain = Helix(kLinks, 0.03);
    auto parameters = MakeParameters(kLinks, false, material, kAngle, 6);
    const RodRest rest = MakeRodRest(parameters, Helix(kLinks, 0.01).frames);
    TwistSolver solver(rest, kQuasistatic, {});
    std::vector<double> previous = chain.twists, twists(kLinks - 1);
    const auto cold = solver.Solve(chain.frames, previous, twists);
    EXPECT_TRUE(cold.converged);
    EXPECT_LE(cold.iterations, 30);
    previous = twists;
    const auto again = solver.Solve(chain.frames, previous, twists);
    EXPECT_TRUE(again.converged);
    EXPECT_LE(again.iterations, 1);
    std::vector<Frame> bodies = chain.frames;
    bodies.back() = Spun(bodies.back(), 0.1);
    const auto warm = solver.Solve(bodies, previous, twists);
    EXPECT_TRUE(warm.converged);
    EXPECT_LE(warm.iterations, 6);
  }
}

// Far from equilibrium, soft in twist, flat as a ribbon: Newton still finds an equilibrium.
TEST(Newton, ConvergesFromBadStarts) {
  int worst = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const int links = 3 + static_cast<int>(seed % 50);
    testing::Random random(seed);
    auto parameters = MakeParameters(links, false, Material::kAllAtOnce, kAngle, seed);
    for (auto& stiffness : parameters.stiffness) {
      stiffness.EI[1] = stiffness.EI[0] * random.Uniform(1, 30);
      stiffness.GJ *= 0.3;
    }
    const RodRest rest = MakeRodRest(parameters, MakeRandomChain(links, 1, 0.3, seed).frames);
    const RandomChain chain = MakeRandomChain(links, 1, 0.5, seed + 1000);
    std::vector<double> previous = chain.twists;
    for (double& m : previous) m += random.Uniform(-2, 2);
    const Solution solution = SolveTwist(rest, kQuasistatic, {}, chain.frames, previous);
    worst = std::max(worst, solution.report.iterations);
    ExpectEquilibrium(rest, solution, chain.frames, {0, links - 1});
  }
  EXPECT_LE(worst, 100);
  RecordProperty("iterations", worst);
}

}  // namespace quasistatic_twist_newton_test
}  // namespace strand
