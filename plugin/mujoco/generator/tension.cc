#include "plugin/mujoco/generator/tension.h"

#include <algorithm>
#include <cmath>

#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {
namespace {

constexpr double kSafety = 2;  // over the bound: tension swings about its mean

}  // namespace

Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, double load_mass) {
  if (cable.max_tension) return {*cable.max_tension, "max_tension"};
  const double length = rod.total_length();
  const double mass_per_length = rod.total_mass() / length;
  const double weight = gravity * mass_per_length * length;
  // A wave travels a link in a step: stable by itself, so that armature for it changes nothing.
  const double link = length / rod.links();
  const double natural = mass_per_length * std::pow(link / timestep, 2);
  const double load = gravity * load_mass;
  if (load > 0 && weight + load > natural) return {weight + load, "what its ends carry"};
  return {std::max(weight, natural), weight > natural ? "its own weight" : "what the step bears"};
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
