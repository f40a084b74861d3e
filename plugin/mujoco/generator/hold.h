// What holds the ends of a cable: sites, mocap bodies, equality constraints; the closure of a ring.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// Adds to `spec`, which has the links already, everything that holds the cable's ends.
void AddHolds(const Plan& plan, mjSpec* spec);

}  // namespace strand::mujoco
