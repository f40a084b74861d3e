// Stiffnesses of joints and edges that are multiplied by factors while a rod is fed.
#include <gtest/gtest.h>

#include <cmath>

#include "model/config/error.h"
#include "model/energy/material_damping.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/networks.h"

namespace strand {
namespace stiffness_factor_test {

using testing::CheckDerivatives;
using testing::ElasticProbe;
using testing::MakeNetwork;
using testing::Random;
using testing::RandomMaterial;
using testing::RandomStep;

Configuration Disturbed(const ElasticProbe& probe) {
  Random random(5);
  Configuration at = probe.drawn();
  for (int k = 0; k < 2; ++k) {
    Eigen::VectorXd step = RandomStep(probe.dofs().size(), 0.02, &random);
    for (int edge : probe.dofs().edges()) step[edge] = random.Uniform(-1, 1);
    at = probe.Moved(at, step);
  }
  return at;
}

void SetFactors(ElasticRest* rest) {
  Random random(6);
  for (int i = 0; i < rest->joints(); ++i) {
    rest->SetStiffnessFactor(i, std::exp(random.Uniform(-2, 4)));
  }
  for (int e = 0; e < rest->edges(); ++e) {
    rest->SetStretchFactor(e, e == 2 ? 0 : std::exp(random.Uniform(-2, 4)));
  }
}

TEST(StiffnessFactor, HasExactDerivatives) {
  for (BendAverage average : {BendAverage::kEnergies, BendAverage::kCurvatures}) {
    const Network network = MakeNetwork(1);
    ElasticRest rest(network, RandomMaterial(network.edges(), 2), {.average = average});
    SetFactors(&rest);
    ElasticProbe probe(network, rest);
    CheckDerivatives(&probe, Disturbed(probe));
  }
}

// The energy of every joint and edge is multiplied, whatever was set before; the sum is the whole.
TEST(StiffnessFactor, MultipliesEnergies) {
  const Network network = MakeNetwork(1);
  const ElasticRest rest(network, RandomMaterial(network.edges(), 2), {});
  Dofs dofs(network);
  ElasticEnergy plain(network, rest, dofs), scaled(network, rest, dofs);
  const Configuration at = Disturbed(ElasticProbe(network, rest));
  SetFactors(&scaled.rest());
  double sum = 0;
  for (int i = 0; i < rest.joints(); ++i) {
    const double factor = scaled.rest().stiffness_factor(i), energy = scaled.JointEnergy(i, at);
    EXPECT_GT(energy, 0);
    EXPECT_NEAR(energy, factor * plain.JointEnergy(i, at), 1e-12 * energy);
    sum += energy;
    scaled.rest().SetStiffnessFactor(i, 1);
    EXPECT_EQ(scaled.JointEnergy(i, at), plain.JointEnergy(i, at));
    scaled.rest().SetStiffnessFactor(i, factor);
  }
  for (int e = 0; e < rest.edges(); ++e) {
    const double factor = rest.axial_stiffness[e] > 0
                              ? scaled.rest().axial_stiffness[e] / rest.axial_stiffness[e]
                              : 0;
    const double energy = scaled.EdgeEnergy(e, at);
    EXPECT_NEAR(energy, factor * plain.EdgeEnergy(e, at), 1e-12 * energy);
    sum += energy;
  }
  EXPECT_NEAR(scaled.Evaluate({at, at, 0, 0}, {}).energy, sum, 1e-12 * sum);
}

TEST(StiffnessFactor, LastsWhenTheStiffnessIsSet) {
  const Network network = MakeNetwork(1);
  ElasticRest rest(network, RandomMaterial(network.edges(), 2), {.rest_straight = true});
  rest.SetStiffnessFactor(3, 5);
  rest.SetJointStiffness(3, {2, 3}, 4);
  const double l = rest.voronoi_length[3];
  EXPECT_NEAR(rest.bend_stiffness[0][3], 5 * 2 / l, 1e-12 / l);
  EXPECT_NEAR(rest.bend_stiffness[1][3], 5 * 3 / l, 1e-12 / l);
  EXPECT_NEAR(rest.twist_stiffness[3], 5 * 4 / l, 1e-12 / l);
}

// Kelvin-Voigt damping is proportional to the stiffness as it is now.
TEST(StiffnessFactor, ScalesDamping) {
  const Network network = MakeNetwork(1);
  Dofs dofs(network);
  ElasticEnergy elastic(network, ElasticRest(network, RandomMaterial(network.edges(), 2), {}),
                        dofs);
  RodDamping damping(network, elastic.rest(), dofs, std::vector<double>(network.edges(), 0.1));
  const Configuration start = elastic.Drawn(network, dofs);
  const Configuration at = Disturbed(ElasticProbe(network, elastic.rest()));
  const auto dissipated = [&](double factor) {
    for (int i = 0; i < elastic.rest().joints(); ++i) elastic.rest().SetStiffnessFactor(i, factor);
    for (int e = 0; e < network.edges(); ++e) elastic.rest().SetStretchFactor(e, factor);
    damping.Prepare({start, start, 0, 0}, {}, 0);
    return damping.Evaluate({at, start, 10, 0}, {}).dissipated;
  };
  const double once = dissipated(1);
  EXPECT_GT(once, 0);
  EXPECT_NEAR(dissipated(7), 7 * once, 1e-12 * once);
}

TEST(StiffnessFactor, BadNumbers) {
  const Network network = MakeNetwork(1);
  ElasticRest rest(network, RandomMaterial(network.edges(), 2), {});
  for (double factor : {0.0, -1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_THROW(rest.SetStiffnessFactor(0, factor), ConfigError);
    if (factor == 0) continue;
    EXPECT_THROW(rest.SetStretchFactor(0, factor), ConfigError);
  }
  EXPECT_THROW(rest.SetStiffnessFactor(rest.joints(), 1), ConfigError);
  EXPECT_THROW(rest.SetStretchFactor(-1, 1), ConfigError);
  rest.options.order = 6;
  EXPECT_THROW(rest.SetStiffnessFactor(0, 2), ConfigError);
}

}  // namespace stiffness_factor_test
}  // namespace strand
