// What the generator chooses: root, twist, damping, integrator, step, and the numerical stiffness
// that lets a stiff cable take large steps. It says what it chose.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "plugin/mujoco/generator/rod.h"
#include "plugin/mujoco/mujoco_versions.h"

namespace strand::mujoco {

/// How joints are made to bear large steps (plugin/mujoco/README.md, "Large steps").
enum class Stabilizer { kNone, kJointStiffness, kJointDamping };

/// Passive properties of one ball joint.
struct JointNumerics {
  double damping = 0;    ///< physical and numerical (N m s/rad)
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
  Stabilizer stabilizer = Stabilizer::kNone;
  double joint_damping = 0;  ///< of each joint (N m s/rad)
  double loss_time = 0;      ///< s: adds tau EI / l to each joint's damping
  double inertia_factor =
      1;  ///< by what the links' least inertia is raised, so that MuJoCo takes it
  double least_damping = 0;  ///< of each joint (N m s/rad): keeps soft cables from whipping

  /// In words, one line.
  std::string Text() const;

  /// Of a joint, by its index in DrawnRod::stiffness.
  JointNumerics Joint(const DrawnRod& rod, int joint) const;

  bool Discrete() const { return integrator == kDiscrete; }
};

/// `scene`: options that are already there and are kept, or null where the cable sets its own.
Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene);

/// True for an end that is held where it is drawn by what carries the cable.
bool HeldInPlace(EndCondition end);

/// True where the tree itself holds that end of the cable: no equality constraint is needed.
bool HeldByTree(const CableDescription& cable, int side, int root, int links);

}  // namespace strand::mujoco
