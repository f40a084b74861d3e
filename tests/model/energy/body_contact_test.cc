// Rigid bodies against obstacles, rods, shells and each other.
#include "model/energy/body_contact.h"

#include <gtest/gtest.h>

#include "model/energy/obstacle_contact.h"
#include "tests/support/contact_cases.h"

namespace strand {
namespace body_contact_test {

using testing::AnchoredOptions;
using testing::CheckContactDerivatives;
using testing::CheckEnergyReportsNothing;
using testing::ForceCase;
using testing::kRadius;
using testing::Options;
using testing::Random;
using testing::Vector;

const Vector3 kSpread(0.2, 0.25, 0.3);

Frame Turned() { return Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix(); }

struct Case {
  const char* name;
  Obstacle shape;
};

// All shapes, each about its centre.
const Obstacle kBall = MakeSphere({0, 0, 0}, 0.4);
const Obstacle kCapsule = MakeCapsule({0, 0, -0.3}, {0, 0, 0.3}, 0.3);
const Obstacle kBox = MakeRoundedBox({0.4, 0.5, 0.6}, 0.1);
const Obstacle kCylinder = MakeCylinder({0, 0, -0.5}, {0, 0, 0.5}, 0.4);

ContactOptions Law(bool anchored, double friction) {
  return anchored ? AnchoredOptions(friction, 200) : Options(friction);
}

class BodyShape : public ::testing::TestWithParam<Case> {
 protected:
  // Adds a rotated body.
  static void AddBody(Network* network, const Vector3& centre = {0, 0, 0}) {
    network->AddBody(centre, Turned(), kSpread);
  }
  // The depth of the surface below the body's centre, on the vertical through it (m).
  static double Depth(const Obstacle& shape) {
    const Obstacle placed = Placed(shape, Turned(), {0, 0, 0});
    double low = 0, high = 2;
    for (int k = 0; k < 60; ++k) {
      const double middle = 0.5 * (low + high);
      (GapValue(placed, {0, 0, -middle}) < 0 ? low : high) = middle;
    }
    return low;
  }
  // The lowest point of the body (m).
  static double Lowest(const Obstacle& shape) {
    double lowest = 0;
    for (const BodySite<1>& corner : SitesOf(0, shape).corner) {
      lowest = std::min(lowest, (Turned() * corner.point[0]).z() - shape.radius);
    }
    return lowest;
  }
};

TEST_P(BodyShape, DerivativesAtAPlaneMatchDifferences) {
  if (SitesOf(0, GetParam().shape).corner.empty()) GTEST_SKIP() << "has no corners";
  Random random(3);
  for (double friction : {0.0, 0.4}) {
    for (bool anchored : {false, true}) {
      Network network;
      AddBody(&network);
      const Dofs dofs(network);
      const Obstacle floor = MakeHalfSpace({0, 0, Lowest(GetParam().shape)}, {0, 0, 1});
      ObstacleContact contact(network, dofs, std::vector<double>(4, 0.0), {floor},
                              Law(anchored, friction), false, {GetParam().shape});
      CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
    }
  }
}

TEST_P(BodyShape, DerivativesAtABallMatchDifferences) {
  if (SitesOf(0, GetParam().shape).corner.empty()) GTEST_SKIP() << "has no corners";
  Random random(5);
  for (double friction : {0.0, 0.4}) {
    Network network;
    AddBody(&network);
    const Dofs dofs(network);
    const Obstacle ball = MakeSphere({0.02, 0.03, -0.5 - Depth(GetParam().shape)}, 0.5);
    ObstacleContact contact(network, dofs, std::vector<double>(4, 0.0), {ball}, Options(friction),
                            false, {GetParam().shape});
    CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
  }
}

// The network with a rod, or a triangle, or another body below the first body.
Network Below(const char* what, double depth) {
  Network network;
  network.AddBody({0, 0, 0}, Turned(), kSpread);
  const double z = -depth - kRadius;
  if (what[0] == 'r') {
    network.AddRod({{-0.5, 0.03, z}, {0.4, -0.02, z}}, Vector3::UnitZ());
  } else if (what[0] == 's') {
    network.AddShell({{-0.5, -0.4, z}, {0.6, -0.3, z}, {0, 0.6, z}}, {{{0, 1, 2}}});
  } else {
    network.AddBody({0.01, 0.02, -2 * depth}, Turned(), kSpread);
  }
  return network;
}

TEST_P(BodyShape, DerivativesAtOthersMatchDifferences) {
  Random random(8);
  for (const char* what : {"rod", "shell", "body"}) {
    SCOPED_TRACE(what);
    const bool cylinders = what[0] == 'b' && SitesOf(0, GetParam().shape).corner.empty();
    if (cylinders) continue;
    for (double friction : {0.0, 0.4}) {
      for (bool anchored : {false, true}) {
        const Network network = Below(what, Depth(GetParam().shape));
        const Dofs dofs(network);
        BodyContact contact(network, dofs, std::vector<double>(network.edges(), kRadius),
                            std::vector<double>(network.shells(), 2 * kRadius),
                            std::vector<Obstacle>(network.bodies(), GetParam().shape),
                            Law(anchored, friction));
        CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
      }
    }
  }
}

TEST_P(BodyShape, EnergyReportsNothing) {
  Random random(8);
  const Network network = Below("rod", Depth(GetParam().shape));
  const Dofs dofs(network);
  BodyContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), {},
                      std::vector<Obstacle>(network.bodies(), GetParam().shape), Options(0.4));
  CheckEnergyReportsNothing(network, dofs, &contact, &random);
}

