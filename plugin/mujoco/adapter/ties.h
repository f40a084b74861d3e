// Bodies on a cable, and bodies that constraints tie to it.
#pragma once

#include <mujoco/mujoco.h>

#include <array>

#include "plugin/mujoco/adapter/chain.h"
#include "plugin/mujoco/adapter/softness.h"

namespace strand::mujoco {

/// Bodies that the connect or weld number `equality` ties to each other; -1 if it is of another
/// kind.
std::array<int, 2> TiedBodies(const mjModel* m, int equality);

/// A connect or weld to a cable, and the distance (m) by which it yields per newton.
struct Tie {
  int equality = -1;
  double yield = 0;
};

/// Softness of the holds that Strand writes for the model's integrator and time step, which yield
/// as little as these allow.
Softness FirmestHold(const mjModel* m);

/// The tie that yields most among those between the cable and something else, or between two of its
/// links, if it is far softer than Strand's own. The welds of cuts, which hold the halves of a link
/// together, do not count.
Tie SoftestTie(const mjModel* m, const Chain& chain, int instance);

/// A connect or weld to a cable, and how far (m) it is open.
struct OpenTie {
  int equality = -1;
  double opening = 0;
};

/// The active tie between the cable and something else that is open widest.
OpenTie WidestTie(const mjModel* m, const mjData* d, int instance);

/// True for a link of the cable and for what a link carries.
bool IsOnCable(const mjModel* m, int body, int instance);

/// True if the kinematic tree with this body is one free rigid body.
bool IsFreeBody(const mjModel* m, int body);

}  // namespace strand::mujoco
