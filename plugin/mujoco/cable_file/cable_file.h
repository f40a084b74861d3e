// Cables as TOML files: SI units, angles in rad; `strand generate --schema` lists tables and keys.
#pragma once

#include <string_view>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/generator/description.h"

namespace strand {

/// The cable that the text of a file describes. Throws ConfigError that names the key at fault, its
/// value and what is allowed, or the line at which the text is no TOML.
CableDescription ReadCableFile(std::string_view text);

/// The same from tables; `nodes`, if given, stand in place of a shape.
CableDescription DescribeCable(const toml::table& document, const std::vector<Vector3>* nodes);

}  // namespace strand
