// What contact with obstacles and between rods have in common.
#pragma once

#include <limits>

#include "model/config/error.h"
#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"

namespace strand {

struct ContactOptions {
  double stiffness = 0;    ///< k of the penalty (N/m; the spring is 2 k), > 0
  double tolerance = 0;    ///< delta of the penalty (m), > 0: forces begin at this gap
  bool adaptive = false;   ///< doubles k after a step that ended deeper than half the tolerance
  FrictionLaw friction{};  ///< coefficient 0: none
};

/// Of the last evaluation.
struct ContactSummary {
  double gap = std::numeric_limits<double>::infinity();  ///< the smallest (m)
  double normal_force = 0, friction_force = 0;           ///< sums (N)
  int contacts = 0;
};

/// Throws ConfigError on options out of range.
inline void CheckContactOptions(const ContactOptions& options) {
  const auto check = [](const char* field, double value, const char* allowed) {
    if (!(value > 0) || !std::isfinite(value)) {
      throw ConfigError(field, std::to_string(value), allowed);
    }
  };
  check("stiffness", options.stiffness, "finite, > 0 (N/m)");
  check("tolerance", options.tolerance, "finite, > 0 (m)");
}

/// Whether an adaptive stiffness is to be doubled after a step that has ended like this.
inline bool TooSoft(const ContactOptions& options, const ContactSummary& summary) {
  return options.adaptive && summary.gap < -0.5 * options.tolerance;
}

}  // namespace strand
