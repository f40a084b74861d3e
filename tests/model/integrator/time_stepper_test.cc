// Motions with known solutions, orders of convergence, and driven degrees of freedom.
#include "model/integrator/time_stepper.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/config/error.h"
#include "model/energy/user_force.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace time_stepper_test {

using testing::kPlainMaterial;
using testing::LockNode;
using testing::Position;
using testing::SameState;
using testing::SetVelocity;
using testing::Steps;
using testing::StraightRod;
using testing::Velocity;

constexpr Method kMethods[] = {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint,
                               Method::kSymplecticEuler, Method::kVerlet};
constexpr Method kImplicit[] = {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint};

// Soft enough for explicit steps; motion is not confined to a plane.
constexpr EdgeMaterial kSoft{40, {0.05, 0.05}, 0.03, 0.4, 1e-3};

void Advance(System* system, const TimeStepOptions& options, int steps,
             const TimeStepper::Drive& drive = {}) {
  TimeStepper stepper(options);
  for (int k = 0; k < steps; ++k) stepper.Step(*system, drive);
}

// A soft cantilever under its weight, thrown sideways from a shape that is no equilibrium.
std::unique_ptr<System> Swinging(const EdgeMaterial& material, int edges = 4) {
  auto rod = StraightRod(edges, 0.8, material, 1);
  rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -2)));
  for (int node = 1; node <= edges; ++node) {
    SetVelocity(rod.get(), node, Vector3(0, 0.6, 0.1) * node / edges);
    rod->state().velocity[rod->dofs().edge(node - 1)] = 0.8 * node / edges;
  }
  return rod;
}

// A free rod falls and flies rigidly, to the last digits. The midpoint rule and Verlet give
// x = g t^2 / 2, the Euler methods g t (t +- dt) / 2. BDF2 starts with a step of backward Euler,
// whose error its recursion x_{n+1} = 4/3 x_n - 1/3 x_{n-1} + ... multiplies by 3/2.
TEST(TimeStepper, FreeFallAndFlight) {
  const double dt = 0.01, g = 9.81;
  const int steps = 50;
  for (Method method : kMethods) {
    for (double weight : {0.0, g}) {
      const auto rod = StraightRod(5, 1, kSoft, 0);
      rod->Add(std::make_unique<Gravity>(rod->dofs(), rod->mass(), Vector3(0, 0, -weight)));
      for (int node = 0; node <= 5; ++node) SetVelocity(rod.get(), node, {1, 2, 0});
      Advance(rod.get(), Steps(method, dt), steps);
      const double t = steps * dt;
      const bool euler = method == Method::kBackwardEuler || method == Method::kSymplecticEuler;
      const double start = method == Method::kBdf2 ? 1.5 * (1 - std::pow(3.0, -steps)) : 0;
      for (int node = 0; node <= 5; ++node) {
        const double height = t * (euler ? t + dt : t) + start * dt * dt;
        const Vector3 fallen(t, 2 * t, -0.5 * weight * height);
        EXPECT_LT((Position(*rod, node) - Vector3(0.2 * node, 0, 0) - fallen).norm(), 1e-9);
        EXPECT_LT((Velocity(*rod, node) - Vector3(1, 2, -weight * t)).norm(), 1e-8);
      }
      EXPECT_NEAR(rod->state().time, t, 1e-15);
    }
  }
}

// The rounding error of an unknown grows with the distance from the origin.
TEST(TimeStepper, FlightFarAway) {
  const auto rod = StraightRod(5, 1, kSoft, 0);
  for (int node = 0; node <= 5; ++node) SetVelocity(rod.get(), node, {1e4, 0, 0});
  TimeStepper stepper(Steps(Method::kMidpoint, 0.01));
  for (int k = 0; k < 100; ++k) {
    const StepReport report = stepper.Step(*rod);
    EXPECT_EQ(report.rejections, 0);
    EXPECT_LE(report.iterations, 4);
  }
  for (int node = 0; node <= 5; ++node) {
    EXPECT_LT((Position(*rod, node) - Vector3(1e4 + 0.2 * node, 0, 0)).norm(), 1e-7);
  }
}

// An edge that changes direction and returns has turned (holonomy). This does no work, and the
// merit must not count it, or full steps would be rejected where the spin inertia is large.
TEST(TimeStepper, FewIterationsUnderLargeSpinInertia) {
  EdgeMaterial material = kSoft;
  material.spin_inertia_per_length = 1e-2;
  for (Method method : kImplicit) {
    const auto rod = StraightRod(4, 0.8, material, 2);
    TimeStepper stepper(Steps(method, 2e-3));
    for (int k = 1; k <= 200; ++k) {
      const StepReport report = stepper.Step(*rod, [](System& system, double t) {
        for (int node : {4, 6}) {
          system.Drive(system.dofs().node(node) + 1, 0.05 * std::sin(9 * t));
        }
        system.Drive(system.dofs().edge(5), 40 * t);
      });
      EXPECT_EQ(report.rejections, 0);
      EXPECT_LE(report.iterations, 5);
    }
    EXPECT_GT(std::abs(Position(*rod, 2).z()), 0.01);  // it has left the plane
  }
}

