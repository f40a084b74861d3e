// Plasticity in the core: derivatives after several accepted steps, the plugin's energy, memory.
#include "model/energy/slip_energy.h"

#include <gtest/gtest.h>

#include <numeric>

#include "model/config/error.h"
#include "model/energy/rod.h"
#include "tests/support/added_energy.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/networks.h"

namespace strand {
namespace slip_energy_test {

constexpr double kLength = 0.1;
constexpr int kEdges = 5;

// A rod whose edges turn against each other at rest.
Network MakeRod() {
  Network network;
  std::vector<Vector3> nodes;
  for (int k = 0; k <= kEdges; ++k) {
    nodes.push_back({kLength * k, 0.02 * std::sin(1.3 * k), 0.02 * std::cos(0.9 * k)});
  }
  network.AddRod(nodes, Vector3::UnitZ(), false);
  network.Clamp(0, 0);
  return network;
}

ElasticRest Rest(const Network& network) {
  EdgeMaterial material;
  material.EA = 100, material.EI = {1.2, 0.7}, material.GJ = 0.8;
  return ElasticRest(network, std::vector<EdgeMaterial>(network.edges(), material),
                     {.average = BendAverage::kEnergies});
}

// In the disturbed shapes, the first of each kind slips far, the other never: no element changes
// from one to the other within differences.
const JointSlip kSlip{{{0.5, 0.1}, {0.3, 90}}, {{0.4, 0.1}, {0.6, 90}}};

class Probe : public testing::AddedEnergy {
 public:
  Probe(const Network& network, const Hardening& hardening)
      : AddedEnergy(network, Rest(network), [&](const Dofs& dofs, ElasticRest* rest) {
          std::vector<int> joints(network.joints());
          std::iota(joints.begin(), joints.end(), 0);
          const std::vector<JointSlip> slips(joints.size(), kSlip);
          return std::unique_ptr<Force>(
              new SlipEnergy(network, dofs, *rest, joints, slips, hardening));
        }) {}
  SlipEnergy& slip() { return static_cast<SlipEnergy&>(*added()); }
  void Accept(const Configuration& at) { slip().Accept({at, at, 0, 0}); }
};

class SlipEnergyWith : public ::testing::TestWithParam<Hardening> {};

TEST_P(SlipEnergyWith, GradientAndHessianAreDerivatives) {
  const Network network = MakeRod();
  Probe probe(network, GetParam());
  probe.Accept(testing::Disturbed(probe, 5));
  testing::CheckDerivatives(&probe, testing::Disturbed(probe, 3), 2e-3);
  double largest = 0;
  for (const auto& set : probe.slip().Set()) largest = std::max(largest, std::abs(set[0]));
  EXPECT_GT(largest, 0.1);  // it has slipped
}

INSTANTIATE_TEST_SUITE_P(Hardening, SlipEnergyWith,
                         ::testing::Values(Hardening{0, 0}, Hardening{0.2, 0},
                                           Hardening{0.1, 0.1}));

// The chain's energy in the same shape and with the same history.
TEST(SlipEnergy, EqualsThatOfTheRod) {
  const Network network = MakeRod();
  Probe probe(network, {0.1, 0.05});
  std::ranges::fill(probe.rest().axial_stiffness, 0.0);
  const Configuration at = testing::Disturbed(probe, 5), drawn = probe.drawn();
  RodParameters parameters;
  parameters.average = BendAverage::kEnergies;
  std::vector<Frame> frames, rest_frames;
  const auto add = [&](int edge, double length) {
    parameters.length.push_back(length), frames.push_back(at.frame(edge));
    rest_frames.push_back(drawn.frame(edge));
  };
  add(kEdges, 0);  // the clamp
  for (int e = 0; e < kEdges; ++e) add(e, network.edge()[e].length);
  parameters.stiffness.assign(kEdges, {{1.2, 0.7}, 0.8});
  const RodRest rest = MakeRodRest(parameters, rest_frames);
  std::vector<double> twists(rest.joints()), span;
  for (int i = 0; i < rest.joints(); ++i) {
    twists[i] = at.twist[i == 0 ? kEdges - 1 : i - 1];  // the clamp's joint is the last
    span.push_back(rest.joint[i].voronoi_length);
  }
  const RodSlip law(std::vector<JointSlip>(kEdges, kSlip), parameters.stiffness, span, {0.1, 0.05});
  std::vector<double> history(law.history_size()), next(law.history_size());
  const SlipStep step{law, history, next};
  const RodEnergy energy = EvaluateRod(rest, frames, twists, {}, &step);
  probe.Accept(at);  // without the work of the sliders
  EXPECT_NEAR(probe.Energy(at), energy.bend + energy.twist, 1e-12 * (energy.bend + energy.twist));
  for (int i = 0; i < rest.joints(); ++i) {
    const auto set = probe.slip().Set()[i == 0 ? kEdges - 1 : i - 1];
    EXPECT_NEAR(law.BendSet(next, i)[0] / span[i], set[0], 1e-12);
    EXPECT_NEAR(law.BendSet(next, i)[1] / span[i], set[1], 1e-12);
    EXPECT_NEAR(law.TwistSet(next, i) / span[i], set[2], 1e-12);
  }
}

TEST(SlipEnergy, MemoryIsItsHistory) {
  const Network network = MakeRod();
  Probe one(network, {}), other(network, {});
  one.Accept(testing::Disturbed(one, 5));
  std::vector<double> memory;
  one.slip().Save(&memory);
  std::span<const double> rest = memory;
  other.slip().Load(&rest);
  EXPECT_TRUE(rest.empty());
  EXPECT_EQ(one.slip().Set(), other.slip().Set());
  std::span<const double> short_memory(memory.data(), memory.size() - 1);
  EXPECT_THROW(other.slip().Load(&short_memory), ConfigError);
}

TEST(SlipEnergy, RejectsWhatItCannotDo) {
  const Network network = MakeRod();
  const Dofs dofs(network);
  const ElasticRest rest = Rest(network);
  const auto make = [&](const std::vector<int>& joints, const JointSlip& slip,
                        const Hardening& hardening) {
    SlipEnergy(network, dofs, rest, joints, std::vector<JointSlip>(joints.size(), slip), hardening);
  };
  EXPECT_THROW(make({7}, kSlip, {}), ConfigError);
  EXPECT_THROW(make({0}, {{{0.7, 1}, {0.4, 2}}, {}}, {}), ConfigError);
  EXPECT_THROW(make({0}, {{{0.7, -1}}, {}}, {}), ConfigError);
  EXPECT_THROW(make({0}, kSlip, {-0.1, 0}), ConfigError);
  const JointSlip fewer{{{0.5, 1}}, kSlip.twist};
  EXPECT_THROW(SlipEnergy(network, dofs, rest, {0, 1}, std::vector{kSlip, fewer}, {}), ConfigError);
}

}  // namespace slip_energy_test
}  // namespace strand
