// Shells in motion and at rest, compared with known plates.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "model/config/error.h"
#include "model/integrator/statics.h"
#include "tests/support/random.h"
#include "tests/support/shells.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace shell_system_test {

using testing::ClampRim;
using testing::LockNodes;
using testing::Mesh;
using testing::Position;
using testing::Random;
using testing::ShellNetwork;
using testing::ShellSystem;
using testing::Steps;
using testing::TotalEnergy;

constexpr NewtonOptions kTight{.tolerance = 1e-10};
constexpr ShellMaterial kRubber{1e6, 0.3, 1e-3, 1000};

class ShellSystemTest : public ::testing::TestWithParam<bool> {
 protected:
  bool mid_edge() const { return GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Shell, ShellSystemTest, ::testing::Values(false, true),
                         [](const auto& of) {
                           return std::string(of.param ? "MidEdge" : "Hinge");
                         });

bool AtRoot(const Vector3& x) { return x.x() < 1e-9; }

// A strip along x, clamped at x = 0.
std::unique_ptr<System> Cantilever(const Mesh& mesh, bool mid_edge, const ShellMaterial& material) {
  Network network;
  testing::AddShell(&network, mesh, mid_edge);
  ClampRim(&network, 0, AtRoot);
  auto system = ShellSystem(network, material);
  LockNodes(system.get(), AtRoot);
  return system;
}

void Weigh(System* system, double g) {
  system->Add(std::make_unique<Gravity>(system->dofs(), system->mass(), Vector3(0, 0, -g)));
}

// Mean deflection at the ends of strips under their weight, relative to rho h g L^4 / 8 D.
double Deflection(System* system, double length, double D, const ShellMaterial& of) {
  const double g = 1e-3;
  Weigh(system, g);
  SolveStatics(*system, kTight);
  double sum = 0;
  int count = 0;
  for (int n : system->network().shell(0).node) {
    if (system->network().node()[n].x() < length - 1e-9) continue;
    sum -= Position(*system, n).z(), ++count;
  }
  return sum / count * 8 * D / (of.density * of.thickness * g * std::pow(length, 4));
}

// Without Poisson's effect a strip is a beam: w = rho h g L^4 / 8 D.
TEST(ShellStatics, ClampedStripIsAPlateToSecondOrder) {
  const ShellMaterial material{1e9, 0, 1e-3, 1000};
  double error[3];
  for (int k = 0; k < 3; ++k) {
    const int n = 8 << k;
    const auto strip = Cantilever(testing::Grid(n, n / 4, 0.2, 0.05), true, material);
    error[k] = Deflection(strip.get(), 0.2, 1e9 * 1e-9 / 12, material) - 1;
  }
  EXPECT_LT(std::abs(error[2]), 1.5 / (32 * 32));
  for (int k : {0, 1}) EXPECT_NEAR(error[k] / error[k + 1], 4, 0.1);
}

// Rows of triangles across x, so that the clamped end is straight.
Mesh StripAlongX(int cells, double width, double* length) {
  const double side = width / cells;
  const int rows = static_cast<int>(std::lround(5 * width / side / std::sqrt(0.75)));
  *length = rows * side * std::sqrt(0.75);
  return testing::EquilateralStrip(cells, rows, side).Mapped([](const Vector3& x) {
    return Vector3(x.y(), -x.x(), 0);
  });
}

// Hinges on equilateral triangles are a plate of D = E h^3 / 12 and nu = -1/3. Mid-edge normals
// give the same plate with Young's modulus E (1 - nu^2) and that nu: equal to the last digits on
// any mesh.
TEST(ShellStatics, HingesAndMidEdgeNormalsAreTheSamePlate) {
  const ShellMaterial hinged{1e9, 0, 1e-3, 1000}, plate{8e9 / 9, -1.0 / 3, 1e-3, 1000};
  for (int cells : {6, 12, 24}) {
    double deflection[2], length = 0;
    for (bool mid_edge : {false, true}) {
      const Mesh strip = StripAlongX(cells, 0.04, &length);
      const ShellMaterial& material = mid_edge ? plate : hinged;
      const auto system = Cantilever(strip, mid_edge, material);
      deflection[mid_edge] = Deflection(system.get(), length, 1e9 * 1e-9 / 12, material);
      // Between a wide plate and a beam that is free to bend across its axis.
      EXPECT_GT(deflection[mid_edge], 1);
      EXPECT_LT(deflection[mid_edge], 1.15);
    }
    EXPECT_NEAR(deflection[1] / deflection[0], 1, 1e-9) << cells;
  }
}

// Patch test: a strip of triangles of all shapes, pulled at its ends. The small strains are those
// of the sheet's E and nu, the same in every triangle.
TEST_P(ShellSystemTest, PatchTest) {
  const double length = 0.3, width = 0.1, pull = 1e-7;  // m, 1
  Random random(17);
  const Mesh patch = testing::Grid(9, 4, length, width).Mapped([&](const Vector3& x) {
    const bool at_end = x.x() < 1e-9 || x.x() > length - 1e-9;
    const bool at_side = x.y() < 1e-9 || x.y() > width - 1e-9;
    return Vector3(x.x() + (at_end ? 0 : 0.01 * random.Uniform(-1, 1)),
                   x.y() + (at_side || at_end ? 0 : 0.008 * random.Uniform(-1, 1)), 0);
  });
  for (double nu : {-0.3, 0.0, 0.3, 0.5}) {
    const ShellMaterial material{1e6, nu, 1e-3, 1000};
    const auto sheet = ShellSystem(ShellNetwork(patch, mid_edge()), material);
    auto* load = sheet->Add(std::make_unique<NodalLoad>(sheet->dofs()));
    const auto& nodes = sheet->network().node();
    for (size_t n = 0; n < nodes.size(); ++n) {
      const int dof = sheet->dofs().node(static_cast<int>(n));
      const bool corner = nodes[n].y() < 1e-9 || nodes[n].y() > width - 1e-9;
      sheet->Lock(dof + 2);
      if (nodes[n].x() < 1e-9) sheet->Lock(dof);
      if (nodes[n].norm() < 1e-9) sheet->Lock(dof + 1);
      if (nodes[n].x() < length - 1e-9) continue;
      load->value()[dof] =
          pull * material.young * material.thickness * width / 4 * (corner ? 0.5 : 1);
    }
    SolveStatics(*sheet, kTight);
    for (size_t n = 0; n < nodes.size(); ++n) {
      const Vector3 move = Position(*sheet, static_cast<int>(n)) - nodes[n];
      EXPECT_NEAR(move.x() / pull, nodes[n].x(), 1e-6 * length) << nu;
      EXPECT_NEAR(move.y() / pull, -nu * nodes[n].y(), 1e-6 * length) << nu;
    }
  }
}

void SetRandomVelocities(System* system, double speed) {
  Random random(3);
  for (int n = 0; n < system->network().nodes(); ++n) {
    testing::SetVelocity(system, n, speed * random.Vector());
  }
}

std::array<Vector3, 2> Momenta(const System& system) {
  Vector3 linear = Vector3::Zero(), angular = linear;
  for (int n = 0; n < system.network().nodes(); ++n) {
    const Vector3 p = system.mass()[system.dofs().node(n)] * testing::Velocity(system, n);
    linear += p, angular += Position(system, n).cross(p);
  }
  return {linear, angular};
}

TEST_P(ShellSystemTest, ConservesMomenta) {
  const auto shell = ShellSystem(
      ShellNetwork(testing::Rolled(testing::Grid(4, 3, 0.04, 0.03), 0.02).Shaken(1e-3, 2),
                   mid_edge()),
      kRubber);
  SetRandomVelocities(shell.get(), 0.5);
  const auto [linear, angular] = Momenta(*shell);
  const Vector3 before = Position(*shell, 0);
  TimeStepper stepper(Steps(Method::kMidpoint, 2e-4));
  for (int k = 0; k < 100; ++k) stepper.Step(*shell);
  const auto [later, turning] = Momenta(*shell);
  EXPECT_LT((later - linear).norm(), 1e-11 * linear.norm());
  EXPECT_LT((turning - angular).norm(), 1e-8 * angular.norm());
  EXPECT_GT((Position(*shell, 0) - before).norm(), 1e-3);
}

// The largest change of energy over 0.06 s, relative to the energy of the vibration.
double EnergyError(bool mid_edge, double dt) {
  const ShellMaterial stiff{1e8, 0.3, 1e-3, 1000};
  const auto strip = Cantilever(testing::Grid(6, 2, 0.06, 0.02), mid_edge, stiff);
  for (int n : strip->network().shell(0).node) {
    const double x = strip->network().node()[n].x();
    testing::SetVelocity(strip.get(), n, {0, 0, 200 * x * x});
  }
  const double before = TotalEnergy(strip.get());
  TimeStepper stepper(Steps(Method::kMidpoint, dt));
  double error = 0, potential = 0;
  for (double t = 0; t < 0.06; t += dt) {
    stepper.Step(*strip);
    error = std::max(error, std::abs(TotalEnergy(strip.get()) - before));
    potential = std::max(potential, strip->EvaluateState().energy.sum());
  }
  EXPECT_GT(potential, 0.5 * before);  // it does vibrate
  return error / before;
}

TEST_P(ShellSystemTest, AVibratingStripConservesItsEnergy) {
  const double coarse = EnergyError(mid_edge(), 1e-4), fine = EnergyError(mid_edge(), 2.5e-5);
  EXPECT_LT(coarse, 1e-5);
  EXPECT_LT(fine, 0.15 * coarse) << fine;
}

// The correction that remains after each number of iterations of the same step.
TEST_P(ShellSystemTest, NewtonConvergesQuadratically) {
  std::vector<double> left;
  for (int iterations = 0; iterations < 12; ++iterations) {
    const auto strip = Cantilever(testing::Grid(8, 2, 0.08, 0.02), mid_edge(), kRubber);
    Weigh(strip.get(), 2);
    StepWorkspace workspace;
    StepProblem step(*strip, TimeRule::BackwardEuler(2e-2), workspace);
    NewtonSolver newton({.tolerance = 1e-13, .max_iterations = iterations});
    const SolveReport report = newton.Solve(step.equation());
    left.push_back(report.correction);
    if (report.converged) break;
  }
  ASSERT_GE(left.size(), 4u);
  EXPECT_LT(left.back(), 1e-13);
  for (size_t k = 1; k < left.size(); ++k) {
    EXPECT_LT(left[k], std::max(10 * left[k - 1] * left[k - 1], 1e-13))
        << ::testing::PrintToString(left);
  }
}

// Natural angles that change suddenly leave the massless rotations far from equilibrium. They
// follow at once and do not oscillate about it from step to step.
TEST(ShellDynamics, MasslessRotationsFollowTheirEquilibrium) {
  for (Method method : {Method::kBdf2, Method::kMidpoint, Method::kBackwardEuler}) {
    const Network network = ShellNetwork(testing::Grid(6, 2, 0.06, 0.02), true);
    const auto strip = ShellSystem(network, kRubber);
    for (int e = 0; e < strip->shells()->rest().edges(); ++e) {
      if (network.mesh_edge()[e].folds()) {
        strip->shells()->rest().SetNaturalAngle(e, 0.2 * (e % 3 - 1));
      }
    }
    const double dt = 1e-4;
    TimeStepper stepper(Steps(method, dt));
    for (int k = 0; k < 4; ++k) stepper.Step(*strip);
    const std::vector<double> before = strip->state().at.q;
    stepper.Step(*strip);
    double turned = 0;
    for (int e = 0; e < strip->shells()->rest().edges(); ++e) {
      const int dof = strip->dofs().rotation(e);
      const double moved = strip->state().at.q[dof] - before[dof];
      turned = std::max(turned, std::abs(strip->state().at.q[dof]));
      EXPECT_LT(std::abs(moved), 2e-3);
      EXPECT_NEAR(strip->state().velocity[dof] * dt, moved, 5e-4);
    }
    EXPECT_GT(turned, 0.1);
    // In equilibrium to second order: of the initial moments almost nothing remains.
    const ForceSum& forces = strip->EvaluateState();
    double moment = 0;
    for (int e = 0; e < strip->shells()->rest().edges(); ++e) {
      moment = std::max(moment, std::abs(forces.gradient[strip->dofs().rotation(e)]));
    }
    EXPECT_LT(moment, 2e-3 * 0.2 * 1e6 * 1e-9 / 12);
  }
}

TEST(ShellDynamics, ExplicitStepsNeedMasses) {
  for (Method method : {Method::kSymplecticEuler, Method::kVerlet}) {
    TimeStepper stepper(Steps(method, 1e-6));
    const auto shell = ShellSystem(ShellNetwork(testing::Fan(5, 0.01), true), kRubber);
    SetRandomVelocities(shell.get(), 0.1);
    try {
      stepper.Step(*shell);
      ADD_FAILURE() << "massless rotations have no acceleration";
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.field(), "mass");
      EXPECT_NE(std::string(error.what()).find("rotation"), std::string::npos) << error.what();
    }
    for (int e = 0; e < shell->shells()->rest().edges(); ++e) {
      shell->Lock(shell->dofs().rotation(e));
    }
    for (int k = 0; k < 100; ++k) stepper.Step(*shell);
    for (int e = 0; e < shell->shells()->rest().edges(); ++e) {
      EXPECT_EQ(shell->state().at.q[shell->dofs().rotation(e)], 0);
    }
  }
}

