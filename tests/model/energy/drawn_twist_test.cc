// Joints whose two frames differ by a turn in the rest shape, as between rods that are drawn from
// opposite ends. The model must not depend on how the rod is drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "model/energy/elastic.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/networks.h"
#include "tests/support/random.h"

namespace strand {
namespace drawn_twist_test {

using std::numbers::pi;
using testing::Disturbed;
using testing::ElasticProbe;
using testing::Random;
using testing::RandomMaterial;
using testing::RandomNodes;
using testing::RandomStep;
using testing::Vector;

constexpr CurvatureMeasure kMeasures[] = {CurvatureMeasure::kAngle, CurvatureMeasure::kTangent};
constexpr BendAverage kAverages[] = {BendAverage::kMiddle, BendAverage::kEnergies,
                                     BendAverage::kCurvatures};
constexpr int kNodes = 9, kEdges = kNodes - 1, kMiddle = 4;

struct Drawing {
  double twist;            ///< of the second half's frames relative to the first's (rad)
  bool backwards[2] = {};  ///< whether a half runs from its end to its start
};
const Drawing kDrawings[] = {{0.3}, {pi / 2, {false, true}}, {2.0, {true, false}},
                             {pi},  {pi, {false, true}},     {pi, {true, false}}};

Network OneRod(const std::vector<Vector3>& nodes) {
  Network network;
  network.AddRod(nodes, {0.1, 0.2, 1});
  return network;
}

/// The same nodes as two rods that are joined in the middle.
struct TwoRods {
  TwoRods(const std::vector<Vector3>& nodes, const Drawing& drawing) {
    const std::vector<Frame> frame = OneRod(nodes).frame();
    for (int half : {0, 1}) {
      const int first = half ? kMiddle : 0, last = half ? kEdges : kMiddle;
      const bool backwards = drawing.backwards[half];
      std::vector<Vector3> part(nodes.begin() + first, nodes.begin() + last + 1);
      if (backwards) std::reverse(part.begin(), part.end());
      const Frame& begin = frame[backwards ? last - 1 : first];
      const double turn = half * drawing.twist;
      network.AddRod(part, std::cos(turn) * begin.col(1) + std::sin(turn) * begin.col(2));
      std::vector<int> along = network.rod(half).edge;
      if (backwards) std::reverse(along.begin(), along.end());
      edge.insert(edge.end(), along.begin(), along.end());
      sign.insert(sign.end(), along.size(), backwards ? -1 : 1);
    }
    joint = network.Connect(0, drawing.backwards[0] ? 0 : -1, 1, drawing.backwards[1] ? -1 : 0)[0];
    for (int k = 0; k < kEdges; ++k) {
      const auto& ends = network.edge()[edge[k]].node;
      node[k] = ends[sign[k] < 0], node[k + 1] = ends[sign[k] > 0];
    }
  }

  /// Maps a vector over the degrees of freedom of the one rod to those of the two rods.
  Vector Mine(const Vector& of_one, const Dofs& one, const Dofs& dofs) const {
    Vector mine(dofs.size());
    for (int k = 0; k < kEdges; ++k) mine[dofs.edge(edge[k])] = sign[k] * of_one[one.edge(k)];
    for (int i = 0; i < kNodes; ++i) {
      mine.segment<3>(dofs.node(node[i])) = of_one.segment<3>(one.node(i));
    }
    return mine;
  }

