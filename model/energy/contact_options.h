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
  double adaptive_mass = 0;  ///< kg; > 0: k is raised for it where gaps stay below -delta / 2
  FrictionLaw friction{};    ///< coefficient 0: none
  bool rolling = true;  ///< friction acts on the surface of rods and turns them, not on their axis
  bool smooth = false;  ///< rods meet each other as curves through their nodes, not as polylines
  double restitution = 1;  ///< e, 0 to 1: 1 gives back all that the penalty takes in

  bool rubs() const { return friction.coefficient > 0; }
  bool rolls() const { return rolling && rubs(); }
  bool conservative() const { return !rubs() && restitution == 1; }
};

/// Whether the gap at the end of a step (m) is at most half a tolerance deeper than the gap solved
/// for, so that the step can be accepted.
inline bool AcceptsEndGap(double gap, double solved, double tolerance) {
  return gap >= std::min(solved, 0.0) - 0.5 * tolerance;
}

/// Of one evaluation.
struct ContactSummary {
  double gap = std::numeric_limits<double>::infinity();  ///< the smallest (m)
  double normal_force = 0, friction_force = 0;           ///< sums (N)
  double energy = 0;                                     ///< of the penalty (J)
  double penalty_force = 0;                              ///< N, without restitution's loss
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
  if (!(options.restitution >= 0 && options.restitution <= 1)) {
    throw ConfigError("restitution", std::to_string(options.restitution), "0 to 1");
  }
}

/// The penalty at a gap (m) between surfaces that may come no closer than the reach (m): the way
/// from a surface to the middle of what it bounds. A stiffness that is given is the published
/// spring's.
inline Penalty PenaltyAt(const ContactOptions& options, double gap, double reach) {
  if (!(options.adaptive_mass > 0) || !(reach > 0)) {
    return ContactPenalty(gap, options.stiffness, options.tolerance);
  }
  return HardeningPenalty(gap, options.stiffness, options.tolerance, reach);
}

/// What it has become of the penalty where the gap changes by `rate` (1/s) times what it differs
/// from `origin` (m).
inline Penalty Rebounding(const ContactOptions& options, const Penalty& penalty, double gap,
                          double origin, double rate) {
  return WithRestitution(penalty, options.restitution, rate * (gap - origin), rate);
}

/// Raises an adaptive stiffness where something lies too deep, and logs the work that it does. A
/// blow is for the penalty's hardening: to raise the stiffness under it would throw out what has
/// struck.
class AdaptiveStiffness {
 public:
  /// After a step that has ended at `time` (s) like this: raises the stiffness where the deepest
  /// contact has stayed where it is for a period of the mass on it, by little, so that what lies
  /// there is lifted and not thrown; or doubles it where time stands (statics).
  void Adapt(const ContactSummary& summary, double time, ContactOptions* options) {
    if (!(options->adaptive_mass > 0)) return;
    // What lies has all of the penalty's force under it; what a blow has left there has not.
    const bool lies = summary.normal_force > 0.5 * summary.penalty_force;
    const bool deep = lies && summary.gap < -0.5 * options->tolerance, stands = time == last_;
    last_ = time;
    if (!deep || time < since_) since_ = kNever;
    if (!deep) return;
    if (since_ == kNever) since_ = time, lowest_ = highest_ = summary.gap;
    lowest_ = std::min(lowest_, summary.gap), highest_ = std::max(highest_, summary.gap);
    if (highest_ - lowest_ > kStill * options->tolerance) {
      since_ = time, lowest_ = highest_ = summary.gap;
    }
    const double period = kTwoPi * std::sqrt(options->adaptive_mass / (2 * options->stiffness));
    if (!stands && time - since_ < period) return;
    const double growth = stands ? 2 : kGrowth;
    options->stiffness *= growth;
    work_ += (growth - 1) * summary.energy;
    since_ = kNever;
  }

  double work() const { return work_; }  ///< J put in so far

  void Save(const ContactOptions& options, std::vector<double>* memory) const {
    memory->insert(memory->end(), {options.stiffness, work_, last_, since_, lowest_, highest_});
  }
  void Load(std::span<const double> saved, ContactOptions* options) {
    options->stiffness = saved[0], work_ = saved[1], last_ = saved[2];
    since_ = saved[3], lowest_ = saved[4], highest_ = saved[5];
  }
  static constexpr int kSaved = 6;  ///< numbers that Save appends

 private:
  static constexpr double kNever = std::numeric_limits<double>::max();
  static constexpr double kStill = 0.05;  ///< of the tolerance, what lies there may move by
  static constexpr double kGrowth = 1.2;

  double work_ = 0;
  double last_ = std::numeric_limits<double>::lowest();  ///< s, of the step before
  double since_ = kNever;                                ///< s, it has lain
  double lowest_ = 0, highest_ = 0;                      ///< m, between these gaps
};

}  // namespace strand
