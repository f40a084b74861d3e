// The terms of higher order in the core: derivatives, and the energy of the plugin's rods.
#include "model/energy/wide_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/energy/wide_terms.h"
#include "tests/support/added_energy.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/finite_difference.h"
#include "tests/support/networks.h"

namespace strand {
namespace wide_energy_test {

using testing::Matrix;
using testing::Vector;

constexpr double kLength = 0.1;

// A straight rod or a ring with edges of equal length, the open rod with a clamp at its start.
Network MakeRod(int edges, bool closed) {
  Network network;
  std::vector<Vector3> nodes;
  for (int k = 0; k < edges + (closed ? 0 : 1); ++k) {
    const double angle = kTwoPi * k / edges, radius = kLength / (2 * std::sin(kTwoPi / 2 / edges));
    nodes.push_back(closed ? Vector3(radius * std::cos(angle), radius * std::sin(angle), 0)
                           : Vector3(kLength * k, 0, 0));
  }
  network.AddRod(nodes, Vector3::UnitZ(), closed);
  if (!closed) network.Clamp(0, 0);
  return network;
}

ElasticRest Rest(const Network& network, double natural_twist) {
  EdgeMaterial material;
  material.EA = 100, material.EI = {1.2, 1.2}, material.GJ = 0.8;
  ElasticOptions options;
  options.rest_straight = true;
  ElasticRest rest(network, std::vector<EdgeMaterial>(network.edges(), material), options);
  for (int i = 0; i < rest.joints(); ++i) rest.SetNaturalTwist(i, natural_twist);
  return rest;
}

class Probe : public testing::AddedEnergy {
 public:
  Probe(const Network& network, int order, double natural_twist)
      : AddedEnergy(network, Rest(network, natural_twist),
                    [&](const Dofs& dofs, ElasticRest* rest) -> std::unique_ptr<Force> {
                      if (order == 2) return nullptr;
                      return std::make_unique<WideEnergy>(network, dofs, order, rest);
                    }) {}
};

class WideEnergyOf : public ::testing::TestWithParam<std::tuple<int, bool, int>> {};

TEST_P(WideEnergyOf, GradientAndHessianAreDerivatives) {
  const auto [edges, closed, order] = GetParam();
  const Network network = MakeRod(edges, closed);
  Probe probe(network, order, 0.3);
  testing::CheckDerivatives(&probe, testing::Disturbed(probe, 3));
}

// The energy of a rod of the plugin in the same shape, without that of stretching.
TEST_P(WideEnergyOf, EqualsThatOfTheRod) {
  const auto [edges, closed, order] = GetParam();
  const Network network = MakeRod(edges, closed);
  Probe probe(network, order, 0);
  const Configuration at = testing::Disturbed(probe, 4);
  RodParameters parameters;
  std::vector<Frame> frames;
  if (!closed) parameters.length.push_back(0), frames.push_back(at.frame(edges));
  for (int e = 0; e < edges; ++e)
    parameters.length.push_back(kLength), frames.push_back(at.frame(e));
  parameters.stiffness.assign(frames.size() - (closed ? 0 : 1), {{1.2, 1.2}, 0.8});
  parameters.closed = closed, parameters.rest_straight = true, parameters.order = order;
  const RodRest rest = MakeRodRest(parameters, frames);
  std::vector<double> twists(rest.joints());
  const int first = closed ? 0 : 1;
  for (int i = 0; i < rest.joints(); ++i) {
    twists[i] = at.twist[i < first ? edges - 1 : i - first];  // the clamp's joint is the last
  }
  CorrectTwists(rest, frames, twists);
  const RodEnergy expected = EvaluateRod(rest, frames, twists, {});
  std::ranges::fill(probe.rest().axial_stiffness, 0.0);
  EXPECT_NEAR(probe.Energy(at), expected.bend + expected.twist,
              1e-11 * (expected.bend + expected.twist));
  EXPECT_GT(expected.twist, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, WideEnergyOf,
                         ::testing::Combine(::testing::Values(3, 4, 9), ::testing::Values(false),
                                            ::testing::Values(2, 4, 6)));
INSTANTIATE_TEST_SUITE_P(Rings, WideEnergyOf,
                         ::testing::Combine(::testing::Values(5, 6, 9), ::testing::Values(true),
                                            ::testing::Values(2, 4, 6)));

}  // namespace wide_energy_test
}  // namespace strand
