#include "model/energy/affine_body.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "model/config/error.h"
#include "model/energy/tie.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace affine_body_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Random;
using testing::Vector;

// Two rotated bodies with unequal axes; points inside and outside the first.
Network Bodies() {
  Network network;
  const Vector3 axis = Vector3(1, 2, -1).normalized();
  const Eigen::Matrix3d turned = Eigen::AngleAxisd(0.7, axis).toRotationMatrix();
  network.AddBody({1, 2, 3}, turned, {0.3, 0.5, 0.9});
  network.AddBody({-1, 0, 0}, turned.transpose(), {0.4, 0.2, 0.6});
  network.AddBodyPoint(0, {1.1, 2.2, 2.9});
  network.AddBodyPoint(0, {3, 2, 1});
  return network;
}

Vector Moved(int size, double most) {
  Random random(4);
  Vector q(size);
  for (double& x : q) x = random.Uniform(-most, most);
  return q;
}

// Rigidly rotates and shifts all nodes. Returns their displacements.
Vector Turned(const Network& network, const Dofs& dofs) {
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(2.5, Vector3(2, -1, 3).normalized()).matrix();
  Vector q = Vector::Zero(dofs.size());
  for (int n = 0; n < network.nodes(); ++n) {
    const Vector3& x = network.node()[n];
    q.segment<3>(dofs.node(n)) = turn * x + Vector3(1, -2, 0.5) - x;
  }
  return q;
}

TEST(AffineBody, DerivativesMatchDifferences) {
  const Network network = Bodies();
  const Dofs dofs(network);
  AffineBodies bodies(network, dofs, {3, 5});
  ForceCase force(network, dofs, &bodies, 0);
  CheckForceDerivatives(force, Moved(force.size(), 0.1), 1e-2, true);
}

TEST(AffineBody, DerivativesOfTiesMatchDifferences) {
  const Network network = Bodies();
  const Dofs dofs(network);
  Ties ties(BodyTies(network, dofs, {3, 5}));
  ForceCase force(network, dofs, &ties, 0);
  CheckForceDerivatives(force, Moved(force.size(), 0.1), 1e-2, true);
}

TEST(AffineBody, RigidMotionIsFreeAndStrainGivesNoNetForceOrMoment) {
  const Network network = Bodies();
  const Dofs dofs(network);
  AffineBodies bodies(network, dofs, {3, 5});
  Ties ties(BodyTies(network, dofs, {3, 5}));
  for (Force* each : {static_cast<Force*>(&bodies), static_cast<Force*>(&ties)}) {
    ForceCase force(network, dofs, each, 0);
    EXPECT_LT(force.Gradient(Turned(network, dofs)).norm(), 1e-13);
    const Vector q = Moved(force.size(), 0.1), gradient = force.Gradient(q);
    EXPECT_GT(gradient.norm(), 1e-2);
    Vector3 net = Vector3::Zero(), moment = Vector3::Zero();
    for (int n = 0; n < network.nodes(); ++n) {
      const Vector3 pull = gradient.segment<3>(dofs.node(n));
      const Vector3 at = network.node()[n] + q.segment<3>(dofs.node(n));
      net += pull, moment += at.cross(pull);
    }
    EXPECT_LT(net.norm(), 1e-13);
    EXPECT_LT(moment.norm(), 1e-12);
  }
}

TEST(AffineBody, CarriersHaveTheBodysInertia) {
  const Vector3 inertia(2, 3, 4);
  const Vector3 a = CarrierSpread(5, inertia), square = a.cwiseAbs2();
  EXPECT_LT((5 * (Vector3::Constant(square.sum()) - square) - inertia).norm(), 1e-14);
  EXPECT_THROW(CarrierSpread(5, {1, 1, 3}), ConfigError);
  EXPECT_THROW(CarrierSpread(0, {1, 1, 1}), ConfigError);
  const Vector3 plate = CarrierSpread(1, {1, 1, 2});  // no extent along z
  EXPECT_NEAR(plate[2], 1e-2 * plate[0], 1e-12);
}

TEST(AffineBody, BadBodiesAreRejected) {
  Network network = Bodies();
  EXPECT_THROW(network.AddBody({0, 0, 0}, 2 * Eigen::Matrix3d::Identity(), {1, 1, 1}), ConfigError);
  EXPECT_THROW(network.AddBody({0, 0, 0}, -Eigen::Matrix3d::Identity(), {1, 1, 1}), ConfigError);
  EXPECT_THROW(network.AddBody({0, 0, 0}, Eigen::Matrix3d::Identity(), {1, 0, 1}), ConfigError);
  EXPECT_THROW(network.AddBodyPoint(2, {0, 0, 0}), ConfigError);
  EXPECT_THROW(Rigidity({0, 0}, network.body(0)), ConfigError);
  EXPECT_THROW(Rigidity({1, -1}, network.body(0)), ConfigError);
}

TEST(AffineBody, IsAtLeastAsStiffAsWhatIsAttachedNeedsUnlessGiven) {
  const Network network = Bodies();
  const double own = Rigidity({1, 0}, network.body(0));
  EXPECT_EQ(Rigidity({1, 0}, network.body(0), 0.5 * own), own);
  EXPECT_EQ(Rigidity({1, 0}, network.body(0), 2 * own), 2 * own);
  EXPECT_EQ(Rigidity({1, 3}, network.body(0), 2 * own), 3);
}

}  // namespace affine_body_test
}  // namespace strand
