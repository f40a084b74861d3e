#include "plugin/mujoco/generator/recipe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "model/config/error.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

constexpr double kLargestStep = 0.002;  // s: MuJoCo's own default
// Elastic energy (J/kg) that no material stores: rubber and spring steel break before.
constexpr double kBreaks = 5e3;
// Of a link's length: how far the cable may move in a step. Fast swings turn links by large
// angles, which no linearised stiffness or damping foresees.
constexpr double kTravel = 0.25;
constexpr double kLeastImpratio = 10;  // friction that creeps by less than .1 mm/s

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

// Bending stiffness (N m^2) of the uniform cable that is as compliant about its softer axis.
double MeanStiffness(const DrawnRod& rod) {
  double length = 0, compliance = 0;
  for (size_t i = 0; i < rod.span.size(); ++i) {
    const auto& EI = rod.stiffness[i].EI;
    length += rod.span[i];
    compliance += rod.span[i] / std::min(EI[0], EI[1]);
  }
  return length / compliance;
}

// First bending frequency (rad/s); of a closed cable, the ring's first mode in its plane.
double FirstFrequency(const CableDescription& cable, const DrawnRod& rod, double mean_EI) {
  const double L = rod.total_length();
  const double speed = std::sqrt(mean_EI * L / rod.total_mass());
  if (cable.closed) return std::sqrt(7.2) * speed * std::pow(kTwoPi / L, 2);
  return std::pow(FirstMode(cable) / L, 2) * speed;
}

// Elastic energy (J) of the cable as drawn: what a cable with another rest shape starts with.
double StoredEnergy(const CableDescription& cable, const DrawnRod& rod) {
  RodParameters parameters;
  parameters.length = rod.length;
  const std::vector<Frame> frames = rod.JointFrames();
  if (rod.clamped[0]) parameters.length.insert(parameters.length.begin(), 0);
  if (rod.clamped[1]) parameters.length.push_back(0);
  parameters.stiffness = rod.stiffness;
  parameters.closed = cable.closed;
  parameters.rest_straight = cable.rest == RestShape::kStraight;
  parameters.rest_twist = cable.rest_twist;
  parameters.measure = cable.curvature;
  const RodRest rest = MakeRodRest(parameters, frames);
  std::vector<double> twists;
  for (int i = 0; i < rest.joints(); ++i) {
    twists.push_back(TwistAngle(frames[i], frames[rest.next(i)]));
  }
  const RodEnergy energy = EvaluateRod(rest, frames, twists, {});
  return energy.bend + energy.twist;
}

// By what the least inertia of a link is raised; 1 where none is. Throws ConfigError where links
// are too light to be bodies.
double InertiaFactor(const DrawnRod& rod) {
  constexpr double kLeastMass = 10 * kLeastInertial;  // a clamp's body takes its mass from a link's
  double factor = 1;
  for (const PartMass& link : rod.mass) {
    if (link.mass < kLeastMass) {
      throw ConfigError(
          "density", "a link of " + Number(link.mass) + " kg",
          "a radius, density and length of links that make at least " + Number(kLeastMass) + " kg");
    }
    factor = std::max(factor, kLeastInertial / link.inertia.minCoeff());
  }
  return factor;
}

// Speed (m/s) that falling by its own length gives the cable.
double FallSpeed(double gravity, double length) { return std::sqrt(2 * gravity * length); }

// Speed (m/s) that its stored energy gives the cable; viscous joints let it out more slowly, in
// the loss time.
double ReleaseSpeed(const CableDescription& cable, const DrawnRod& rod, double loss_time) {
  const double speed = std::sqrt(2 * StoredEnergy(cable, rod) / rod.total_mass());
  return loss_time > 0 ? std::min(speed, 2 * rod.total_length() / loss_time) : speed;
}

double RecommendedStep(double speed, const DrawnRod& rod) {
  const double shortest = *std::min_element(rod.length.begin(), rod.length.end());
  const double step = std::min(kLargestStep, kTravel * shortest / std::max(speed, 1e-9));
  // Two digits, rounded down: a number to read.
  const double digit = std::pow(10.0, std::floor(std::log10(step)) - 1);
  return std::floor(step / digit * (1 + 1e-12)) * digit;
}

