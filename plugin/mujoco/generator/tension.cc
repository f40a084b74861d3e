#include "plugin/mujoco/generator/tension.h"

#include <algorithm>

#include "plugin/mujoco/adapter/taut.h"

namespace strand::mujoco {

double GivenTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                    const Load& load) {
  return cable.max_tension.value_or(gravity * (rod.total_mass() + load.mass));
}

Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, const Load& load) {
  const double natural =
      NaturalTension(rod.mass_per_length(), rod.total_length() / rod.links(), timestep);
  const double given = GivenTension(cable, rod, gravity, load);
  if (cable.max_tension) return {given, given <= natural, "max_tension"};
  const double expected = given + (load.swings ? kSwinging - 1 : 0) * gravity * load.mass;
  if (expected <= natural) {
    return {natural, true, "the limit of this step; a higher one takes max_tension"};
  }
  const char* reason = "its own weight";
  if (load.mass > 0) reason = "the weight of the cable and its loads";
  if (load.swings) reason = "the weight of the cable and of its load, which may swing";
  return {expected, false, reason};
}

}  // namespace strand::mujoco