// Contact forces are equal and opposite at one point: net force and net moment are zero.
TEST_P(BodyShape, NoNetWrench) {
  Random random(9);
  for (const char* what : {"rod", "shell", "body"}) {
    SCOPED_TRACE(what);
    if (what[0] == 'b' && SitesOf(0, GetParam().shape).corner.empty()) continue;
    const Network network = Below(what, Depth(GetParam().shape));
    const Dofs dofs(network);
    BodyContact contact(network, dofs, std::vector<double>(network.edges(), kRadius),
                        std::vector<double>(network.shells(), 2 * kRadius),
                        std::vector<Obstacle>(network.bodies(), GetParam().shape), Options(0.4));
    CheckNoNetWrench(network, dofs, &contact, &random);
    EXPECT_GT(contact.summary().friction_force, 0);
  }
}

// No step, however long, passes through what lies between.
TEST_P(BodyShape, NothingPassesThrough) {
  for (const char* what : {"rod", "shell", "body"}) {
    SCOPED_TRACE(what);
    if (what[0] == 'b' && SitesOf(0, GetParam().shape).corner.empty()) continue;
    const double depth = Depth(GetParam().shape);
    const Network network = Below(what, depth);
    const Dofs dofs(network);
    BodyContact contact(network, dofs, std::vector<double>(network.edges(), kRadius),
                        std::vector<double>(network.shells(), 2 * kRadius),
                        std::vector<Obstacle>(network.bodies(), GetParam().shape), Options(0));
    const Configuration at = testing::Placed(network, dofs);
    std::vector<double> step(dofs.size(), 0.0);
    for (int n : network.body(0).carrier) step[dofs.node(n) + 2] = -3;
    const double part = contact.Limit(at, step, {});
    EXPECT_LT(3 * part, what[0] == 'b' ? 2 * depth : kRadius + 1e-12);
    EXPECT_GT(3 * part, 0.02);
    for (double& each : step) each = -each;
    EXPECT_EQ(contact.Limit(at, step, {}), 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, BodyShape,
                         ::testing::Values(Case{"ball", kBall}, Case{"capsule", kCapsule},
                                           Case{"box", kBox}, Case{"cylinder", kCylinder}),
                         [](const auto& named) { return named.param.name; });

TEST(BodyContact, UnsupportedPairsAreRejected) {
  Network network;
  network.AddBody({0, 0, 0}, Turned(), kSpread);
  network.AddBody({0, 0, 3}, Turned(), kSpread);
  const Dofs dofs(network);
  const std::vector<Obstacle> cylinders(2, kCylinder);
  testing::ExpectRejected<BodyContact>(
      "body 1: got 'a cylinder beside body 0, a cylinder', allowed: one cylinder at most: two do "
      "not meet each other",
      network, dofs, std::vector<double>(), std::vector<double>(), cylinders, Options(0));
  const Obstacle floor = MakeHalfSpace({0, 0, -3}, {0, 0, 1});
  testing::ExpectRejected<ObstacleContact>(
      "body 0: got 'a cylinder', allowed: a sphere, a capsule or a box, where there are obstacles",
      network, dofs, std::vector<double>(8, 0.0), std::vector{floor}, Options(0), false, cylinders);
  EXPECT_THROW(BodyContact(network, dofs, {}, {}, {kBall}, Options(0)), ConfigError);
  EXPECT_THROW(MakeRoundedBox({0.1, 0.2, 0.3}, 0.1), ConfigError);
  EXPECT_THROW(MakeRoundedBox({0.1, 0.2, 0.3}, 0), ConfigError);
}

TEST(BodyContact, InitialOverlapIsRejected) {
  Network network;
  network.AddBody({0, 0, 0}, Frame::Identity(), kSpread);
  network.AddRod({{-1, 0, 0.3}, {1, 0, 0.3}}, Vector3::UnitZ());
  const Dofs dofs(network);
  testing::ExpectRejected<BodyContact>(
      "positions: got 'rod 0, edge 0 at -0.1 m from the surface of body 0 (sphere)', allowed: more "
      "than 0 m, at the start",
      network, dofs, std::vector{kRadius}, std::vector<double>(), std::vector{kBall}, Options(0));
}

// A rod does not touch its body near the attachment, but does farther along.
TEST(BodyContact, AttachedRodsMeetTheirBodyFartherOn) {
  Network network;
  network.AddBody({0, 0, 0}, Frame::Identity(), kSpread);
  constexpr double kThin = 0.02;
  network.AddRod({{0, 0, 0.4}, {0, 0.03, 0.43}, {0, 0.1, 0.5}, {0, 0.5, 0.3}, {0, 0.41 + kThin, 0}},
                 Vector3::UnitX());
  network.AttachToBody(0, 0, 0);
  const Dofs dofs(network);
  ContactOptions options = Options(0);
  options.tolerance = 0.02;
  BodyContact contact(network, dofs, std::vector<double>(4, kThin), {}, {kBall}, options);
  ForceCase force(network, dofs, &contact, 0);
  force.Gradient(Vector::Zero(force.size()));
  contact.Report();
  EXPECT_EQ(contact.summary().contacts, 1);
  EXPECT_NEAR(contact.summary().gap, 0.01, 3e-3);  // the rod's end is blunt
}

}  // namespace body_contact_test
}  // namespace strand
