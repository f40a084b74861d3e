// The energy balance of time stepping, and how it is reported.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "model/energy/loads.h"
#include "model/integrator/time_stepper.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace energy_test {

constexpr EdgeMaterial kRubber{3e3, {0.08, 0.08}, 0.05, 0.3, 3e-5};

// A cantilever that falls from the horizontal.
std::unique_ptr<System> Falling(int edges = 40) {
  auto rod = testing::StraightRod(edges, 1, kRubber, 1);
  rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -9.81)));
  return rod;
}

TEST(Energy, TheDefaultNeverGainsEnergy) {
  for (double dt : {1e-3, 5e-3, 2e-2, 0.1}) {
    const auto rod = Falling();
    TimeStepOptions options;
    options.dt = dt;
    TimeStepper stepper(options);
    const double first = testing::TotalEnergy(rod.get());
    const int steps = static_cast<int>(std::lround(4 / dt));
    double highest = first;
    for (int k = 0; k < steps; ++k) {
      EXPECT_EQ(stepper.Step(*rod).rejections, 0);
      highest = std::max(highest, testing::TotalEnergy(rod.get()));
    }
    const double weight = 0.3 * 9.81 * 0.5;  // J, released until it hangs down
    EXPECT_LT(highest - first, 1e-3 * weight) << dt;
    // The energy book agrees with the balance, and the released energy was supplied by the weight.
    const EnergyBook& book = rod->state().book;
    EXPECT_NEAR(book.made, testing::TotalEnergy(rod.get()) - first, 1e-6 * weight);
    EXPECT_GT(book.available(), 0.5 * weight);
    EXPECT_LT(book.available(), 1.5 * weight);
  }
}

TEST(Energy, AnExplodingMotionIsAnError) {
  const auto rod = Falling();
  TimeStepOptions options;
  options.method = Method::kMidpoint, options.dt = 5e-3;
  TimeStepper stepper(options);
  std::string what;
  for (int k = 0; k < 4000 && what.empty(); ++k) {
    try {
      stepper.Step(*rod);
    } catch (const SolverError& error) {
      what = error.what();
    }
  }
  EXPECT_NE(what.find("the motion explodes"), std::string::npos) << what;
  EXPECT_NE(what.find("bdf2"), std::string::npos);
  // The state is the last good one, so that the motion can continue with other options.
  EXPECT_LT(testing::TotalEnergy(rod.get()), 2.0);
}

// Driven degrees of freedom supply work: shaking one end is not mistaken for an explosion.
TEST(Energy, DrivenMotionsRecordTheirWork) {
  const auto rod = testing::StraightRod(20, 1, kRubber, 0);
  for (int node : {0, 1}) testing::LockNode(rod.get(), node);
  TimeStepOptions options;
  options.dt = 2e-3;
  TimeStepper stepper(options);
  double work = 0;
  for (int k = 1; k <= 1000; ++k) {
    stepper.Step(*rod, [](System& system, double t) {
      for (int node : {0, 1}) system.Drive(system.dofs().node(node) + 2, 0.05 * std::sin(12 * t));
    });
    const EnergyBook& book = rod->state().book;
    work = std::max(work, book.last_kinetic + book.last.sum());
    EXPECT_LT(work, book.available());
    EXPECT_LT(book.made, 1e-4 * work);
  }
  EXPECT_GT(work, 1e-3);
}

// BDF2 handles changes of the step length, here halved and doubled.
TEST(Energy, VariableStepsAreSecondOrder) {
  const auto end = [](int parts) {
    const auto rod = Falling(6);
    for (int k = 0; k < 17 * parts; ++k) {
      const double dt = (k / parts % 2 ? 4e-3 : 8e-3) / parts;
      TimeStepOptions options;
      options.dt = dt;
      TimeStepper stepper(options);
      stepper.Step(*rod);
    }
    return testing::Position(*rod, 6);
  };
  const Vector3 exact = (4 * end(256) - end(128)) / 3;
  const double coarse = (end(16) - exact).norm(), fine = (end(32) - exact).norm();
  EXPECT_GT(std::log2(coarse / fine), 1.7) << coarse << " " << fine;
}

}  // namespace energy_test
}  // namespace strand
