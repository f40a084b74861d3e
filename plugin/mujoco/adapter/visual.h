// Colours links with overlay geoms, since MuJoCo draws the scene from mjModel, which a plugin must
// not modify.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::mujoco {

/// Adds a slightly larger copy of the geom, coloured from blue (heat 0) over green to red (1). Adds
/// nothing if `geom` is -1, the geom is not shown, or the scene is full.
void AddOverlay(const mjModel* m, const mjData* d, const mjvOption* option, int geom, double heat,
                mjvScene* scene);

}  // namespace strand::mujoco
