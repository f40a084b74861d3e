// Whether a description makes sense; helpers that put values into words.
#pragma once

#include <string>

#include "model/output/number.h"
#include "plugin/mujoco/description/description.h"

namespace strand::mujoco {

/// "start" or "end".
const char* SideName(int side);

/// Throws ConfigError that names the first field at fault, its value and what is allowed.
void CheckDescription(const CableDescription& cable);

}  // namespace strand::mujoco