// Links half as long as (EI / q)^(1/3), the length over which a cable's weight q (N/m) bends it,
// resolve the coils that it lays itself in.
int RecommendedLinks(double gravity, const DrawnRod& rod, double mean_EI) {
  const double q = gravity * rod.mass_per_length();
  return std::max(1, static_cast<int>(std::ceil(2 * rod.total_length() * std::cbrt(q / mean_EI))));
}

// A soft chain that falls, or one that snaps to its rest shape, cracks like a whip: without stretch
// or drag its last links run away, with any integrator. Joints therefore lose m_link L l |w| w, w
// their speed: at the scale of a link that stops the crack, where w is of order v / l (v: speed of
// the end), while a smooth motion, of order v / L, loses a part of order 1 / n^2 of that. With a
// third of it some cables that swing down from the horizontal diverge. The constraints of
// integrators other than `discrete` do not see this damping, and impacts diverge with all of it:
// they get half.
double WhipDamping(const DrawnRod& rod, bool discrete) {
  constexpr double kUnseen = 0.5;
  const double length = rod.total_length();
  return (discrete ? 1 : kUnseen) * rod.total_mass() / rod.links() * length * length / rod.links();
}

// The same with linear damping, where MuJoCo has no other: m_link L v / 2, v the speed of the
// release and, as far as the cable is soft (its weight q L^3 / EI >> 100), of the fall.
double LinearWhipDamping(const DrawnRod& rod, double fall, double release, double mean_EI) {
  const double length = rod.total_length(), mass = rod.total_mass();
  const double weight = 0.5 * mass * fall * fall * length / mean_EI;
  const double speed = release + weight / (weight + 100) * fall;
  return 0.5 * mass / rod.links() * length * speed;
}

// Links that slide under tension rattle: they rock about their contacts, at the rate v / l at which
// a wave of the tension N crosses a link (v = sqrt(N / m)), and hop, so that friction holds less
// than it should. A joint damping of kRattle m l^2 v prevents that, and keeps ropes that are shaken
// together. It damps a mode of wavenumber k at the rate kRattle v l^3 k^4 / 2.
double RattleDamping(const DrawnRod& rod, double tension) {
  constexpr double kRattle = 0.5;  // 0.2 is enough for friction, not on winches or for shaking
  const double m = rod.mass_per_length(), l = rod.total_length() / rod.links();
  return kRattle * m * l * l * std::sqrt(tension / m);
}

mjtIntegrator ChosenIntegrator(Integrator integrator) {
  switch (integrator) {
    case Integrator::kEuler:
      return mjINT_EULER;
    case Integrator::kImplicitFast:
      return mjINT_IMPLICITFAST;
    case Integrator::kDiscrete:
      if (!kDiscrete) {
        throw ConfigError("integrator", "discrete with MuJoCo " STRAND_MUJOCO_VERSION,
                          "auto, Euler or implicitfast; MuJoCo has discrete from 3.13 on");
      }
      return *kDiscrete;
    case Integrator::kAuto:
      break;
  }
  return kDiscrete.value_or(mjINT_EULER);
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

bool HasKey(const CableDescription& cable, const char* name) {
  return std::any_of(cable.keys.begin(), cable.keys.end(),
                     [&](const auto& key) { return key.first == name; });
}

// printf into a string.
template <class... Values>
std::string Format(const char* format, Values... values) {
  std::string text(std::snprintf(nullptr, 0, format, values...), '\0');
  std::snprintf(text.data(), text.size() + 1, format, values...);
  return text;
}

void CheckStored(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene) {
  if (scene || cable.timestep) return;
  const double stored = StoredEnergy(cable, rod) / rod.total_mass();
  if (stored <= kBreaks) return;
  throw ConfigError(cable.rest == RestShape::kStraight ? "rest" : "rest_twist",
                    "a cable that stores " + Number(stored) + " J/kg as drawn",
                    "less than 5e3 J/kg, at which materials break; or a timestep of your own");
}

void ChooseSoftness(const CableDescription& cable, const mjOption* scene, Recipe* recipe) {
  recipe->contact = ContactSoftness(recipe->Discrete(), recipe->timestep);
  if (cable.contact.solref) recipe->contact.solref = *cable.contact.solref;
  if (cable.contact.solimp) {
    std::copy(cable.contact.solimp->begin(), cable.contact.solimp->end(),
              recipe->contact.solimp.begin());
  }
  recipe->collides = cable.contact.collide;
  recipe->advises_cone =
      scene && (scene->cone != mjCONE_ELLIPTIC || scene->impratio < kLeastImpratio);
}

// Armature beyond this many times m l^2 leaves of a link's own inertia nothing but rounding errors.
void CheckArmature(const Recipe& recipe, const DrawnRod& rod) {
  constexpr double kMost = 1e8;
  double ratio = 0;
  for (size_t i = 0; i < rod.span.size(); ++i) {
    const PartMass& link = rod.mass[std::min(i, rod.mass.size() - 1)];
    ratio = std::max(ratio, recipe.Joint(rod, i).armature / (link.mass * std::pow(rod.span[i], 2)));
  }
  if (ratio < kMost) return;
  throw ConfigError("timestep",
                    Number(recipe.timestep) + " with " + IntegratorName(recipe.integrator) +
                        ", which takes an armature of " + Number(ratio) + " times m l^2 of a link",
                    "a smaller step, integrator = discrete, a softer or heavier cable: less than "
                    "1e8 times");
}

}  // namespace

