// The generator's choices: root, twist, damping, integrator, time step, and the numerical stiffness
// that makes large steps possible for stiff cables; and their description in words.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <cmath>
#include <string>

#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/adapter/softness.h"
#include "plugin/mujoco/description/rod.h"
#include "plugin/mujoco/generator/choices.h"
#include "plugin/mujoco/generator/pieces.h"
#include "plugin/mujoco/generator/tension.h"

namespace strand::mujoco {

/// How joints are kept stable at large steps (plugin/mujoco/README.md, "Large steps"): by a
/// stiffness that the plugin cancels, and by armature where the integrator does not solve it
/// implicitly.
enum class Stabilizer { kNone, kStiffness, kStiffnessAndArmature };

/// Passive properties of one ball joint.
struct JointNumerics {
  double damping = 0;    ///< N m s/rad
  double quadratic = 0;  ///< damping by the squared speed (N m s^2/rad^2)
  double stiffness = 0;  ///< cancelled by the plugin (N m/rad): the largest of EI / l and GJ / l
  /// Gives the mass matrix of backward Euler (kg m^2), which MuJoCo's constraints and contacts take
  /// into account, unlike implicit damping. It is twice the value of linear theory: with 1.5 times
  /// it, twice as many of the cables that fall on something diverge.
  double armature = 0;
};

const char* IntegratorName(mjtIntegrator integrator);

struct Recipe {
  int root = 0;            ///< link at the root of the kinematic tree, if there is only one
  int pieces = 0;          ///< links per kinematic tree; 0: the whole cable is one tree
  double cut_opening = 0;  ///< m: of cuts between trees, under the tension
  bool cuts_open = false;  ///< far enough to be said, whether the cable is split or not
  bool dynamic_twist = false;
  ChainCurvature curvature = ChainCurvature::kAngle;
  mjtIntegrator integrator = mjINT_EULER;
  bool lacks_discrete = false;  ///< `discrete` would be chosen if this MuJoCo had it
  double timestep = 0.002;      ///< s
  double recommended_timestep = 0.002;
  /// Links of the cable, and the fewest that resolve bending under its weight.
  int links = 0, recommended_links = 0;
  Stabilizer stabilizer = Stabilizer::kNone;
  double joint_damping = 0;  ///< of each joint (N m s/rad)
  double loss_time = 0;      ///< s: adds tau EI / l to each joint's damping
  /// Quadratic damping of each joint (N m s^2/rad^2), which keeps soft cables from whipping. If
  /// MuJoCo's damping is linear or twist quasistatic, `least_damping` (N m s/rad) replaces it.
  double whip_damping = 0;
  double least_damping = 0;
  /// Least damping of each joint, with the stabilizer's, against rattling (N m s/rad).
  double rattle_damping = 0;
  double slowing = 0;  ///< fraction by which the first mode about the softer axis is too slow
  double twisted_stiffening = 1;  ///< factor of the stiffness about the softer axis, by its twist
  double overdamping = 0;  ///< damping ratio by the step alone, if it exceeds damping_ratio; else 0
  double least_loss_time = 0;  ///< s: by the step alone, if it exceeds loss_time; else 0
  double swing_damping = 0;    ///< of a ball joint that holds an end (N m s/rad)
  Tension tension;
  std::array<double, 2> hold_ratio{};  ///< damping ratios of what holds the ends (softness.h)
  double give_way = HUGE_VAL;          ///< N: tension at which cuts open, before the cable shakes
  bool collides = true;
  Softness contact;
  int condim = 3;                ///< dimension of the friction cone
  bool advises_cone = false;     ///< friction creeps with the scene's cone or impratio
  bool friction_unused = false;  ///< spinning or rolling friction is given, which condim excludes
  bool advises_solver = false;   ///< the scene's solver may not solve contacts of light links
  bool in_fluid = false;         ///< MuJoCo's fluids lack buoyancy, and their drag depends on links
  /// Factor by which the least inertia of a link is raised, so that MuJoCo accepts it.
  double inertia_factor = 1;

  /// The choices as data, with their text.
  Choices Summary() const;

  /// Properties of a joint, by its index in DrawnRod::stiffness.
  JointNumerics Joint(const DrawnRod& rod, int joint) const;

  bool Discrete() const { return integrator == kDiscrete; }
  bool RungeKutta() const { return integrator == mjINT_RK4; }

 private:
  std::string Text(const Choices& choices) const;
};

/// The body of a scene to which an end is tied, at qpos0.
struct Holder {
  double hidden_mobility = 0;  ///< 1/kg (holder.h)
  bool apart = false;          ///< the end is drawn elsewhere
};

/// What else a cable's recipe depends on.
struct Surroundings {
  const mjOption* scene = nullptr;  ///< of an existing scene, which are kept; null: its own
  Load load;                        ///< the largest on an end
  std::array<Holder, 2> holder;     ///< of ends that are tied to bodies
  double joined_mass = 0;           ///< kg: of the cables joined to it that it carries
  double joined_length = 0;         ///< m: of the longest cable joined to it by branches
  int joined_links = 0;             ///< the most of a cable joined to it
  double largest_step = HUGE_VAL;   ///< s: recommended for all joined cables
};

/// Throws ConfigError if no stable recipe exists.
Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod,
                    const Surroundings& surroundings);

}  // namespace strand::mujoco
