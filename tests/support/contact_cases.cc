#include "tests/support/contact_cases.h"

#include <gtest/gtest.h>

#include <span>

#include "model/energy/surface_contact.h"

namespace strand::testing {

ContactOptions Options(double friction) {
  ContactOptions options;
  options.stiffness = 300, options.tolerance = kTolerance;
  options.friction = RegularisedFriction(friction, 0.5);
  return options;
}

ContactOptions AnchoredOptions(double friction, double stiffness) {
  ContactOptions options = Options(0);
  options.friction = AnchoredFriction(friction, stiffness);
  return options;
}

Vector RandomMove(int size, double length, Random* random) {
  Vector move(size);
  for (double& one : move) one = length * random->Vector().x();
  return move;
}

Configuration Placed(const Network& network, const Dofs& dofs, int first, double height) {
  Configuration at;
  at.Resize(dofs.size(), network.edges(), network.joints());
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) at.q[dofs.node(n) + c] = network.node()[n][c];
    if (n >= first) at.q[dofs.node(n) + 2] += height;
  }
  return at;
}

void CheckContactDerivatives(const Network& network, const Dofs& dofs, ContactForce* contact,
                             bool conservative, Random* random) {
  ForceCase force(network, dofs, contact, kPerTime);
  const Vector q = RandomMove(force.size(), 0.006, random);
  CheckForceDerivatives(force, q, 2e-4, conservative);
  force.Gradient(q);
  EXPECT_TRUE(contact->FreezeFriction(force.At(q)));
  const Vector frozen = force.Gradient(q);
  CheckForceDerivatives(force, q + RandomMove(force.size(), 1e-4, random), 2e-4, true);
  contact->ReleaseFriction();
  EXPECT_LT((force.Gradient(q) - frozen).norm(), 1e-12 * frozen.norm());
}

void CheckNoNetWrench(const Network& network, const Dofs& dofs, ContactForce* contact,
                      const std::function<double()>& friction_force, Random* random, double arm) {
  ForceCase force(network, dofs, contact, kPerTime);
  const Vector q = RandomMove(force.size(), 0.006, random), gradient = force.Gradient(q);
  contact->Report();
  const Motion motion = force.At(q);
  Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
  for (int n : dofs.nodes()) {
    const Vector3 f = gradient.segment<3>(n);
    sum += f, moment += motion.at.position(n).cross(f);
  }
  for (int e = 0; e < network.edges(); ++e) {
    const auto [first, last] = network.edge()[e].node;
    const Vector3 along =
        motion.at.position(dofs.node(last)) - motion.at.position(dofs.node(first));
    moment += gradient[dofs.edge(e)] * along.normalized();
  }
  ASSERT_GT(gradient.norm(), 0);
  EXPECT_LT(sum.norm(), 1e-13 * gradient.norm());
  EXPECT_LT(moment.norm(), arm * friction_force() + 1e-13 * gradient.norm());
}

std::vector<double> CheckPairsAreRestored(SurfaceContact* from, SurfaceContact* to) {
  std::vector<double> saved, again;
  from->Save(&saved);
  std::span<const double> memory = saved;
  to->Load(&memory);
  EXPECT_TRUE(memory.empty());
  EXPECT_EQ(to->candidates(), from->candidates());
  to->Save(&again);
  EXPECT_EQ(again, saved);
  return saved;
}

}  // namespace strand::testing
