// A smooth tube around a cable, for display only: a skin on the links.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// Adds the skin <prefix>skin. Between the middles of two links its weights are linear in
/// arclength, so that the tube's axis is the quadratic B-spline of the nodes, smooth at any bend.
void AddSkin(const Plan& plan, mjSpec* spec);

}  // namespace strand::mujoco
