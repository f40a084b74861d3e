// What contact with obstacles and that of rods and shells have in common.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "model/config/error.h"
#include "model/geometry/frame.h"
#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"

namespace strand {

struct ContactOptions {
  double stiffness = 0;      ///< k of the penalty (N/m; the spring is 2 k), > 0
  double tolerance = 0;      ///< delta of the penalty (m), > 0: forces begin at this gap
  double adaptive_mass = 0;  ///< kg; > 0: k is raised for it where gaps fall below -delta / 2
  FrictionLaw friction{};    ///< coefficient 0: none
};

/// Whether a gap at the end of a step (m) is none that the solver should have seen, given the one
/// it has solved for.
inline bool MayEndAt(double gap, double solved, double tolerance) {
  return gap >= std::min(solved, 0.0) - 0.5 * tolerance;
}

/// Of one evaluation.
struct ContactSummary {
  double gap = std::numeric_limits<double>::infinity();  ///< the smallest (m)
  double normal_force = 0, friction_force = 0;           ///< sums (N)
  double energy = 0;                                     ///< of the penalty (J)
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
  if (!(options.adaptive_mass >= 0) || !std::isfinite(options.adaptive_mass)) {
    throw ConfigError("adaptive_mass", std::to_string(options.adaptive_mass), "finite, >= 0 (kg)");
  }
}

/// Raises an adaptive stiffness where contact ends too deep, and logs the work that it does.
class AdaptiveStiffness {
 public:
  /// After a step that has ended at `time` (s) like this: doubles the stiffness, but not before the
  /// last doubling can have shown. That takes a mass in contact half a period, however short the
  /// steps are; to double it in every one of them would throw out what has touched.
  void Adapt(const ContactSummary& summary, double time, ContactOptions* options) {
    if (!(options->adaptive_mass > 0) || !(summary.gap < -0.5 * options->tolerance)) return;
    const double half = kTwoPi / 2 * std::sqrt(options->adaptive_mass / (2 * options->stiffness));
    if (time > last_ && time < last_ + half) return;  // at rest time stands, and nothing swings
    options->stiffness *= 2;
    work_ += summary.energy;
    last_ = time;
  }

  double work() const { return work_; }  ///< J put in so far

  void Save(const ContactOptions& options, std::vector<double>* memory) const {
    memory->insert(memory->end(), {options.stiffness, work_, last_});
  }
  void Load(std::span<const double> saved, ContactOptions* options) {
    options->stiffness = saved[0], work_ = saved[1], last_ = saved[2];
  }
  static constexpr int kSaved = 3;  ///< numbers that Save appends

 private:
  double work_ = 0;
  double last_ = std::numeric_limits<double>::lowest();  ///< s, of the last doubling
};

}  // namespace strand
