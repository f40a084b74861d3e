// A taut cable is a string: its links oscillate with the geometric stiffness N / l of the tension
// N, which MuJoCo's integrators treat explicitly. Waves that travel further than a link in a step
// then diverge. Armature on the ball joints between links slows only these waves.
//
// With mass m l per link (m: kg/m) and wavenumber k, s = sin(k l / 2), a transverse wave is stable
// if
//     h^2 N / l  4 s^2 < 4 (m l + 16 (a / l^2) s^4)      (h: time step; a: armature of each joint)
// for every s in [0, 1], that is if a > h^4 N^2 / (64 m l). Waves that the step resolves keep their
// frequency w: at that bound its relative error is (w h)^4 / 128.
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

/// Armature (kg m^2) of a joint that represents `span` (m) of the cable: twice the bound above.
double TensionArmature(double tension, double mass_per_length, double span, double timestep);

/// Mass (kg) of the heaviest kinematic tree that contains one of these bodies of the scene; 0 if
/// none of them can move or the scene does not compile yet.
double HeaviestTree(const mjSpec* scene, const std::array<std::string, 2>& bodies);

}  // namespace strand::mujoco
