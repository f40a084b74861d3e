// A cable that is pulled taut is a string: its links swing with the geometric stiffness N / l of
// the tension N, which MuJoCo's integrators take explicitly. Waves that travel further than a link
// in a step then diverge. Armature on the ball joints between links slows just these.
//
// With mass m l per link (m: kg/m) and wavenumber k, s = sin(k l / 2), a transverse wave is stable
// if
//     h^2 N / l  4 s^2 < 4 (m l + 16 (a / l^2) s^4)      (h: time step; a: armature of each joint)
// for every s in [0, 1], that is a > h^4 N^2 / (64 m l). The waves that a step resolves keep their
// frequency w: its relative error is (w h)^4 / 128 at that bound.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <string>

#include "plugin/mujoco/description/description.h"
#include "plugin/mujoco/description/rod.h"

namespace strand::mujoco {

/// Tension (N) under which a cable must be stable, and where that is known from.
struct Tension {
  double force = 0;
  bool by_itself = true;  ///< stable without armature, which would slow torsion, too
  std::string reason;
};

/// Tension (N) that the description tells: `max_tension`, or the cable's own weight and that of the
/// bodies of the scene that its ends are tied to.
/// `load_mass` (kg): the larger of the masses that hang on the ends, 0 where nothing does.
double GivenTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                    double load_mass);

/// The given tension; where `max_tension` is not given at least as much as is stable
/// without armature.
Tension ExpectedTension(const CableDescription& cable, const DrawnRod& rod, double gravity,
                        double timestep, double load_mass);

/// Armature (kg m^2) of a joint that stands for `span` (m) of the cable: twice the bound above.
double TensionArmature(double tension, double mass_per_length, double span, double timestep);

/// Mass (kg) of the heaviest kinematic tree that one of these bodies of the scene moves with: 0
/// where none can move, and where the scene does not compile yet.
double HeaviestTree(const mjSpec* scene, const std::array<std::string, 2>& bodies);

}  // namespace strand::mujoco
