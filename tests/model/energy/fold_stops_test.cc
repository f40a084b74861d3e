#include "model/energy/fold_stops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/integrator/time_stepper.h"
#include "model/stencil/fold.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace fold_stops_test {

using testing::ForceCase;
using testing::Vector;

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kMass = 0.3;  // kg, per dof

// A rod of two links, .5 and .4 m long, folded by an angle.
class Folded : public ::testing::Test {
 protected:
  static constexpr double kFirst = 0.5, kSecond = 0.4;

  Folded() {
    network_.AddRod(Nodes(0), Vector3::UnitZ());
    dofs_ = std::make_unique<Dofs>(network_);
    testing::Unlocked(dofs_.get());
  }

  static std::vector<Vector3> Nodes(double degrees) {
    const double angle = degrees * kDegree;
    const Vector3 to(std::cos(angle), 0.6 * std::sin(angle), 0.8 * std::sin(angle));
    const Vector3 middle(kFirst, 0, 0);
    return {Vector3::Zero(), middle, middle + kSecond * to};
  }
  Vector Moved(double degrees) const {
    const std::vector<Vector3> nodes = Nodes(degrees);
    Vector q = Vector::Zero(dofs_->size());
    for (int n = 0; n < 3; ++n) {
      q.segment<3>(dofs_->node(n)) = nodes[n] - network_.node()[n];
    }
    return q;
  }
  ElasticRest Rest(double EI) const {
    const EdgeMaterial material{1, {EI, EI}, EI, 1, 1};
    return ElasticRest(network_, std::vector(2, material), {});
  }
  Configuration At(double degrees) const {
    Configuration at;
    at.Resize(dofs_->size(), 0, 0);
    const std::vector<Vector3> nodes = Nodes(degrees);
    for (int n = 0; n < 3; ++n) at.SetPosition(dofs_->node(n), nodes[n]);
    return at;
  }
  FoldStops Stops(const ElasticRest& rest, double degrees = 0) const {
    return FoldStops(rest, *dofs_, At(degrees), std::vector<double>(dofs_->size(), kMass));
  }
  double Energy(FoldStops* stops, double degrees) {
    return ForceCase(network_, *dofs_, stops, 0).Energy(Moved(degrees));
  }

  Network network_;
  std::unique_ptr<Dofs> dofs_;
};

TEST_F(Folded, DerivativesMatchDifferences) {
  const ElasticRest rest = Rest(2000);
  FoldStops stops = Stops(rest);
  ForceCase force(network_, *dofs_, &stops, 0);
  for (double degrees : {168.0, 174.0, 178.0}) {
    testing::CheckForceDerivatives(force, Moved(degrees), 1e-3 * (180 - degrees) / 6, true);
  }
}

// W b(p), with W from the weight of the middle node, or from bending.
TEST_F(Folded, TheScaleIsThatOfWeightOrBending) {
  const double weight = 100 * 9.81 * kMass * 0.5 * (kFirst + kSecond);
  for (double EI : {1e-6, 1e6}) {
    const ElasticRest rest = Rest(EI);
    const double scale = std::max(weight, EI / (0.5 * (kFirst + kSecond)));
    FoldStops stops = Stops(rest);
    EXPECT_EQ(Energy(&stops, 164.9), 0);
    EXPECT_NEAR(Energy(&stops, 175) / scale, 8.0 / 27 * 3, 1e-9);
    EXPECT_GT(Energy(&stops, 179.9), 100 * scale);
    EXPECT_LT(Energy(&stops, 180), 1.1e4 * scale);
  }
}

TEST_F(Folded, AStopBeginsAtTheAngleAtTheStart) {
  const ElasticRest rest = Rest(1);
  FoldStops stops = Stops(rest, 172);
  EXPECT_EQ(Energy(&stops, 171.9), 0);
  EXPECT_GT(Energy(&stops, 176), 0);
  FoldStops flat = Stops(rest, 179.5);
  EXPECT_EQ(Energy(&flat, 180), 0);
  flat.Begin(At(0));
  EXPECT_GT(Energy(&flat, 176), 0);
  std::vector<double> memory;
  stops.Save(&memory);
  std::span<const double> saved = memory;
  flat.Load(&saved);
  EXPECT_EQ(Energy(&flat, 176), Energy(&stops, 176));
  flat.Release(0);
  EXPECT_EQ(Energy(&flat, 179), 0);
  flat.Begin(At(0));
  EXPECT_EQ(Energy(&flat, 179), 0);
}

// Two links without stiffness, of which one swings about the end of the other, which is held.
TEST_F(Folded, OnlyJointsWithoutAStiffnessOfTheirOwnAreStopped) {
  for (bool hinge : {false, true}) {
    SystemParameters parameters;
    parameters.material.assign(2, EdgeMaterial{1e4, {1e-5, 1e-5}, 1e-5, 1, 1e-4});
    System system(network_, parameters);
    if (hinge) system.SetJointStiffness(0, {1e-5, 1e-5}, 1e-5);
    for (int node : {0, 1}) {
      for (int c = 0; c < 3; ++c) system.Lock(system.dofs().node(node) + c);
    }
    State& state = system.state();
    state.velocity[system.dofs().node(2) + 1] = 2;
    TimeStepOptions options;
    options.dt = 1e-3;
    TimeStepper stepper(options);
    double least = 1, lowest = 0;
    for (int k = 0; k < 1000; ++k) {
      stepper.Step(system);
      const Vector3 along = system.Positions()[2] - system.Positions()[1];
      least = std::min(least, along.normalized().x());
      lowest = std::min(lowest, along.normalized().y());
    }
    EXPECT_EQ(least < std::cos(175 * kDegree), hinge);
    EXPECT_EQ(lowest < -0.9, hinge);  // it has swung through the other link
  }
}

}  // namespace fold_stops_test
}  // namespace strand
