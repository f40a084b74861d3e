// A new energy needs one class and one line: here an elastic foundation, which Strand does not
// have.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "model/geometry/curve.h"
#include "model/integrator/statics.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"
#include "tests/support/straight_rod.h"

namespace strand {
namespace new_energy_test {

// E = 1/2 k sum_i l_i z_i^2: springs of stiffness k per length (N/m^2) under the nodes of a rod
// (Winkler foundation).
class Foundation : public Force {
 public:
  Foundation(const Network& network, const Dofs& dofs, double stiffness) {
    for (int node : dofs.nodes()) dof_.push_back(node + 2), stiffness_.push_back(0);
    for (const Edge& edge : network.edge()) {
      for (int node : edge.node) stiffness_[node] += 0.5 * edge.length * stiffness;
    }
  }

  void Bind(const Dofs& dofs, const LinearSystem& system) override {
    place_.clear();
    for (int dof : dof_) place_.push_back(system.Offset(dofs.unknown(dof), dofs.unknown(dof)));
  }

  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override {
    Evaluation sum;
    for (size_t i = 0; i < dof_.size(); ++i) {
      const double z = motion.at.q[dof_[i]], force = stiffness_[i] * z;
      sum.energy += 0.5 * force * z;
      sum.force = std::max(sum.force, std::abs(force));
      if (out.gradient) out.gradient[dof_[i]] += force;
      if (out.values) out.values[place_[i]] += stiffness_[i];
    }
    return sum;
  }

 private:
  std::vector<int> dof_, place_;
  std::vector<double> stiffness_;  ///< N/m, per node
};

TEST(NewEnergy, HasTheDerivativesOfItsEnergy) {
  Network network;
  network.AddRod(StraightNodes(1, 6), Vector3::UnitZ());
  const Dofs dofs(network);
  Foundation foundation(network, dofs, 40);
  testing::ForceCase force(network, dofs, &foundation, 0);
  testing::Random random(7);
  testing::Vector q(force.size());
  for (double& x : q) x = random.Uniform(-0.1, 0.1);
  CheckForceDerivatives(force, q, 1e-2, true);
}

// A long beam under a load P in its middle deflects by P beta / 2 k, beta^4 = k / 4 EI (Hetenyi,
// Beams on Elastic Foundation, 1946).
TEST(NewEnergy, SupportsABeam) {
  const double stiffness = 1e4, EI = testing::kPlainMaterial.EI[0], load = 1e-3;
  const double beta = std::pow(stiffness / (4 * EI), 0.25);
  const double deflection = load * beta / (2 * stiffness);
  double error[2];
  for (int finer : {0, 1}) {
    const int edges = 80 << finer;
    const auto beam = testing::StraightRod(edges, 20 / beta, testing::kPlainMaterial, 0);
    beam->Add(std::make_unique<Foundation>(beam->network(), beam->dofs(), stiffness));
    auto* weight = beam->Add(std::make_unique<NodalLoad>(beam->dofs()));
    weight->value()[beam->dofs().node(edges / 2) + 2] = -load;
    testing::LockNode(beam.get(), 0), testing::LockNode(beam.get(), edges);
    SolveStatics(*beam, {});
    error[finer] = -testing::Position(*beam, edges / 2).z() / deflection - 1;
  }
  EXPECT_LT(std::abs(error[1]), 5e-3);
  EXPECT_NEAR(error[0] / error[1], 4, 0.4);
}

// The energy also acts in time steps: a rod supported only by the foundation oscillates vertically
// at omega^2 = k / m.
TEST(NewEnergy, ARodOscillatesOnIt) {
  const double stiffness = 10,
               omega = std::sqrt(stiffness / testing::kPlainMaterial.mass_per_length);
  const auto rod = testing::StraightRod(8, 1, testing::kPlainMaterial, 0);
  rod->Add(std::make_unique<Foundation>(rod->network(), rod->dofs(), stiffness));
  for (int node = 0; node <= 8; ++node) testing::SetVelocity(rod.get(), node, {0, 0, 0.01 * omega});
  const int steps = 200;
  TimeStepper stepper(testing::Steps(Method::kMidpoint, std::numbers::pi / 2 / omega / steps));
  for (int k = 0; k < steps; ++k) stepper.Step(*rod);
  for (int node = 0; node <= 8; ++node) {
    EXPECT_NEAR(testing::Position(*rod, node).z(), 0.01, 1e-6);
  }
}

}  // namespace new_energy_test
}  // namespace strand
