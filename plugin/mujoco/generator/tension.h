// The tension under which a cable is expected to be stable (plugin/mujoco/adapter/taut.h).
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <string>

#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/rod.h"

namespace strand::mujoco {

/// Tension (N) under which a cable must be stable, and the reason for this value.
struct Tension {
  double force = 0;
  bool by_itself = true;  ///< stable without armature, which would also slow torsion
  std::string reason;
};

/// Tension (N) given by the description: `max_tension`, or else the weight of the cable and of the
/// bodies of the scene that its ends are tied to.
/// `load_mass` (kg): the larger of the masses on the two ends, 0 if there are none.
double GivenTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                    double load_mass);

/// The given tension. Without `max_tension`, it is at least the tension that is stable without
/// armature.
Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, double load_mass);

/// Mass (kg) of the heaviest kinematic tree that contains one of these bodies of the scene; 0 if
/// none of them can move or the scene does not compile yet.
double HeaviestTree(const mjSpec* scene, const std::array<std::string, 2>& bodies);

}  // namespace strand::mujoco