// Energy relative to the initial excess over the equilibrium.
TEST(TimeStepper, MidpointConservesEnergyAndBackwardEulerLosesIt) {
  const auto energies = [](Method method) {
    const auto rod = Swinging({2000, {0.05, 0.05}, 0.03, 0.4, 1e-3}, 6);
    std::vector<double> energy{testing::TotalEnergy(rod.get())};
    TimeStepper stepper(Steps(method, 4e-3));
    for (int k = 0; k < 1000; ++k) {
      stepper.Step(*rod);
      energy.push_back(testing::TotalEnergy(rod.get()));
    }
    return energy;
  };
  const auto kept = energies(Method::kMidpoint), lost = energies(Method::kBackwardEuler);
  const double scale = kept[0] - lost.back();  // the energy lost until rest
  EXPECT_GT(scale, 0.01);
  const auto [low, high] = std::minmax_element(kept.begin(), kept.end());
  EXPECT_LT(*high - *low, 0.05 * scale);
  const auto mean = [&](int first) {
    double sum = 0;
    for (int k = first; k < first + 200; ++k) sum += kept[k] / 200;
    return sum;
  };
  EXPECT_LT(std::abs(mean(801) - mean(1)), 0.01 * scale);
  for (size_t k = 1; k < lost.size(); ++k) EXPECT_LT(lost[k], lost[k - 1] + 1e-9 * scale);
  EXPECT_LT(lost[500], lost[0] - 0.5 * scale);
}

TEST(TimeStepper, OrderOfConvergence) {
  const double time = 0.4;
  const auto final_state = [&](Method method, int steps) {
    const auto rod = Swinging(kSoft);
    Advance(rod.get(), Steps(method, time / steps), steps);
    Eigen::VectorXd state(2 * rod->dofs().size());
    for (int dof = 0; dof < rod->dofs().size(); ++dof) {
      state[2 * dof] = rod->state().at.q[dof], state[2 * dof + 1] = rod->state().velocity[dof];
    }
    return state;
  };
  const Eigen::VectorXd exact =
      (4 * final_state(Method::kVerlet, 20000) - final_state(Method::kVerlet, 10000)) / 3;
  for (Method method : kMethods) {
    const bool euler = method == Method::kBackwardEuler || method == Method::kSymplecticEuler;
    const int order = euler ? 1 : 2;
    const int steps = order == 2 ? 400 : 4000;
    const double coarse = (final_state(method, steps) - exact).norm();
    const double fine = (final_state(method, 2 * steps) - exact).norm();
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.05) << coarse << " " << fine;
    EXPECT_LT(fine, 0.02 * exact.norm());
  }
}

// omega = (pi / 2 L) sqrt(GJ / J_rho) of a rod clamped at one end. The chain's frequency is
// (2 / l) sqrt(GJ / J_rho) sin(pi / 4 n), and the midpoint rule gives tan(w dt / 2) = omega dt / 2.
TEST(TimeStepper, TorsionalFrequency) {
  const int n = 20;
  const double L = 1.3, dt = 1e-3, l = L / n, amplitude = 0.5;
  const auto rod = StraightRod(n, L, kPlainMaterial, 1);
  const double speed = std::sqrt(kPlainMaterial.GJ / kPlainMaterial.spin_inertia_per_length);
  const double omega = 2 / l * speed * std::sin(std::numbers::pi / (4 * n));
  const double exact = std::numbers::pi / (2 * L) * speed;
  EXPECT_NEAR(omega / exact, 1 - std::pow(std::numbers::pi / (4 * n), 2) / 6, 1e-6);
  const double stepped = 2 / dt * std::atan(0.5 * omega * dt);
  const auto mode = [n](int e) { return std::sin((e + 0.5) * std::numbers::pi / (2 * n)); };
  for (int e = 0; e < n; ++e) {
    rod->state().velocity[rod->dofs().edge(e)] = amplitude * omega * mode(e);
  }
  TimeStepper stepper(Steps(Method::kMidpoint, dt));
  for (int k = 1; k <= 500; ++k) {
    stepper.Step(*rod);
    for (int e = 0; e < n; ++e) {
      EXPECT_NEAR(rod->state().at.q[rod->dofs().edge(e)],
                  amplitude * mode(e) * std::sin(stepped * k * dt), 1e-8);
    }
  }
}

// Velocity of a rod under drag: v' = -(eta / rho A) v, with each method's own decay factor.
TEST(TimeStepper, ViscousDragDecays) {
  const double dt = 0.01, eta = 2, a = eta * dt / 0.4;
  for (Method method : kMethods) {
    const auto rod = StraightRod(3, 1, kSoft, 0);
    rod->Add(std::make_unique<ViscousDrag>(LineDrag(rod->network(), rod->dofs(), eta)));
    for (int node = 0; node <= 3; ++node) SetVelocity(rod.get(), node, {3, 0, -1});
    Advance(rod.get(), Steps(method, dt), 40);
    double factor = 1 / (1 + a), before = 1;
    if (method == Method::kBdf2) {
      for (int k = 2; k <= 40; ++k) {
        before = std::exchange(factor, (4 * factor - before) / (3 + 2 * a));
      }
    } else {
      if (method == Method::kMidpoint) factor *= 1 - a / 2, factor *= (1 + a) / (1 + a / 2);
      if (method == Method::kSymplecticEuler || method == Method::kVerlet) factor = 1 - a;
      factor = std::pow(factor, 40);
    }
    for (int node = 0; node <= 3; ++node) {
      EXPECT_LT((Velocity(*rod, node) - factor * Vector3(3, 0, -1)).norm(), 1e-9);
    }
  }
}

