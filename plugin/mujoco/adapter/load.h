// What hangs on a cable.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

/// True if the kinematic tree with this body is one free rigid body.
bool IsFreeBody(const mjModel* m, int body);

/// Mass (kg) of the cable, of all bodies on it, and of free rigid bodies that active connects and
/// welds tie to it if something else holds it. Other bodies that are tied to it may hold it, and do
/// not count.
double HangingMass(const mjModel* m, const Chain& chain);

}  // namespace strand::mujoco
