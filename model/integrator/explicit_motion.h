// Operations of explicit time stepping on a system: accelerations, and moves.
#pragma once

#include <span>
#include <vector>

#include "model/integrator/system.h"

namespace strand {

class ExplicitMotion {
 public:
  /// Accelerations of the state under all forces (m/s^2, rad/s^2, per dof), 0 for locked dofs.
  /// Forces that depend on velocities see those of the state, as a move over a step of `dt` (s).
  void Accelerations(System& system, double dt, std::span<double> acceleration);
  /// Moves the state's configuration by `step` per dof. Returns false, and moves nothing, if that
  /// would pass through something.
  bool Displace(System& system, std::span<const double> step);

 private:
  Configuration before_;
  ForceSum forces_;
  std::vector<double> velocity_, gyroscopic_;
};

}  // namespace strand
