// What hangs on a cable.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::mujoco {

/// Mass (kg) of the cable, of all bodies on it, and of free rigid bodies that active connects and
/// welds tie to it if something else holds it. Other bodies that are tied to it may hold it, and do
/// not count.
double HangingMass(const mjModel* m, int instance);

}  // namespace strand::mujoco
