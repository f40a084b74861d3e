// Bodies on a cable, and bodies that constraints tie to it.
#pragma once

#include <mujoco/mujoco.h>

#include <array>

namespace strand::mujoco {

/// Bodies that the connect or weld number `equality` ties to each other; -1 if it is of another
/// kind.
std::array<int, 2> TiedBodies(const mjModel* m, int equality);

/// True for a link of the cable and for what a link carries.
bool IsOnCable(const mjModel* m, int body, int instance);

/// True if the kinematic tree with this body is one free rigid body.
bool IsFreeBody(const mjModel* m, int body);

}  // namespace strand::mujoco
