#include "plugin/mujoco/generator/tension.h"

#include <algorithm>
#include <cmath>

#include "plugin/mujoco/generator/handles.h"

namespace strand::mujoco {
namespace {

constexpr double kSafety = 2;  // factor on the bound for h^4 N^2: tension oscillates about its mean

// Tension (N) up to which the chain is stable without armature: waves then travel less than a link
// in a step.
double NaturalTension(double mass_per_length, double span, double timestep) {
  return mass_per_length * std::pow(span / timestep, 2) / std::sqrt(kSafety);
}

}  // namespace

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

double TensionArmature(double tension, double mass_per_length, double span, double timestep) {
  return kSafety * std::pow(timestep, 4) * tension * tension / (64 * mass_per_length * span);
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