  Network network;
  std::vector<int> edge, sign;  ///< along the whole rod: edge number here, -1 if it runs backwards
  int node[kNodes];             ///< along the whole rod
  int joint;                    ///< the joint between the two rods
};

std::vector<Vector3> Bent() {
  Random random(1);
  return RandomNodes({0, 0, 0}, kNodes, &random);
}

std::vector<EdgeMaterial> Material(bool round) {
  std::vector<EdgeMaterial> material = RandomMaterial(kEdges, 2);
  for (EdgeMaterial& one : material) {
    if (round) one.EI[1] = one.EI[0];
  }
  return material;
}

class DrawnTwist : public ::testing::TestWithParam<std::tuple<CurvatureMeasure, BendAverage>> {
 protected:
  ElasticOptions Options() const {
    return {.measure = std::get<0>(GetParam()), .average = std::get<1>(GetParam())};
  }
};

TEST_P(DrawnTwist, DerivativesMatchDifferences) {
  for (double twist : {pi, 2.0}) {
    const TwoRods rods(Bent(), {twist, {false, true}});
    ElasticProbe probe(rods.network, {rods.network, Material(false), Options()});
    Random random(3);
    for (int i = 0; i < rods.network.joints(); ++i) {
      probe.rest().SetNaturalTwist(i, probe.rest().natural_twist[i] + random.Uniform(-1, 1));
      probe.rest().SetNaturalCurvature(i, {random.Uniform(-1, 1), random.Uniform(-1, 1)});
    }
    CheckDerivatives(&probe, Disturbed(probe, 4));
  }
}

// Equal energy and forces over large moves. For flat sections only turns that keep their axes are
// used.
TEST_P(DrawnTwist, IsTheSameRod) {
  const Network one = OneRod(Bent());
  for (const Drawing& drawing : kDrawings) {
    const TwoRods rods(Bent(), drawing);
    const std::vector<EdgeMaterial> material = Material(drawing.twist != pi);
    std::vector<EdgeMaterial> mine(kEdges);
    for (int k = 0; k < kEdges; ++k) mine[rods.edge[k]] = material[k];
    ElasticProbe whole(one, {one, material, Options()});
    ElasticProbe halves(rods.network, {rods.network, mine, Options()});
    Configuration at = whole.drawn(), there = halves.drawn();
    EXPECT_LT(halves.Energy(there), 1e-27);
    Random random(5);
    for (int k = 0; k < 4; ++k) {
      Vector step = RandomStep(whole.dofs().size(), 0.01, &random);
      for (int edge : whole.dofs().edges()) step[edge] = random.Uniform(-0.5, 1);
      at = whole.Moved(at, step);
      there = halves.Moved(there, rods.Mine(step, whole.dofs(), halves.dofs()));
      const double energy = whole.Energy(at);
      EXPECT_GT(energy, 0.1);
      EXPECT_NEAR(halves.Energy(there), energy, 1e-13 * energy);
      const Vector forces = whole.Gradient(at);
      const Vector expected = rods.Mine(forces, whole.dofs(), halves.dofs());
      EXPECT_LT((halves.Gradient(there) - expected).norm(), 1e-12 * forces.norm());
    }
  }
}

// A bent rest shape equals a straight one with the natural curvature that its first edge sees.
TEST_P(DrawnTwist, NaturalCurvatureIsSeenFromTheFirstEdge) {
  std::vector<Vector3> straight{{0, 0, 0}};
  const std::vector<Vector3> nodes = Bent();
  for (int k = 0; k < kEdges; ++k) {
    straight.push_back(straight.back() + (nodes[k + 1] - nodes[k]).norm() * Vector3(0.6, 0, 0.8));
  }
  for (const Drawing& drawing : kDrawings) {
    const TwoRods bent(nodes, drawing), line(straight, drawing);
    const ElasticRest as_drawn(bent.network, Material(false), Options());
    ElasticRest given(line.network, Material(false), Options());
    EXPECT_NEAR(std::abs(given.natural_twist[line.joint]), drawing.twist, 1e-14);
    // A drawn turn of pi may come out as pi or -pi, by rounding.
    given.SetNaturalTwist(line.joint, as_drawn.natural_twist[line.joint]);
    for (int i = 0; i < given.joints(); ++i) {
      const double size = std::hypot(as_drawn.natural[0][i], as_drawn.natural[1][i]);
      EXPECT_GT(size, 0.1);
      given.SetNaturalCurvature(i, {as_drawn.natural[0][i], as_drawn.natural[1][i]});
      for (int n = 0; n < 4; ++n) EXPECT_NEAR(given.natural[n][i], as_drawn.natural[n][i], 1e-14);
    }
    ElasticProbe one(bent.network, as_drawn), other(line.network, given);
    for (int seed = 0; seed < 3; ++seed) {
      const Configuration at = Disturbed(one, seed);
      const double energy = one.Energy(at);
      EXPECT_NEAR(other.Energy(at), energy, 1e-13 * energy);
    }
    EXPECT_LT(other.Energy(one.drawn()), 1e-27);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DrawnTwist,
                         ::testing::Combine(::testing::ValuesIn(kMeasures),
                                            ::testing::ValuesIn(kAverages)));

TEST(DrawnTwist, OppositeFramesSeeOppositeCurvatures) {
  const TwoRods rods(Bent(), {pi, {false, true}});
  ElasticRest rest(rods.network, Material(false), {.average = BendAverage::kEnergies});
  rest.SetNaturalCurvature(rods.joint, {0.3, -0.2});
  const double expected[] = {0.3, -0.2, -0.3, 0.2};
  for (int n = 0; n < 4; ++n) EXPECT_NEAR(rest.natural[n][rods.joint], expected[n], 1e-15);
}

// With `rest_straight` the frames are taken as aligned at rest, however they are drawn.
TEST(DrawnTwist, IsIgnoredForAStraightRest) {
  const TwoRods rods(Bent(), {2.0});
  ElasticRest rest(rods.network, Material(false), {.rest_straight = true});
  rest.SetNaturalCurvature(rods.joint, {0.3, -0.2});
  const double expected[] = {0.3, -0.2, 0.3, -0.2};
  for (int n = 0; n < 4; ++n) EXPECT_EQ(rest.natural[n][rods.joint], expected[n]);
}

// Where frames come from parallel transport, mean curvatures equal those of the papers to the last
// digit: the energy of the loops equals that of the bare kernel.
TEST(DrawnTwist, ParallelTransportKeepsAllDigits) {
  using P = Pack<2>;
  Network network = OneRod(Bent());
  network.Clamp(0, 0);
  std::vector<EdgeMaterial> material = RandomMaterial(network.edges(), 2);
  for (EdgeMaterial& one : material) one.EA = 0;
  for (CurvatureMeasure measure : kMeasures) {
    const BendAverage average = BendAverage::kCurvatures;
    const ElasticRest rest(network, material,
                           {.measure = measure, .average = average, .twist = false});
    ElasticProbe probe(network, rest, false, *AvailableElasticLoops()[0]);
    const Configuration at = Disturbed(probe, 6);
    ASSERT_EQ(rest.joints() % P::kWidth, 0);
    double energy = 0, pair = 0;
    for (int i = 0; i < rest.joints(); ++i) {
      EXPECT_EQ(rest.drawn_turn[0][i], 1);
      EXPECT_EQ(rest.drawn_turn[1][i], 0);
      const Matrix3Of<P> a = at.frame(rest.joint[i].edge[0]).cast<P>();
      const Matrix3Of<P> b = at.frame(rest.joint[i].edge[1]).cast<P>();
      const BendRestOf<P> bend{
          {P(rest.bend_stiffness[0][i]), P(rest.bend_stiffness[1][i])},
          {{{rest.natural[0][i], rest.natural[1][i]}, {rest.natural[2][i], rest.natural[3][i]}}}};
      pair += BendMaterial<P>({a.col(0), b.col(0)}, a, b, bend, measure, average)[0];
      if (i % P::kWidth == P::kWidth - 1) energy += pair, pair = 0;
    }
    EXPECT_GT(energy, 0.1);
    EXPECT_EQ(probe.Energy(at), energy);
  }
}

}  // namespace drawn_twist_test
}  // namespace strand