TEST(ShellDynamics, ExplicitStepsKeepTheEnergyOfHinges) {
  const auto shell = ShellSystem(ShellNetwork(testing::Fan(5, 0.01), false), kRubber);
  SetRandomVelocities(shell.get(), 0.3);
  const double before = TotalEnergy(shell.get());
  TimeStepper stepper(Steps(Method::kVerlet, 2e-6));
  for (int k = 0; k < 2000; ++k) stepper.Step(*shell);
  EXPECT_NEAR(TotalEnergy(shell.get()) / before, 1, 1e-3);
}

TEST_P(ShellSystemTest, ContinuesFromASavedState) {
  const auto make = [&] {
    auto strip = Cantilever(testing::Grid(5, 2, 0.05, 0.02), mid_edge(), kRubber);
    Weigh(strip.get(), 9.81);
    return strip;
  };
  const auto one = make(), other = make();
  TimeStepper stepper(Steps(Method::kMidpoint, 1e-3));
  for (int k = 0; k < 5; ++k) stepper.Step(*one);
  const State saved = one->state();
  const std::vector<double> memory = one->Memory();
  for (int k = 0; k < 5; ++k) stepper.Step(*one);
  other->SetState(saved, memory);
  for (int k = 0; k < 5; ++k) stepper.Step(*other);
  EXPECT_TRUE(testing::SameState(one->state(), other->state()));
  EXPECT_FALSE(testing::SameState(one->state(), saved));
}

