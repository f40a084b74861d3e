// Centrelines from the table [shape] of a cable file.
#pragma once

#include <string>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// Names of the shapes.
std::vector<std::string> ShapeNames();

/// Nodes (m) of the shape that the table [shape] describes. `also_allowed`: keys allowed in the
/// table in addition to the shape's own. Throws ConfigError with fields `shape.<key>`.
std::vector<Vector3> DrawShape(const toml::table& content,
                               const std::vector<std::string>& also_allowed);

}  // namespace strand
