// Contact of a cable: geoms of the links, and pairs that must not collide.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// Adds the geoms of link k: a capsule; for a box section a box; for an ellipse a box and two
/// capsules, the stadium with the ellipse's width and height.
void AddGeoms(const Plan& plan, int k, mjsBody* body);

/// Excludes pairs of links that overlap in the initial shape, or whose distance along the rod is at
/// most their thickness; and pairs of a link at a held end, or one that begins inside the bodies
/// that hold it, and these bodies; of a cable that is fed, all links, since they come out of them.
void AddExclusions(const Plan& plan, mjSpec* spec);

/// Excludes pairs of links of two cables of a description that overlap in the initial shape.
void ExcludeBetween(const Plan& a, const Plan& b, mjSpec* spec);

/// Excludes pairs of a link at the start of a branch and the bodies that hold the end of the cable
/// on which it starts.
void ExcludeHolder(const Plan& on, int side, const Plan& branch, mjSpec* spec);

}  // namespace strand::mujoco
