#include <gtest/gtest.h>

#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "tests/support/contact_cases.h"

namespace strand {
namespace contact_test {

using testing::AnchoredOptions;
using testing::CheckContactDerivatives;
using testing::CheckEnergyReportsNothing;
using testing::CheckForceDerivatives;
using testing::CheckNoNetWrench;
using testing::ExpectRejected;
using testing::ForceCase;
using testing::kPerTime;
using testing::kRadius;
using testing::Options;
using testing::Placed;
using testing::Random;
using testing::RandomMove;
using testing::Vector;

// Two rods that cross at a small gap; no two edges are parallel.
Network Crossing() {
  Network network;
  network.AddRod({{-0.7, 0, 0}, {0.3, 0.02, 0.01}, {1.2, 0.1, -0.1}}, Vector3::UnitY());
  const double z = 2 * kRadius + 0.02;
  network.AddRod({{0.05, -0.6, z}, {-0.02, 0.5, z + 0.01}, {0.1, 1.4, z}}, Vector3::UnitX());
  return network;
}

// A rod with one end above the middle of another, and one with an end beside another's end.
Network Ends() {
  Network network;
  network.AddRod({{-0.7, 0, 0}, {0.6, 0.02, 0.01}}, Vector3::UnitY());
  network.AddRod({{0.05, 0.03, 2 * kRadius + 0.02}, {0.3, 0.1, 1.2}}, Vector3::UnitX());
  network.AddRod({{0.6 + 2 * kRadius + 0.02, 0.05, 0.02}, {1.5, 0.3, 0.4}}, Vector3::UnitY());
  return network;
}

// Two parallel rods whose nodes are offset along the rods.
Network SideBySide() {
  Network network;
  const double y = 2 * kRadius + 0.01;
  network.AddRod({{-0.7, 0, 0}, {0.3, 0, 0}, {1.2, 0, 0}}, Vector3::UnitY());
  network.AddRod({{1.3, y, 0}, {0.1, y, 0}, {-0.6, y, 0}}, Vector3::UnitY());
  return network;
}

// Two bent rods that cross at a node of each.
Network AtNodes() {
  Network network;
  network.AddRod({{-0.9, 0, -0.3}, {0.03, 0.02, 0.01}, {1, 0.1, -0.2}, {1.8, 0.2, -0.9}},
                 Vector3::UnitY());
  const double z = 2 * kRadius + 0.008;
  network.AddRod({{0.05, -1, z + 0.3}, {-0.02, 0.04, z}, {0.1, 0.9, z + 0.2}}, Vector3::UnitX());
  return network;
}

// Contact between edges, and between curves.
struct Kind {
  Network network;
  bool smooth;
};
std::vector<Kind> Kinds() {
  std::vector<Kind> kinds;
  for (const Network& network : {Crossing(), Ends(), SideBySide(), AtNodes()}) {
    for (const bool smooth : {false, true}) kinds.push_back({network, smooth});
  }
  return kinds;
}

class SurfaceContactDerivatives : public ::testing::TestWithParam<double> {};

TEST_P(SurfaceContactDerivatives, MatchDifferences) {
  for (const auto& [network, smooth] : Kinds()) {
    Random random(1);
    const Dofs dofs(network);
    ContactOptions options = Options(GetParam());
    options.smooth = smooth;
    SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), options);
    CheckContactDerivatives(network, dofs, &contact, GetParam() == 0, &random);
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, SurfaceContactDerivatives, ::testing::Values(0.0, 0.4));

// Sticking and sliding, on the surface and on the axis.
TEST(SurfaceContact, AnchoredFrictionMatchesDifferences) {
  for (const double stiffness : {20.0, 1e5}) {
    for (const bool rolling : {true, false}) {
      for (const auto& [network, smooth] : Kinds()) {
        Random random(1);
        const Dofs dofs(network);
        ContactOptions options = AnchoredOptions(0.4, stiffness);
        options.rolling = rolling, options.smooth = smooth;
        SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius),
                               options);
        CheckContactDerivatives(network, dofs, &contact, false, &random);
      }
    }
  }
}

TEST(SurfaceContact, EnergyReportsNothing) {
  for (const auto& [network, smooth] : Kinds()) {
    Random random(1);
    const Dofs dofs(network);
    ContactOptions options = Options(0.4);
    options.smooth = smooth;
    SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), options);
    CheckEnergyReportsNothing(network, dofs, &contact, &random);
  }
}

