// Cables as TOML files: SI units, angles in rad; `strand generate --schema` lists tables and keys.
#pragma once

#include <string_view>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// Reads and checks the cable that a file's text describes. Throws ConfigError that names the
/// invalid table and key, its value and what is allowed, or the line of a TOML syntax error.
CableDescription ReadCableFile(std::string_view text);

/// The same from parsed tables; checks only the types of values. If `nodes` is not null, it
/// replaces the shape, the tables hold Python's arguments, and errors name keys without a table.
CableDescription DescribeCable(const toml::table& document, const std::vector<Vector3>* nodes);

/// Throws ConfigError if the values cannot form a valid cable in any scene.
void CheckCable(const CableDescription& cable);

}  // namespace strand
