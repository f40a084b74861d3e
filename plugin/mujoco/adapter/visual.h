// Colours on links: overlay geoms, since MuJoCo draws the scene from mjModel and a plugin must not
// write there.
#pragma once

#include <mujoco/mujoco.h>

namespace strand::mujoco {

/// Adds a copy of the geom, a touch larger, coloured from blue (heat 0) over green to red (1);
/// nothing where there is no such geom (-1), it is not shown, or the scene is full.
void AddOverlay(const mjModel* m, const mjData* d, const mjvOption* option, int geom, double heat,
                mjvScene* scene);

}  // namespace strand::mujoco
