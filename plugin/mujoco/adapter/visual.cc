#include "plugin/mujoco/adapter/visual.h"

#include <algorithm>
#include <cmath>

#include "plugin/mujoco/adapter/cable.h"
#include "plugin/mujoco/adapter/heat_color.h"
#include "plugin/mujoco/adapter/stiffness.h"

namespace strand::mujoco {
namespace {

constexpr double kOverlay = 1.02;  // size relative to the link's own geom

}  // namespace

void AddOverlay(const mjModel* m, const mjData* d, const mjvOption* option, int geom, double heat,
                mjvScene* scene) {
  if (geom < 0 || scene->ngeom >= scene->maxgeom) return;
  if (!option->geomgroup[std::clamp(m->geom_group[geom], 0, mjNGROUP - 1)]) return;
  mjtNum size[3];
  float rgba[4];
  HeatColor(heat, rgba);
  mju_scl3(size, m->geom_size + 3 * geom, kOverlay);
  mjvGeom* overlay = scene->geoms + scene->ngeom;
  mjv_initGeom(overlay, m->geom_type[geom], size, d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom,
               rgba);
  overlay->objtype = mjOBJ_GEOM, overlay->objid = geom;
  overlay->category = mjCAT_DYNAMIC;
  overlay->segid = scene->ngeom++;
}

void Cable::Visualize(const mjModel* m, const mjData* d, const mjvOption* option, mjvScene* scene) {
  if (!color_range_) return;
  const RodEnergy energy = Evaluate(m, d, &read_, true);
  if (!std::isfinite(energy.bend + energy.twist)) return;
  const auto [lower, upper] = *color_range_;
  for (int k = 0; k < chain_.links(); ++k) {
    if (chain_.is_point(k)) continue;
    double von_mises = 0;
    const int joints = rest_.joints();
    for (int joint : {k > 0 ? k - 1 : (rest_.closed ? joints - 1 : -1), k < joints ? k : -1}) {
      if (joint < 0) continue;
      const auto [bending, torsion] = Stress(joint, k);
      von_mises = std::max(von_mises, VonMisesStress(bending, torsion, 0));
    }
    double half_size[3];
    AddOverlay(m, d, option, LinkGeom(m, chain_.body[k], half_size),
               (von_mises - lower) / (upper - lower), scene);
  }
}

}  // namespace strand::mujoco
