// A step allocates nothing once the first one has set up the workspaces.
#include <gtest/gtest.h>

#include "model/contact/obstacle.h"
#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "tests/support/allocations.h"
#include "tests/support/shells.h"
#include "tests/support/straight_rod.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
namespace strand {
namespace step_allocation_test {

using testing::Allocations;
using testing::StraightRod;

TEST(StepAllocation, NoneAfterTheFirstStep) {
  for (Method method : {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint,
                        Method::kSymplecticEuler, Method::kVerlet}) {
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
    EXPECT_GT(testing::Position(*rod, 20).y(), 1e-6);  // it moved
  }
  const long before = Allocations();
  StraightRod(40, 1, testing::kPlainMaterial, 2);
  EXPECT_GT(Allocations() - before, 0);  // the counter works
}

/// Counts how often friction has been frozen.
struct Watch : ContactForce {
  Evaluation Evaluate(const Motion&, const Derivatives&) override { return {}; }
  double Limit(const Configuration&, std::span<const double>, const Passage&) override { return 1; }
  bool AcceptsEndpoint(const Configuration&, const Configuration&, const Passage&) override {
    return true;
  }
  bool Misses(const Configuration&, std::span<const double>) override { return false; }
  bool FreezeFriction(const Motion&) override { return ++freezes > 0; }
  void ReleaseFriction() override {}
  int freezes = 0;
};

/// A ring and a T of two rods, dropped on a floor on which they slide.
std::unique_ptr<System> NetworksOnAFloor(const FrictionLaw& friction) {
  constexpr double kRadius = 0.004, kHeight = 0.005;
  Network network;
  std::vector<Vector3> ring;
  for (int k = 0; k < 24; ++k) {
    const double s = kTwoPi * k / 24;
    ring.push_back({0.1 * std::cos(s), 0.1 * std::sin(s), kHeight});
  }
  network.AddRod(ring, Vector3::UnitZ(), true);
  const auto line = [](const Vector3& from, const Vector3& step) {
    std::vector<Vector3> nodes;
    for (int k = 0; k <= 10; ++k) nodes.push_back(from + k * step);
    return nodes;
  };
  const Vector3 corner(0.2, 0, kHeight);
  network.AddRod(line(corner, {0.01, 0, 0}), Vector3::UnitZ());
  network.AddRod(line(corner + Vector3(0.05, 0, 0), {0, 0.01, 0}), Vector3::UnitZ());
  network.Connect(1, 5, 2, 0);
  SystemParameters parameters;
  parameters.material.assign(network.edges(), {200, {2e-3, 2e-3}, 1.5e-3, 0.04, 1e-6});
  auto system = std::make_unique<System>(network, parameters);
  system->Add(std::make_unique<Gravity>(system->dofs(), system->mass(), Vector3(0, 0, -9.81)));
  ContactOptions options;
  options.stiffness = 500, options.tolerance = 1e-3, options.friction = friction;
  system->Add(std::make_unique<ObstacleContact>(
      network, system->dofs(), std::vector<double>(network.nodes(), kRadius),
      std::vector<Obstacle>{MakeHalfSpace(Vector3::Zero(), Vector3::UnitZ()),
                            MakeCylinder({0, 0, -1}, Vector3::Zero(), 0.3)},  // touches the edges
      options));
  system->Add(std::make_unique<SurfaceContact>(
      network, system->dofs(), std::vector<double>(network.edges(), kRadius),
      ContactOptions{500, 1e-3, 0, RegularisedFriction(0.3, 1e-2)}));
  for (int n = 0; n < network.nodes(); ++n) testing::SetVelocity(system.get(), n, {0.3, 0.1, 0});
  return system;
}

// With an unsymmetric sparse matrix. When new pairs come close to each other the matrix gets a new
// pattern and memory; here they stay apart.
TEST(StepAllocation, NoneInNetworksWithFriction) {
  int freezes = 0;
  for (const FrictionLaw& friction : {RegularisedFriction(1, 1e-4), AnchoredFriction(1, 3e6)}) {
    for (Method method : {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint}) {
      const auto system = NetworksOnAFloor(friction);
      const Watch* watch = system->Add(std::make_unique<Watch>());
      TimeStepOptions options = testing::Steps(method, 1e-2);
      options.newton.tolerance = 1e-6;
      TimeStepper stepper(options);
      stepper.Step(*system);
      const long before = Allocations();
      StepReport report;
      for (int k = 0; k < 30; ++k) report += stepper.Step(*system);
      EXPECT_EQ(Allocations() - before, 0) << static_cast<int>(method);
      EXPECT_FALSE(system->forces().conservative());
      freezes += watch->freezes;
      EXPECT_LT(testing::Velocity(*system, 0).x(), 0.25);  // friction has slowed it
    }
  }
  EXPECT_GT(freezes, 0);  // the symmetric solver was used
}

// A square sheet evaluated by several threads, hung up at one side.
TEST(StepAllocation, NoneInShells) {
  for (bool mid_edge : {false, true}) {
    for (Method method :
         {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint, Method::kVerlet}) {
      if (mid_edge && method == Method::kVerlet) continue;  // rotations have no mass
      const auto shell = testing::ShellSystem(
          testing::ShellNetwork(testing::Grid(30, 30, 0.3, 0.3), mid_edge), {1e6, 0.3, 1e-3, 1000});
      testing::LockNodes(shell.get(), [](const Vector3& x) { return x.x() < 1e-9; });
      shell->Add(std::make_unique<Gravity>(shell->dofs(), shell->mass(), Vector3(0, 0, -9.81)));
      shell->shells()->UseThreads(3);
      TimeStepper stepper(testing::Steps(method, method == Method::kVerlet ? 1e-5 : 5e-3));
      stepper.Step(*shell);
      const long before = Allocations();
      StepReport report;
      for (int k = 0; k < 4; ++k) report += stepper.Step(*shell);
      EXPECT_EQ(Allocations() - before, 0) << mid_edge << static_cast<int>(method);
      EXPECT_EQ(report.steps, 4);
      EXPECT_LT(testing::Position(*shell, 30).z(), -1e-8);  // it fell
    }
  }
}

}  // namespace step_allocation_test
}  // namespace strand
#endif