bool HeldInPlace(EndCondition end) {
  return end == EndCondition::kFixed || end == EndCondition::kBall;
}

bool HeldByTree(const CableDescription& cable, int side, int root, int links) {
  return root == (side ? links - 1 : 0) && HeldInPlace(cable.ends[side]);
}

Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene,
                    double load_mass) {
  Recipe recipe;
  recipe.root = ChooseRoot(cable, rod.links());
  // Whatever acts between the ends turns links about their axes, and only `dynamic` twist resists.
  recipe.dynamic_twist = cable.twist == Twist::kDynamic ||
                         (cable.twist == Twist::kAuto && !HasKey(cable, key::kHolds));
  const double mean_EI = MeanStiffness(rod);
  recipe.joint_damping = cable.damping.joint.value_or(0);
  recipe.loss_time = cable.damping.loss_time.value_or(0);
  // zeta = tau omega / 2 of a mode with viscous and elastic moments in the ratio tau.
  if (cable.damping.ratio) {
    recipe.loss_time = 2 * *cable.damping.ratio / FirstFrequency(cable, rod, mean_EI);
  }
  std::array<double, 3> gravity = cable.gravity;
  if (scene) std::copy(scene->gravity, scene->gravity + 3, gravity.begin());
  const double gravity_norm = std::hypot(gravity[0], gravity[1], gravity[2]);
  const double fall = FallSpeed(gravity_norm, rod.total_length());
  const double release = ReleaseSpeed(cable, rod, recipe.loss_time);
  // A released cable whirls on about a free joint, where errors add up: four times as careful.
  recipe.recommended_timestep = RecommendedStep(fall + 4 * release, rod);
  recipe.links = rod.links();
  recipe.recommended_links = RecommendedLinks(gravity_norm, rod, mean_EI);
  recipe.integrator =
      scene ? static_cast<mjtIntegrator>(scene->integrator) : ChosenIntegrator(cable.integrator);
  recipe.lacks_discrete = !kDiscrete && !scene && cable.integrator == Integrator::kAuto;
  recipe.timestep = scene ? scene->timestep : cable.timestep.value_or(recipe.recommended_timestep);
  CheckStored(cable, rod, scene);
  // With quasistatic twist links spin freely about their axes, which needs linear damping.
  const double whip = cable.damping.whip;
  if (kHasQuadraticDamping && recipe.dynamic_twist) {
    const double tension = GivenTension(cable, rod, gravity_norm, load_mass);
    recipe.whip_damping = whip * WhipDamping(rod, recipe.Discrete());
    recipe.rattle_damping = whip * RattleDamping(rod, tension);
  } else if (recipe.integrator != mjINT_RK4) {
    recipe.least_damping = whip * LinearWhipDamping(rod, fall, release, mean_EI);
  }
  if (cable.stabilize && recipe.integrator != mjINT_RK4) {
    recipe.stabilizer = recipe.Discrete() ? Stabilizer::kJointStiffness : Stabilizer::kJointDamping;
    recipe.tension = ExpectedTension(cable, rod, gravity_norm, recipe.timestep, load_mass);
  }
  ChooseSoftness(cable, scene, &recipe);
  recipe.inertia_factor = InertiaFactor(rod);
  CheckArmature(recipe, rod);
  return recipe;
}

