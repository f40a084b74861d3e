#include "model/energy/mouth.h"

#include <gtest/gtest.h>

#include "model/config/error.h"
#include "model/energy/loads.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace mouth_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Random;
using testing::Vector;

// A rod along an axis; the mouth is between nodes 1 and 2, 0.4 m before node 2.
class AtAMouth : public ::testing::Test {
 protected:
  AtAMouth() {
    std::vector<Vector3> nodes;
    for (int n = 0; n < 4; ++n) nodes.push_back(Vector3(0.1, 0, 0.2) + n * axis_);
    network_.AddRod(nodes, {0, 0, 1});
    dofs_ = std::make_unique<Dofs>(network_);
    testing::Unlocked(dofs_.get());
    place_ = nodes[2] - 0.4 * axis_;
    mouth_ = std::make_unique<Mouth>(*dofs_, std::vector{node(0), node(1), node(2), node(3)},
                                     place_, axis_);
  }
  int node(int n) const { return dofs_->node(n); }
  Vector Moved() const {
    Random random(3);
    Vector q = Vector::Zero(dofs_->size());
    q.segment<3>(node(2)) = 0.15 * random.Direction() + 0.1 * axis_;
    return q;
  }
  Vector3 Force(ForceCase& force, int n) { return -force.Gradient(Moved()).segment<3>(node(n)); }

  const Vector3 axis_ = Vector3(2, 1, -2) / 3;
  Vector3 place_;
  Network network_;
  std::unique_ptr<Dofs> dofs_;
  std::unique_ptr<Mouth> mouth_;
};

TEST_F(AtAMouth, HasExactDerivatives) {
  for (double near : {0.0, 0.3}) {
    mouth_->Set(1, 1.0, 7, near);
    ForceCase force(network_, *dofs_, mouth_.get(), 0);
    CheckForceDerivatives(force, Moved(), 0.1, true);
  }
}

// The tension pulls the node towards the mouth, and the node behind along the axis.
TEST_F(AtAMouth, PullsFromTheMouth) {
  mouth_->Set(1, 1.0, 7, 0);
  ForceCase force(network_, *dofs_, mouth_.get(), 0);
  const Vector3 from = 0.4 * axis_ + Moved().segment<3>(node(2));
  const double tension = 7 * (0.6 + from.norm() - 1);
  EXPECT_LT((Force(force, 2) + tension * from.normalized()).norm(), 1e-13);
  EXPECT_LT((Force(force, 1) - tension * axis_).norm(), 1e-13);
  EXPECT_EQ(Force(force, 0).norm() + Force(force, 3).norm(), 0);
  EXPECT_NEAR(mouth_->Energy(force.At(Moved()).at), tension * tension / 14, 1e-14);
  mouth_->Release();
  EXPECT_EQ(force.Energy(Moved()), 0);
}

// Near the axis both forms agree to fourth order in the angle; the expansion also holds a node that
// is still on the other side of the mouth.
TEST_F(AtAMouth, ExpandsAboutTheAxis) {
  ForceCase force(network_, *dofs_, mouth_.get(), 0);
  const auto differ = [&](double angle) {
    Vector q = Vector::Zero(dofs_->size());
    const Vector3 across = axis_.unitOrthogonal();
    q.segment<3>(node(2)) = 0.4 * (std::cos(angle) - 1) * axis_ + 0.4 * std::sin(angle) * across;
    q.segment<3>(node(1)) = -0.1 * axis_;  // under tension
    mouth_->Set(1, 1.0, 7, 0);
    const double exact = force.Energy(q);
    mouth_->Set(1, 1.0, 7, 0.4);
    return std::abs(force.Energy(q) - exact);
  };
  EXPECT_NEAR(std::log2(differ(0.2) / differ(0.1)), 4, 0.1);
  mouth_->Set(1, 1.0, 7, 0.01);
  Vector q = Vector::Zero(dofs_->size());
  q.segment<3>(node(2)) = -0.5 * axis_;  // 0.1 behind the mouth
  EXPECT_GT((force.Gradient(q).segment<3>(node(2))).dot(-axis_), 0);
}

TEST_F(AtAMouth, KnowsItsSlopeByNear) {
  ForceCase force(network_, *dofs_, mouth_.get(), 0);
  const Configuration at = force.At(Moved()).at;
  const auto energy = [&](double near) {
    mouth_->Set(1, 1.0, 7, near);
    return mouth_->Energy(at);
  };
  const double difference = (energy(0.3 + 1e-5) - energy(0.3 - 1e-5)) / 2e-5;
  mouth_->Set(1, 1.0, 7, 0.3);
  EXPECT_NEAR(mouth_->ByNear(at), difference, 1e-8);
}

TEST_F(AtAMouth, BadNumbers) {
  EXPECT_THROW(mouth_->Set(3, 1, 1, 0), ConfigError);
  EXPECT_THROW(mouth_->Set(-1, 1, 1, 0), ConfigError);
  EXPECT_THROW(mouth_->Set(0, 0, 1, 0), ConfigError);
  EXPECT_THROW(mouth_->Set(0, 1, -1, 0), ConfigError);
  EXPECT_THROW(mouth_->Set(0, 1, 1, -1), ConfigError);
  EXPECT_THROW(Mouth(*dofs_, {node(0)}, place_, axis_), ConfigError);
  EXPECT_THROW(Mouth(*dofs_, {node(0), node(1) + 1}, place_, axis_), ConfigError);
}

// A share of a node's mass weighs, and of point masses there.
TEST_F(AtAMouth, SharesOfWeight) {
  Gravity gravity(*dofs_, std::vector<double>(dofs_->size(), 2.0), {0, 0, -10});
  gravity.SetShare(node(1), 0.25);
  ForceCase force(network_, *dofs_, &gravity, 0);
  EXPECT_EQ(Force(force, 1).z(), -5);
  EXPECT_EQ(Force(force, 2).z(), -20);
  gravity.AddMass(node(1), 2.0);
  EXPECT_EQ(Force(force, 1).z(), -10);
  EXPECT_EQ(Force(force, 2).z(), -20);
  EXPECT_THROW(gravity.SetShare(node(1), 1.5), ConfigError);
  EXPECT_THROW(gravity.SetShare(node(1) + 1, 0.5), ConfigError);
  EXPECT_THROW(gravity.AddMass(node(1) + 1, 1.0), ConfigError);
}

}  // namespace mouth_test
}  // namespace strand
