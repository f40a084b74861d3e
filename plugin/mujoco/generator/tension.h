// The tension under which a cable is expected to be stable (plugin/mujoco/adapter/taut.h).
#pragma once

#include <mujoco/mujoco.h>

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

/// What pulls a cable taut by its weight.
struct Load {
  double mass = 0;      ///< kg
  bool swings = false;  ///< it may swing with three times its weight
};

/// Tension (N) given by the description: `max_tension`, or else the weight of the cable and of the
/// larger load on its ends.
double GivenTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                    const Load& load);

/// The given tension, that at the bottom of a swing from the horizontal if the load may swing.
/// Without `max_tension`, it is at least the tension that is stable without armature.
Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, const Load& load);

}  // namespace strand::mujoco
