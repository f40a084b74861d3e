// Cables, hoses and wires that people use (strand/materials/cables.toml), by name in cable files.
#pragma once

#include "plugin/mujoco/cable_file/toml.h"

namespace strand {

/// If the table `material` of these tables names a real cable (key `material`), adds its keys to
/// the tables `section`, `material`, `contact` and `damping` where they are not given, and removes
/// the name. None of its stiffness is used if one of EI, GJ, young, shear and poisson is given,
/// none of its damping if any is given, and no length of its section if `section` is. Throws
/// ConfigError if the name is not known.
void FillMaterial(toml::table* tables);

}  // namespace strand
