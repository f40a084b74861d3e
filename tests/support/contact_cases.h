// Shared by the tests of contact.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <utility>
#include <vector>

#include "model/config/error.h"
#include "model/energy/contact_force.h"
#include "model/energy/contact_options.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
class SurfaceContact;
}

namespace strand::testing {

inline constexpr double kRadius = 0.1, kTolerance = 0.02, kPerTime = 50;

ContactOptions Options(double friction);

/// Friction that sticks for steps of the size of RandomMove, or slides, depending on the stiffness.
ContactOptions AnchoredOptions(double friction, double stiffness);

/// Components between -length and length.
Vector RandomMove(int size, double length, Random* random);

/// The rest shape of the network, with nodes from `first` on lifted by `height`.
Configuration Placed(const Network& network, const Dofs& dofs, int first = 0, double height = 0);

/// Derivatives near the rest shape, in motion; also with frozen normals and normal forces of
/// friction.
void CheckContactDerivatives(const Network& network, const Dofs& dofs, ContactForce* contact,
                             bool conservative, Random* random);

/// Net force and net moment are zero, including the edges' spins. `friction_force()`: that of the
/// last report; `arm` (m): its lever arm on shells, whose couple remains.
void CheckNoNetWrench(const Network& network, const Dofs& dofs, ContactForce* contact,
                      const std::function<double()>& friction_force, Random* random, double arm);

template <class Contact>
void CheckNoNetWrench(const Network& network, const Dofs& dofs, Contact* contact, Random* random,
                      double arm = 0) {
  const auto friction_force = [=] { return contact->summary().friction_force; };
  CheckNoNetWrench(network, dofs, contact, friction_force, random, arm);
}

/// The energy elsewhere, without derivatives, leaves the report of the last evaluation as it is.
template <class Contact>
void CheckEnergyReportsNothing(const Network& network, const Dofs& dofs, Contact* contact,
                               Random* random) {
  ForceCase force(network, dofs, contact, kPerTime);
  force.Gradient(RandomMove(force.size(), 0.004, random));
  contact->Report();
  const ContactSummary before = contact->summary();
  EXPECT_GT(before.contacts, 0);
  force.Energy(RandomMove(force.size(), 0.004, random));
  contact->Report();
  const ContactSummary& after = contact->summary();
  EXPECT_EQ(after.contacts, before.contacts);
  EXPECT_EQ(after.gap, before.gap);
  EXPECT_EQ(after.normal_force, before.normal_force);
  EXPECT_EQ(after.friction_force, before.friction_force);
}

/// Saves the pairs of `from` and loads them into `to`, which must then save the same. Returns what
/// was saved.
std::vector<double> CheckPairsAreRestored(SurfaceContact* from, SurfaceContact* to);

template <class Contact, class... Arguments>
void ExpectRejected(const char* message, Arguments&&... arguments) {
  try {
    Contact contact(std::forward<Arguments>(arguments)...);
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), message);
  }
}

}  // namespace strand::testing
