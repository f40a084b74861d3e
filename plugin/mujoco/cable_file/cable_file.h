// Cables as TOML files: SI units, angles in rad; `strand generate --schema` lists tables and keys.
#pragma once

#include <string_view>

#include "plugin/mujoco/description/description.h"

namespace strand {

/// Reads and checks the cable that a file's text describes. Throws ConfigError that names the
/// invalid table and key, its value and what is allowed, or the line of a TOML syntax error.
CableDescription ReadCableFile(std::string_view text);

/// Throws ConfigError if the values cannot form a valid cable in any scene.
void CheckCable(const CableDescription& cable);

}  // namespace strand
