// Rayleigh damping of rods and shells by their material.
#pragma once

#include <cmath>

#include "model/config/error.h"

namespace strand {

struct RayleighDamping {
  /// alpha (1/s): force -alpha m v, against all motion.
  double mass = 0;
  /// beta (s): stress E (strain + beta d strain / dt), a Kelvin-Voigt material with the viscosity
  /// beta E. Motion without deformation is not damped.
  double material = 0;

  bool any() const { return mass > 0 || material > 0; }
};

/// Throws ConfigError unless both values are finite and >= 0.
inline void CheckDamping(const RayleighDamping& damping) {
  const auto check = [](const char* field, double value, const char* allowed) {
    if (!(value >= 0) || !std::isfinite(value)) throw ConfigError(field, Text(value), allowed);
  };
  check("mass_damping", damping.mass, "finite, >= 0 (1/s)");
  check("material_damping", damping.material, "finite, >= 0 (s)");
}

}  // namespace strand
