// Elastic constants of rods: what moduli and a cross-section make of them.
#pragma once

#include <array>

#include "model/config/section.h"

namespace strand {

/// Bending and twisting stiffness of a rod.
struct RodStiffness {
  std::array<double, 2> EI{};  ///< N m^2, bending about the section's y and z axes
  double GJ = 0;               ///< N m^2
};

/// G = E / (2 (1 + nu)) (Pa) of an isotropic material.
inline double ShearModulus(double young, double poisson) { return young / (2 * (1 + poisson)); }

/// E I_y, E I_z and G J, for moduli in Pa.
inline RodStiffness StiffnessOf(double young, double shear, const Section& section) {
  return {{young * section.second_moment_y, young * section.second_moment_z},
          shear * section.torsion_constant};
}

}  // namespace strand
