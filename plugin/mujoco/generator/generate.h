// Makes cables that strand.cable drives: as an mjSpec, as MJCF text, or in a scene that is there.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/generator/choices.h"
#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {

/// A model with the one cable in it. `choices`, unless null, gets what the generator chose. Names:
/// bodies <prefix>link<k>, joints <prefix>joint<k>, geoms <prefix>geom<k>, sites <prefix>node<k>
/// and <prefix>site_start, _end, the plugin instance <prefix>rod. Throws ConfigError on a bad
/// description.
SpecPtr MakeCable(const CableDescription& cable, Choices* choices);

/// The same as MJCF text, with all digits. Throws ConfigError, too, where MuJoCo's XML reader
/// would refuse the depth of the tree.
std::string GenerateMjcf(const CableDescription& cable, Choices* choices);

/// Adds the cable to a scene, drawn in the frame of `body`, whose integrator, step and gravity
/// stay; its solver's tolerance becomes one that light links need. Throws ConfigError; the scene is
/// then as it was.
void AttachCable(const CableDescription& cable, mjSpec* scene, const std::string& body,
                 Choices* choices);

}  // namespace strand::mujoco
