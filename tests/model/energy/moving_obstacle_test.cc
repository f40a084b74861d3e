// Obstacles that move during a time step.
#include <gtest/gtest.h>

#include "model/energy/obstacle_contact.h"
#include "tests/support/contact_cases.h"

namespace strand {
namespace moving_obstacle_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::kPerTime;
using testing::kRadius;
using testing::Options;
using testing::Placed;
using testing::Random;
using testing::RandomMove;
using testing::Vector;

const ObstaclePose kEnd{{0.03, -0.02, 0.004}, {0.02, 0.3, -0.25}};

TEST(DrivenObstacle, CarriesPointsThatStickToIt) {
  DrivenObstacle driven(strand::Placed(MakeBox({0.3, 0.2, 0.1}), Frame::Identity(), {1, 2, 3}));
  driven.Drive({{0.1, 0, 0}, {0, 0, 0.3}});
  EXPECT_TRUE(driven.moves());
  driven.Accept();
  EXPECT_FALSE(driven.moves());
  driven.Drive({{0.2, 0.3, -0.1}, {0.4, 5, -6}});
  const Vector3 x(1.2, 1.7, 3.4);
  driven.Place(0);
  const ObstacleGap start = EvaluateGap(driven.shape(), x);
  for (double part : {0.25, 0.5, 1.0}) {
    driven.Place(part);
    const Vector3 carried = driven.come()(x);
    const ObstacleGap gap = EvaluateGap(driven.shape(), carried);
    EXPECT_NEAR(gap.gap, start.gap, 1e-14);
    EXPECT_LT((gap.normal - driven.come().turn * start.normal).norm(), 1e-14);
    EXPECT_LT((driven.Carry(0, part)(x) - carried).norm(), 1e-14);
    EXPECT_LT((driven.Carry(part, 1)(carried) - driven.Carry(0, 1)(x)).norm(), 1e-14);
    EXPECT_LT((driven.WholeWay(carried) - (driven.Carry(0, 1)(x) - x)).norm(), 1e-14);
  }
  EXPECT_THROW(driven.Drive({{std::nan(""), 0, 0}, {0, 0, 0}}), ConfigError);
}

struct Case {
  const char* name;
  Obstacle obstacle;
};

// An obstacle whose step ends under a rod, or whose middle of the step lies there. Moving obstacles
// are evaluated in their own moving axes, and friction uses the path over the surface.
class MovingObstacle : public ::testing::TestWithParam<Case> {
 protected:
  // Drives the obstacle so that it is at its original place at the fraction `part` of the step.
  static void DriveTo(ObstacleContact* contact, double part) {
    contact->Drive(0, {-part * kEnd.shift, -part * kEnd.turn});
    const Configuration none;
    std::vector<double> memory;
    contact->Save(&memory);
    // After the stiffness, memory holds the pose at the start of the step.
    for (int c = 0; c < 3; ++c) {
      memory[AdaptiveStiffness::kSaved + c] = -part * kEnd.shift[c];
      memory[AdaptiveStiffness::kSaved + 3 + c] = -part * kEnd.turn[c];
    }
    std::span<const double> saved = memory;
    contact->Load(&saved);
    contact->Drive(0, {(1 - part) * kEnd.shift, (1 - part) * kEnd.turn});
  }
};

TEST_P(MovingObstacle, DerivativesMatchDifferences) {
  Random random(7);
  for (double part : {1.0, 0.5}) {
    for (double friction : {0.0, 0.4}) {
      SCOPED_TRACE(part);
      Network network;
      network.AddRod({{-0.12, 0, 0.03}, {0, 0.01, 0.01}, {0.13, 0, 0.02}}, Vector3::UnitY());
      const Dofs dofs(network);
      ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {GetParam().obstacle},
                              Options(friction));
      DriveTo(&contact, part);
      ForceCase force(network, dofs, &contact, kPerTime, part);
      const Vector q = RandomMove(force.size(), 0.004, &random);
      CheckForceDerivatives(force, q, 2e-4, friction == 0);
    }
  }
}

