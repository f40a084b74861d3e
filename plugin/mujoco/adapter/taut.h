// A taut cable is a string: its links oscillate with the geometric stiffness N / l of the tension
// N, which MuJoCo's integrators treat explicitly. Waves that travel further than a link in a step
// then diverge. Armature on the ball joints between links slows only these waves.
//
// With mass m l per link (m: kg/m) and wavenumber k, s = sin(k l / 2), a transverse wave is stable
// if
//     h^2 N / l  4 s^2 < 4 (m l + 16 (a / l^2) s^4)      (h: time step; a: armature of each joint)
// for every s in [0, 1]: if N < m l^2 / h^2, or if a > h^4 N^2 / (64 m l). Waves that the step
// resolves keep their frequency w: at that bound its relative error is (w h)^4 / 128.
#pragma once

#include <algorithm>
#include <cmath>

namespace strand::mujoco {

/// Factor on the bound for h^4 N^2: tension oscillates about its mean.
inline constexpr double kTautSafety = 2;

/// Tension under a load that swings, by its weight: at the bottom of a swing from the horizontal.
inline constexpr double kSwinging = 3;

/// Tension (N) up to which the chain is stable without armature; `span`: l (m).
inline double NaturalTension(double mass_per_length, double span, double timestep) {
  return mass_per_length * std::pow(span / timestep, 2) / std::sqrt(kTautSafety);
}

/// Armature (kg m^2) of a joint that makes the chain stable under a tension (N).
inline double TensionArmature(double tension, double mass_per_length, double span,
                              double timestep) {
  return kTautSafety * std::pow(timestep, 4) * tension * tension / (64 * mass_per_length * span);
}

/// What an integrator adds to a joint's inertia (kg m^2) because it solves damping (N m s/rad), and
/// with `discrete` also stiffness (N m/rad), implicitly. Strand cancels the stiffness, but not this
/// part of it.
inline double ImplicitArmature(double damping, double stiffness, double timestep, bool discrete) {
  return timestep * damping + (discrete ? timestep * timestep * stiffness : 0);
}

/// Tension (N) up to which a chain whose joints have an armature (kg m^2) is stable.
inline double StableTension(double armature, double mass_per_length, double span, double timestep) {
  const double stiffened =
      8 * std::sqrt(armature * mass_per_length * span / kTautSafety) / std::pow(timestep, 2);
  return std::max(stiffened, NaturalTension(mass_per_length, span, timestep));
}

}  // namespace strand::mujoco
