// Equilibria of systems compared with known beams and rods.
#include "model/integrator/system.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "model/config/error.h"
#include "model/energy/user_force.h"
#include "model/integrator/statics.h"
#include "tests/support/networks.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace system_test {

using testing::kPlainMaterial;
using testing::Position;
using testing::StraightRod;

constexpr NewtonOptions kTight{.tolerance = 1e-10};

// Tip of a cantilever of length 1 and EI = 1 under a force (N) along -z at the tip.
Vector3 LoadedTip(int edges, double force, double EA = kPlainMaterial.EA) {
  EdgeMaterial material = kPlainMaterial;
  material.EA = EA;
  const auto rod = StraightRod(edges, 1, material, 1);
  auto* load = rod->Add(std::make_unique<NodalLoad>(rod->dofs()));
  // Stretching is much stiffer than bending, so that Newton's method needs many iterations.
  SolveStatics(*rod, {.tolerance = 1e-10, .max_iterations = 200}, 4,
               [&](System& system, double part) {
                 load->value()[system.dofs().node(edges) + 2] = -part * force;
               });
  return Position(*rod, edges);
}

// w = F L^3 / 3 EI; the chain gives the trapezoidal rule of int (L - x)^2 dx, larger by 1 / 2 n^2.
TEST(System, CantileverIsEulerBernoulliToSecondOrder) {
  const double force = 1e-4;
  for (int n : {10, 20, 40}) {
    const double ratio = -LoadedTip(n, force).z() / (force / 3);
    EXPECT_NEAR(ratio, 1 + 0.5 / (n * n), 1e-7) << n;
  }
}

// w = q L^4 / 8; the same rule for (L - x)^3 / 2 is larger by 1 / n^2.
TEST(System, CantileverUnderItsWeight) {
  for (int n : {10, 20, 40}) {
    const auto rod = StraightRod(n, 1, kPlainMaterial, 1);
    rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -1e-3)));
    SolveStatics(*rod, kTight);
    const double ratio = -Position(*rod, n).z() / (0.4 * 1e-3 / 8);
    EXPECT_NEAR(ratio, 1 + 1.0 / (n * n), 1e-7) << n;
  }
}

// Tip of an inextensible cantilever: theta'' = -F cos(theta), theta(0) = theta'(1) = 0 (theta
// downwards from x). Shooting for theta'(0) with the Runge-Kutta method.
Vector3 ElasticaTip(double force) {
  const auto shoot = [force](double curvature) {
    std::array<double, 4> y{0, curvature, 0, 0};  // theta, theta', x, down
    const auto slope = [force](const std::array<double, 4>& at) {
      return std::array{at[1], -force * std::cos(at[0]), std::cos(at[0]), std::sin(at[0])};
    };
    const int steps = 1000;
    const auto moved = [](std::array<double, 4> at, double h, const std::array<double, 4>& k) {
      for (int i = 0; i < 4; ++i) at[i] += h * k[i];
      return at;
    };
    for (int k = 0; k < steps; ++k) {
      const double h = 1.0 / steps;
      const auto k1 = slope(y), k2 = slope(moved(y, h / 2, k1)), k3 = slope(moved(y, h / 2, k2));
      const auto k4 = slope(moved(y, h, k3));
      for (int i = 0; i < 4; ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    return y;
  };
  double low = 0, high = force;  // theta'(1) grows with theta'(0)
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (shoot(middle)[1] < 0 ? low : high) = middle;
  }
  const auto end = shoot(low);
  return {end[2], 0, -end[3]};
}

TEST(System, ElasticaToSecondOrder) {
  for (double force : {1.0, 5.0, 10.0}) {
    const Vector3 exact = ElasticaTip(force);
    const double coarse = (LoadedTip(20, force, 1e6) - exact).norm();
    const double fine = (LoadedTip(40, force, 1e6) - exact).norm();
    EXPECT_LT(fine, 2e-3);
    EXPECT_NEAR(coarse / fine, 4, 0.2) << force << " " << coarse << " " << fine;
  }
  EXPECT_NEAR(ElasticaTip(1).z(), -0.30172, 1e-5);  // Bisshopp and Drucker 1945
}

// Turned by twenty turns at one clamp, a straight rod twists evenly, with the torque GJ Theta / L.
TEST(System, UniformTwistOfManyTurns) {
  const int n = 10;
  const double turns = 20 * kTwoPi, length = 0.8;
  EdgeMaterial material = kPlainMaterial;
  material.GJ = 0.01;
  const auto rod = StraightRod(n, length, material, 2);
  const int driven = rod->dofs().edge(n + 1);
  SolveStatics(*rod, kTight, 50,
               [&](System& system, double part) { system.Drive(driven, part * turns); });
  const State& state = rod->state();
  EXPECT_NEAR(state.at.q[driven], turns, 1e-12);
  for (int e = 0; e < n; ++e) {
    EXPECT_NEAR(state.at.q[rod->dofs().edge(e)], turns * (e + 0.5) / n, 1e-8);
  }
  double total = 0;
  for (double twist : state.at.twist) total += twist;
  EXPECT_NEAR(total, turns, 1e-10);
  const ForceSum& at_rest = rod->EvaluateState();
  EXPECT_NEAR(at_rest.gradient[driven], material.GJ * turns / length, 1e-8);
  EXPECT_NEAR(at_rest.gradient[rod->dofs().edge(n)], -material.GJ * turns / length, 1e-8);
  EXPECT_NEAR(at_rest.energy.sum(), 0.5 * material.GJ * turns * turns / length, 1e-7);
}

// The reactions of the clamp's nodes sum to the weight.
TEST(System, ReactionsBalanceTheWeight) {
  const auto rod = StraightRod(12, 0.5, kPlainMaterial, 1);
  rod->AddMass(12, 0.1);
  rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -9.81)));
  SolveStatics(*rod, kTight, 1);
  const ForceSum& at_rest = rod->EvaluateState();
  Vector3 force = Vector3::Zero();
  for (int node : {0, 13}) {
    const int dof = rod->dofs().node(node);
    for (int c = 0; c < 3; ++c) force[c] += at_rest.gradient[dof + c];
  }
  // This includes the weight of the half edge lumped at the clamped node.
  EXPECT_NEAR(force.z(), 9.81 * (0.4 * 0.5 + 0.1), 1e-8);
  EXPECT_LT(std::abs(force.x()) + std::abs(force.y()), 1e-8);
}

