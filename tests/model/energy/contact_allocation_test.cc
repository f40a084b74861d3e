// Evaluating contact, limiting steps and searching for pairs again allocate nothing.
#include <gtest/gtest.h>

#include "model/energy/body_contact.h"
#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/allocations.h"
#include "tests/support/contact_cases.h"
#include "tests/support/sheets.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
namespace strand {
namespace contact_allocation_test {

using testing::AddSheet;
using testing::Allocations;

class ContactAllocation : public ::testing::TestWithParam<FrictionLaw> {};

TEST_P(ContactAllocation, NoneAfterTheFirstStep) {
  constexpr double kThickness = 0.01;
  Network network;
  AddSheet(6, 6, [](int i, int j) { return Vector3(0.1 * i, 0.1 * j, 0); }, &network);
  AddSheet(4, 4, [](int i, int j) { return Vector3(0.11 * i, 0.12 * j, 0.0105); }, &network);
  network.AddRod({{0.1, 0.12, 0.021}, {0.3, 0.14, 0.021}, {0.5, 0.13, 0.021}}, Vector3::UnitZ());
  network.AddRod({{0.2, 0.0, 0.04}, {0.21, 0.1, 0.032}, {0.19, 0.3, 0.04}}, Vector3::UnitX());
  const Dofs dofs(network);
  ContactOptions options{500, 2e-3, 0, GetParam()};
  options.smooth = true;
  SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), 0.005), options,
                         {kThickness, kThickness});
  Configuration at;
  at.Resize(dofs.size(), network.edges(), network.joints());
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) at.q[dofs.node(n) + c] = network.node()[n][c];
  }
  Configuration start = at, elsewhere = at;
  for (double& q : start.q) q -= 1e-3;
  for (double& q : elsewhere.q) q += 1;
  const Motion motion{at, start, 100, 0};
  const std::vector<double> step(dofs.size(), 1e-3);
  contact.Prepare(motion, step, 1);
  Pattern pattern(dofs.unknowns());
  contact.Couple(dofs, &pattern);
  const auto system = MakeLinearSystem(pattern, Symmetry::kGeneral);
  contact.Bind(dofs, *system);
  std::vector<double> gradient(dofs.size(), 0.0);
  const auto once = [&] {
    contact.ReleaseFriction();
    contact.Prepare(motion, step, 1);
    contact.Refresh(elsewhere);  // far enough for a new search
    contact.Refresh(at);
    contact.Evaluate(motion, {gradient.data(), system->values().data()});
    contact.FreezeFriction(motion);
    contact.Evaluate(motion, {gradient.data(), system->values().data()});
    contact.Limit(at, step, {});
    contact.AcceptsEndpoint(start, at, {});
    contact.Report();
    contact.Accept(motion);
  };
  once();
  const long before = Allocations();
  once();
  EXPECT_EQ(Allocations() - before, 0);
  EXPECT_GT(contact.summary().contacts, 50);
  EXPECT_GT(contact.candidates(), contact.summary().contacts);
}

TEST_P(ContactAllocation, NoneWithBodies) {
  Network network;
  network.AddBody({0, 0, 0}, Frame::Identity(), {0.2, 0.2, 0.2});
  network.AddBody({0, 0, 1.01}, Frame::Identity(), {0.2, 0.2, 0.2});
  network.AddRod({{-0.5, 0.1, -0.51}, {0.5, 0, -0.51}}, Vector3::UnitZ());
  const Dofs dofs(network);
  const Obstacle box = MakeRoundedBox({0.5, 0.5, 0.5}, 0.1);
  BodyContact between(network, dofs, {0.005}, {}, {box, box}, {500, 0.02, 0, GetParam()});
  ObstacleContact floor(network, dofs, std::vector<double>(network.nodes(), 0.005),
                        {MakeHalfSpace({0, 0, -0.515}, {0, 0, 1})}, {500, 0.02, 0, GetParam()},
                        false, {box, box});
  Configuration at;
  at.Resize(dofs.size(), network.edges(), network.joints());
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) at.q[dofs.node(n) + c] = network.node()[n][c];
  }
  Configuration start = at;
  for (double& q : start.q) q -= 1e-3;
  const Motion motion{at, start, 100, 0};
  const std::vector<double> step(dofs.size(), 1e-3);
  Pattern pattern(dofs.unknowns());
  ContactForce* contacts[] = {&between, &floor};
  for (ContactForce* contact : contacts)
    contact->Prepare(motion, step, 1), contact->Couple(dofs, &pattern);
  const auto system = MakeLinearSystem(pattern, Symmetry::kGeneral);
  for (ContactForce* contact : contacts) contact->Bind(dofs, *system);
  std::vector<double> gradient(dofs.size(), 0.0);
  const auto once = [&] {
    for (ContactForce* contact : contacts) {
      contact->ReleaseFriction();
      contact->Refresh(at);
      contact->Evaluate(motion, {gradient.data(), system->values().data()});
      contact->FreezeFriction(motion);
      contact->Evaluate(motion, {gradient.data(), system->values().data()});
      contact->Limit(at, step, {});
      contact->AcceptsEndpoint(start, at, {});
      contact->Report();
      contact->Accept(motion);
    }
  };
  once();
  EXPECT_GT(between.summary().contacts, 2);
  EXPECT_GT(floor.summary().contacts, 2);
  const long before = Allocations();
  once();
  EXPECT_EQ(Allocations() - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Laws, ContactAllocation,
                         ::testing::Values(RegularisedFriction(0.3, 1),
                                           AnchoredFriction(0.3, 500)));

TEST(MovingObstacles, AllocateNothing) {
  Network network;
  network.AddRod({{0, 0, 0}, {0.5, 0, 0}, {1, 0.1, 0}}, Vector3::UnitY());
  const Dofs dofs(network);
  constexpr double kRadius = 0.05;
  ObstacleContact contact(network, dofs, std::vector<double>(3, kRadius),
                          {MakeSphere({0.5, 0, -0.55}, 0.5)},
                          {300, 0.02, 0, AnchoredFriction(0.4, 300)});
  const Configuration at = testing::Placed(network, dofs);
  Pattern pattern(dofs.unknowns());
  contact.Couple(dofs, &pattern);
  const auto system = MakeLinearSystem(pattern, Symmetry::kGeneral);
  contact.Bind(dofs, *system);
  std::vector<double> gradient(dofs.size(), 0.0);
  const Motion motion{at, at, 50, 0, 50, {}, 1};
  const long before = Allocations();
  contact.Drive(0, {{0, 0, 0.01}, {0.1, 0, 0.1}});
  contact.Push(at, 1, gradient);
  contact.Limit(at, gradient, {0, 1});
  contact.Evaluate(motion, {gradient.data(), system->values().data()});
  contact.AcceptsEndpoint(at, at, {0.5, 1});
  contact.Accept(motion);
  EXPECT_EQ(Allocations() - before, 0);
}

}  // namespace contact_allocation_test
}  // namespace strand
#endif
