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

/// The cable that arguments describe by name: options of all tables, `stretches` and `keys`, with
/// nodes (m) instead of a shape. Checks only the types of values; CheckCable checks the rest.
/// Throws ConfigError that names the argument.
CableDescription DescribeCable(const toml::table& arguments, const std::vector<Vector3>& nodes);

/// The arguments that describe a cable: the inverse of DescribeCable. Includes defaults; omits
/// options that are not given.
toml::table CableArguments(const CableDescription& cable);

/// Throws ConfigError if the values cannot form a valid cable in any scene.
void CheckCable(const CableDescription& cable);

}  // namespace strand
