// The links of a piece of a cable as a tree of bodies: inertia, joints, geoms, sites.
#pragma once

#include <mujoco/mujoco.h>

#include "plugin/mujoco/generator/plan.h"

namespace strand::mujoco {

/// Adds the links of a piece below `parent` (the carrier if the tree holds an end, else the world)
/// and returns the root link, or the reel that it slides on.
mjsBody* AddTree(const Plan& plan, const Piece& piece, mjsBody* parent);

/// Sets a position and orientation.
void SetPose(const Pose& pose, double pos[3], double quat[4]);

}  // namespace strand::mujoco
