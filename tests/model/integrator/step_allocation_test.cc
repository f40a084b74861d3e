// A step allocates nothing once the first one has set up the workspaces.
#include <gtest/gtest.h>

#include "tests/support/allocations.h"
#include "tests/support/straight_rod.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
namespace strand {
namespace {

using testing::Allocations;
using testing::StraightRod;

TEST(StepAllocation, NoneAfterTheFirst) {
  for (Method method :
       {Method::kBackwardEuler, Method::kMidpoint, Method::kSymplecticEuler, Method::kVerlet}) {
    const auto rod = StraightRod(40, 1, {40, {0.05, 0.04}, 0.03, 0.4, 1e-3}, 2);
    rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 1, -9.81)));
    rod->Add(std::make_unique<ViscousDrag>(LineDrag(rod->network(), rod->dofs(), 0.1)));
    TimeStepper stepper(testing::Steps(method, 1e-4));
    const TimeStepper::Drive drive = [dof = rod->dofs().edge(41)](System& system, double t) {
      system.Drive(dof, 3 * t);
    };
    stepper.Step(*rod, drive);
    const long before = Allocations();
    StepReport report;
    for (int k = 0; k < 20; ++k) report += stepper.Step(*rod, drive);
    EXPECT_EQ(Allocations() - before, 0) << static_cast<int>(method);
    EXPECT_EQ(report.steps, 20);
    EXPECT_GT(testing::Position(*rod, 20).y(), 1e-6);  // it did move
  }
  const long before = Allocations();
  StraightRod(40, 1, testing::kPlainMaterial, 2);
  EXPECT_GT(Allocations() - before, 0);  // the count does count
}

}  // namespace
}  // namespace strand
#endif