// Net force and net moment are zero, with friction and without.
TEST(SurfaceContact, NoNetWrench) {
  for (const double friction : {0.0, 0.5}) {
    for (const auto& [network, smooth] : Kinds()) {
      Random random(2);
      const Dofs dofs(network);
      ContactOptions options = Options(friction);
      options.smooth = smooth;
      SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), options);
      CheckNoNetWrench(network, dofs, &contact, &random);
    }
  }
}

TEST(SurfaceContact, FrictionOpposesSlipAndStaysInTheCone) {
  const Network network = Crossing();
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius),
                         Options(0.5));
  ForceCase force(network, dofs, &contact, kPerTime);
  Vector slide = Vector::Zero(force.size());
  for (int n = 0; n < 3; ++n) slide[dofs.node(n)] = 0.02;  // the lower rod along x
  const Vector gradient = force.Gradient(slide);
  contact.Report();
  double along = 0;
  for (int n = 0; n < 3; ++n) along -= gradient[dofs.node(n)];
  EXPECT_LT(along, 0);
  EXPECT_LE(contact.summary().friction_force, 0.5 * contact.summary().normal_force);
  EXPECT_NEAR(-along, contact.summary().friction_force, 0.1 * contact.summary().friction_force);
}

// The error names edges by rod, as users count them, and prints very small distances with all
// digits.
TEST(SurfaceContact, RejectsRodsThatIntersectAtTheStart) {
  for (const double scale : {1.0, 1e-7}) {
    Network network;
    network.AddRod({scale * Vector3(-9, 0, 0), scale * Vector3(-1, 0, 0), scale * Vector3(1, 0, 0)},
                   Vector3::UnitY());
    network.AddRod({scale * Vector3(0, -1, 0.15), scale * Vector3(0, 1, 0.15)}, Vector3::UnitX());
    const std::vector<double> radius(3, scale * kRadius);
    ExpectRejected<SurfaceContact>(
        scale == 1
            ? "positions: got 'rod 0, edge 1 and rod 1, edge 0, 0.15 m apart', allowed: at least "
              "the sum of their radii, 0.2 m, at the start"
            : "positions: got 'rod 0, edge 1 and rod 1, edge 0, 1.5e-08 m apart', allowed: at "
              "least the sum of their radii, 2e-08 m, at the start",
        network, Dofs(network), radius, Options(0));
  }
}

TEST(ObstacleContact, RejectsNodesInsideAtTheStart) {
  Network network;
  network.AddRod({{0, 0, 0}, {1, 0, 0}}, Vector3::UnitY());
  network.AddRod({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}}, Vector3::UnitY());
  network.Connect(0, -1, 1, 0);
  const std::vector<double> radius(network.nodes(), kRadius);
  const Obstacle ball = MakeSphere({3, 0, 0.25}, 0.5), pipe = MakeCapsule({0, 0, 0}, {2, 0, 0}, 5);
  ExpectRejected<ObstacleContact>(
      "positions: got 'rod 1, node 2 at -0.25 m from the surface of obstacle 1 (sphere)', allowed: "
      "more than 0 m, at the start",
      network, Dofs(network), radius, std::vector{Hollow(pipe), ball}, Options(0));
  ExpectRejected<ObstacleContact>(
      "positions: got 'rod 0, node 0 at -5 m from the surface of obstacle 0 (capsule)', allowed: "
      "more than 0 m, at the start",
      network, Dofs(network), radius, std::vector{pipe}, Options(0));
}

// A step that would carry one rod through another is limited before their centrelines meet.
TEST(SurfaceContact, LimitsStepsThatPassThrough) {
  const Network network = Crossing();
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), Options(0));
  const Configuration at = Placed(network, dofs);
  std::vector<double> fall(dofs.size(), 0.0);
  for (int n = 3; n < network.nodes(); ++n) fall[dofs.node(n) + 2] = -5;
  contact.Prepare(Motion{at, at, 0, 0}, fall, 1);
  const double part = contact.Limit(at, fall, {});
  EXPECT_GT(part, 0);
  EXPECT_LT(5 * part, 2 * kRadius + 0.03);
}