TEST(System, BuoyancyReducesWeight) {
  const auto rod = StraightRod(4, 1, kPlainMaterial, 0);
  const std::vector<double> area(4, 2e-4);
  // Displaced mass: 1000 kg/m^3 * 2e-4 m^2 = 0.2 kg/m, of 0.4 kg/m.
  const std::vector<double> half =
      BuoyantMass(rod->network(), rod->dofs(), rod->mass(), area, 1000);
  for (int node : rod->dofs().nodes()) EXPECT_NEAR(half[node], 0.5 * rod->mass()[node], 1e-15);
  rod->Add(std::make_unique<Gravity>(rod->dofs(), half, Vector3(0, 0, -10)));
  std::vector<double> acceleration(rod->dofs().size());
  ExplicitMotion().Accelerations(*rod, 1e-3, acceleration);
  for (int node : rod->dofs().nodes()) EXPECT_NEAR(acceleration[node + 2], -5, 1e-13);
  EXPECT_THROW(BuoyantMass(rod->network(), rod->dofs(), rod->mass(), area, -1), ConfigError);
  EXPECT_THROW(LineDrag(rod->network(), rod->dofs(), std::nan("")), ConfigError);
}

UserForce::Function Spring(double stiffness, std::vector<double> anchor) {
  return [stiffness, anchor](std::span<const double> q, std::span<const double>, double, double,
                             std::span<double> force, std::span<double> jacobian) {
    double energy = 0;
    for (size_t k = 0; k < q.size(); ++k) {
      force[k] = -stiffness * (q[k] - anchor[k]);
      jacobian[k + q.size() * k] = -stiffness;
      energy += 0.5 * stiffness * (q[k] - anchor[k]) * (q[k] - anchor[k]);
    }
    return energy;
  };
}

// A rod of stiffness EA / L pulled by a spring, which may or may not provide its potential.
TEST(System, SpringWithAndWithoutPotential) {
  EdgeMaterial material = kPlainMaterial;
  material.EA = 30;
  Vector3 tip[2];
  for (bool conservative : {true, false}) {
    const auto rod = StraightRod(6, 1.5, material, 1);
    const int dof = rod->dofs().node(6);
    const std::vector<int> group{dof, dof + 1, dof + 2};
    rod->Add(
        std::make_unique<UserForce>(rod->dofs(), group, conservative, Spring(10, {1.8, 0, 0})));
    SolveStatics(*rod, kTight, 1);
    EXPECT_EQ(rod->EvaluateState().energy.sum() > 0.2, conservative);
    EXPECT_NEAR(Position(*rod, 6).x() - 1.5, 0.3 * 10 / (10 + 30 / 1.5), 1e-9);
    const auto sideways = StraightRod(6, 1.5, material, 1);
    sideways->Add(std::make_unique<UserForce>(sideways->dofs(), group, conservative,
                                              Spring(10, {1.2, 0.5, 0.4})));
    SolveStatics(*sideways, kTight, 1);
    tip[conservative] = Position(*sideways, 6);
  }
  EXPECT_LT((tip[0] - tip[1]).norm(), 1e-8);
  EXPECT_GT(tip[0].y(), 0.2);
}

// The slope of drag's incremental potential c (q - q0)^2 / 2 tau is the force.
TEST(System, DragHasAnIncrementalPotential) {
  const auto rod = StraightRod(3, 1, kPlainMaterial, 0);
  ViscousDrag drag(LineDrag(rod->network(), rod->dofs(), 2));
  Configuration at = rod->state().at;
  const int dof = rod->dofs().node(1);
  at.q[dof] += 0.3;
  std::vector<double> gradient(rod->dofs().size(), 0.0);
  const Evaluation value = drag.Evaluate({at, rod->state().at, 10, 0}, {gradient.data(), nullptr});
  EXPECT_NEAR(gradient[dof], 2.0 / 3 * 10 * 0.3, 1e-14);
  EXPECT_NEAR(value.energy, 0.5 * 2.0 / 3 * 10 * 0.3 * 0.3, 1e-14);
}

