#include "plugin/mujoco/generator/recipe.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/config/error.h"
#include "model/energy/wide_terms.h"
#include "plugin/mujoco/adapter/attributes.h"
#include "plugin/mujoco/adapter/constraint_solver.h"
#include "plugin/mujoco/adapter/taut.h"
#include "plugin/mujoco/description/check.h"

namespace strand::mujoco {
namespace {

constexpr double kLargestStep = 0.002;  // s: MuJoCo's own default
// Elastic energy (J/kg) that no material can store: rubber and spring steel break before.
constexpr double kBreakingEnergy = 5e3;
// Distance that the cable may move in a step, relative to a link's length. Faster motion turns
// links by angles too large for linearised stiffness and damping.
constexpr double kTravel = 0.25;
constexpr double kArmature = 2;        // of that of backward Euler
constexpr double kEndMobility = 2;     // of a chain, by 1 / m of a link: 1 along it, 4 across one
constexpr double kLeastImpratio = 10;  // from here on, friction creeps by less than .1 mm/s

// By default the root is at an end that is held in place if the other end is free: this needs no
// constraint. Otherwise it is in the middle, which is 3 to 4 times faster. A junction is too light
// for constraints, so that a branch has its root there.
int ChooseRoot(const CableDescription& cable, int links) {
  if (cable.junctions.at_start || cable.ends[0] == EndCondition::kFeed) return 0;
  const bool start = HeldInPlace(cable.ends[0]), end = HeldInPlace(cable.ends[1]);
  if (cable.root == Root::kMiddle) return links / 2;
  if (cable.root == Root::kEnd) return end && !start ? links - 1 : 0;
  const bool other_free = cable.ends[start ? 1 : 0] == EndCondition::kFree;
  if (start == end || !other_free) return links / 2;
  return end ? links - 1 : 0;
}

// beta L of the first bending mode of a straight rod whose ends are clamped, pinned or free
// (Blevins, Formulas for Natural Frequency and Mode Shape, table 8-1).
double FirstMode(const CableDescription& cable) {
  int clamped = 0, pinned = 0;
  for (EndCondition end : cable.ends) {
    const bool turns = end == EndCondition::kBall || end == EndCondition::kPin;
    pinned += turns;
    clamped += !turns && end != EndCondition::kFree;
  }
  if (pinned == 2) return std::numbers::pi;
  if (pinned == 1) return 3.926602;  // both clamped-pinned and pinned-free
  return clamped == 1 ? 1.875104 : 4.730041;
}

// Bending stiffness (N m^2) of a uniform cable with the same compliance about its softer and about
// its stiffer axis.
struct MeanStiffness {
  double softer, stiffer;

