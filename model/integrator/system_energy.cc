// What the energy of a system is, and what a step does to it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/integrator/system.h"

namespace strand {
namespace {

constexpr double kNoise = 256 * std::numeric_limits<double>::epsilon();  // of the energies' sizes

}  // namespace

double System::kinetic_energy() const {
  double energy = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    energy += 0.5 * mass_[dof] * state_.velocity[dof] * state_.velocity[dof];
  }
  return energy;
}

double System::KineticAtStart() const {
  double energy = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    energy += 0.5 * mass_[dof] * state_.velocity[dof] * state_.velocity[dof];
  }
  return energy;
}

bool System::collides() const {
  return std::ranges::any_of(forces_, [](const auto& force) { return force->collides(); });
}

Potentials System::PotentialsAt(const Configuration& at) {
  const Motion motion = MotionAt(at);
  Potentials energy;
  for (const auto& force : forces_) energy.Of(*force) += force->Evaluate(motion, {}).energy;
  energy.internal += elastic_->Evaluate(motion, {}).energy;
  return energy;
}

// The potentials change by their values; what drives and what has no potential works by its force
// where the step's equation holds.
EnergyBalance System::Balance() {
  EnergyBalance step;
  step.start = energy_at_start_;
  step.end = rule_.goes_on() ? PotentialsAt(trial()) : energy_;
  if (rule_.goes_on() && collides()) EvaluateForces(MotionAt(base_), false);  // what it tells of
  const Configuration& end = trial();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof];
    if (dofs_.locked(dof)) {
      step.work += gradient_[dof] * moved;
      continue;
    }
    if (!conservative_) step.work -= path_.gradient[dof] * moved;
    const double v = EndVelocity(dof), mean = moved / rule_.dt;
    step.kinetic += 0.5 * mass_[dof] * v * v;
    step.mean += 0.5 * mass_[dof] * mean * mean;
  }
  const double before = step.kinetic_before = KineticAtStart();
  step.made = step.kinetic - before + step.end.sum() - step.start.sum() - step.work;
  step.noise = kNoise * (noise_ + step.kinetic + before + std::abs(step.work));
  return step;
}

}  // namespace strand