// A driven rotation turns its edge's normal; the reaction is the moment of the energy.
TEST(ShellStatics, DrivenRotations) {
  const Network network = ShellNetwork(testing::EquilateralPair(0.02), true);
  const auto pair = ShellSystem(network, kRubber);
  LockNodes(pair.get(), [](const Vector3& x) { return x.y() > -1e-9; });
  const int driven = pair->dofs().rotation(2), rim = pair->dofs().rotation(0);
  pair->Lock(driven);
  pair->Drive(driven, 0.2);
  SolveStatics(*pair, kTight);
  EXPECT_EQ(pair->state().at.q[driven], 0.2);
  EXPECT_GT(std::abs(pair->state().at.q[rim]), 0.01);
  const ForceSum& forces = pair->EvaluateState();
  EXPECT_EQ(std::abs(forces.gradient[rim]) < 1e-12, true);
  const double held = forces.gradient[driven], energy = forces.energy.sum();
  EXPECT_NEAR(energy, 0.5 * held * 0.2, 1e-9 * energy);  // a linear spring
  pair->Lock(driven, false);
  SolveStatics(*pair, kTight);
  EXPECT_NEAR(pair->state().at.q[driven], 0, 1e-9);
}

TEST(ShellStatics, ASystemOfShellsAloneHasNoEdges) {
  const auto shell = ShellSystem(ShellNetwork(testing::Tetrahedron(0.01), false), kRubber);
  EXPECT_EQ(shell->network().edges(), 0);
  double total = 0;
  for (int n : shell->dofs().nodes()) total += shell->mass()[n];
  EXPECT_NEAR(total, 1000 * 1e-3 * 4 * std::sqrt(3) / 4 * 8 * 1e-4, 1e-15);
  EXPECT_NO_THROW(SolveStatics(*shell, kTight));
}

}  // namespace shell_system_test
}  // namespace strand
