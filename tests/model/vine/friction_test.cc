// Coulomb friction of growing robots: a robot without a base on an incline, and the small friction
// problem.
#include <gtest/gtest.h>

#include "model/vine/friction_problem.h"
#include "tests/support/finite_difference.h"
#include "tests/support/vines.h"

namespace strand {
namespace friction_test {

using testing::Matrix;
using testing::Vector;

constexpr double kAngle = 0.4;
constexpr double kWeight = 9.81;

// A stiff robot on a plane of slope kAngle, which its contact points 0, 1, 2, 3 touch.
Vine MakeSled(double friction) {
  constexpr int kPairs = 4;
  VineChain chain = testing::AlikeChain(kPairs, 0.02, 0.01, 1e-4, 1e4, 0);
  chain.pinned = false;
  chain.base_heading = -kAngle;
  VineOptions options;
  options.dt = 1e-3;
  options.diameter = 0.02;
  options.friction = friction;
  options.gravity = {0, -kWeight};
  // A long box whose upper face is the incline, half a diameter below the centreline of the robot.
  const Vector2 down(std::cos(kAngle), -std::sin(kAngle)), normal(-down.y(), down.x());
  const Vector2 centre = down * 1 - normal * (0.01 + 0.5);
  return Vine(chain, NaturalState(chain), options, {MakeRotatedBox(centre, -kAngle, 10, 1)});
}

TEST(VineFriction, SticksIfFrictionExceedsTheTangentOfTheIncline) {
  const std::vector<double> still(4, 0.0);
  Vine sticking = MakeSled(std::tan(kAngle) * (1 + 1e-6));
  for (int step = 0; step < 200; ++step) ASSERT_TRUE(sticking.Step(still).ok());  // settles
  const Vector2 start = sticking.tip();
  for (int step = 0; step < 1000; ++step) ASSERT_TRUE(sticking.Step(still).ok());
  EXPECT_LT((sticking.tip() - start).norm(), 1e-9);  // no creep within a second
  double weight = 0;
  for (const VineContact& contact : sticking.contacts()) weight += contact.impulse;
  EXPECT_NEAR(weight, 8 * 0.01 * kWeight * std::cos(kAngle) * 1e-3, 1e-9);

  const double mu = std::tan(kAngle) * (1 - 1e-3);
  Vine sliding = MakeSled(mu);
  for (int step = 0; step < 1000; ++step) ASSERT_TRUE(sliding.Step(still).ok());
  const double acceleration = kWeight * (std::sin(kAngle) - mu * std::cos(kAngle));
  EXPECT_NEAR(sliding.state().v.head<2>().norm(), acceleration, 1e-6 * acceleration + 1e-9);
}

TEST(VineFriction, SlidesWithCoulombFriction) {
  const std::vector<double> still(4, 0.0);
  Vine vine = MakeSled(0.2);
  for (int step = 0; step < 500; ++step) {
    const VineReport report = vine.Step(still);
    ASSERT_TRUE(report.ok()) << vine.Describe(report);
  }
  const double acceleration = kWeight * (std::sin(kAngle) - 0.2 * std::cos(kAngle));
  EXPECT_NEAR(vine.state().v.head<2>().norm(), 0.5 * acceleration, 1e-6);
  for (const VineContact& contact : vine.contacts()) {
    EXPECT_NEAR(std::abs(contact.friction), 0.2 * contact.impulse, 1e-12);
  }
}

// All conditions of Coulomb's law, for random contacts.
TEST(VineFriction, RandomProblemsAreSolved) {
  FrictionProblem problem;
  int stuck = 0, slid = 0, open = 0;
  for (int seed = 1; seed <= 2000; ++seed) {
    testing::Random random(seed);
    const int contacts = 1 + static_cast<int>(random.Uniform(0, 6));
    const int size = 2 * contacts;
    Matrix factor(size, size + 2);
    for (auto& entry : factor.reshaped()) entry = random.Uniform(-1, 1);
    const Matrix S = factor * factor.transpose();
    Vector c(size), l(size);
    for (auto& entry : c) entry = random.Uniform(-1, 1);
    const double mu = random.Uniform(0.05, 1.5);
    std::vector<FrictionMode> modes(contacts, FrictionMode::kStick);
    ASSERT_TRUE(problem.Solve(S, c, contacts, mu, 1e-10, &modes, &l)) << seed;
    const Vector u = S * l + c;
    for (int i = 0; i < contacts; ++i) {
      const double un = u[2 * i], ut = u[2 * i + 1], ln = l[2 * i], lt = l[2 * i + 1];
      ASSERT_GE(un, -1e-8) << seed;
      ASSERT_GE(ln, -1e-8) << seed;
      ASSERT_NEAR(un * ln, 0, 1e-7) << seed;
      ASSERT_LE(std::abs(lt), mu * ln + 1e-7) << seed;
      if (std::abs(ut) > 1e-7) {
        ASSERT_NEAR(lt, ut > 0 ? -mu * ln : mu * ln, 1e-7) << seed;
      }
      stuck += modes[i] == FrictionMode::kStick;
      open += modes[i] == FrictionMode::kOpen;
      slid += modes[i] == FrictionMode::kSlidePositive || modes[i] == FrictionMode::kSlideNegative;
    }
  }
  EXPECT_GT(stuck, 500);
  EXPECT_GT(slid, 500);
  EXPECT_GT(open, 500);
}

}  // namespace friction_test
}  // namespace strand
