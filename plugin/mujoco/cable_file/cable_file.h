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

/// The cable of arguments by name: options of all tables, `stretches` and `keys`, with nodes (m) in
/// place of a shape. Only the kinds of values are checked (CheckCable checks the rest). Throws
/// ConfigError that names the argument.
CableDescription DescribeCable(const toml::table& arguments, const std::vector<Vector3>& nodes);

/// The reverse: the values of all options, defaults included, under their names; options that are
/// not given are left out.
toml::table CableArguments(const CableDescription& cable);

/// Throws ConfigError on values that make no cable, whatever the scene.
void CheckCable(const CableDescription& cable);

}  // namespace strand