  explicit MeanStiffness(const DrawnRod& rod) {
    double length = 0, compliance[2] = {};
    for (size_t i = 0; i < rod.span.size(); ++i) {
      const auto& [softer_EI, stiffer_EI] =
          std::minmax(rod.stiffness[i].EI[0], rod.stiffness[i].EI[1]);
      length += rod.span[i];
      compliance[0] += rod.span[i] / softer_EI;
      compliance[1] += rod.span[i] / stiffer_EI;
    }
    softer = length / compliance[0], stiffer = length / compliance[1];
  }
};

// First bending frequency (rad/s); of a closed cable, the ring's first mode in its plane.
double FirstFrequency(const CableDescription& cable, const DrawnRod& rod, double mean_EI) {
  const double L = rod.total_length();
  const double speed = std::sqrt(mean_EI * L / rod.total_mass());
  if (cable.closed) return std::sqrt(7.2) * speed * std::pow(kTwoPi / L, 2);
  return std::pow(FirstMode(cable) / L, 2) * speed;
}

bool HasKey(const CableDescription& cable, const char* name) {
  return std::any_of(cable.keys.begin(), cable.keys.end(),
                     [&](const auto& key) { return key.first == name; });
}

// Whether at least half of the neighbouring links are equally long.
bool MostlyEven(const std::vector<double>& length) {
  size_t even = 0;
  for (size_t k = 0; k + 1 < length.size(); ++k) even += EquallyLong(length[k], length[k + 1]);
  return 2 * even + 1 >= length.size();
}

bool Slips(const CableDescription& cable) {
  return cable.slip.given() || HasKey(cable, key::kYieldStress) ||
         HasKey(cable, key::kBendElements) || HasKey(cable, key::kTwistElements);
}

// Loads between the ends twist the links about their axes, which only `dynamic` twist resists.
bool DynamicTwist(const CableDescription& cable) {
  return cable.twist == Twist::kDynamic ||
         (cable.twist == Twist::kAuto && !HasKey(cable, key::kHolds));
}

// As the plugin does.
BendAverage AverageOf(const CableDescription& cable) {
  return DynamicTwist(cable) && !Slips(cable) ? BendAverage::kMiddle : BendAverage::kEnergies;
}

// Smooth curvature serves curves that equal links resolve; in chains of few links, as in a finger,
// every joint is a hinge of its own. Plastic hinges and the joint at which a cable leaves its guide
// are no smooth curves.
ChainCurvature ChosenCurvature(const CableDescription& cable, const DrawnRod& rod) {
  constexpr int kFewestLinks = 12;
  if (cable.curvature != Curvature::kAuto) {
    return static_cast<ChainCurvature>(static_cast<int>(cable.curvature) - 1);
  }
  const bool feeds = cable.ends[0] == EndCondition::kFeed;
  const bool smooth = rod.links() >= kFewestLinks && MostlyEven(rod.length) &&
                      !HasKey(cable, key::kLaw) && !Slips(cable) && !feeds;
  return smooth ? ChainCurvature::kSmooth : ChainCurvature::kAngle;
}

// Elastic energy (J) of the initial shape, which is zero if it is the rest shape.
double StoredEnergy(const CableDescription& cable, const DrawnRod& rod) {
  RodParameters parameters;
  const auto [length, frames] = rod.WithPoints();
  parameters.length = length;
  parameters.stiffness = rod.stiffness;
  parameters.closed = cable.closed;
  parameters.rest_straight = cable.rest == RestShape::kStraight;
  parameters.rest_twist = cable.rest_twist;
  const ChainCurvature curvature = ChosenCurvature(cable, rod);
  parameters.measure = MeasureOf(curvature);
  parameters.order = OrderOf(curvature);
  parameters.average = AverageOf(cable);
  const RodRest rest = MakeRodRest(parameters, frames);
  std::vector<double> twists;
  for (int i = 0; i < rest.joints(); ++i) {
    twists.push_back(TwistAngle(frames[i], frames[rest.next(i)]));
  }
  const RodEnergy energy = EvaluateRod(rest, frames, twists, {});
  return energy.bend + energy.twist;
}

// Factor by which the least inertia of a link is raised; 1 if none is raised. Throws ConfigError if
// a link is too light to be a body.
double InertiaFactor(const DrawnRod& rod) {
  constexpr double kLeastMass = 10 * kLeastInertial;  // a clamp's body takes its mass from its link
  double factor = 1;
  for (const PartMass& link : rod.mass) {
    if (link.mass < kLeastMass) {
      throw ConfigError("density", "a link of " + Number(link.mass) + " kg",
                        "links of at least " + Number(kLeastMass) +
                            " kg: a larger radius, density or length of links");
    }
    factor = std::max(factor, kLeastInertial / link.inertia.minCoeff());
  }
  return factor;
}

// Speed (m/s) of the cable after it has fallen by its own length.
double FallSpeed(double gravity, double length) { return std::sqrt(2 * gravity * length); }

// Speed (m/s) that the stored elastic energy gives the cable. Viscous joints release the energy
// more slowly, within the loss time.
double ReleaseSpeed(const CableDescription& cable, const DrawnRod& rod, double loss_time) {
  const double speed = std::sqrt(2 * StoredEnergy(cable, rod) / rod.total_mass());
  return loss_time > 0 ? std::min(speed, 2 * rod.total_length() / loss_time) : speed;
}

double RecommendedStep(double speed, const DrawnRod& rod) {
  const double shortest = *std::min_element(rod.length.begin(), rod.length.end());
  const double step = std::min(kLargestStep, kTravel * shortest / std::max(speed, 1e-9));
  // Rounded down to two digits, for readability.
  const double digit = std::pow(10.0, std::floor(std::log10(step)) - 1);
  return std::floor(step / digit * (1 + 1e-12)) * digit;
}

// Links of half of (EI / q)^(1/3), the length over which a cable bends under its weight q (N/m),
// resolve the coils that it forms on the floor.
int RecommendedLinks(double gravity, const DrawnRod& rod, double mean_EI) {
  const double q = gravity * rod.mass_per_length();
  return std::max(1, static_cast<int>(std::ceil(2 * rod.total_length() * std::cbrt(q / mean_EI))));
}

// A soft chain that falls or snaps to its rest shape cracks like a whip: without stretch or drag
// its last links accelerate without bound, with any integrator. Joints therefore get the damping
// moment m_link L l |w| w, with w their angular speed. It stops the crack, where w is of order
// v / l (v: speed of the end), while smooth motion, with w of order v / L, loses only a fraction of
// order 1 / n^2 of that. With a third of this damping some cables in one tree that swing down from
// the horizontal diverge. A cable in pieces needs less, and its coils close the faster. With
// integrators other than `discrete`, constraints do not take it into account and impacts diverge,
// so that these get still less; so does RK4, which is explicit.
double WhipDamping(const DrawnRod& rod, double mass, const Recipe& recipe) {
  const bool whole = recipe.pieces == 0;
  double part = whole ? 0.5 : 0.1;
  if (recipe.Discrete()) part = whole ? 1 : 0.5;
  if (recipe.RungeKutta()) part = 0.1;
  const double length = rod.total_length();
  return part * mass / rod.links() * length * length / rod.links();
}

// The same where only linear damping can be used: m_link L v / 2. The speed v is that of the
// release plus, for soft cables (q L^3 / EI >> 100), that of the fall.
double LinearWhipDamping(const DrawnRod& rod, double mass, double fall, double release,
                         double mean_EI) {
  const double length = rod.total_length();
  const double weight = 0.5 * mass * fall * fall * length / mean_EI;
  const double speed = release + weight / (weight + 100) * fall;
  return 0.5 * mass / rod.links() * length * speed;
}

// Links that slide under tension rattle: they rock about their contacts at the rate v / l at which
// a wave under tension N crosses a link (v = sqrt(N / m)), and hop, so that friction holds less
// than it should. A joint damping of kRattle m l^2 v prevents this and keeps shaken ropes stable.
// It damps a mode of wavenumber k at the rate kRattle v l^3 k^4 / 2.
double RattleDamping(const DrawnRod& rod, double tension) {
  constexpr double kRattle = 0.5;  // 0.2 suffices for friction, but not on winches or for shaking
  const double m = rod.mass_per_length(), l = rod.total_length() / rod.links();
  return kRattle * m * l * l * std::sqrt(tension / m);
}

// A cable that swings from a ball joint and is not straight also spins about itself, with little
// inertia and therefore fast. MuJoCo integrates gyroscopic forces explicitly, which adds energy: by
// (h s)^2 / 2 of that of the swing in a step h at a spin s. A damping of the ball joint of kSwing
// m g L h outweighs this, and takes from a plane swing the fraction 3 kSwing g h / L per
// second.
double SwingDamping(double gravity, double mass, double length, const Recipe& recipe) {
  const double swing = recipe.Discrete() ? 0.2 : (recipe.pieces > 0 ? 0.5 : 0.8);
  return swing * mass * gravity * length * recipe.timestep;
}

mjtIntegrator ChosenIntegrator(Integrator integrator) {
  switch (integrator) {
    case Integrator::kEuler:
      return mjINT_EULER;
    case Integrator::kImplicit:
      return mjINT_IMPLICIT;
    case Integrator::kImplicitFast:
      return mjINT_IMPLICITFAST;
    case Integrator::kDiscrete:
      if (!kDiscrete) {
        throw ConfigError("integrator", "discrete with " + LoadedMujoco(),
                          "auto, Euler, implicit or implicitfast; MuJoCo has discrete since 3.13");
      }
      return *kDiscrete;
    case Integrator::kAuto:
      break;
  }
  return kDiscrete.value_or(mjINT_EULER);
}

int HeldEnds(const CableDescription& cable) {
  return (cable.ends[0] != EndCondition::kFree) + (cable.ends[1] != EndCondition::kFree);
}

// Whether what holds the cable can pull it taut.
bool CanBeTaut(const CableDescription& cable) { return cable.closed || HeldEnds(cable) == 2; }

// Whether a cable is cut by default. What counts is the depth of the tree, with the longest cable
// joined to it. Without contact one tree is cheapest for longest, with its root in the middle. With
// contact pieces cost up to a third more on a floor, but a tree diverges more often: a thin cable
// that lands sideways rolls by a radian in a step, and a bent tree whirls about that axis. Of
// cables of 12 to 22 links 32 of 120 thrown on a floor diverged, and 13 of 240 shaken over it; in
// pieces 8 and 1. It does not with `implicit`, which solves that whirling: of cables of 12 to 20
// links under pushes of their weight none of 48 diverged, in pieces 8. Rings and cables that are
// held at both ends cost up to six times as much in one tree, and their cuts give way where it
// would shake itself apart.
bool CutsByDefault(const CableDescription& cable, int links, int joined_links,
                   const Recipe& recipe) {
  constexpr int kFewestThatGive = 8;
  const bool taut = CanBeTaut(cable);
  if (taut && links >= kFewestThatGive) return true;
  int fewest = recipe.root == 0 || recipe.root == links - 1 ? 32 : 60;
  if (taut) fewest = 24;
  if (cable.contact.collide) fewest = recipe.integrator == mjINT_IMPLICIT ? 24 : 12;
  return links + joined_links >= fewest;
}

constexpr double kNarrowCut = 2e-3;  // opening of a cut, by a link's length, that is not said

// The widest opening of a cut, by a link's length, for which a cable is cut. One tree costs n^3, so
// that in long cables a cut that opens is the lesser evil.
double WidestCut(int links) {
  constexpr double kWide = 2e-2;
  constexpr double kLong = 64;  // links, from which on one tree costs more than twice as much
  return std::clamp(kNarrowCut * std::pow(links / kLong, 2), kNarrowCut, kWide);
}

// What rules out pieces, or "": RK4 would solve the constraints of the cuts four times a step,
// and those of old versions would let the cuts open.
std::string ObstacleToPieces(const Recipe& recipe) {
  if (!kHasFirmConstraints) return LoadedMujoco();
  return recipe.RungeKutta() ? "RK4" : "";
}

// Chooses whether to split the cable.
void ChoosePieces(const CableDescription& cable, const DrawnRod& rod, int joined_links,
                  double tension, Recipe* recipe) {
  // 5 to 10 links cost the same within a tenth; with contacts fewer are faster, and more stable.
  const int links = rod.links();
  const int per_piece = std::min((links + 1) / 2, cable.contact.collide ? 5 : 8);
  const std::string obstacle = ObstacleToPieces(*recipe);
  if (!obstacle.empty() && cable.pieces.value_or(0) > 0) {
    throw ConfigError("pieces", std::to_string(*cable.pieces) + " with " + obstacle,
                      "auto or none; pieces need MuJoCo >= 3.7 and another integrator than RK4");
  }
  const bool feeds = cable.ends[0] == EndCondition::kFeed;
  const bool pays = obstacle.empty() && cable.root == Root::kAuto && !feeds &&
                    CutsByDefault(cable, links, joined_links, *recipe);
  const bool wanted = cable.pieces ? *cable.pieces > 0 : pays;
  recipe->cut_opening =
      CutOpening(recipe->Discrete(), tension, rod.total_mass() / links, recipe->timestep);
  const double opening = recipe->cut_opening * links / rod.total_length();
  recipe->pieces = cable.pieces.value_or(wanted && opening <= WidestCut(links) ? per_piece : 0);
  if (PieceCount(links, recipe->pieces) == 1 && !cable.closed) recipe->pieces = 0;
  recipe->cuts_open = wanted && opening > kNarrowCut;
}

void CheckStored(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene) {
  if (scene || cable.timestep) return;
  const double stored = StoredEnergy(cable, rod) / rod.total_mass();
  if (stored <= kBreakingEnergy) return;
  throw ConfigError(cable.rest == RestShape::kStraight ? "rest" : "rest_twist",
                    "a cable whose initial shape stores " + Number(stored) + " J/kg",
                    "at most 5e3 J/kg, where materials break; or give the timestep");
}

void ChooseSoftness(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene,
                    Recipe* recipe) {
  double thinnest = HUGE_VAL;
  for (const Section& section : rod.section) {
    thinnest = std::min({thinnest, section.half_y, section.half_z});
  }
  recipe->contact = ContactSoftness(recipe->Discrete(), recipe->timestep, thinnest);
  if (cable.contact.solref) recipe->contact.solref = *cable.contact.solref;
  if (cable.contact.solimp) {
    recipe->contact.solimp = {0, 0, 0, kMidpoint, kPower};
    std::copy(cable.contact.solimp->begin(), cable.contact.solimp->end(),
              recipe->contact.solimp.begin());
  }
  recipe->collides = cable.contact.collide;
  // MuJoCo gives every friction cone a coefficient of at least mjMINMU. With that little of it and
  // the pyramidal cone, cables diverge.
  const std::vector<double>& friction = cable.contact.friction;
  recipe->condim = friction[0] > mjMINMU ? cable.contact.condim : 1;
  const auto excluded = [&](size_t part, int least_condim) {
    return friction.size() > part && friction[part] > 0 && recipe->condim < least_condim;
  };
  recipe->friction_unused = excluded(1, 4) || excluded(2, 6);
  recipe->advises_cone =
      scene && (scene->cone != mjCONE_ELLIPTIC || scene->impratio < kLeastImpratio);
  recipe->advises_solver = scene && !SolvesLightLinks(*scene);
  recipe->in_fluid = scene && scene->density > 0;
}

// Tension (N) at which cuts give way: a little below that at which the cable begins to shake, with
// what the integrator solves implicitly, but above what it is made for.
double GiveWay(const CableDescription& cable, const DrawnRod& rod, double given,
               const Recipe& recipe) {
  constexpr double kShakes = 0.7, kReserve = 1.2;
  if (recipe.pieces == 0 || !CanBeTaut(cable)) return HUGE_VAL;
  const double h = recipe.timestep;
  double stable = HUGE_VAL;
  for (size_t i = 0; i < rod.span.size(); ++i) {
    const JointNumerics joint = recipe.Joint(rod, i);
    const double implicit = ImplicitArmature(joint.damping, joint.stiffness, h, recipe.Discrete());
    stable = std::min(
        stable, StableTension(joint.armature + implicit, rod.mass_per_length(), rod.span[i], h));
  }
  const Tension& made_for = recipe.tension;
  const double least = made_for.by_itself ? kSwinging * given : kReserve * made_for.force;
  return std::max(least, kShakes * stable);
}

// By how much bending about the softer axis is too stiff, for the twist of the drawn rod: the mean
// of 1 + (EI_max / EI_min - 1) sin(q / 2)^2 for joints that are twisted by q, where the bending
// energy averages stiffnesses instead of compliances (stencil/bend.h).
double TwistedStiffening(const CableDescription& cable, const DrawnRod& rod) {
  if (AverageOf(cable) == BendAverage::kMiddle) return 1;
  const DrawnRod::Sequence links = rod.WithPoints();
  const size_t joints = rod.stiffness.size();
  double added = 0;
  for (size_t i = 0; i < joints; ++i) {
    const auto& [softer, stiffer] = std::minmax(rod.stiffness[i].EI[0], rod.stiffness[i].EI[1]);
    const Frame& next = links.frame[(i + 1) % links.frame.size()];
    const double own = rod.span[i] / rod.total_length() * cable.rest_twist;
    const double half = 0.5 * (TwistAngle(links.frame[i], next) + own);
    if (softer > 0) added += (stiffer / softer - 1) * std::pow(std::sin(half), 2);
  }
  return joints > 0 ? 1 + added / static_cast<double>(joints) : 1;
}

// Damping ratio of what holds an end, by the holder and the mass of the end link.
double HoldRatio(const Holder& holder, const PartMass& link, const Recipe& recipe) {
  const double late = LateRatio(holder.hidden_mobility * link.mass / kEndMobility);
  return std::max({late, EndRatio(recipe.RungeKutta()), holder.apart ? kApartRatio : 0});
}

// The fraction by which the first bending mode is too slow. A ball joint has one stiffness about
// all its axes, the largest of the rod's; in other directions it is inertia
// (numerical_stiffness.h).
double Slowing(const CableDescription& cable, const DrawnRod& rod, const MeanStiffness& mean,
               const Recipe& recipe) {
  if (recipe.stabilizer == Stabilizer::kNone) return 0;
  const double phase = recipe.timestep * FirstFrequency(cable, rod, mean.softer);
  const double inertia =
      (recipe.Discrete() ? 1 : kArmature) * phase * phase * (mean.stiffer / mean.softer - 1);
  return 1 - 1 / std::sqrt(1 + inertia);
}

// Throws ConfigError if the armature is so much larger than m l^2 of a link that the link's own
// inertia is lost to rounding.
void CheckArmature(const Recipe& recipe, const DrawnRod& rod) {
  constexpr double kMost = 1e8;
  double ratio = 0;
  for (size_t i = 0; i < rod.span.size(); ++i) {
    const PartMass& link = rod.mass[rod.LinkAt(i)];
    ratio = std::max(ratio, recipe.Joint(rod, i).armature / (link.mass * std::pow(rod.span[i], 2)));
  }
  if (ratio < kMost) return;
  throw ConfigError("timestep",
                    Number(recipe.timestep) + " with " + IntegratorName(recipe.integrator) +
                        ", which needs an armature of " + Number(ratio) + " times m l^2 of a link",
                    "less than 1e8 times: a smaller step, integrator = discrete, or a softer or "
                    "heavier cable");
}

}  // namespace

Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod,
                    const Surroundings& surroundings) {
  const mjOption* scene = surroundings.scene;
  Load load = surroundings.load;
  load.mass += surroundings.joined_mass;
  Recipe recipe;
  recipe.root = ChooseRoot(cable, rod.links());
  recipe.dynamic_twist = DynamicTwist(cable);
  recipe.curvature = ChosenCurvature(cable, rod);
  const MeanStiffness mean(rod);
  const double mean_EI = mean.softer;
  recipe.joint_damping = cable.damping.joint.value_or(0);
  recipe.loss_time = cable.damping.loss_time.value_or(0);
  // zeta = tau omega / 2 for a mode whose ratio of viscous to elastic stiffness is tau.
  double first_frequency = 0;  // rad/s
  if (cable.damping.ratio) {
    first_frequency = FirstFrequency(cable, rod, mean_EI);
    recipe.loss_time = 2 * *cable.damping.ratio / first_frequency;
  }
  std::array<double, 3> gravity = cable.gravity;
  if (scene) std::copy(scene->gravity, scene->gravity + 3, gravity.begin());
  const double gravity_norm = std::hypot(gravity[0], gravity[1], gravity[2]);
  const double fall = FallSpeed(gravity_norm, rod.total_length() + surroundings.joined_length);
  const double release = ReleaseSpeed(cable, rod, recipe.loss_time);
  // A released cable keeps whirling about a free joint, where errors add up: hence the factor 4.
  recipe.recommended_timestep =
      std::min(RecommendedStep(fall + 4 * release, rod), surroundings.largest_step);
  recipe.links = rod.links();
  recipe.recommended_links = RecommendedLinks(gravity_norm, rod, mean_EI);
  recipe.integrator =
      scene ? static_cast<mjtIntegrator>(scene->integrator) : ChosenIntegrator(cable.integrator);
  recipe.lacks_discrete = !kDiscrete && !scene && cable.integrator == Integrator::kAuto;
  recipe.timestep = scene ? scene->timestep : cable.timestep.value_or(recipe.recommended_timestep);
  CheckStored(cable, rod, scene);
  // With quasistatic twist links spin freely about their axes, which needs linear damping.
  const double whip = cable.damping.whip;
  const double moving_mass = rod.total_mass() + surroundings.joined_mass;
  const double tension = GivenTension(cable, rod, gravity_norm, load);
  ChoosePieces(cable, rod, surroundings.joined_links, tension, &recipe);
  if (kHasQuadraticDamping && recipe.dynamic_twist) {
    recipe.whip_damping = whip * WhipDamping(rod, moving_mass, recipe);
    recipe.rattle_damping = whip * RattleDamping(rod, tension);
  } else if (!recipe.RungeKutta()) {
    recipe.least_damping = whip * LinearWhipDamping(rod, moving_mass, fall, release, mean_EI);
  }
  if (cable.stabilize) {
    recipe.stabilizer =
        recipe.Discrete() ? Stabilizer::kStiffness : Stabilizer::kStiffnessAndArmature;
    // Backward Euler damps as a loss time of one step does.
    if (recipe.loss_time > 0 && !recipe.RungeKutta()) {
      const bool too_long = recipe.timestep > recipe.loss_time;
      if (too_long && cable.damping.ratio) {
        recipe.overdamping = 0.5 * recipe.timestep * first_frequency;
      } else if (too_long) {
        recipe.least_loss_time = recipe.timestep;
      }
      recipe.loss_time = std::max(0.0, recipe.loss_time - recipe.timestep);
    }
    recipe.tension = ExpectedTension(cable, rod, gravity_norm, recipe.timestep, load);
  }
  recipe.slowing = Slowing(cable, rod, mean, recipe);
  recipe.twisted_stiffening = TwistedStiffening(cable, rod);
  recipe.swing_damping = whip * SwingDamping(gravity_norm, moving_mass, rod.total_length(), recipe);
  ChooseSoftness(cable, rod, scene, &recipe);
  recipe.inertia_factor = InertiaFactor(rod);
  recipe.hold_ratio = {HoldRatio(surroundings.holder[0], rod.mass.front(), recipe),
                       HoldRatio(surroundings.holder[1], rod.mass.back(), recipe)};
  CheckArmature(recipe, rod);
  recipe.give_way = GiveWay(cable, rod, tension, recipe);
  return recipe;
}

