#include "plugin/mujoco/generator/recipe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "model/config/error.h"
#include "plugin/mujoco/generator/check.h"

namespace strand::mujoco {
namespace {

constexpr double kLargestStep = 0.002;  // s: MuJoCo's own default
// Of a link's length: how far a falling cable may move in a step. Fast swings turn links by
// large angles, which no linearised stiffness or damping foresees.
constexpr double kTravel = 0.4;
constexpr double kGravity = 9.81;  // m/s^2

bool HeldInPlace(EndCondition end) {
  return end == EndCondition::kFixed || end == EndCondition::kBall;
}

// Where both ends are free, or held by constraints alike, the middle is 3 to 4 times faster; one
// end that is held in place makes a root without constraints.
int ChooseRoot(const CableDescription& cable, int links) {
  const bool start = HeldInPlace(cable.ends[0]), end = HeldInPlace(cable.ends[1]);
  if (cable.root == Root::kMiddle) return links / 2;
  if (cable.root == Root::kEnd) return end && !start ? links - 1 : 0;
  const bool other_free = cable.ends[start ? 1 : 0] == EndCondition::kFree;
  if (start == end || !other_free) return links / 2;
  return end ? links - 1 : 0;
}

// beta L of the first bending mode of a straight rod with such ends (Blevins, Formulas for
// Natural Frequency and Mode Shape, table 8-1); clamped, pinned or free.
double FirstMode(const CableDescription& cable) {
  int clamped = 0, pinned = 0;
  for (EndCondition end : cable.ends) {
    const bool turns = end == EndCondition::kBall || end == EndCondition::kPin;
    pinned += turns;
    clamped += !turns && end != EndCondition::kFree;
  }
  if (pinned == 2) return std::numbers::pi;
  if (pinned == 1) return 3.926602;  // clamped-pinned and pinned-free alike
  return clamped == 1 ? 1.875104 : 4.730041;
}

// First bending frequency (rad/s); of a closed cable, the ring's first mode in its plane.
double FirstFrequency(const CableDescription& cable, const DrawnRod& rod) {
  double length = 0, compliance = 0;
  for (size_t i = 0; i < rod.span.size(); ++i) {
    const auto& EI = rod.stiffness[i].EI;
    length += rod.span[i];
    compliance += rod.span[i] / std::min(EI[0], EI[1]);
  }
  const double speed = std::sqrt(length / compliance / (cable.density * rod.section.area));
  const double L = rod.total_length();
  if (cable.closed) return std::sqrt(7.2) * speed * std::pow(kTwoPi / L, 2);
  return std::pow(FirstMode(cable) / L, 2) * speed;
}

double RecommendedStep(const CableDescription& cable, const DrawnRod& rod) {
  const double g = std::hypot(cable.gravity[0], cable.gravity[1], cable.gravity[2]);
  const double speed = std::sqrt(2 * std::max(g, kGravity) * rod.total_length());
  const double shortest = *std::min_element(rod.length.begin(), rod.length.end());
  const double step = std::min(kLargestStep, kTravel * shortest / speed);
  // Two digits, rounded down: a number to read.
  const double digit = std::pow(10.0, std::floor(std::log10(step)) - 1);
  return std::floor(step / digit * (1 + 1e-12)) * digit;
}

mjtIntegrator ChosenIntegrator(Integrator integrator) {
  switch (integrator) {
    case Integrator::kEuler:
      return mjINT_EULER;
    case Integrator::kImplicitFast:
      return mjINT_IMPLICITFAST;
    case Integrator::kDiscrete:
    case Integrator::kAuto:
      break;
  }
  return mjINT_DISCRETE;  // every version that adapters are built for has it (MuJoCo >= 3.13)
}

const char* IntegratorName(mjtIntegrator integrator) {
  switch (integrator) {
    case mjINT_EULER:
      return "Euler";
    case mjINT_RK4:
      return "RK4";
    case mjINT_IMPLICIT:
      return "implicit";
    case mjINT_IMPLICITFAST:
      return "implicitfast";
    default:
      return "discrete";
  }
}

}  // namespace

bool HeldByTree(const CableDescription& cable, int side, int root, int links) {
  return root == (side ? links - 1 : 0) && HeldInPlace(cable.ends[side]);
}

Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene) {
  Recipe recipe;
  recipe.root = ChooseRoot(cable, rod.links());
  recipe.dynamic_twist =
      cable.twist == Twist::kDynamic || (cable.twist == Twist::kAuto && !rod.isotropic);
  const double recommended = RecommendedStep(cable, rod);
  recipe.integrator =
      scene ? static_cast<mjtIntegrator>(scene->integrator) : ChosenIntegrator(cable.integrator);
  recipe.timestep = scene ? scene->timestep : cable.timestep.value_or(recommended);
  if (cable.stabilize && recipe.integrator != mjINT_RK4) {
    recipe.stabilizer = recipe.Discrete() ? Stabilizer::kJointStiffness : Stabilizer::kJointDamping;
  }
  recipe.joint_damping = cable.damping.joint.value_or(0);
  recipe.loss_time = cable.damping.loss_time.value_or(0);
  // zeta = tau omega / 2 of a mode with viscous and elastic moments in the ratio tau.
  if (cable.damping.ratio) recipe.loss_time = 2 * *cable.damping.ratio / FirstFrequency(cable, rod);
  recipe.recommended_timestep = recommended;
  return recipe;
}

std::string Recipe::Text() const {
  char text[400];
  const char* means = "no numerical stiffness: a stiff cable needs a small step";
  if (stabilizer == Stabilizer::kJointStiffness) {
    means = "joints carry stiffness EI/l, which the force does not see (stabilizer)";
  } else if (stabilizer == Stabilizer::kJointDamping) {
    means = "joints carry damping h EI/l and the armature of backward Euler";
  }
  std::snprintf(text, sizeof(text), "root at link %d; twist %s; integrator %s, step %.4g ms; %s",
                root, dynamic_twist ? "dynamic" : "quasistatic", IntegratorName(integrator),
                1e3 * timestep, means);
  std::string said = text;
  if (timestep > recommended_timestep * (1 + 1e-9)) {
    std::snprintf(text, sizeof(text), "; steps up to %.4g ms are recommended",
                  1e3 * recommended_timestep);
    said += text;
  }
  return said;
}

double Recipe::JointStiffness(const strand::JointStiffness& stiffness, double span) const {
  const double bend = std::max(stiffness.EI[0], stiffness.EI[1]);
  return (dynamic_twist ? std::max(bend, stiffness.GJ) : bend) / span;
}

double Recipe::JointDamping(const strand::JointStiffness& stiffness, double span) const {
  const double bend = std::max(stiffness.EI[0], stiffness.EI[1]);
  const double numerical =
      stabilizer == Stabilizer::kJointDamping ? timestep * JointStiffness(stiffness, span) : 0;
  return joint_damping + loss_time * bend / span + numerical;
}

double Recipe::JointArmature(const strand::JointStiffness& stiffness, double span) const {
  return stabilizer == Stabilizer::kJointDamping ? timestep * JointDamping(stiffness, span) : 0;
}

}  // namespace strand::mujoco
