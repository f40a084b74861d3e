// A recipe in words, and as data.
#include <cmath>
#include <cstdio>

#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/generator/recipe.h"

namespace strand::mujoco {
namespace {

constexpr double kVisiblySlow = 0.02;  // fraction of a frequency
constexpr double kVisiblyStiff = 1.1;  // of the rod's own stiffness

// printf to a string.
template <class... Values>
std::string Format(const char* format, Values... values) {
  std::string text(std::snprintf(nullptr, 0, format, values...), '\0');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

}  // namespace

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

Choices Recipe::Summary() const {
  Choices choices;
  choices.root = root;
  choices.pieces = pieces;
  choices.twist = dynamic_twist ? "dynamic" : "quasistatic";
  choices.curvature = kChainCurvatureNames[static_cast<int>(curvature)];
  choices.integrator = IntegratorName(integrator);
  choices.timestep = timestep;
  choices.recommended_timestep = recommended_timestep;
  choices.recommended_links = recommended_links;
  choices.max_tension = tension.force;
  choices.give_way = give_way;
  choices.contact_solref = contact.solref;
  choices.contact_solimp = contact.solimp;
  const Softness hold = HoldSoftness(Discrete(), timestep, EndRatio(RungeKutta()));
  choices.hold_solref = hold.solref;
  choices.hold_solimp = hold.solimp;
  choices.hold_torquescale = kTorqueScale;
  choices.text = Text(choices);
  return choices;
}

std::string Recipe::Text(const Choices& choices) const {
  const char* method = "no numerical stiffness: a stiff cable needs a small step";
  if (stabilizer == Stabilizer::kStiffness) {
    method = "joints carry stiffness EI/l, which the plugin cancels in the force (stabilizer)";
  } else if (stabilizer == Stabilizer::kStiffnessAndArmature) {
    method =
        "joints carry stiffness EI/l, which the plugin cancels in the force (stabilizer), and the "
        "armature of backward Euler";
  }
  const std::string reason = lacks_discrete ? " (" + LoadedMujoco() + " has no discrete)" : "";
  std::string said = pieces > 0 ? Format("trees of %d links, cut through links", pieces)
                                : Format("root at link %d", root);
  if (cuts_open) {
    said += Format(pieces > 0 ? ", which tension opens by up to %.2g mm"
                              : ", not cut, since tension would open the cuts by %.2g mm",
                   1e3 * cut_opening);
  }
  said += Format("; twist %s; curvature %s; integrator %s%s, step %.4g ms; %s",
                 choices.twist.c_str(), choices.curvature.c_str(), choices.integrator.c_str(),
                 reason.c_str(), 1e3 * timestep, method);
  if (stabilizer != Stabilizer::kNone) {
    said += Format("; stable up to %.3g N of tension (%s)", tension.force, tension.reason.c_str());
    if (std::isfinite(give_way)) said += Format("; cuts open beyond about %.2g N", give_way);
  }
  if (timestep > recommended_timestep * (1 + 1e-9)) {
    said += Format("; steps up to %.4g ms are recommended", 1e3 * recommended_timestep);
  }
  if (slowing > kVisiblySlow) {
    const auto inertia = [](double slowed) { return std::pow(1 - slowed, -2) - 1; };
    said += Format(
        "; bending about the softer axis is slowed, its first mode by %.2g %%, since it is much "
        "stiffer across (steps of %.2g ms: %.2g %%)",
        100 * slowing, 1e3 * timestep * std::sqrt(inertia(kVisiblySlow) / inertia(slowing)),
        100 * kVisiblySlow);
  }
  if (twisted_stiffening > kVisiblyStiff) {
    const double coarse = std::sqrt((twisted_stiffening - 1) / (kVisiblyStiff - 1));
    said += Format(
        "; its links are so twisted that it bends about the softer axis as if %.2g times as stiff "
        "(with %.0f links %.2g times)",
        twisted_stiffening, std::ceil(coarse * links) + 1, kVisiblyStiff);
  }
  if (overdamping > 0) {
    said += Format(
        "; the step alone damps the first bending mode by the ratio %.2g, more than damping_ratio "
        "(less in proportion to the step)",
        overdamping);
  }
  if (least_loss_time > 0) {
    said +=
        Format("; the step alone damps bending as a loss_time of %.3g ms", 1e3 * least_loss_time);
  }
  if (links < recommended_links) {
    said += Format("; %d links or more would resolve the coils it forms under its own weight",
                   recommended_links);
  }
  if (inertia_factor > 1) {
    said += Format(
        "; links' inertia is raised up to %.3g times, to the %.0e kg m^2 that MuJoCo needs (masses "
        "and static shapes are exact)",
        inertia_factor, kLeastInertial);
  }
  if (advises_solver) {
    said +=
        "; use option solver Newton, iterations 100: CG, PGS and few iterations leave constraints "
        "of light links unsolved";
  }
  if (in_fluid) {
    said +=
        "; in the scene's fluid: no buoyancy (gravcomp of the links gives it), and drag along the "
        "cable counts the end of every link";
  }
  if (!collides) return said;
  said += Format("; contacts: solref %.4g %.4g, solimp %.4g %.4g %.4g %.4g %.4g", contact.solref[0],
                 contact.solref[1], contact.solimp[0], contact.solimp[1], contact.solimp[2],
                 contact.solimp[3], contact.solimp[4]);
  if (kSpeculative) said += ", flag speculative";
  if (friction_unused) {
    said +=
        "; spinning friction takes condim 4 or 6, rolling friction 6, and both take sliding "
        "friction";
  }
  if (advises_cone) said += "; against creeping friction: option cone elliptic, impratio 10 to 20";
  return said;
}

}  // namespace strand::mujoco