// The work of an obstacle is the growth of the contact energy while the nodes stand still.
TEST_P(MovingObstacle, WorkEqualsTheGrowthOfThePotential) {
  Network network;
  network.AddRod({{-0.12, 0, 0.03}, {0, 0.01, 0.01}, {0.13, 0, 0.02}}, Vector3::UnitY());
  const Dofs dofs(network);
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {GetParam().obstacle},
                          Options(0));
  const Configuration at = Placed(network, dofs);
  constexpr double kStep = 1e-4;
  const ObstaclePose step{kStep * kEnd.shift, kStep * kEnd.turn};
  contact.Drive(0, step);
  const auto evaluate = [&](double part) {
    return contact.Evaluate({at, at, 0, 0, 0, {}, part}, {});
  };
  const Evaluation start = evaluate(0), end = evaluate(1), middle = evaluate(0.5);
  ASSERT_GT(start.energy, 0);
  EXPECT_NE(end.energy, start.energy);
  EXPECT_NEAR(middle.driven, end.energy - start.energy,
              1e-5 * std::abs(end.energy - start.energy) + 1e-15 * start.energy);
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, MovingObstacle,
    ::testing::Values(Case{"plane", MakeHalfSpace({0, 0, -kRadius}, {0.1, 0.2, 1})},
                      Case{"sphere", MakeSphere({0.1, 0.05, -0.8 - kRadius}, 0.8)},
                      Case{"capsule", MakeCapsule({-1, 0.02, -0.39}, {1, 0, -0.4}, 0.4 - kRadius)},
                      Case{"face", strand::Placed(MakeBox({2, 2, 0.5}), Frame::Identity(),
                                                  {0, 0, -0.5 - kRadius + 0.005})},
                      Case{"cylinder", MakeCylinder({0.03, -0.6, -0.3 - kRadius + 0.02},
                                                    {0.03, 0.6, -0.3 - kRadius + 0.02}, 0.3)},
                      Case{"hollow", Hollow(MakeSphere({0, 0, 0.9 - kRadius}, 0.9))}),
    [](const auto& named) { return named.param.name; });

Network Rod() {
  Network network;
  network.AddRod({{-1, 0, 0}, {0, 0, 0}, {1, 0, 0}}, Vector3::UnitY());
  return network;
}

// In one step a thin plate passes all the way through a rod, by far more than its diameter. At the
// start and at the end of the step they are apart, so that both alone show no contact.
TEST(MovingObstacles, DoNotPassThroughRestingRods) {
  const Network network = Rod();
  const Dofs dofs(network);
  const Configuration at = Placed(network, dofs);
  const std::vector<double> still(dofs.size(), 0.0);
  const Obstacle blade =
      strand::Placed(MakeBox({0.02, 0.3, 0.01}), Frame::Identity(), {0.5, 0, -1});
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {blade}, Options(0));
  contact.Drive(0, {{0, 0, 2}, {0, 0, 0}});
  EXPECT_LT(contact.Limit(at, still, {0, 1}), 0.5);
  EXPECT_EQ(contact.Limit(at, still, {0, 0.4}), 1);
  EXPECT_LT(contact.Limit(at, still, {0.4, 1}), 0.5);
  // It pushes both nodes of the edge ahead of it, out of its way.
  std::vector<double> push(dofs.size(), 0.0);
  contact.Push(at, 1, push);
  EXPECT_DOUBLE_EQ(push[dofs.node(0) + 2], 0);
  EXPECT_NEAR(push[dofs.node(1) + 2], 1 + 0.01 + kRadius, 1e-3);
  EXPECT_NEAR(push[dofs.node(2) + 2], 1 + 0.01 + kRadius, 1e-3);
  EXPECT_EQ(contact.Limit(at, push, {0, 1}), 1);
}

// An arm turns about its middle with its end over a node of a rod. The last turn is too large to
// bound.
TEST(MovingObstacles, DoNotTurnThroughRestingRods) {
  const Network network = Rod();
  const Dofs dofs(network);
  const Configuration at = Placed(network, dofs);
  const std::vector<double> still(dofs.size(), 0.0);
  const Obstacle arm = MakeCapsule({1, -2, 0.5}, {1, 2, 0.5}, 0.05);
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius), {arm}, Options(0));
  contact.Drive(0, {{0, 0, 0}, {0, 0, 0.9}});
  EXPECT_EQ(contact.Limit(at, still, {0, 1}), 1);  // passes above
  contact.Drive(0, {{0, 0, 0}, {0.9, 0, 0}});
  EXPECT_EQ(contact.Limit(at, still, {0, 1}), 1);  // the middle stays above
  const Obstacle paddle = MakeCapsule({0.5, -2, 0.5}, {0.5, 2, 0.5}, 0.05);
  ObstacleContact low(network, dofs, std::vector<double>(3, kRadius),
                      {strand::Placed(paddle, Frame::Identity(), {0, 1.5, 0})}, Options(0));
  low.Drive(0, {{0, 0, 0}, {0.9, 0, 0}});
  EXPECT_LT(low.Limit(at, still, {0, 1}), 0.8);
  EXPECT_EQ(low.Limit(at, still, {0, 0.2}), 1);
  low.Drive(0, {{0, 0, 0}, {-0.2, 0, 0}});
  EXPECT_EQ(low.Limit(at, still, {0, 1}), 1);
  low.Drive(0, {{0, 0, 0}, {-1.1, 0, 0}});
  EXPECT_EQ(low.Limit(at, still, {0, 1}), 0);
}

TEST(MovingObstacles, AreNamedInErrors) {
  const Network network = Rod();
  ObstacleContact contact(network, Dofs(network), std::vector<double>(3, kRadius),
                          {MakeSphere({0, 0, -1}, 0.5)}, Options(0));
  try {
    contact.Drive(1, {});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "obstacle: got '1', allowed: 0 to 0");
  }
}

}  // namespace moving_obstacle_test
}  // namespace strand
