// What of a cable touches what: geoms of the links, and pairs that must not collide.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// The geoms of link k: a capsule; of a box section a box; of an ellipse the box and the two
/// capsules of the stadium with its width and height.
void AddGeoms(const Plan& plan, int k, mjsBody* body);

/// Excludes pairs of links that overlap as drawn, or that lie nearer along the rod than they are
/// thick; and links at a held end from colliding with the body that holds it.
void AddExclusions(const Plan& plan, mjSpec* spec);

}  // namespace strand::mujoco
