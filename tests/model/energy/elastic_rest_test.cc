// The elastic energy's constants: averages over a joint's edges, errors, and the same rod as the
// reduced model's (energy/rod.h).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/config/error.h"
#include "model/energy/elastic.h"
#include "model/energy/rod.h"
#include "tests/support/networks.h"

namespace strand {
namespace elastic_rest_test {

using testing::ElasticProbe;
using testing::Random;
using testing::RandomMaterial;
using testing::RandomNodes;
using testing::RandomStep;

constexpr CurvatureMeasure kMeasures[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};

struct TwoEdges {
  TwoEdges() {
    network.AddRod({{0, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}}, Vector3::UnitZ());
    network.Clamp(0, 1);
    material = {{10, {2, 4}, 6, 0, 0}, {20, {3, 0}, 2, 0, 0}, {1, {99, 99}, 99, 0, 0}};
  }
  Network network;
  std::vector<EdgeMaterial> material;
};

// Bending and twisting compliances in series: 0.2 m of one edge and 0.1 m of the other; a clamp
// adds no length.
TEST(ElasticRest, ComplianceAverage) {
  const TwoEdges rod;
  const ElasticRest rest(rod.network, rod.material, {});
  EXPECT_NEAR(rest.voronoi_length[0], 0.15, 1e-16);
  EXPECT_NEAR(rest.bend_stiffness[0][0], 0.3 / (0.2 / 2 + 0.1 / 3) / 0.15, 1e-13);
  EXPECT_EQ(rest.bend_stiffness[1][0], 0);  // one edge is hinged about this axis
  EXPECT_NEAR(rest.twist_stiffness[0], 0.3 / (0.2 / 6 + 0.1 / 2) / 0.15, 1e-13);
  EXPECT_NEAR(rest.voronoi_length[1], 0.05, 1e-16);
  EXPECT_NEAR(rest.bend_stiffness[0][1], 3 / 0.05, 1e-12);
  EXPECT_NEAR(rest.twist_stiffness[1], 2 / 0.05, 1e-12);
  EXPECT_EQ(rest.axial_stiffness, (std::vector<double>{10, 20, 0}));
  EXPECT_NEAR(rest.rest_length[0], 0.2, 1e-16);
  EXPECT_FALSE(rest.isotropic_straight);
}

TEST(ElasticRest, Setters) {
  const TwoEdges rod;
  ElasticRest rest(rod.network, std::vector<EdgeMaterial>(3, {1, {2, 2}, 3, 0, 0}), {});
  EXPECT_TRUE(rest.isotropic_straight);
  rest.SetJointStiffness(0, {3, 3}, 1.5);
  EXPECT_TRUE(rest.isotropic_straight);
  EXPECT_NEAR(rest.bend_stiffness[1][0], 20, 1e-13);
  EXPECT_NEAR(rest.twist_stiffness[0], 10, 1e-13);
  rest.SetNaturalCurvature(1, {0.1, 0.2});
  EXPECT_FALSE(rest.isotropic_straight);
  for (int n = 0; n < 4; ++n) EXPECT_EQ(rest.natural[n][1], n % 2 ? 0.2 : 0.1);
  rest.SetRestLength(0, 0.5);
  EXPECT_EQ(rest.rest_length[0], 0.5);
  ElasticRest without(rod.network, rod.material, {.twist = false});
  EXPECT_EQ(without.twist_stiffness, (std::vector<double>{0, 0}));
}

TEST(ElasticRest, BadNumbers) {
  const TwoEdges rod;
  const auto field = [&](const auto& change) -> std::string {
    std::vector<EdgeMaterial> material = rod.material;
    change(&material);
    try {
      ElasticRest(rod.network, material, {});
    } catch (const ConfigError& error) {
      return error.field();
    }
    return "";
  };
  using M = std::vector<EdgeMaterial>;
  EXPECT_EQ(field([](M*) {}), "");
  EXPECT_EQ(field([](M* m) { m->pop_back(); }), "material");
  EXPECT_EQ(field([](M* m) { (*m)[1].EA = -1; }), "EA");
  EXPECT_EQ(field([](M* m) { (*m)[0].EI[1] = std::nan(""); }), "EI");
  EXPECT_EQ(field([](M* m) { (*m)[0].GJ = INFINITY; }), "GJ");
  ElasticRest rest(rod.network, rod.material, {});
  EXPECT_THROW(rest.SetJointStiffness(0, {-1, 1}, 1), ConfigError);
  EXPECT_THROW(rest.SetNaturalCurvature(0, {0, std::nan("")}), ConfigError);
  EXPECT_THROW(rest.SetRestLength(0, 0), ConfigError);
  EXPECT_THROW(rest.SetNaturalTwist(0, INFINITY), ConfigError);
  for (int outside : {-1, rest.joints()}) {
    EXPECT_THROW(rest.SetJointStiffness(outside, {1, 1}, 1), ConfigError);
    EXPECT_THROW(rest.SetNaturalCurvature(outside, {0, 0}), ConfigError);
    EXPECT_THROW(rest.SetNaturalTwist(outside, 0), ConfigError);
  }
  EXPECT_THROW(rest.SetRestLength(rest.edges(), 1), ConfigError);
}

// Two rods clamped to the world at the same node: there is no joint between two clamps.
TEST(ElasticRest, ClampsThatMeet) {
  Network network;
  network.AddRod({{0, 0, 0}, {1, 0, 0}}, Vector3::UnitZ());
  network.AddRod({{0, 0, 0}, {0, 1, 0}}, Vector3::UnitZ());
  network.Clamp(0, 0), network.Clamp(1, 0);
  network.Connect(0, 0, 1, 0);
  const ElasticRest rest(network, std::vector<EdgeMaterial>(4, {1, {2, 2}, 3, 0, 0}), {});
  for (int i = 0; i < rest.joints(); ++i) {
    EXPECT_GT(rest.bend_stiffness[0][i], 0);
    EXPECT_TRUE(std::isfinite(rest.bend_stiffness[0][i]));
  }
}

struct SameRod {
  Network network;
  RodParameters parameters;
  std::vector<EdgeMaterial> material;
  RodRest reduced;
};

// The same rod for both models. The reduced model's joints get the stiffness averaged over their
// edges.
SameRod MakeSameRod(bool closed, bool straight, bool isotropic, CurvatureMeasure measure,
                    BendAverage average) {
  SameRod rod;
  Random random(1);
  std::vector<Vector3> nodes = RandomNodes({0, 0, 0}, 9, &random);
  if (closed) {
    for (int k = 0; k < 9; ++k) {
      const double s = kTwoPi * k / 9;
      nodes[k] = Vector3(std::cos(s), std::sin(s), 0.2 * std::cos(3 * s)) + 0.1 * random.Vector();
    }
  }
  rod.network.AddRod(nodes, Vector3(0.1, 0.2, 1), closed);
  rod.material = RandomMaterial(rod.network.edges(), 2);
  for (EdgeMaterial& one : rod.material) {
    one.EA = 0;
    if (isotropic) one.EI[1] = one.EI[0];
  }
  const ElasticRest rest(rod.network, rod.material,
                         {.measure = measure, .average = average, .rest_straight = straight});
  rod.parameters.measure = measure, rod.parameters.average = average;
  rod.parameters.closed = closed;
  rod.parameters.rest_straight = straight;
  for (const Edge& edge : rod.network.edge()) rod.parameters.length.push_back(edge.length);
  for (int i = 0; i < rest.joints(); ++i) {
    const double l = rest.voronoi_length[i];
    rod.parameters.stiffness.push_back(
        {{l * rest.bend_stiffness[0][i], l * rest.bend_stiffness[1][i]},
         l * rest.twist_stiffness[i]});
  }
  rod.reduced = MakeRodRest(rod.parameters, rod.network.frame());
  EXPECT_EQ(rest.isotropic_straight, rod.reduced.isotropic_straight);
  return rod;
}

// For a rod curved at rest averaged energies contribute to the twisting stiffness, which the
// reduced model subtracts.
void ExpectSameEnergy(const SameRod& rod, ElasticRest rest) {
  for (int i = 0; i < rest.joints(); ++i) {
    if (rod.parameters.rest_straight || rod.parameters.average == BendAverage::kMiddle) {
      EXPECT_NEAR(rod.reduced.joint[i].twist.stiffness, rest.twist_stiffness[i],
                  1e-13 * rest.twist_stiffness[i]);
    } else {
      EXPECT_LT(rod.reduced.joint[i].twist.stiffness, rest.twist_stiffness[i]);
    }
    rest.twist_stiffness[i] = rod.reduced.joint[i].twist.stiffness;
  }
  ElasticProbe probe(rod.network, rest);
  Random random(3);
  Configuration at = probe.drawn();
  for (int k = 0; k < 3; ++k) {
    Eigen::VectorXd step = RandomStep(probe.dofs().size(), 0.03, &random);
    for (int edge : probe.dofs().edges()) step[edge] = random.Uniform(-1, 2);
    at = probe.Moved(at, step);
  }
  std::vector<Frame> frames;
  for (int e = 0; e < rod.network.edges(); ++e) frames.push_back(at.frame(e));
  std::vector<Vector3> couple(rest.joints());
  const RodEnergy energy = EvaluateRod(rod.reduced, frames, at.twist, couple);
  EXPECT_NEAR(probe.Energy(at), energy.bend + energy.twist, 1e-12 * (energy.bend + energy.twist));
  // The moments of the edges' angles equal the couples about the edges' own axes.
  const Eigen::VectorXd gradient = probe.Gradient(at);
  std::vector<double> about_t(rod.network.edges(), 0.0);
  for (int i = 0; i < rest.joints(); ++i) {
    const int a = rest.joint[i].edge[0], b = rest.joint[i].edge[1];
    about_t[a] += couple[i].dot(frames[a].col(0)), about_t[b] -= couple[i].dot(frames[b].col(0));
  }
  for (int e = 0; e < rod.network.edges(); ++e) {
    EXPECT_NEAR(gradient[probe.dofs().edge(e)], about_t[e], 1e-12 * gradient.norm());
  }
}

TEST(ElasticRest, SameRodAsTheReducedModel) {
  for (CurvatureMeasure measure : kMeasures) {
    for (bool closed : {false, true}) {
      for (bool straight : {false, true}) {
        for (bool isotropic : {false, true}) {
          for (BendAverage average : {BendAverage::kMiddle, BendAverage::kEnergies}) {
            const SameRod rod = MakeSameRod(closed, straight, isotropic, measure, average);
            ExpectSameEnergy(
                rod,
                ElasticRest(rod.network, rod.material,
                            {.measure = measure, .average = average, .rest_straight = straight}));
          }
        }
      }
    }
  }
}

}  // namespace elastic_rest_test
}  // namespace strand
