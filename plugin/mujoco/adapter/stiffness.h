// Stiffness of every joint from the keys: EI and GJ, or moduli and the section of geoms.
#pragma once

#include <mujoco/mujoco.h>

#include <vector>

#include "model/config/rod_material.h"
#include "model/energy/rod.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

/// Section of link k, no clamp: the `section` key's, else from the `radius` key's value if > 0,
/// else from its geom. Throws ConfigError where none tells it.
Section LinkSection(const mjModel* m, const CableAttributes& attributes, const Chain& chain, int k,
                    double radius);

/// One entry per joint. Where two links differ, their halves of the joint act in series. Throws
/// ConfigError that names key, value and allowed counts.
std::vector<RodStiffness> JointStiffnesses(const mjModel* m, const CableAttributes& attributes,
                                           const Chain& chain);

}  // namespace strand::mujoco
