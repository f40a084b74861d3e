// What explicit time stepping asks of a system: accelerations, and moves.
#pragma once

#include <span>
#include <vector>

#include "model/integrator/system.h"

namespace strand {

class ExplicitMotion {
 public:
  /// Accelerations of the state under all forces (m/s^2, rad/s^2, per dof), locked ones 0; for
  /// steps of length `dt` (s), over which the forces see the state's velocities.
  void Accelerations(System& system, double dt, std::span<double> acceleration);
  /// Moves the state's configuration by `step` per dof. False if that would pass through something.
  bool Displace(System& system, std::span<const double> step);

 private:
  Configuration before_;
  ForceSum forces_;
  std::vector<double> velocity_, gyroscopic_;
};

}  // namespace strand