// A charge in a magnetic field: the force depends on the velocity and has no potential; its
// Jacobian is antisymmetric. The midpoint rule turns the velocity by 2 atan(w dt / 2) and keeps its
// magnitude.
TEST(TimeStepper, ForceOnVelocities) {
  const double dt = 0.02, per_mass = 7.5;
  const auto rod = StraightRod(2, 1, kSoft, 0);
  for (int node : {0, 1, 2}) {
    const int x = rod->dofs().node(node);
    const double strength = per_mass * rod->mass()[x];
    rod->Add(std::make_unique<UserForce>(
        rod->dofs(), std::vector{x, x + 1}, false,
        [strength](std::span<const double>, std::span<const double> v, double, double per_time,
                   std::span<double> force, std::span<double> jacobian) {
          force[0] = strength * v[1], force[1] = -strength * v[0];
          jacobian[1] = -strength * per_time, jacobian[2] = strength * per_time;
          return 0.0;
        }));
    SetVelocity(rod.get(), node, {0.6, 0, 0});
  }
  Advance(rod.get(), Steps(Method::kMidpoint, dt), 100);
  const double turned = 100 * 2 * std::atan(0.5 * dt * per_mass);
  const Vector3 exact = 0.6 * Vector3(std::cos(turned), -std::sin(turned), 0);
  for (int node : {0, 1, 2}) EXPECT_LT((Velocity(*rod, node) - exact).norm(), 1e-7);
}

// Driven positions and angles reach their targets at the end of every step, with the mean velocity
// of the step.
TEST(TimeStepper, DrivenDegreesOfFreedomReachTheirTargets) {
  const double dt = 2e-3;
  const auto place = [](double t) { return 0.05 * std::sin(9 * t); };
  const auto angle = [](double t) { return 40 * t; };
  for (Method method : kMethods) {
    const auto rod = StraightRod(4, 0.8, kSoft, 2);
    const int x = rod->dofs().node(4), theta = rod->dofs().edge(5);
    TimeStepper stepper(Steps(method, dt));
    for (int k = 1; k <= 200; ++k) {
      const double before = rod->state().at.q[x + 1];
      stepper.Step(*rod, [&](System& system, double t) {
        for (int node : {4, 6}) system.Drive(system.dofs().node(node) + 1, place(t));
        system.Drive(theta, angle(t));
      });
      EXPECT_NEAR(rod->state().at.q[x + 1], place(k * dt), 1e-15);
      EXPECT_NEAR(rod->state().at.q[theta], angle(k * dt), 1e-12);
      EXPECT_NEAR(rod->state().velocity[x + 1], (place(k * dt) - before) / dt, 1e-11);
      EXPECT_NEAR(rod->state().velocity[theta], 40, 1e-8);
      EXPECT_EQ(rod->state().at.q[x], 0.8);
    }
  }
}

TEST(TimeStepper, LockAndRelease) {
  for (Method method : kImplicit) {
    const auto rod = Swinging(kSoft);
    TimeStepper stepper(Steps(method, 2e-3));
    for (int k = 0; k < 20; ++k) stepper.Step(*rod);
    const Vector3 held = Position(*rod, 2);
    EXPECT_GT(held.y(), 1e-3);
    LockNode(rod.get(), 2);
    EXPECT_EQ(Velocity(*rod, 2), Vector3(0, 0, 0));
    for (int k = 0; k < 20; ++k) stepper.Step(*rod);
    EXPECT_EQ(Position(*rod, 2), held);
    EXPECT_EQ(Velocity(*rod, 2), Vector3(0, 0, 0));
    LockNode(rod.get(), 2, false);
    stepper.Step(*rod);
    EXPECT_GT((Position(*rod, 2) - held).norm(), 1e-6);
    EXPECT_LT((Position(*rod, 2) - held).norm(), 1e-2);
  }
}

// A saved state loaded into another system continues bitwise the same.
TEST(TimeStepper, RestartIsBitwiseTheSame) {
  for (Method method : kMethods) {
    const auto one = Swinging(kSoft), two = Swinging(kSoft);
    Advance(one.get(), Steps(method, 2e-3), 30);
    const State saved = one->state();
    const std::vector<double> memory = one->Memory();
    Advance(one.get(), Steps(method, 2e-3), 30);
    two->SetState(saved, memory);
    Advance(two.get(), Steps(method, 2e-3), 30);
    EXPECT_TRUE(SameState(one->state(), two->state()));
    EXPECT_FALSE(SameState(saved, two->state()));
  }
}

}  // namespace time_stepper_test
}  // namespace strand
