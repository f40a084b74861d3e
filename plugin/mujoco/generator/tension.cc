#include "plugin/mujoco/generator/tension.h"

#include <algorithm>
#include <cmath>

#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {
namespace {

constexpr double kSafety = 2;  // over the bound of h^4 N^2: tension swings about its mean

// Tension (N) up to which links are stable without armature: their waves travel less than a link in
// a step.
double NaturalTension(double mass_per_length, double span, double timestep) {
  return mass_per_length * std::pow(span / timestep, 2) / std::sqrt(kSafety);
}

}  // namespace

Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, double load_mass) {
  const double length = rod.total_length();
  const double natural = NaturalTension(rod.total_mass() / length, length / rod.links(), timestep);
  if (cable.max_tension) {
    return {*cable.max_tension, *cable.max_tension <= natural, "max_tension"};
  }
  const double carried = gravity * (rod.total_mass() + load_mass);
  if (carried <= natural) return {natural, true, "what this step tolerates; for more: max_tension"};
  return {carried, false, load_mass > 0 ? "what its ends carry" : "its own weight"};
}

double TensionArmature(double tension, double mass_per_length, double span, double timestep) {
  return kSafety * std::pow(timestep, 4) * tension * tension / (64 * mass_per_length * span);
}

double TreeMass(const mjSpec* scene, const std::string& name) {
  const SpecPtr copy(mj_copySpec(scene));
  const ModelPtr model(copy ? mj_compile(copy.get(), nullptr) : nullptr);
  if (!model) return 0;
  const int body = mj_name2id(model.get(), mjOBJ_BODY, name.c_str());
  if (body < 0 || model->body_weldid[body] == 0) return 0;
  return model->body_subtreemass[model->body_rootid[body]];
}

}  // namespace strand::mujoco
