// Equilibria of a slender rod that starts upright on its foot. It falls over and then hangs, where
// it can turn about the foot without any force. The rod is softer than a single edge by a factor of
// 10^6.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "model/energy/loads.h"
#include "model/energy/user_force.h"
#include "model/integrator/statics.h"
#include "model/integrator/time_stepper.h"

namespace strand {
namespace soft_statics_test {

constexpr int kEdges = 100;
constexpr double kRadius = 5e-3, kYoung = 1e7, kDensity = 1273.52;  // m, Pa, kg/m^3

std::unique_ptr<System> UprightRod(const ElasticOptions& options, const Vector3& gravity) {
  std::vector<Vector3> nodes;
  for (int i = 0; i <= kEdges; ++i) nodes.push_back({0, 0, static_cast<double>(i) / kEdges});
  Network network;
  network.AddRod(nodes, Vector3::UnitY());
  const double area = M_PI * kRadius * kRadius, moment = area * kRadius * kRadius / 4;
  SystemParameters parameters;
  parameters.elastic = options;
  const double EI = kYoung * moment;
  parameters.material.assign(
      kEdges, {kYoung * area, {EI, EI}, 2.0 / 3 * EI, kDensity * area, 2 * kDensity * moment});
  auto system = std::make_unique<System>(network, parameters);
  system->Add(
      std::make_unique<Gravity>(system->dofs(),
                                BuoyantMass(system->network(), system->dofs(), system->mass(),
                                            std::vector<double>(kEdges, area), 0),
                                gravity));
  for (int node : {0, 1}) {
    for (int c = 0; c < 3; ++c) system->Lock(system->dofs().node(node) + c);
  }
  system->Lock(system->dofs().edge(0));
  return system;
}

Vector3 Tip(const System& system) { return system.state().at.position(system.dofs().node(kEdges)); }

TEST(SoftStatics, FallsFromUprightToTheHeavyElastica) {
  // The sideways gravity is so small that the answer is the elastica without it, to that relative
  // accuracy.
  const auto system = UprightRod({}, {1e-3, 0, -9.8});
  NewtonOptions options;
  options.max_iterations = 300;
  const SolveReport report = SolveStatics(*system, options);
  EXPECT_TRUE(report.converged);
  EXPECT_NEAR(std::abs(Tip(*system)[0]), 0.1565, 3e-3);  // tests of `strand example control`
  EXPECT_NEAR(Tip(*system)[2], -0.8399 + 0.5 / kEdges, 6e-3);
}

TEST(SoftStatics, FreeRotationDoesNotSlowConvergence) {
  for (const BendAverage average : {BendAverage::kEnergies, BendAverage::kCurvatures}) {
    ElasticOptions elastic;
    elastic.measure = CurvatureMeasure::kTangent, elastic.average = average;
    const auto system = UprightRod(elastic, {0, 0, -9.8});
    TimeStepOptions stepping;
    stepping.method = Method::kBackwardEuler, stepping.dt = 5e-3;
    TimeStepper stepper(stepping);
    const int foot = system->dofs().node(0), second = system->dofs().node(1);
    for (int k = 0; k < 2000; ++k) {
      stepper.Step(*system, [&](System& moved, double time) {
        for (int dof : {foot, second}) moved.Drive(dof, 0.02 * time);
      });
    }
    const SolveReport report = SolveStatics(*system, NewtonOptions{});
    EXPECT_TRUE(report.converged);
    EXPECT_LE(report.iterations, 30);
  }
}

// A force without a potential that is still zero, as friction before contact, changes nothing. If
// the norm of the residual were the merit, the steps of a slender rod would become tiny.
TEST(SoftStatics, AnIdleForceWithoutAPotentialCostsNothing) {
  SolveReport reports[2];
  Vector3 tips[2];
  for (const bool idle : {false, true}) {
    const auto system = UprightRod({}, {9.8, 0, 0});
    const int tip = system->dofs().node(kEdges);
    if (idle) {
      system->Add(std::make_unique<UserForce>(
          system->dofs(), std::vector<int>{tip, tip + 1, tip + 2}, false,
          [](auto, auto, double, double, auto, auto) { return 0.0; }));
    }
    reports[idle] = SolveStatics(*system, NewtonOptions{});
    tips[idle] = Tip(*system);
  }
  EXPECT_LE(reports[0].iterations, 12);
  EXPECT_EQ(reports[1].iterations, reports[0].iterations);
  EXPECT_LT((tips[1] - tips[0]).norm(), 1e-9);
}

}  // namespace soft_statics_test
}  // namespace strand
