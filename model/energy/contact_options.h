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
  double adaptive_mass = 0;  ///< kg; > 0: k is raised for it where gaps have been below -delta / 2
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

/// Raises an adaptive stiffness where contact gets too deep, and logs the work that it does.
///
/// To raise it under load is to throw out what has touched: the springs have more energy than was
/// put into them. After an impact it is therefore raised when all that has touched has left, which
/// takes no work, and far enough for the same impact to be less deep than half the tolerance. Only
/// under what stays, and in the emergency that centrelines come near the surface, is it doubled
/// under load; a weight at rest is thrown by less than its depth.
class AdaptiveStiffness {
 public:
  /// After a step that has ended at `time` (s) like this.
  void Adapt(const ContactSummary& summary, double time, ContactOptions* options) {
    if (!(options->adaptive_mass > 0)) return;
    const double depth = -summary.gap / options->tolerance;
    const bool at_rest = time == seen_;  // time stands in statics
    seen_ = time;
    if (summary.contacts == 0) {
      for (; deepest_ > kDeep; deepest_ /= std::sqrt(2)) options->stiffness *= 2;
      deepest_ = 0;
    }
    deepest_ = std::max(deepest_, depth);
    if (!(depth > kDeep)) {
      shallow_ = time;
      return;
    }
    const double half = kTwoPi / 2 * std::sqrt(options->adaptive_mass / (2 * options->stiffness));
    const bool in_danger = depth > kTooDeep && time >= raised_ + half;
    if (!at_rest && !in_danger && time < shallow_ + kHalves * half) return;
    options->stiffness *= 2;
    work_ += summary.energy;
    deepest_ = 0, shallow_ = raised_ = time;
  }

  double work() const { return work_; }  ///< J put in so far

  void Save(const ContactOptions& options, std::vector<double>* memory) const {
    memory->insert(memory->end(), {options.stiffness, work_, seen_, shallow_, raised_, deepest_});
  }
  void Load(std::span<const double> saved, ContactOptions* options) {
    options->stiffness = saved[0], work_ = saved[1], seen_ = saved[2];
    shallow_ = saved[3], raised_ = saved[4], deepest_ = saved[5];
  }
  static constexpr int kSaved = 6;  ///< numbers that Save appends

 private:
  static constexpr double kDeep = 0.5, kTooDeep = 5;  ///< parts of the tolerance
  /// Half periods of a node on the penalty, after which contact is no impact any more. Impacts of
  /// all that hangs on a node last longer than its own.
  static constexpr double kHalves = 10;

  double work_ = 0;
  double seen_ = 0, shallow_ = 0;  ///< s: of the last step, of the last one that was not deep
  double raised_ = std::numeric_limits<double>::lowest();  ///< s, under load
  double deepest_ = 0;  ///< since all was free, part of the tolerance
};

}  // namespace strand