TEST(System, FailedStaticsLeaveTheStateUnchanged) {
  const auto rod = StraightRod(8, 1, kPlainMaterial, 1);
  auto* load = rod->Add(std::make_unique<NodalLoad>(rod->dofs()));
  const State before = rod->state();
  load->value()[rod->dofs().node(8) + 2] = 3;
  EXPECT_THROW(SolveStatics(*rod, {.tolerance = 1e-10, .max_iterations = 1}), SolverError);
  EXPECT_TRUE(testing::SameState(before, rod->state()));
  EXPECT_NO_THROW(SolveStatics(*rod, kTight));
  EXPECT_FALSE(testing::SameState(before, rod->state()));
}

// The gradient of a system is that of its energy; entries of locked degrees of freedom are
// reactions.
TEST(System, GradientIsThatOfTheEnergy) {
  const Network network = testing::MakeNetwork(60);
  SystemParameters parameters;
  parameters.material = testing::RandomMaterial(network.edges(), 61);
  System system(network, parameters);
  testing::Random random(62);
  ExplicitMotion motion;
  for (int k = 0; k < 3; ++k) {
    const Eigen::VectorXd step = testing::RandomStep(system.dofs().size(), 0.02, &random);
    motion.Displace(system, {step.data(), static_cast<size_t>(step.size())});
  }
  const ForceSum& forces = system.EvaluateState();
  testing::ElasticProbe probe(network, system.elastic().rest());
  const Eigen::VectorXd gradient = probe.Gradient(system.state().at);
  EXPECT_EQ(forces.energy.sum(), probe.Energy(system.state().at));
  for (int dof = 0; dof < system.dofs().size(); ++dof) {
    EXPECT_EQ(forces.gradient[dof], gradient[dof]);
  }
}

TEST(System, Masses) {
  const auto rod = StraightRod(4, 2, kPlainMaterial, 1);
  rod->AddMass(2, 3);
  double total = 0;
  for (int node : rod->dofs().nodes()) total += rod->mass()[node];
  EXPECT_NEAR(total, 0.4 * 2 + 3, 1e-14);
  EXPECT_NEAR(rod->mass()[rod->dofs().node(0)], 0.1, 1e-16);
  EXPECT_NEAR(rod->mass()[rod->dofs().edge(1)], 0.5e-3, 1e-18);
  EXPECT_EQ(rod->mass()[rod->dofs().node(5)], 0);  // the clamp's node
  EXPECT_THROW(rod->AddMass(9, 1), ConfigError);
  EXPECT_THROW(rod->AddMass(0, -1), ConfigError);
}

// What moves on as before keeps its velocity and the previous step; what is locked stands.
TEST(System, CatchesWhatMovesOn) {
  const auto rod = StraightRod(4, 2, kPlainMaterial, 1);
  State& state = rod->state();
  const int x = rod->dofs().node(3);
  state.velocity[x] = state.velocity[x + 1] = 2, state.dt_before = 0.1;
  for (const bool caught : {true, false}) {
    rod->Catch(x, caught);
    EXPECT_EQ(rod->dofs().locked(x), caught);
    EXPECT_EQ(state.velocity[x], 2);
    EXPECT_EQ(state.dt_before, 0.1);
  }
  rod->Lock(x + 1);
  EXPECT_EQ(state.velocity[x + 1], 0);
  EXPECT_EQ(state.dt_before, 0);
}

TEST(System, BadIndicesAndSizesAreRefused) {
  const auto rod = StraightRod(4, 1, kPlainMaterial, 1);
  for (int dof : {-1, rod->dofs().size()}) {
    EXPECT_THROW(rod->Lock(dof), ConfigError);
    EXPECT_THROW(rod->Drive(dof, 0), ConfigError);
  }
  EXPECT_THROW(rod->Add(std::unique_ptr<NodalLoad>()), ConfigError);
  EXPECT_THROW(Gravity(rod->dofs(), {1.0}, Vector3(0, 0, -1)), ConfigError);
  EXPECT_THROW(rod->Place(Configuration{}), ConfigError);
  for (int steps : {0, -3}) EXPECT_THROW(SolveStatics(*rod, {}, steps), ConfigError);
}

TEST(System, OnlyLockedDegreesOfFreedomCanBeDriven) {
  const auto rod = StraightRod(4, 2, kPlainMaterial, 1);
  EXPECT_THROW(rod->Drive(rod->dofs().node(3), 1), ConfigError);
  EXPECT_THROW(rod->Drive(rod->dofs().node(0), std::nan("")), ConfigError);
  EXPECT_NO_THROW(rod->Drive(rod->dofs().node(0), 1));
}

}  // namespace system_test
}  // namespace strand