JointNumerics Recipe::Joint(const DrawnRod& rod, int joint) const {
  const auto& [EI, GJ] = rod.stiffness[joint];
  const double span = rod.span[joint];
  const auto& [softest, stiffest] = std::minmax(EI[0], EI[1]);
  JointNumerics numerics;
  // The stabilizer also damps joints, by h times the rod's own stiffness about each axis.
  const double stabilized = stabilizer == Stabilizer::kNone ? 0 : timestep;
  numerics.damping =
      std::max({joint_damping + loss_time * softest / span, least_damping,
                rattle_damping - stabilized * rod.stiffening[joint] * softest / span});
  numerics.quadratic = whip_damping;
  if (stabilizer == Stabilizer::kNone) return numerics;
  numerics.stiffness = rod.stiffening[joint] * std::max(stiffest, GJ) / span;
  if (stabilizer == Stabilizer::kStiffnessAndArmature) {
    numerics.armature = kArmature * timestep * (numerics.damping + timestep * numerics.stiffness);
  }
  // If constraints do not take the joints' damping into account, impacts and shaken ends need a
  // reserve of twice the tension that the step tolerates.
  const double reserve = stabilizer == Stabilizer::kStiffnessAndArmature ? 2 : 0;
  numerics.armature += TensionArmature((tension.by_itself ? reserve : 1) * tension.force,
                                       rod.mass_per_length(), span, timestep);
  return numerics;
}

}  // namespace strand::mujoco
