// Options and helpers shared by contact with obstacles, of bodies, and of rods and shells.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "model/config/error.h"
#include "model/energy/force.h"
#include "model/geometry/frame.h"
#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"

namespace strand {

struct ContactOptions {
  double stiffness = 0;      ///< k of the penalty (N/m; the spring is 2 k), > 0
  double tolerance = 0;      ///< delta of the penalty (m), > 0: forces act below this gap
  double adaptive_mass = 0;  ///< kg; > 0: k adapts to this mass where gaps stay < -delta / 2
  FrictionLaw friction{};    ///< coefficient 0: none
  bool rolling = true;       ///< friction acts on the surface of rods; false: on their axis
  bool smooth = false;  ///< rods touch each other as curves through their nodes, not as polylines
  double restitution = 1;  ///< e, 0 to 1; 1: the penalty is conservative

  bool rubs() const { return friction.coefficient > 0; }
  bool rolls() const { return rolling && rubs(); }
  bool conservative() const { return !rubs() && restitution == 1; }
};

/// Whether the gap at the end of a step (m) is at most half a tolerance deeper than the gap solved
/// for, so that the step can be accepted.
inline bool AcceptsEndGap(double gap, double solved, double tolerance) {
  return gap >= std::min(solved, 0.0) - 0.5 * tolerance;
}

/// A contact is missed by a step if the gap in between is smaller than at both ends, and than 0, by
/// this fraction of the reach: the sum of the radii, or the largest depth.
inline constexpr double kMissed = 0.1;

/// Totals of one evaluation.
struct ContactSummary {
  double gap = std::numeric_limits<double>::infinity();  ///< smallest (m)
  double normal_force = 0, friction_force = 0;           ///< sums (N)
  double energy = 0;                                     ///< of the penalty (J)
  double penalty_force = 0;                              ///< N, before the loss of restitution
  int contacts = 0;
  int unresolved = 0;  ///< contacts whose impact is too short for the step (Unresolved)
};

/// Throws ConfigError if an option is out of range.
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

/// Penalty at `gap` (m). It hardens towards `reach` (m), the distance from the surface to the
/// middle of the body that it bounds, so that no penetration gets that deep. A stiffness chosen by
/// the user (adaptive_mass 0) gives the published spring, which does not harden.
inline Penalty PenaltyAt(const ContactOptions& options, double gap, double reach) {
  if (!(options.adaptive_mass > 0) || !(reach > 0)) {
    return ContactPenalty(gap, options.stiffness, options.tolerance);
  }
  return HardeningPenalty(gap, options.stiffness, options.tolerance, reach);
}

/// The penalty of a contact over a time step.
struct StepPenalty : Penalty {
  bool unresolved = false;  ///< the step is too long for this impact (Unresolved)
};

/// Whether a two-step rule takes a nearly plastic impact with too long a step: a notable part of
/// the contact's depth has come about in it, and the surfaces would then part faster than
/// restitution allows. Free motion continues with the velocity v + (v - v_before) / 3 (time_rule.h,
/// equal steps). Where an impact ends within the step, v is no measure of the speed at its end, and
/// surfaces with little force in parting could rest at any depth. `start`, `origin`
/// (Motion::origin), `gap`: m.
inline bool Unresolved(const ContactOptions& options, const Motion& motion, double start,
                       double origin, double gap) {
  constexpr double kNotable = 0.1;
  const double end = motion.rate * (gap - origin);
  const double before =
      motion.rate * motion.per_time / (motion.rate - motion.per_time) * (origin - start);
  return before < 0 && start - gap > kNotable * (options.tolerance - gap) &&
         end + (end - before) / 3 > -options.restitution * before;
}

/// The penalty with the loss of restitution. `gap_at_origin(motion)` (m) is the gap that the rate
/// of the gap is measured from: motion.rate * (gap - gap_at_origin(motion)). `lag` may be null: for
/// the exact derivatives.
template <class GapAtOrigin>
StepPenalty Rebounding(const ContactOptions& options, const Motion& motion, const Penalty& elastic,
                       double gap, ContactLag* lag, const GapAtOrigin& gap_at_origin) {
  constexpr double kPlastic = 0.4;  // largest restitution of which a rebound can be neglected
  if (options.restitution == 1 || !(motion.per_time > 0)) return {elastic};
  const double origin = gap_at_origin(motion);
  StepPenalty penalty{WithRestitution(elastic, options.restitution, motion.rate * (gap - origin),
                                      motion.rate, lag ? &lag->speed : nullptr)};
  const bool two_steps = motion.rate > motion.per_time;
  if (two_steps && options.restitution <= kPlastic) {
    penalty.unresolved = Unresolved(options, motion, gap_at_origin(motion.mean()), origin, gap);
  }
  return penalty;
}

/// Raises an adaptive stiffness where a resting contact is too deep, and records the energy that
/// this adds. Impacts are left to the hardening of the penalty: a stiffness raised during an impact
/// would eject the body that has struck.
class AdaptiveStiffness {
 public:
  /// To be called after a step that has ended at `time` (s) with this summary. Raises the stiffness
  /// if the deepest contact has stayed in place for one period of the mass on it. It is raised by a
  /// fifth only, so that a resting body is lifted and not thrown. Where time does not advance
  /// (statics), the stiffness is doubled.
  void Adapt(const ContactSummary& summary, double time, ContactOptions* options) {
    if (!(options->adaptive_mass > 0)) return;
    // A resting body is carried by the full penalty force; after an impact restitution reduces it.
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

  double work() const { return work_; }  ///< J added so far

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
  static constexpr double kStill = 0.05;  ///< of the tolerance: range of a resting gap
  static constexpr double kGrowth = 1.2;

  double work_ = 0;
  double last_ = std::numeric_limits<double>::lowest();  ///< s, end of the previous step
  double since_ = kNever;                                ///< s, when it came to rest
  double lowest_ = 0, highest_ = 0;                      ///< m, range of the gap since then
};

}  // namespace strand
