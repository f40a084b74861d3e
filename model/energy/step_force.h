// A force that depends on the time step as well as the configuration, or on earlier time steps.
#pragma once

#include <span>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class StepForce : public Force {
 public:
  /// Called at the start of a time step with its length and the velocities (per dof). Returns true
  /// if the stencils, and so the matrix, have changed.
  virtual bool Prepare(const Motion&, std::span<const double> /*velocity*/, double /*dt*/) {
    return false;
  }
  /// Called at every iterate of a step. Returns the same as Prepare.
  virtual bool Refresh(const Configuration& /*at*/) { return false; }
  /// Whether the force prescribes a motion (of obstacles, tendons) in this time step.
  virtual bool drives() const { return false; }
  /// Publishes the summary (gaps, forces) of the last evaluation. Called at the end of a step, so
  /// that users never see trial evaluations.
  virtual void Report() {}
  /// Called where the step has ended: updates the history (anchors of friction).
  virtual void Accept(const Motion&) {}
  /// Called at the end (s) of a whole step, which may consist of several substeps: adapts
  /// parameters (contact stiffness) to what happened in it.
  virtual void Adapt(double /*time*/) {}

  /// Appends the history, for checkpoints.
  virtual void Save(std::vector<double>* /*memory*/) const {}
  /// Removes from the front of `memory` what Save has appended. Throws ConfigError if `memory` is
  /// too short.
  virtual void Load(std::span<const double>* /*memory*/) {}
};

/// Removes and returns the first `count` numbers of `memory`. Throws ConfigError if it has fewer.
std::span<const double> TakeMemory(std::span<const double>* memory, size_t count);

}  // namespace strand