// A pair that may touch within a step enters the matrix when it nearly touches, and then stays.
TEST(SurfaceContact, CouplesPairsThatNearlyTouch) {
  const Network network = Crossing();
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), Options(0));
  const Configuration high = Placed(network, dofs, 3, 2), low = Placed(network, dofs);
  const auto coupled = [&] {
    Pattern pattern(dofs.unknowns());
    contact.Couple(dofs, &pattern);
    return pattern.half_bandwidth() > 0;
  };
  std::vector<double> fall(dofs.size(), 0.0);
  for (int n = 3; n < network.nodes(); ++n) fall[dofs.node(n) + 2] = -5;
  EXPECT_FALSE(contact.Prepare(Motion{high, high, 0, 0}, fall, 1));
  EXPECT_GT(contact.candidates(), 0);
  EXPECT_FALSE(coupled());
  EXPECT_TRUE(contact.Refresh(low));
  EXPECT_TRUE(coupled());
  EXPECT_FALSE(contact.Refresh(low));
  EXPECT_FALSE(contact.Refresh(Placed(network, dofs, 3, 0.5)));
  EXPECT_TRUE(coupled());
}

// A checkpoint holds the pairs; loading one with pairs of nonexistent edges fails.
TEST(SurfaceContact, RemembersPairsInCheckpoints) {
  const Network network = Crossing();
  const Dofs dofs(network);
  const std::vector<double> radius(network.edges(), kRadius);
  SurfaceContact contact(network, dofs, radius, Options(0)),
      other(network, dofs, radius, Options(0));
  ForceCase force(network, dofs, &contact, kPerTime);
  ASSERT_GT(contact.candidates(), 0);
  const std::vector<double> saved = testing::CheckPairsAreRestored(&contact, &other);
  for (const double broken : {-1.0, 1.5e9, std::nan("")}) {
    for (const size_t from_end : {size_t{1}, size_t(2 * contact.candidates() + 1)}) {
      std::vector<double> bad = saved;
      bad[bad.size() - from_end] = broken;
      std::span<const double> memory = bad;
      EXPECT_THROW(other.Load(&memory), ConfigError);
    }
  }
}

struct Named {
  const char* name;
  Obstacle obstacle;
};

// A rod of three nodes that touches obstacles below the origin.
Network Above() {
  Network network;
  network.AddRod({{-0.12, 0, 0.03}, {0, 0.01, 0.01}, {0.13, 0, 0.02}}, Vector3::UnitY());
  return network;
}

TEST(ObstacleContact, DerivativesMatchDifferences) {
  Random random(3);
  const Named cases[] = {
      {"plane", MakeHalfSpace({0, 0, -kRadius}, {0.1, 0.2, 1})},
      {"sphere", MakeSphere({0.1, 0.05, -0.8 - kRadius}, 0.8)},
      {"capsule", MakeCapsule({-1, 0.02, -0.39}, {1, 0, -0.4}, 0.4 - kRadius)},
      {"box",
       Placed(MakeBox({0.02, 0.5, 0.5}), Frame::Identity(), {0.06, 0, -0.5 - kRadius + 0.02})},
      {"face", Placed(MakeBox({2, 2, 0.5}), Frame::Identity(), {0, 0, -0.5 - kRadius + 0.005})},
      {"cylinder",
       MakeCylinder({0.03, -0.6, -0.3 - kRadius + 0.02}, {0.03, 0.6, -0.3 - kRadius + 0.02}, 0.3)},
      {"peg", MakeCylinder({0.05, 0.01, -1 - kRadius}, {0.05, 0.01, -kRadius + 0.02}, 0.05)},
      {"hollow", Hollow(MakeSphere({0, 0, 0.9 - kRadius}, 0.9))}};
  for (const Named& one : cases) {
    for (double friction : {0.0, 0.4}) {
      SCOPED_TRACE(one.name);
      const Network network = Above();
      const Dofs dofs(network);
      ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {one.obstacle},
                              Options(friction));
      ForceCase force(network, dofs, &contact, kPerTime);
      const Vector q = RandomMove(force.size(), 0.004, &random);
      CheckForceDerivatives(force, q, 2e-4, friction == 0);
      const Vector at_hold = force.Gradient(q);
      EXPECT_TRUE(contact.FreezeFriction(force.At(q)));
      EXPECT_LT((force.Gradient(q) - at_hold).norm(), 1e-12 * at_hold.norm());
      CheckForceDerivatives(force, q + RandomMove(force.size(), 1e-4, &random), 2e-4, true);
    }
  }
}

TEST(ObstacleContact, EnergyReportsNothing) {
  Random random(3);
  const Network network = Above();
  const Dofs dofs(network);
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius),
                          {MakeHalfSpace({0, 0, -kRadius}, {0.1, 0.2, 1})}, Options(0.4));
  CheckEnergyReportsNothing(network, dofs, &contact, &random);
}

