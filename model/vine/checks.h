// Range checks of numbers from users. They throw ConfigError.
#pragma once

#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {

inline void CheckFinite(const std::string& field, double value) {
  if (std::isfinite(value)) return;
  throw ConfigError(field, Text(value), "finite numbers");
}

inline void CheckPositive(const std::string& field, double value) {
  if (std::isfinite(value) && value > 0) return;
  throw ConfigError(field, Text(value), "finite numbers > 0");
}

inline void CheckNonNegative(const std::string& field, double value) {
  if (std::isfinite(value) && value >= 0) return;
  throw ConfigError(field, Text(value), "finite numbers >= 0");
}

}  // namespace strand
