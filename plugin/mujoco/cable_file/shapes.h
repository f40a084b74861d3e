// Centrelines by the names and keys that files give them.
#pragma once

#include <string>
#include <vector>

#include "plugin/mujoco/cable_file/toml.h"
#include "plugin/mujoco/description/description.h"

namespace strand {

/// Names of the shapes.
std::vector<std::string> ShapeNames();

/// Draws the nodes that a table [shape] with `type` describes; `beside` are the keys that may stand
/// there besides the shape's own. Throws ConfigError with fields `shape.<key>`.
std::vector<Vector3> DrawShape(const toml::table& content, const std::vector<std::string>& beside);

}  // namespace strand