// A triangle with a peg below its face and one corner on a box.
TEST(ObstacleContact, DerivativesOfTrianglesMatchDifferences) {
  Random random(5);
  const Named cases[] = {
      {"sphere", MakeSphere({0.3, 0.3, -0.2 - kRadius + 0.01}, 0.2)},
      {"peg", MakeCylinder({0.3, 0.25, -1}, {0.3, 0.25, -kRadius + 0.01}, 0.1)},
      {"edge", MakeCapsule({0.5, -1, -0.2 - kRadius}, {0.5, 1, -0.2 - kRadius + 0.01}, 0.2)},
      {"face", Placed(MakeBox({2, 2, 0.5}), Frame::Identity(), {0, 0, -0.5 - kRadius + 0.005})}};
  for (const Named& one : cases) {
    for (double friction : {0.0, 0.4}) {
      SCOPED_TRACE(one.name);
      Network network;
      network.AddShell({{0, 0, 0}, {1, 0, 0.01}, {0, 1, 0.02}}, {{0, 1, 2}});
      const Dofs dofs(network);
      ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {one.obstacle},
                              Options(friction));
      CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
    }
  }
}

// A falling link is stopped by a ball smaller than it, although its nodes are far to both sides.
TEST(ObstacleContact, LimitsEdgesThatPassThrough) {
  Network network;
  network.AddRod({{-1, 0, 0}, {1, 0, 0}}, Vector3::UnitY());
  const Dofs dofs(network);
  ObstacleContact contact(network, dofs, {kRadius, kRadius}, {MakeSphere({0.3, 0, -0.5}, 0.2)},
                          Options(0));
  std::vector<double> fall(dofs.size(), 0.0);
  for (int n = 0; n < 2; ++n) fall[dofs.node(n) + 2] = -1;
  EXPECT_NEAR(contact.Limit(Placed(network, dofs), fall, {}), 0.9 * 0.3, 1e-3);
  fall[dofs.node(0) + 2] = 0;  // the link turns about node 0
  EXPECT_NEAR(contact.Limit(Placed(network, dofs), fall, {}), 0.27 / 0.65, 0.02);
}

TEST(ObstacleContact, RejectsEdgesInsideAtTheStart) {
  Network network;
  network.AddRod({{-1, 0, 0}, {1, 0, 0}}, Vector3::UnitY());
  ExpectRejected<ObstacleContact>(
      "positions: got 'rod 0, node 0 to rod 0, node 1 at -0.2 m from the surface of obstacle 0 "
      "(sphere)', allowed: more than 0 m, at the start",
      network, Dofs(network), std::vector<double>(2, kRadius),
      std::vector{MakeSphere({0, 0, 0}, 0.2)}, Options(0));
}

TEST(ObstacleContact, RemembersAnchorsInCheckpoints) {
  Network network;
  network.AddRod({{0, 0, 0.1}, {1, 0, 0.1}}, Vector3::UnitY());
  const Dofs dofs(network);
  ContactOptions options = Options(0.4);
  options.friction = AnchoredFriction(0.4, 1e4);
  const std::vector<Obstacle> floor = {MakeHalfSpace(Vector3::Zero(), Vector3::UnitZ())};
  ObstacleContact contact(network, dofs, {kRadius, kRadius}, floor, options);
  ForceCase force(network, dofs, &contact, kPerTime);
  Vector step = Vector::Zero(force.size());
  step[0] = 1e-6;  // along the edge, which does not turn
  force.Gradient(step);
  Vector lifted = step;
  lifted[2] = 1;
  force.Energy(lifted);  // leaves the forces that Accept uses as they are
  contact.Accept(force.At(step));
  std::vector<double> saved, again;
  contact.Save(&saved);
  // Saved after the floor's pose: node 0 sticks, displaced along x.
  EXPECT_DOUBLE_EQ(saved[AdaptiveStiffness::kSaved + 6], 1e-6);
  ObstacleContact other(network, dofs, {kRadius, kRadius}, floor, options);
  std::span<const double> memory = saved;
  other.Load(&memory);
  EXPECT_TRUE(memory.empty());
  other.Save(&again);
  EXPECT_EQ(saved, again);
  std::span<const double> half = std::span(saved).first(5);
  EXPECT_THROW(other.Load(&half), ConfigError);
}

}  // namespace contact_test
}  // namespace strand
