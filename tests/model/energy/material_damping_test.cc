#include "model/energy/material_damping.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/networks.h"
#include "tests/support/shells.h"

namespace strand {
namespace material_damping_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::kThick;
using testing::Mesh;
using testing::Random;
using testing::Vector;

constexpr double kPerTime = 40, kBeta = 0.02;

Dofs Unlocked(const Network& network) {
  Dofs dofs(network);
  return testing::Unlocked(&dofs);
}

Vector RandomMove(const Dofs& dofs, double size, std::uint64_t seed) {
  Random random(seed);
  Vector q(dofs.size());
  for (double& value : q) value = size * random.Uniform(-1, 1);
  return q;
}

// Net force and net moment about the origin of a gradient on the nodes.
std::pair<Vector3, Vector3> Resultant(const Network& network, const Dofs& dofs, const Vector& q,
                                      const Vector& gradient) {
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (int n = 0; n < network.nodes(); ++n) {
    const Vector3 f = gradient.segment<3>(dofs.node(n));
    force += f;
    moment += (network.node()[n] + q.segment<3>(dofs.node(n))).cross(f);
  }
  return {force, moment};
}

class ShellDampingOf : public ::testing::TestWithParam<std::tuple<bool, Membrane>> {};
INSTANTIATE_TEST_SUITE_P(MaterialDamping, ShellDampingOf,
                         ::testing::Combine(::testing::Bool(),
                                            ::testing::Values(Membrane::kContinuum,
                                                              Membrane::kSprings)));

TEST_P(ShellDampingOf, HasExactDerivativesAndNoResultant) {
  const auto [mid_edge, membrane] = GetParam();
  const Mesh mesh = testing::Rolled(testing::Grid(3, 2, 3, 2), 1.3).Shaken(0.05, 6);
  const Network network = testing::ShellNetwork(mesh, mid_edge);
  const Dofs dofs = Unlocked(network);
  ShellMaterial material = kThick;
  material.membrane = membrane;
  const ShellRest rest(network, std::vector{material});
  ShellDamping damping(network, rest, dofs, {kBeta});
  ForceCase force(network, dofs, &damping, kPerTime);
  const Vector q = RandomMove(dofs, 0.1, 3);
  EXPECT_LT(force.Energy(Vector::Zero(dofs.size())), 1e-30);
  EXPECT_LT(force.Gradient(Vector::Zero(dofs.size())).norm(), 1e-14);
  CheckForceDerivatives(force, q, 0.05, true);
  const auto [sum, moment] = Resultant(network, dofs, q, force.Gradient(q));
  EXPECT_LT(sum.norm(), 1e-11 * force.Gradient(q).norm());
  EXPECT_LT(moment.norm(), 1e-11 * force.Gradient(q).norm());
  // The dissipated energy is twice the potential. For small steps the potential is beta per_time
  // times the elastic energy that the same step would store if it started from the natural shape.
  const Evaluation value = damping.Evaluate(force.At(q), {});
  EXPECT_DOUBLE_EQ(value.dissipated, 2 * value.energy);
  ShellEnergy elastic(network, rest, dofs);
  EXPECT_NEAR(value.energy, kBeta * kPerTime * elastic.Evaluate(force.At(q), {}).energy,
              1e-12 * value.energy);
}

// A rigid rotation strains nothing; in statics there are no rates, hence no damping.
TEST_P(ShellDampingOf, LeavesRigidMotionAlone) {
  const auto [mid_edge, membrane] = GetParam();
  const Mesh mesh = testing::Rolled(testing::Grid(3, 2, 3, 2), 1.3).Shaken(0.05, 6);
  const Network network = testing::ShellNetwork(mesh, mid_edge);
  const Dofs dofs = Unlocked(network);
  ShellMaterial material = kThick;
  material.membrane = membrane;
  const ShellRest rest(network, std::vector{material});
  ShellDamping damping(network, rest, dofs, {kBeta});
  const Eigen::Matrix3d turn(Eigen::AngleAxisd(0.7, Vector3(1, -2, 0.5).normalized()));
  Vector q = Vector::Zero(dofs.size());
  for (int n = 0; n < network.nodes(); ++n) {
    q.segment<3>(dofs.node(n)) = turn * network.node()[n] + Vector3(3, 1, -2) - network.node()[n];
  }
  ForceCase moving(network, dofs, &damping, kPerTime);
  EXPECT_LT(moving.Gradient(q).norm(), 1e-12 * kBeta * kPerTime);
  ForceCase still(network, dofs, &damping, 0);
  EXPECT_EQ(still.Gradient(RandomMove(dofs, 0.1, 3)).norm(), 0);
}

// From the rest shape the damping potential is beta per_time times the stored elastic energy.
TEST(RodDamping, IsTheElasticEnergyFromTheStart) {
  const Network network = testing::MakeNetwork(3);
  const Dofs dofs = Unlocked(network);
  const ElasticRest rest(network, testing::RandomMaterial(network.edges(), 4), {});
  ElasticEnergy elastic(network, rest, dofs);
  RodDamping damping(network, rest, dofs, std::vector<double>(network.edges(), kBeta));
  const Configuration start = elastic.Drawn(network, dofs);
  Configuration at = start;
  Random random(5);
  std::vector<double> spin(dofs.size());
  for (int dof = 0; dof < dofs.size(); ++dof) {
    const double move = random.Uniform(-1, 1);
    dofs.angle(dof) ? spin[dof] = 0.3 * move : at.q[dof] += 0.01 * move;
  }
  elastic.Move(start, start, spin, &at);
  damping.Prepare({start, start, 0, 0}, {}, 0);
  Vector stored = Vector::Zero(dofs.size()), taken = stored;
  const double energy = elastic.Evaluate({at, start, 0, 0}, {stored.data()}).energy;
  const Evaluation value = damping.Evaluate({at, start, kPerTime, 0}, {taken.data()});
  EXPECT_NEAR(value.energy, kBeta * kPerTime * energy, 1e-11 * value.energy);
  EXPECT_LT((taken - kBeta * kPerTime * stored).norm(), 1e-11 * taken.norm());
  EXPECT_EQ(value.dissipated, 2 * value.energy);
  EXPECT_EQ(damping.Evaluate({at, start, 0, 0}, {}).energy, 0);  // statics
  // A new step starts at zero.
  damping.Prepare({at, at, 0, 0}, {}, 0);
  taken.setZero();
  damping.Evaluate({at, at, kPerTime, 0}, {taken.data()});
  EXPECT_LT(taken.norm(), 1e-12 * stored.norm());
}

}  // namespace material_damping_test
}  // namespace strand
