// What the generator chooses: root, twist, damping, integrator, step, and the numerical stiffness
// that lets a stiff cable take large steps. It says what it chose.
#pragma once

#include <mujoco/mujoco.h>

#include <string>

#include "plugin/mujoco/generator/rod.h"

namespace strand::mujoco {

/// How joints are made to bear large steps (plugin/mujoco/README.md, "Large steps").
enum class Stabilizer { kNone, kJointStiffness, kJointDamping };

struct Recipe {
  int root = 0;  ///< link at the root of the kinematic tree
  bool dynamic_twist = false;
  mjtIntegrator integrator = mjINT_EULER;
  double timestep = 0.002;  ///< s
  double recommended_timestep = 0.002;
  Stabilizer stabilizer = Stabilizer::kNone;
  double joint_damping = 0;  ///< of each joint (N m s/rad)
  double loss_time = 0;      ///< s: adds tau EI / l to each joint's damping
  double least_damping = 0;  ///< of each joint (N m s/rad): keeps soft cables from whipping

  /// In words, one line.
  std::string Text() const;

  /// Numerical stiffness EI / l (N m/rad) of a joint with that span (m): the largest that it has.
  double JointStiffness(const strand::JointStiffness& stiffness, double span) const;

  /// Damping of the joint, physical and numerical (N m s/rad).
  double JointDamping(const strand::JointStiffness& stiffness, double span) const;

  /// Armature of the joint (kg m^2), which makes the mass matrix that of backward Euler: unlike
  /// implicit damping, MuJoCo's constraints and contacts see it.
  double JointArmature(const strand::JointStiffness& stiffness, double span) const;

  bool Discrete() const { return integrator == mjINT_DISCRETE; }
};

/// `scene`: options that are already there and are kept, or null where the cable sets its own.
Recipe ChooseRecipe(const CableDescription& cable, const DrawnRod& rod, const mjOption* scene);

/// True where the tree itself holds that end of the cable: no equality constraint is needed.
bool HeldByTree(const CableDescription& cable, int side, int root, int links);

}  // namespace strand::mujoco
