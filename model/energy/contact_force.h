// A force between bodies that must not pass through each other, with friction.
#pragma once

#include "model/energy/contact_options.h"
#include "model/energy/step_force.h"

namespace strand {

/// Fractions of a time step (0: its start, 1: its end) at both ends of a move: driven obstacles
/// move between them.
struct Passage {
  double from = 0, to = 0;
};

/// Prepare searches for pairs that may come into contact in the step. Refresh repeats the search
/// where an iterate has moved too far from there, before any pair missed by it can touch.
class ContactForce : public StepForce {
 public:
  EnergyKind kind() const override { return EnergyKind::kContact; }
  /// Of the last report: of the configuration at which the last step was solved (midpoint rule: its
  /// middle).
  const ContactSummary& summary() const { return summary_; }
  void Report() override { summary_ = latest_; }

  /// Initial guess of a time step: adds to `move` (per dof; driven dofs are already set) the motion
  /// of parts that obstacles and bodies push or carry along, after the fraction `part` of their
  /// motion.
  virtual void Push(const Configuration& /*start*/, double /*part*/, std::span<double> /*move*/) {}
  /// Largest fraction of a step (per dof) that can be taken from `from` without collision: 0 to 1.
  virtual double Limit(const Configuration& from, std::span<const double> step, const Passage&) = 0;
  /// Whether the whole step can be taken.
  virtual bool Clears(const Configuration& from, std::span<const double> step,
                      const Passage& passage) {
    return Limit(from, step, passage) == 1;
  }
  /// Whether a step whose equations are solved at `from` can end at the extrapolated `to`. If `to`
  /// penetrated deeper than `from`, contact would eject the bodies with energy that no work has
  /// supplied.
  virtual bool AcceptsEndpoint(const Configuration& from, const Configuration& to,
                               const Passage&) = 0;
  /// Whether a time step (per dof) from `from` leads through a contact that exists at neither of
  /// its ends (kMissed).
  virtual bool Misses(const Configuration& from, std::span<const double> step) = 0;
  /// Freezes the normals and normal forces of friction at their values there, until
  /// ReleaseFriction: Evaluate then gives a potential and its derivatives. Returns false if the
  /// force is not conservative for other reasons.
  virtual bool FreezeFriction(const Motion&) = 0;
  virtual void ReleaseFriction() = 0;
  /// Whether the step was too long for an impact at the last evaluation (Unresolved).
  bool unresolved() const { return latest_.unresolved > 0; }

 protected:
  /// To be called at the end of Evaluate. That of an energy alone is not kept.
  void Keep(const ContactSummary& summary, const Derivatives& out) {
    if (out.gradient) latest_ = summary;
  }

 private:
  ContactSummary latest_, summary_;  ///< of the last evaluation; as reported
};

}  // namespace strand
