// Parameters of test rods, from plain to all features at once.
#pragma once

#include <cstdint>
#include <span>

#include "model/energy/rod.h"

namespace strand::testing {

enum class Material {
  kStraight,     ///< isotropic, straight, uniform
  kUneven,       ///< isotropic, straight; links and stiffnesses differ
  kCurved,       ///< isotropic, curved at rest, uneven
  kAnisotropic,  ///< two stiffnesses, straight and twisted at rest
  kAllAtOnce,    ///< two stiffnesses, curved and twisted at rest, uneven
};

inline constexpr Material kMaterials[] = {Material::kStraight, Material::kUneven, Material::kCurved,
                                          Material::kAnisotropic, Material::kAllAtOnce};

/// Lengths of about 0.1 m, stiffnesses of about 1 N m^2; averaged energies.
RodParameters MakeParameters(int links, bool closed, Material material, CurvatureMeasure measure,
                             std::uint64_t seed);

/// Rest state for those parameters; a curved rod's rest shape is its own random chain.
RodRest MakeRest(int links, bool closed, Material material, CurvatureMeasure measure,
                 std::uint64_t seed, int order = 2, BendAverage average = BendAverage::kEnergies);

double TotalEnergy(const RodRest& rest, const RodFrames& frames, std::span<const double> twists);

}  // namespace strand::testing
