// Checks that a cable's description is valid; helpers for error messages.
#pragma once

#include <string>

#include "model/output/number.h"
#include "plugin/mujoco/description/description.h"

namespace strand::mujoco {

/// "start" or "end".
const char* SideName(int side);

/// Throws ConfigError for the first invalid field; it names the field, its value and what is
/// allowed.
void CheckDescription(const CableDescription& cable);

}  // namespace strand::mujoco
