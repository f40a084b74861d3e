// A force that depends on the time step besides the configuration, or remembers earlier ones.
#pragma once

#include <span>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class StepForce : public Force {
 public:
  /// Called at the start of a time step with its length and the velocities (per dof). True if the
  /// stencils have changed, and with them the matrix.
  virtual bool Prepare(const Motion&, std::span<const double> /*velocity*/, double /*dt*/) {
    return false;
  }
  /// Called at every iterate of a step. True as of Prepare.
  virtual bool Refresh(const Configuration& /*at*/) { return false; }
  /// Whether it drives something itself (obstacles, tendons) in this time step.
  virtual bool drives() const { return false; }
  /// Publishes the summary (gaps, forces) of the last evaluation. Called at the end of a step, so
  /// that other evaluations do not change what users see.
  virtual void Report() {}
  /// The step has ended here: updates the history (anchors of friction).
  virtual void Accept(const Motion&) {}
  /// A whole step has ended at this time (s), perhaps after several sub-steps: adapts parameters
  /// (contact stiffness) to what happened in it.
  virtual void Adapt(double /*time*/) {}

  /// Appends its history, for checkpoints.
  virtual void Save(std::vector<double>* /*memory*/) const {}
  /// Takes from the front of `memory` what Save has appended. Throws ConfigError if it is short.
  virtual void Load(std::span<const double>* /*memory*/) {}
};

/// The first `count` numbers of `memory`, which is shortened by them.
std::span<const double> TakeMemory(std::span<const double>* memory, size_t count);

}  // namespace strand
