// The plugin instance of a cable: its keys, in a spec to which the links are added.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/handles.h"
#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// A spec with the plugin instance `name` for the planned cable. `scene`: contains the bodies and
/// sites that hold it; null for a cable of its own. Throws ConfigError if MuJoCo rejects the keys.
SpecPtr SpecWithInstance(const Plan& plan, const std::string& name, const mjSpec* scene);

}  // namespace strand::mujoco