Choices Recipe::Summary() const {
  Choices choices;
  choices.root = root;
  choices.twist = dynamic_twist ? "dynamic" : "quasistatic";
  choices.integrator = IntegratorName(integrator);
  choices.timestep = timestep;
  choices.recommended_timestep = recommended_timestep;
  choices.recommended_links = recommended_links;
  choices.max_tension = tension.force;
  choices.contact_solref = contact.solref;
  choices.contact_solimp = contact.solimp;
  choices.text = Text(choices);
  return choices;
}

std::string Recipe::Text(const Choices& choices) const {
  const char* means = "no numerical stiffness: a stiff cable needs a small step";
  if (stabilizer == Stabilizer::kJointStiffness) {
    means = "joints carry stiffness EI/l, which the force does not see (stabilizer)";
  } else if (stabilizer == Stabilizer::kJointDamping) {
    means = "joints carry damping h EI/l and the armature of backward Euler";
  }
  const char* why = lacks_discrete ? " (MuJoCo " STRAND_MUJOCO_VERSION " has no discrete)" : "";
  std::string said =
      Format("root at link %d; twist %s; integrator %s%s, step %.4g ms; %s", root,
             choices.twist.c_str(), choices.integrator.c_str(), why, 1e3 * timestep, means);
  if (stabilizer != Stabilizer::kNone) {
    said += Format("; stable up to %.3g N of tension (%s)", tension.force, tension.reason.c_str());
  }
  if (timestep > recommended_timestep * (1 + 1e-9)) {
    said += Format("; steps up to %.4g ms are recommended", 1e3 * recommended_timestep);
  }
  if (links < recommended_links) {
    said += Format("; %d links or more would resolve the coils that its weight lays it in",
                   recommended_links);
  }
  if (inertia_factor > 1) {
    said += Format(
        "; links' inertia is raised up to %.3g times, to the %.0e kg m^2 that MuJoCo needs (masses "
        "and shapes at rest are exact)",
        inertia_factor, kLeastInertial);
  }
  if (!collides) return said;
  said += Format("; contacts: solref %.4g %.4g, solimp %.4g %.4g %.4g", contact.solref[0],
                 contact.solref[1], contact.solimp[0], contact.solimp[1], contact.solimp[2]);
  if (advises_cone) said += "; where friction must hold: option cone elliptic, impratio 10 to 20";
  return said;
}

JointNumerics Recipe::Joint(const DrawnRod& rod, int joint) const {
  const auto& [EI, GJ] = rod.stiffness[joint];
  const double span = rod.span[joint], bend = std::max(EI[0], EI[1]);
  const double stiffness = rod.stiffening[joint] * std::max(bend, GJ) / span;
  JointNumerics numerics;
  // The stabilizer damps joints, too: explicitly, or as the implicit solution of a spring does.
  const double implicit = stabilizer == Stabilizer::kNone ? 0 : timestep * stiffness;
  numerics.damping =
      std::max({joint_damping + loss_time * bend / span, least_damping, rattle_damping - implicit});
  numerics.quadratic = whip_damping;
  if (stabilizer == Stabilizer::kJointStiffness) numerics.stiffness = stiffness;
  if (stabilizer == Stabilizer::kJointDamping) {
    numerics.damping += implicit;
    numerics.armature = 2 * timestep * numerics.damping;
  }
  if (stabilizer == Stabilizer::kNone) return numerics;
  // Where constraints do not see the joints' damping, impacts and ends that are shaken want a
  // reserve of twice the tension that the step tolerates.
  const double reserve = stabilizer == Stabilizer::kJointDamping ? 2 : 0;
  numerics.armature += TensionArmature((tension.by_itself ? reserve : 1) * tension.force,
                                       rod.mass_per_length(), span, timestep);
  return numerics;
}

}  // namespace strand::mujoco
