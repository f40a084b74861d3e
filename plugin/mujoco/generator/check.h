// Whether a description makes sense; helpers that put values into words.
#pragma once

#include <string>

#include "plugin/mujoco/generator/description.h"

namespace strand::mujoco {

/// The number with all digits.
std::string Number(double value);

/// "start" or "end".
const char* SideName(int side);

/// Throws ConfigError that names the first field at fault, its value and what is allowed.
void CheckDescription(const CableDescription& cable);

}  // namespace strand::mujoco
