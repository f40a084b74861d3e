// A step has converged when another iteration would change it by no more than a small fraction of
// the change in the step, however large the internal forces are that balance each other.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numbers>

#include "model/config/section.h"
#include "model/energy/loads.h"
#include "model/integrator/statics.h"
#include "model/integrator/time_stepper.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace convergence_test {

EdgeMaterial Round(double young, double radius, double density) {
  const double area = std::numbers::pi * radius * radius, I = 0.25 * area * radius * radius;
  return {young * area, {young * I, young * I}, young * I, density * area, 2 * density * I};
}

NodalLoad* AddLoad(System* system, int node, const Vector3& force) {
  auto* load = system->Add(std::make_unique<NodalLoad>(system->dofs()));
  for (int c = 0; c < 3; ++c) load->value()[system->dofs().node(node) + c] = force[c];
  return load;
}

// A steel ring whose wire is straight at rest stores 80 J of bending, while one step of free fall
// changes the energy by microjoules. The ring has to fall like any free body.
TEST(Convergence, APrestressedRingFalls) {
  constexpr int kNodes = 100;
  constexpr double kTime = 0.2, kDt = 1e-3;
  for (Method method : {Method::kBdf2, Method::kBackwardEuler, Method::kMidpoint}) {
    Network network;
    std::vector<Vector3> points;
    for (int k = 0; k < kNodes; ++k) {
      const double at = 2 * std::numbers::pi * k / kNodes;
      points.emplace_back(0.1 * std::cos(at), 0.1 * std::sin(at), 0);
    }
    network.AddRod(points, Vector3::UnitZ(), true);
    SystemParameters parameters;
    parameters.material.assign(kNodes, Round(200e9, 0.002, 7800));
    parameters.elastic.rest_straight = true;
    System ring(network, parameters);
    ring.Add(std::make_unique<Gravity>(ring.dofs(), ring.mass(), Vector3(0, 0, -9.81)));
    TimeStepOptions options;  // the defaults
    options.method = method, options.dt = kDt;
    TimeStepper stepper(options);
    int iterations = 0;
    for (int k = 0; k < 200; ++k) iterations += stepper.Step(ring).iterations;
    double height = 0;
    for (int node = 0; node < kNodes; ++node) height += testing::Position(ring, node).z() / kNodes;
    const double fall = 0.5 * 9.81 * kTime * kTime;
    EXPECT_NEAR(height, -fall, 1.01 * 0.5 * 9.81 * kTime * kDt);  // first-order error
    EXPECT_GE(iterations, 200);
  }
}

// Above Euler's load the straight column is an unstable equilibrium: the smallest push leads to the
// bent one, and without any push the report says that the straight one is a saddle.
TEST(Convergence, AColumnBuckles) {
  const int n = 40;
  const EdgeMaterial material = Round(1e9, 0.005, 1000);
  const double critical = std::pow(std::numbers::pi / 2, 2) * material.EI[0];
  const auto aside = [&](double load, double push, bool* stable) {
    const auto column = testing::StraightRod(n, 1, material, 1);
    AddLoad(column.get(), n, {-load * critical, 0, push});
    *stable = SolveStatics(*column, {.max_iterations = 200}).stable;
    return testing::Position(*column, n).z();
  };
  bool stable = false;
  const double bent = aside(1.2, 1e-6, &stable);
  EXPECT_GT(bent, 0.5);
  EXPECT_TRUE(stable);
  EXPECT_NEAR(aside(1.2, 1e-10, &stable), bent, 1e-5);
  EXPECT_EQ(aside(1.2, 0, &stable), 0);
  EXPECT_FALSE(stable);
  EXPECT_LT(aside(0.9, 1e-6, &stable), 1e-4);
  EXPECT_TRUE(stable);
}

// A steel string sags by q L^2 / 8 T, up to corrections for its stretch and bending stiffness.
TEST(Convergence, ATautStringSags) {
  const int n = 50;
  for (double tension : {100.0, 1000.0, 1e5}) {
    const EdgeMaterial material = Round(2e11, 1e-3, 7800);
    const auto string = testing::StraightRod(n, 1, material, 0);
    testing::LockNode(string.get(), 0);
    for (int c : {1, 2}) string->Lock(string->dofs().node(n) + c);
    AddLoad(string.get(), n, {tension, 0, 0});
    string->Add(std::make_unique<Gravity>(string->dofs(), string->mass(), Vector3(0, 0, -9.81)));
    SolveStatics(*string, {});
    // A hinged beam under tension (Timoshenko, Strength of Materials II, section 6).
    const double T = tension, EI = material.EI[0], stretched = 1 + T / material.EA;
    const double stiff = 8 * EI / T * (1 - 1 / std::cosh(0.5 * std::sqrt(T / EI)));
    const double sag = 9.81 * material.mass_per_length * stretched / (8 * T) * (1 - stiff);
    EXPECT_NEAR(-testing::Position(*string, n / 2).z(), sag, 1e-3 * sag) << T;
  }
}

// For any slenderness of the cantilever: EA L^2 / EI is 4e6 to 4e18.
TEST(Convergence, SlenderCantilevers) {
  const int n = 50;
  for (double radius : {1e-3, 1e-6, 1e-9}) {
    const EdgeMaterial material = Round(1e9, radius, 0);
    const auto rod = testing::StraightRod(n, 1, material, 1);
    const double bend = 1e-3;  // of the tip, F L^3 / 3 EI
    AddLoad(rod.get(), n, {0, 0, 3 * material.EI[0] * bend});
    SolveStatics(*rod, {});
    EXPECT_NEAR(testing::Position(*rod, n).z(), bend, 1e-3 * bend);
  }
}

}  // namespace convergence_test
}  // namespace strand
