// Contact that returns a fraction of the energy it takes in.
#include <gtest/gtest.h>

#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "tests/support/contact_cases.h"

namespace strand {
namespace restitution_test {

using testing::CheckForceDerivatives;
using testing::ExpectRejected;
using testing::ForceCase;
using testing::kRadius;
using testing::Options;
using testing::Random;
using testing::RandomMove;
using testing::Vector;

// The law's own speed scale is 5 mm/s; rates of this size are in its transition range.
constexpr double kSlowly = 0.5, kPart = 0.4;

ContactOptions Lossy(double friction) {
  ContactOptions options = Options(friction);
  options.restitution = kPart;
  return options;
}

TEST(WithRestitution, ScalesTheForceBySquareOfRestitution) {
  const Penalty penalty = ContactPenalty(-0.01, 300, 0.02);
  const Penalty meeting = WithRestitution(penalty, kPart, -1, 100);
  EXPECT_EQ(meeting.slope, penalty.slope);
  EXPECT_EQ(meeting.curvature, penalty.curvature);
  const Penalty parting = WithRestitution(penalty, kPart, 1, 100);
  EXPECT_DOUBLE_EQ(parting.slope, kPart * kPart * penalty.slope);
  EXPECT_DOUBLE_EQ(parting.curvature, kPart * kPart * penalty.curvature);
  double last = penalty.slope;
  for (double rate = 0; rate < 0.01; rate += 1e-4) {
    const Penalty at = WithRestitution(penalty, 0, rate, 100);
    EXPECT_LE(at.slope, 0);  // never pulls
    EXPECT_GE(at.slope, last);
    EXPECT_GE(at.curvature, 0);
    last = at.slope;
  }
}

// Half of the nodes approach and half separate, some at rates in the transition range.
template <class Contact>
void CheckDerivatives(const Network& network, const Dofs& dofs, Contact* contact, Random* random) {
  EXPECT_FALSE(contact->conservative());
  ForceCase force(network, dofs, contact, kSlowly);
  const Vector q = RandomMove(force.size(), 0.006, random);
  CheckForceDerivatives(force, q, 1e-5, false);
  const testing::Matrix hessian = force.Hessian(q);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
}

TEST(Restitution, DerivativesAtObstaclesMatchDifferences) {
  Random random(3);
  for (const Obstacle& obstacle :
       {MakeHalfSpace({0, 0, -kRadius}, {0.1, 0.2, 1}), MakeSphere({0.1, 0.05, -0.9}, 0.8),
        MakeCapsule({-1, 0.02, -0.39}, {1, 0, -0.4}, 0.4 - kRadius)}) {
    Network network;
    network.AddRod({{-0.12, 0, 0.008}, {0, 0.01, 0.004}, {0.13, 0, 0.006}}, Vector3::UnitY());
    const Dofs dofs(network);
    ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {obstacle}, Lossy(0));
    CheckDerivatives(network, dofs, &contact, &random);
  }
}

TEST(Restitution, DerivativesBetweenRodsMatchDifferences) {
  Random random(4);
  Network network;
  network.AddRod({{-0.7, 0, 0}, {0.3, 0.02, 0.01}, {1.2, 0.1, -0.1}}, Vector3::UnitY());
  const double z = 2 * kRadius + 0.005;
  network.AddRod({{0.05, -0.6, z}, {-0.02, 0.5, z + 0.01}, {0.1, 1.4, z}}, Vector3::UnitX());
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), kRadius), Lossy(0));
  CheckDerivatives(network, dofs, &contact, &random);
}

// Friction uses the reduced normal force; its derivatives are exact, too.
TEST(Restitution, DerivativesWithFrictionMatchDifferences) {
  Random random(5);
  Network network;
  network.AddRod({{-0.12, 0, 0.008}, {0, 0.01, 0.004}, {0.13, 0, 0.006}}, Vector3::UnitY());
  const Dofs dofs(network);
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius),
                          {MakeSphere({0.1, 0.05, -0.9}, 0.8)}, Lossy(0.4));
  ForceCase force(network, dofs, &contact, kSlowly);
  CheckForceDerivatives(force, RandomMove(force.size(), 0.006, &random), 1e-5, false);
}

TEST(Restitution, IsRejectedOutOfRange) {
  Network network;
  network.AddRod({{0, 0, 0}, {1, 0, 0}}, Vector3::UnitY());
  ContactOptions options = Options(0);
  options.restitution = 1.5;
  ExpectRejected<SurfaceContact>("restitution: got '1.500000', allowed: 0 to 1", network,
                                 Dofs(network), std::vector<double>{kRadius}, options);
}

}  // namespace restitution_test
}  // namespace strand
