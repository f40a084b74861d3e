// Cables as arguments by name, which are read like a file's tables (cable_file.cc).
#pragma once

#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// The cable that arguments describe by name: options of all tables, `stretches` and `keys`, with
/// nodes (m) instead of a shape. Checks only the types of values; CheckCable checks the rest.
/// Throws ConfigError that names the argument.
CableDescription DescribeCable(const toml::table& arguments, const std::vector<Vector3>& nodes);

/// The arguments that describe a cable: the inverse of DescribeCable. Includes defaults; omits
/// options that are not given.
toml::table CableArguments(const CableDescription& cable);

}  // namespace strand
