#include "model/integrator/explicit_motion.h"

#include "model/integrator/gyroscopic.h"

namespace strand {

void ExplicitMotion::Accelerations(System& system, double dt, std::span<double> acceleration) {
  const State& state = system.state();
  const Dofs& dofs = system.dofs();
  before_ = state.at;
  for (int dof = 0; dof < dofs.size(); ++dof) before_.q[dof] -= dt * state.velocity[dof];
  system.forces().Evaluate({state.at, before_, 1 / dt, state.time}, false, &forces_);
  // Gyroscopic forces are those of the velocities in the middle of the step.
  velocity_ = state.velocity;
  for (const double ahead : {0.5 * dt, 0.0}) {
    gyroscopic_.assign(dofs.size(), 0.0);
    AddGyroscopicForces(system.network(), dofs, system.mass(), state.at.q, velocity_, 1,
                        gyroscopic_);
    for (int dof = 0; dof < dofs.size(); ++dof) {
      const double force = gyroscopic_[dof] - forces_.gradient[dof];
      acceleration[dof] = dofs.locked(dof) ? 0 : force / system.mass()[dof];
      velocity_[dof] += ahead * acceleration[dof];
    }
  }
}

bool ExplicitMotion::Displace(System& system, std::span<const double> step) {
  Configuration& at = system.state().at;
  before_ = at;
  if (!system.forces().Clears(before_, step, {})) return false;
  for (int dof = 0; dof < system.dofs().size(); ++dof) at.q[dof] += step[dof];
  system.elastic().Move(before_, before_, step, &at);
  return true;
}

}  // namespace strand
