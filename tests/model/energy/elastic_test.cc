// The elastic energy of whole networks.
#include "model/energy/elastic.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>

#include "tests/support/dense_algebra.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/networks.h"
#include "tests/support/random.h"

namespace strand {
namespace elastic_test {

using testing::CheckDerivatives;
using testing::Disturbed;
using testing::ElasticProbe;
using testing::MakeNetwork;
using testing::Matrix;
using testing::Random;
using testing::RandomMaterial;
using testing::RandomStep;
using testing::Vector;

constexpr CurvatureMeasure kMeasures[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};
constexpr BendAverage kAverages[] = {BendAverage::kMiddle, BendAverage::kEnergies,
                                     BendAverage::kCurvatures};

ElasticRest MakeRest(const Network& network, ElasticOptions options) {
  const ElasticRest rest(network, RandomMaterial(network.edges(), 11), options);
  EXPECT_FALSE(rest.isotropic_straight);
  return rest;
}

// Straight and isotropic: such networks have a loop of their own.
ElasticRest IsotropicRest(const Network& network, CurvatureMeasure measure) {
  std::vector<EdgeMaterial> material = RandomMaterial(network.edges(), 12);
  for (EdgeMaterial& one : material) one.EI[1] = one.EI[0];
  const ElasticRest rest(network, material, {.measure = measure, .rest_straight = true});
  EXPECT_TRUE(rest.isotropic_straight);
  return rest;
}

class ElasticDerivatives
    : public ::testing::TestWithParam<std::tuple<CurvatureMeasure, BendAverage, bool>> {
 protected:
  ElasticRest Rest(const Network& network) const {
    const auto [measure, average, isotropic] = GetParam();
    if (isotropic) return IsotropicRest(network, measure);
    ElasticRest rest = MakeRest(network, {.measure = measure, .average = average});
    Random random(13);
    for (int i = 0; i < rest.joints(); ++i) {
      rest.SetNaturalTwist(i, rest.natural_twist[i] + random.Uniform(-1, 1));
    }
    return rest;
  }
};

TEST_P(ElasticDerivatives, MatchDifferences) {
  const Network network = MakeNetwork(1);
  ElasticProbe probe(network, Rest(network));
  CheckDerivatives(&probe, Disturbed(probe, 2));
}

// Locked degrees of freedom are left out as rows and columns, in symmetric and general matrices.
TEST_P(ElasticDerivatives, LockedDegreesOfFreedomAreLeftOut) {
  const Network network = MakeNetwork(4);
  ElasticProbe whole(network, Rest(network)), part(network, Rest(network), true);
  ASSERT_EQ(part.dofs().unknowns(), part.dofs().size() - 8);
  const Configuration at = Disturbed(whole, 5);
  const Matrix all = whole.Hessian(at), some = part.Hessian(at);
  for (int row = 0; row < part.dofs().unknowns(); ++row) {
    for (int column = 0; column < part.dofs().unknowns(); ++column) {
      EXPECT_EQ(some(row, column),
                all(part.dofs().dof_of_unknown(row), part.dofs().dof_of_unknown(column)));
    }
  }
  EXPECT_EQ(whole.Gradient(at), part.Gradient(at));
}

TEST_P(ElasticDerivatives, RigidMotionAndNetWrench) {
  const Network network = MakeNetwork(6);
  ElasticProbe probe(network, Rest(network));
  const Configuration at = Disturbed(probe, 7);
  Random random(8);
  const Eigen::Matrix3d rotation = random.Rotation();
  const Vector3 shift = random.Vector();
  Configuration moved = at;
  const auto set = [](const Vector3& v, Components* vectors, int edge) {
    for (int c = 0; c < 3; ++c) (*vectors)[c][edge] = v[c];
  };
  for (int node : probe.dofs().nodes()) {
    Eigen::Map<Vector3>(&moved.q[node]) = rotation * at.position(node) + shift;
  }
  for (int e = 0; e < network.edges(); ++e) {
    const Frame frame = rotation * at.frame(e);
    set(frame.col(0), &moved.t, e), set(frame.col(1), &moved.m1, e),
        set(frame.col(2), &moved.m2, e);
  }
  const Vector before = probe.Gradient(at), after = probe.Gradient(moved);
  EXPECT_NEAR(probe.Energy(moved), probe.Energy(at), 1e-12 * probe.Energy(at));
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (int node : probe.dofs().nodes()) {
    const Vector3 f = before.segment<3>(node), turned = after.segment<3>(node);
    EXPECT_LT((turned - rotation * f).norm(), 1e-12 * before.norm());
    force += f, moment += at.position(node).cross(f);
  }
  for (int e = 0; e < network.edges(); ++e) {
    const double about_t = before[probe.dofs().edge(e)];
    EXPECT_NEAR(after[probe.dofs().edge(e)], about_t, 1e-12 * before.norm());
    moment += about_t * at.frame(e).col(0);
  }
  EXPECT_LT(force.norm(), 1e-13 * before.norm());
  EXPECT_LT(moment.norm(), 1e-13 * before.norm());
}

INSTANTIATE_TEST_SUITE_P(All, ElasticDerivatives,
                         ::testing::Combine(::testing::ValuesIn(kMeasures),
                                            ::testing::ValuesIn(kAverages), ::testing::Bool()));

TEST(Elastic, ZeroAtRest) {
  const Network network = MakeNetwork(9);
  for (CurvatureMeasure measure : kMeasures) {
    for (BendAverage average : kAverages) {
      ElasticProbe probe(network, MakeRest(network, {.measure = measure, .average = average}));
      EXPECT_LT(probe.Energy(probe.drawn()), 1e-27);
      // Positions are about 1: half their last digit, times the stiffness.
      const double rounding = 1e-16 * probe.Hessian(probe.drawn()).norm();
      EXPECT_LT(probe.Gradient(probe.drawn()).norm(), rounding);
      EXPECT_GT(probe.Energy(Disturbed(probe, 10)), 0.1);
      const Vector eigenvalues = testing::Eigenvalues(probe.Hessian(probe.drawn()));
      EXPECT_GT(eigenvalues[0], -1e-12 * eigenvalues.tail<1>()[0]);
    }
  }
}

// All instruction sets give the same frames, twists and angles after many moves, and the same
// derivatives. The numbers of joints cover every remainder modulo the widths.
TEST(Elastic, LoopsOfAllInstructionSetsAgree) {
  const auto all = AvailableElasticLoops();
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(&ChooseElasticLoops(), all.back());
  for (int seed = 0; seed < 8; ++seed) {
    Network network = MakeNetwork(20 + seed);
    Random random(30 + seed);
    network.AddRod(testing::RandomNodes({1, 0, 0}, 2 + seed, &random), random.Direction());
    const ElasticRest rest = seed % 2 ? MakeRest(network, {.measure = kMeasures[seed / 2 % 2]})
                                      : IsotropicRest(network, kMeasures[seed / 2 % 2]);
    ElasticProbe first(network, rest, false, *all[0]);
    const Configuration at = Disturbed(first, 40);
    const Evaluation one = first.Evaluate(at);
    for (size_t k = 1; k < all.size(); ++k) {
      EXPECT_GT(all[k]->width, all[k - 1]->width);
      ElasticProbe other(network, rest, false, *all[k]);
      const Configuration there = Disturbed(other, 40);
      const auto expect_near = [](const std::vector<double>& a, const std::vector<double>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-12);
      };
      expect_near(at.q, there.q), expect_near(at.twist, there.twist);
      expect_near(at.length, there.length);
      for (int c = 0; c < 3; ++c) {
        expect_near(at.t[c], there.t[c]), expect_near(at.m1[c], there.m1[c]);
        expect_near(at.m2[c], there.m2[c]);
      }
      const Evaluation two = other.Evaluate(at);
      EXPECT_NEAR(two.energy, one.energy, 1e-12 * one.energy);
      const Vector a = first.Gradient(at), b = other.Gradient(at);
      EXPECT_LT((a - b).norm(), 1e-12 * a.norm());
      const Matrix A = first.Hessian(at), B = other.Hessian(at);
      EXPECT_LT((A - B).norm(), 1e-12 * A.norm());
    }
  }
}

// Over a large spin in many moves.
TEST(Elastic, FramesStayRotationsAndTwistsCountTurns) {
  const Network network = MakeNetwork(50);
  const ElasticProbe probe(network, MakeRest(network, {}));
  Configuration at = probe.drawn();
  Vector step = Vector::Zero(probe.dofs().size());
  const Joint joint = network.joint()[0];
  step[probe.dofs().edge(joint.edge[1])] = 2.5;
  for (int k = 0; k < 40; ++k) at = probe.Moved(at, step);
  for (int e = 0; e < network.edges(); ++e) {
    EXPECT_LT((at.frame(e) * at.frame(e).transpose() - Frame::Identity()).norm(), 1e-14);
  }
  EXPECT_NEAR(at.twist[0] - probe.drawn().twist[0], 100, 1e-12);
  EXPECT_NEAR(at.q[probe.dofs().edge(joint.edge[1])], 100, 1e-12);
}

// Rods of different stiffness that meet at the origin: two edges, one edge, one edge.
Network Star() {
  Network network;
  network.AddRod({{-0.1, 0, 0}, {0, 0, 0}, {0.2, 0, 0}}, {0, 0, 1});
  network.AddRod({{0, 0, 0}, {0, 0.3, 0}}, {0, 0, 1});
  network.AddRod({{0, 0, 0}, {0.1, -0.1, 0}}, {0, 0, 1});
  network.Connect(0, 1, 1, 0);
  network.Connect(0, 1, 2, 0);
  return network;
}

TEST(Hub, JointsActTogetherLikeHalfEdgesOnAStiffHub) {
  const Network network = Star();
  const std::vector<EdgeMaterial> material = RandomMaterial(network.edges(), 3);
  const ElasticRest rest(network, material, {});
  ASSERT_EQ(rest.joints(), 6);
  double sum = 0;
  const auto half = [&](int e) { return 2 * material[e].EI[0] / network.edge()[e].length; };
  for (int e = 0; e < network.edges(); ++e) sum += half(e);
  for (int i = 0; i < rest.joints(); ++i) {
    const auto& [a, b] = rest.joint[i].edge;
    EXPECT_NEAR(rest.bend_stiffness[0][i] * sum / (half(a) * half(b)), 1, 1e-12);
  }
}

TEST(Hub, AJointOfItsOwnAndPairsAreInSeries) {
  const Network network = Star();
  const std::vector<EdgeMaterial> material = RandomMaterial(network.edges(), 3);
  const ElasticRest pairs(network, material, {.junction = Junction::kPairs});
  ElasticRest changed(network, material, {});
  // Ball joints to the last rod leave a hub of three edges; to the second one as well, a pair.
  const auto release = [&](int edge) {
    for (int i = 0; i < changed.joints(); ++i) {
      const auto& edges = changed.joint[i].edge;
      if (edges[0] == edge || edges[1] == edge) changed.SetJointStiffness(i, {0, 0}, 0);
    }
  };
  release(3);
  EXPECT_LT(changed.bend_stiffness[0][0], 0.99 * pairs.bend_stiffness[0][0]);
  EXPECT_GT(changed.bend_stiffness[0][0], ElasticRest(network, material, {}).bend_stiffness[0][0]);
  release(2);
  EXPECT_EQ(changed.bend_stiffness[0][0], pairs.bend_stiffness[0][0]);
  EXPECT_EQ(changed.given_twist_stiffness(0), pairs.given_twist_stiffness(0));
}

}  // namespace elastic_test
}  // namespace strand
