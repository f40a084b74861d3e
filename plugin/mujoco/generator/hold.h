// Holds the ends of a cable by sites, mocap bodies and equality constraints, and closes rings.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// Adds everything that holds the cable's ends to `spec`, which already contains the links.
void AddHolds(const Plan& plan, mjSpec* spec);

}  // namespace strand::mujoco
