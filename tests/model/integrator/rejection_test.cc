// Steps that fail: they are halved and grow again, or leave the state unchanged.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/energy/user_force.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace rejection_test {

using testing::SameState;
using testing::SetVelocity;
using testing::StraightRod;

constexpr EdgeMaterial kSoft{40, {0.05, 0.05}, 0.03, 0.4, 1e-3};

// A rod thrown sideways, so that long steps are far from linear; its weight gives a scale for the
// residual.
std::unique_ptr<System> Thrown(double weight = 10) {
  auto rod = StraightRod(5, 1, kSoft, 1);
  for (int node = 1; node <= 5; ++node) SetVelocity(rod.get(), node, {0, 1.5 * node, 0});
  rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -weight)));
  return rod;
}

// One Newton iteration suffices for short steps only.
TimeStepOptions OneIteration(double dt, double least_dt) {
  TimeStepOptions options = testing::Steps(Method::kMidpoint, dt);
  options.least_dt = least_dt;
  options.newton.tolerance = 1e-3;
  options.newton.max_iterations = 1;
  return options;
}

TEST(Rejection, StepsAreHalvedAndGrowAgain) {
  const auto rod = Thrown();
  const double dt = 0.02;
  TimeStepper stepper(OneIteration(dt, 1e-9));
  double farthest = 0;  // latest time that a sub-step aimed at
  const StepReport first =
      stepper.Step(*rod, [&farthest](System&, double t) { farthest = std::max(farthest, t); });
  EXPECT_NEAR(farthest, dt, 1e-15);
  EXPECT_GT(first.rejections, 0);
  EXPECT_GT(first.steps, 1);
  EXPECT_LT(first.dt, dt);
  EXPECT_LE(first.residual, 1e-3);
  EXPECT_EQ(rod->state().time, dt);
  // Equal to a solution with enough iterations, within the error of the method.
  const auto other = Thrown();
  TimeStepper patient(testing::Steps(Method::kMidpoint, dt / 16));
  for (int k = 0; k < 16; ++k) patient.Step(*other);
  EXPECT_LT((testing::Position(*rod, 5) - testing::Position(*other, 5)).norm(), 1e-4);
  // At rest, whole steps are taken again.
  const auto still = Thrown(0);
  for (double& velocity : still->state().velocity) velocity = 0;
  farthest = 0;  // sub-steps grow by a factor of two
  StepReport last =
      stepper.Step(*still, [&farthest](System&, double t) { farthest = std::max(farthest, t); });
  EXPECT_NEAR(farthest, dt, 1e-15);
  EXPECT_GT(last.steps, 1);  // the stepper remembers the short step
  EXPECT_EQ(last.rejections, 0);
  last = stepper.Step(*still);
  EXPECT_EQ(last.steps, 1);
  EXPECT_NEAR(last.dt, dt, 1e-15);
}

TEST(Rejection, LeastStepThrowsAndKeepsTheState) {
  const auto rod = Thrown();
  const State before = rod->state();
  TimeStepper stepper(OneIteration(0.02, 0.015));
  std::string messages[2];
  for (std::string& what : messages) {
    try {
      stepper.Step(*rod);
      FAIL() << "no error";
    } catch (const SolverError& error) {
      what = error.what();
      EXPECT_FALSE(error.report.converged);
      EXPECT_EQ(error.report.reason, SolveReason::kIterations);
      EXPECT_NE(what.find(Describe(SolveReason::kIterations)), std::string::npos);
    }
    EXPECT_TRUE(SameState(before, rod->state()));
  }
  EXPECT_EQ(messages[0], messages[1]);  // the stepper has not changed either
}

// A force that returns NaN after t = 0.01. Steps up to there are kept; the first step that
// evaluates NaN leaves the last good state.
TEST(Rejection, ForceThatReturnsNaN) {
  for (bool conservative : {true, false}) {
    for (Method method :
         {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint, Method::kVerlet}) {
      const auto rod = StraightRod(3, 1, kSoft, 1);
      rod->Add(std::make_unique<UserForce>(
          rod->dofs(), std::vector{rod->dofs().node(2)}, conservative,
          [](std::span<const double> q, std::span<const double>, double t, double,
             std::span<double> force, std::span<double>) {
            force[0] = t > 0.0101 ? std::numeric_limits<double>::quiet_NaN() : 0.1;
            return -0.1 * q[0];
          }));
      TimeStepOptions options = testing::Steps(method, 0.01);
      options.least_dt = 0.006;
      TimeStepper stepper(options);
      EXPECT_NO_THROW(stepper.Step(*rod));
      const State good = rod->state();
      EXPECT_TRUE(std::isfinite(good.at.q[rod->dofs().node(2)]));
      EXPECT_THROW(stepper.Step(*rod), SolverError);
      EXPECT_TRUE(SameState(good, rod->state()));
    }
  }
}

// A step of which all parts but the shortest fail ends with an error, not after 10,000 of them.
TEST(Rejection, StepsDoNotCrawl) {
  const auto rod = StraightRod(3, 1, kSoft, 1);
  const auto fails_far_ahead = [&rod](std::span<const double>, std::span<const double>, double t,
                                      double, std::span<double> force, std::span<double>) {
    const bool far = t > rod->state().time + 1.5e-6;
    force[0] = far ? std::numeric_limits<double>::quiet_NaN() : 0;
    return 0.0;
  };
  rod->Add(std::make_unique<UserForce>(rod->dofs(), std::vector{rod->dofs().node(2)}, true,
                                       fails_far_ahead));
  TimeStepper stepper(testing::Steps(Method::kBackwardEuler, 0.01));
  EXPECT_THROW(stepper.Step(*rod), SolverError);
  EXPECT_GT(rod->state().time, 1e-5);
  EXPECT_LT(rod->state().time, 0.005);
}

TEST(Rejection, BadOptions) {
  for (double dt : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(TimeStepper(testing::Steps(Method::kMidpoint, dt)), ConfigError);
  }
  EdgeMaterial massless = kSoft;
  massless.spin_inertia_per_length = 0;
  const auto rod = StraightRod(3, 1, massless, 1);
  TimeStepper verlet(testing::Steps(Method::kVerlet, 1e-3));
  EXPECT_THROW(verlet.Step(*rod), ConfigError);
  TimeStepper midpoint(testing::Steps(Method::kMidpoint, 1e-3));
  EXPECT_NO_THROW(midpoint.Step(*rod));
}

}  // namespace rejection_test
}  // namespace strand
