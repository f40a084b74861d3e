#include "plugin/mujoco/generator/tension.h"

#include <algorithm>

#include "plugin/mujoco/adapter/taut.h"
#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {
double GivenTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                    double load_mass) {
  return cable.max_tension.value_or(gravity * (rod.total_mass() + load_mass));
}

Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, double load_mass) {
  const double natural =
      NaturalTension(rod.mass_per_length(), rod.total_length() / rod.links(), timestep);
  const double given = GivenTension(cable, rod, gravity, load_mass);
  if (cable.max_tension) return {given, given <= natural, "max_tension"};
  if (given <= natural)
    return {natural, true, "the limit of this step; a higher one takes max_tension"};
  return {given, false, load_mass > 0 ? "the weight of the cable and its loads" : "its own weight"};
}

double HeaviestTree(const mjSpec* scene, const std::array<std::string, 2>& bodies) {
  const SpecPtr copy(mj_copySpec(scene));
  const ModelPtr model(copy ? mj_compile(copy.get(), nullptr) : nullptr);
  if (!model) return 0;
  double heaviest = 0;
  for (const std::string& name : bodies) {
    const int body = mj_name2id(model.get(), mjOBJ_BODY, name.c_str());
    if (body < 0 || model->body_weldid[body] == 0) continue;
    heaviest = std::max(heaviest, model->body_subtreemass[model->body_rootid[body]]);
  }
  return heaviest;
}

}  // namespace strand::mujoco
