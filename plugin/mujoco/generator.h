// MJCF generator: makes a capsule chain that strand.cable drives, as an mjSpec.
#pragma once

#include <mujoco/mujoco.h>

#include <memory>
#include <string>

#include "plugin/mujoco/cable_description.h"

namespace strand::mujoco {

struct DeleteSpec {
  void operator()(mjSpec* spec) const { mj_deleteSpec(spec); }
};
using SpecPtr = std::unique_ptr<mjSpec, DeleteSpec>;

/// A model with the one cable in it. Masses and inertias are those of the true cylinder: the
/// links add up to density * area * length; end caps collide but weigh nothing. Bodies are named
/// <prefix>link<k>, joints <prefix>joint<k>, sites at the two ends <prefix>site_start, _end.
/// Throws ConfigError on a bad description.
SpecPtr MakeCable(const CableDescription& cable);

/// The same as MJCF text, with all digits. Throws ConfigError, too, where MuJoCo's XML reader
/// would refuse the depth of the tree.
std::string GenerateMjcf(const CableDescription& cable);

}  // namespace strand::mujoco
