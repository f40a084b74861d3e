// Stiffness of every joint from the keys: EI and GJ, or moduli and the links' sections.
#pragma once

#include <mujoco/mujoco.h>

#include <span>
#include <vector>

#include "model/config/rod_material.h"
#include "model/energy/rod.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/chain.h"

namespace strand::mujoco {

/// Section of link k, which must not be a clamp: from the key `section`, else a circle of `radius`
/// (m) if > 0, else from the link's geom. Throws ConfigError if none of these gives it.
Section LinkSection(const mjModel* m, const CableAttributes& attributes, const Chain& chain, int k,
                    double radius);

/// One entry per joint. If the two links differ, their halves of the joint act in series. Throws
/// ConfigError that names the key, the value and the allowed counts.
std::vector<RodStiffness> JointStiffnesses(const mjModel* m, const CableAttributes& attributes,
                                           const Chain& chain);

/// Elements of each joint with this stiffness; none if the cable neither yields nor slips. Where
/// the section has a step, the weaker link yields. Throws ConfigError as above.
std::vector<JointSlip> JointSlips(const mjModel* m, const CableAttributes& attributes,
                                  const Chain& chain, std::span<const RodStiffness> stiffness);

}  // namespace strand::mujoco
