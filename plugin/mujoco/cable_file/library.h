// Cables, hoses and wires that people use (strand/materials/cables.toml), by name.
#pragma once

#include <functional>
#include <string_view>

#include "plugin/mujoco/cable_file/toml.h"

namespace strand {

/// The keys of a real cable that complete a description in which `given` is true of the keys that
/// it gives. None of the library's stiffness is used if one of EI, GJ, young, shear and poisson is
/// given, none of its damping if any is given, and no length of its section if `section` is. Throws
/// ConfigError if the name is not known; it names `field`.
toml::table LibraryKeys(const char* field, const toml::node& name,
                        const std::function<bool(std::string_view)>& given);

/// If the table `material` of these tables names a real cable (key `material`), adds these keys to
/// the tables that they belong to, and removes the name.
void FillMaterial(toml::table* tables);

}  // namespace strand
