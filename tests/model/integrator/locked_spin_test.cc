// Edges whose spin is locked while their direction turns.
#include <gtest/gtest.h>

#include <cmath>

#include "model/integrator/statics.h"
#include "tests/support/finite_difference.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace locked_spin_test {

constexpr EdgeMaterial kSoft{40, {0.05, 0.03}, 0.03, 0.4, 1e-3};

// A rod that hangs from its first node; the spin of its second edge is locked, and loads bend and
// twist it.
std::unique_ptr<System> Hung() {
  auto rod = testing::StraightRod(5, 1, kSoft, 0);
  testing::LockNode(rod.get(), 0);
  rod->Lock(rod->dofs().edge(1));
  rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0.5, -2)));
  auto* load = rod->Add(std::make_unique<NodalLoad>(rod->dofs()));
  load->value()[rod->dofs().edge(4)] = 0.02;
  load->value()[rod->dofs().node(3) + 1] = 0.3;
  return rod;
}

double Angle(const System& rod) { return rod.state().at.q[rod.dofs().edge(1)]; }

// Newton's iterates turn the edge: parallel transport along them differs from transport from the
// start.
TEST(LockedSpin, ReachesTheDrivenAngle) {
  for (const Method method : {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint}) {
    const auto rod = Hung();
    TimeStepper stepper(testing::Steps(method, 0.02));
    for (int k = 0; k < 25; ++k) {
      stepper.Step(*rod,
                   [](System& system, double t) { system.Drive(system.dofs().edge(1), 8 * t); });
      EXPECT_NEAR(Angle(*rod), 8 * rod->state().time, 2e-15) << k;
    }
    EXPECT_GT((testing::Position(*rod, 2) - Vector3(0.4, 0, 0)).norm(), 0.1);
  }
}

TEST(LockedSpin, ReachesTheDrivenAngleInStatics) {
  const auto rod = Hung();
  testing::LockNode(rod.get(), 5);
  rod->Drive(rod->dofs().edge(1), 2.0);
  SolveStatics(*rod, {.tolerance = 1e-10, .max_iterations = 200});
  EXPECT_NEAR(Angle(*rod), 2, 1e-15);
  const Configuration at = rod->state().at;
  const SolveReport again = SolveStatics(*rod, {.tolerance = 1e-9});
  EXPECT_LE(again.iterations, 2);  // an equilibrium with that angle
  for (size_t dof = 0; dof < at.q.size(); ++dof)
    EXPECT_NEAR(rod->state().at.q[dof], at.q[dof], 1e-9);
}

// The residual equals the slope of the merit, although the locked edge counter-rotates.
TEST(LockedSpin, ResidualIsTheMeritsSlope) {
  const auto rod = Hung();
  StepWorkspace workspace;
  StepProblem problem(*rod, TimeRule::BackwardEuler(0.1), workspace);
  NewtonProblem& equation = problem.equation();
  Eigen::VectorXd step = Eigen::VectorXd::Zero(rod->dofs().unknowns());
  for (int u = 0; u < step.size(); ++u) step[u] = 0.08 * std::sin(1.0 + 2.3 * u * u);
  const auto span = [&step] { return std::span(step.data(), static_cast<size_t>(step.size())); };
  equation.Move(span(), 1), equation.Accept();
  equation.Evaluate(true);
  for (int u = 0; u < step.size(); ++u) step[u] = std::cos(0.7 + 1.9 * u * u);
  double slope = 0;
  for (int u = 0; u < step.size(); ++u) slope += equation.residual()[u] * step[u];
  const auto merit = [&](double h) {
    equation.Move(span(), h);
    return equation.Evaluate(false).merit;
  };
  testing::ExpectSecondOrder(
      testing::SweepSteps(1e-2, 12,
                          [&](double h) {
                            return std::abs((merit(h) - merit(-h)) / (2 * h) - slope) /
                                   std::abs(slope);
                          }),
      1e-7);
}

}  // namespace locked_spin_test
}  // namespace strand
