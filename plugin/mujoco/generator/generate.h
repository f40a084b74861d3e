// Generates cables that use strand.cable: as an mjSpec, as MJCF text, or in an existing scene.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/generator/choices.h"
#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {

/// A model that contains only the cable. `choices`, unless null, is set to what was chosen. Names:
/// bodies <prefix>link<k>, joints <prefix>joint<k>, geoms <prefix>geom<k>, sites <prefix>node<k>
/// and <prefix>site_start, _end, the plugin instance <prefix>rod. Throws ConfigError if the
/// description is invalid.
SpecPtr MakeCable(const CableDescription& cable, Choices* choices);

/// The same as MJCF text, with all digits. Throws ConfigError also if the tree is too deep for
/// MuJoCo's XML reader.
std::string GenerateMjcf(const CableDescription& cable, Choices* choices);

/// Adds the cable to a scene, with its nodes in the frame of `body`. The scene keeps its
/// integrator, step and gravity; its solver tolerance is tightened as light links need. Throws
/// ConfigError and leaves the scene unchanged if the cable is invalid.
void AttachCable(const CableDescription& cable, mjSpec* scene, const std::string& body,
                 Choices* choices);

}  // namespace strand::mujoco
