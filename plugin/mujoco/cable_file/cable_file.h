// Cables as TOML files: SI units, angles in rad; `strand generate --schema` lists tables and keys.
#pragma once

#include <string_view>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// The cable that the text of a file describes, checked. Throws ConfigError that names the table
/// and key at fault, its value and what is allowed, or the line at which the text is no TOML.
CableDescription ReadCableFile(std::string_view text);

/// The same from tables, of which the kinds of values alone are checked. With `nodes` in place of a
/// shape they are Python's arguments, and errors name keys without a table.
CableDescription DescribeCable(const toml::table& document, const std::vector<Vector3>* nodes);

/// Throws ConfigError on values that make no cable, whatever the scene.
void CheckCable(const CableDescription& cable);

}  // namespace strand
