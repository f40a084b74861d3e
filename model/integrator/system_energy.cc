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

// The potentials change by their values; what has no potential works by its force where the step's
// equation holds, and what is driven by that or by the trapezoidal rule: nearer to the truth, but
// the first is what the equation of a stiff body knows of. The larger one is no gain that it made.
EnergyBalance System::Balance() {
  EnergyBalance step;
  step.start = energy_at_start_;
  step.end = rule_.goes_on() ? PotentialsAt(trial()) : energy_;
  if (rule_.goes_on() && collides()) EvaluateForces(MotionAt(base_), false);  // what it tells of
  const Configuration& end = trial();
  const bool trapezoid = start_evaluated_ && !reaction_at_start_.empty() && !rule_.goes_on();
  double at_end = 0, mean = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof];
    if (dofs_.locked(dof)) {
      at_end += gradient_[dof] * moved;
      if (trapezoid) mean += 0.5 * (reaction_at_start_[dof] + gradient_[dof]) * moved;
      continue;
    }
    if (!conservative_) step.work -= path_.gradient[dof] * moved;
    const double v = EndVelocity(dof), v_mean = moved / rule_.dt;
    step.kinetic += 0.5 * mass_[dof] * v * v;
    step.mean += 0.5 * mass_[dof] * v_mean * v_mean;
  }
  step.work += trapezoid ? std::max(at_end, mean) : at_end;
  const double before = step.kinetic_before = KineticAtStart();
  step.made = step.kinetic - before + step.end.sum() - step.start.sum() - step.work;
  step.noise = kNoise * (noise_ + step.kinetic + before + std::abs(step.work));
  return step;
}

}  // namespace strand
