#include "model/energy/tie.h"

#include <gtest/gtest.h>

#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace tie_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Random;
using testing::Vector;

class Tied : public ::testing::Test {
 protected:
  Tied() {
    network_.AddRod({{0, 0, 0}, {1, 0.2, 0}, {2, -0.1, 0.3}}, {0, 0, 1});
    dofs_ = std::make_unique<Dofs>(network_);
    testing::Unlocked(dofs_.get());
  }
  int node(int n) const { return dofs_->node(n); }
  Vector Moved() const {
    Random random(7);
    Vector q = Vector::Zero(dofs_->size());
    for (int n = 0; n < 3; ++n) q.segment<3>(node(n)) = 0.2 * random.Direction();
    return q;
  }

  Network network_;
  std::unique_ptr<Dofs> dofs_;
};

TEST_F(Tied, HasExactDerivatives) {
  LinearTie following = Following(node(2), {node(0), node(1)}, {0.1, 0.2, 0.3});
  LinearTie line = Guided(node(1), {0, 0, 1}, Vector3(1, 2, -1).normalized(), true);
  LinearTie extending = Extending(node(0), node(1), node(2));
  following.stiffness = 3, line.stiffness = 5, extending.stiffness = 2;
  Ties ties({following, line, extending});
  ForceCase force(network_, *dofs_, &ties, 0);
  CheckForceDerivatives(force, Moved(), 0.1, true);
}

TEST_F(Tied, AGuideActsOnlyAcrossItself) {
  const Vector3 direction = Vector3(1, 2, -1).normalized(), place(0.3, 0, 0);
  for (const bool along : {true, false}) {
    LinearTie guide = Guided(node(1), place, direction, along);
    guide.stiffness = 2;
    Ties ties({guide});
    ForceCase force(network_, *dofs_, &ties, 0);
    const Vector q = Moved();
    const Vector3 x = network_.node()[1] + q.segment<3>(node(1)) - place;
    const Vector3 onto = direction.dot(x) * direction, left = along ? Vector3(x - onto) : onto;
    EXPECT_LT((force.Gradient(q).segment<3>(node(1)) - 2 * left).norm(), 1e-14);
    EXPECT_NEAR(force.Energy(q), left.squaredNorm(), 1e-14);
    EXPECT_LT((ties.Tension(0, force.At(q).at) - 2 * left).norm(), 1e-14);
  }
}

TEST_F(Tied, AReleasedTieExertsNoForce) {
  LinearTie tie = Following(node(2), {node(0), node(1)}, {0.1, 0.2, 0.3});
  tie.stiffness = 3;
  Ties ties({tie});
  ForceCase force(network_, *dofs_, &ties, 0);
  EXPECT_GT(force.Gradient(Moved()).norm(), 0.1);
  ties.Release();
  EXPECT_EQ(force.Gradient(Moved()).norm(), 0);
  EXPECT_EQ(force.Energy(Moved()), 0);
}

// The net force and moment are zero: it has the shape of a straight lever.
TEST_F(Tied, AnExtendingTieExertsNoNetForce) {
  LinearTie tie = Extending(node(0), node(1), node(2));
  tie.stiffness = 3;
  Ties ties({tie});
  ForceCase force(network_, *dofs_, &ties, 0);
  const Vector q = Moved(), gradient = force.Gradient(q);
  Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
  for (int n = 0; n < 3; ++n) {
    const Vector3 each = gradient.segment<3>(node(n));
    sum += each, moment += force.At(q).at.position(node(n)).cross(each);
  }
  EXPECT_GT(gradient.norm(), 0.1);
  EXPECT_LT(sum.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-14);
}

// The net force is zero, and precision does not suffer from the distance to the origin.
TEST_F(Tied, FollowingTiesExertNoNetForce) {
  LinearTie tie = Following(node(2), {node(0), node(1)}, {0.1, 0.2, 0.3});
  tie.stiffness = 3;
  Ties ties({tie});
  ForceCase force(network_, *dofs_, &ties, 0);
  Vector q = Moved();
  const Vector here = force.Gradient(q);
  Vector3 sum = Vector3::Zero();
  for (int n = 0; n < 3; ++n) sum += here.segment<3>(node(n));
  EXPECT_LT(sum.norm(), 1e-15);
  for (int n = 0; n < 3; ++n) q.segment<3>(node(n)) += Vector3(1e6, 0, 0);
  EXPECT_LT((force.Gradient(q) - here).norm(), 1e-9);
}

}  // namespace tie_test
}  // namespace strand
