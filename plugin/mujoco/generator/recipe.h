// What the generator chooses: root, twist, damping, integrator, step, and the numerical stiffness
// that lets a stiff cable take large steps. It says what it chose.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "plugin/mujoco/adapter/mujoco_versions.h"
#include "plugin/mujoco/description/rod.h"
#include "plugin/mujoco/generator/choices.h"
#include "plugin/mujoco/generator/softness.h"
#include "plugin/mujoco/generator/tension.h"

namespace strand::mujoco {

/// How joints are kept stable at large steps (plugin/mujoco/README.md, "Large steps").
enum class Stabilizer { kNone, kJointStiffness, kJointDamping };

/// Passive properties of one ball joint.
struct JointNumerics {
  double damping = 0;    ///< physical and numerical (N m s/rad)
  double quadratic = 0;  ///< of the speed's square (N m s^2/rad^2)
  double stiffness = 0;  ///< that the plugin cancels (N m/rad): the largest of EI / l and GJ / l
  /// Makes the mass matrix that of backward Euler (kg m^2): unlike implicit damping, MuJoCo's
  /// constraints and contacts see it. Twice as large as linear theory asks for, since the weld of
  /// a stiff cable's clamp is marginal otherwise.
  double armature = 0;
};

struct Recipe {
  int root = 0;  ///< link at the root of the kinematic tree
  bool dynamic_twist = false;
  mjtIntegrator integrator = mjINT_EULER;
  bool lacks_discrete = false;  ///< it would be `discrete`, if this MuJoCo had that
  double timestep = 0.002;      ///< s
  double recommended_timestep = 0.002;
  int links = 0, recommended_links = 0;  ///< drawn; the fewest that resolve how weight bends it
  Stabilizer stabilizer = Stabilizer::kNone;
  double joint_damping = 0;  ///< of each joint (N m s/rad)
  double loss_time = 0;      ///< s: adds tau EI / l to each joint's damping
  /// Of each joint (N m s^2/rad^2): keeps soft cables from whipping. Where MuJoCo's damping is
  /// linear, or twist quasistatic, `least_damping` (N m s/rad) stands for it.
  double whip_damping = 0;
  double least_damping = 0;
  double rattle_damping = 0;  ///< that joints have at least, with the stabilizer's (N m s/rad)
  Tension tension;
  bool collides = true;
  Softness contact;
  bool advises_cone = false;  ///< friction creeps with the scene's cone or impratio
  /// By what the links' least inertia is raised, so that MuJoCo takes it.
  double inertia_factor = 1;

  /// What was chosen, with the text of it.
  Choices Summary() const;

  /// Of a joint, by its index in DrawnRod::stiffness.
  JointNumerics Joint(const DrawnRod& rod, int joint) const;

  bool Discrete() const { return integrator == kDiscrete; }

 private:
  std::string Text(const Choices& choices) const;
};

/// `scene`: options that are already there and are kept, or null where the cable sets its own.
/// `load_mass` (kg): the most that hangs on an end.
Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene,
                    double load_mass);

/// True for an end that is held where it is drawn by what carries the cable.
bool HeldInPlace(EndCondition end);

/// True where the tree itself holds that end of the cable: no equality constraint is needed.
bool HeldByTree(const CableDescription& cable, int side, int root, int links);

}  // namespace strand::mujoco
