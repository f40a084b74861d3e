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

bool System::drives() const {
  return std::ranges::any_of(forces_, [](const auto& force) { return force->drives(); });
}

// At the end of the step; and the work of obstacles by the forces there.
Potentials System::PotentialsAtEnd(double* obstacle_work) {
  const Motion motion = MotionAt(trial(), 1);
  Potentials energy;
  *obstacle_work = 0;
  for (const auto& force : forces_) {
    const Evaluation one = force->Evaluate(motion, {});
    energy.Add(*force, one.energy);
    *obstacle_work += one.driven;
  }
  energy.internal += elastic_->Evaluate(motion, {}).energy;
  return energy;
}

// The potentials change by their values; what has no potential works by its force where the step's
// equation holds, and what is driven by that or by the trapezoidal rule: nearer to the truth, but
// the first is what the equation of a stiff body knows of. The larger one is no gain that it made.
// By so much as friction that carries along works more by the trapezoidal rule, a gain is in doubt.
// Forces without a potential on what is driven take what its drive puts in against them: neither
// counts (a hand that carries by friction works by what it does to what it carries).
// What obstacles do where the midpoint rule goes on is summed by Simpson's rule.
EnergyBalance System::Balance() {
  EnergyBalance step;
  step.start = energy_at_start_;
  double ahead = 0;
  step.end = rule_.goes_on() ? PotentialsAtEnd(&ahead) : energy_;
  if (rule_.goes_on() && collides())
    EvaluateForces(MotionAt(base_, rule_.part), false);  // what it tells of
  const Configuration& end = trial();
  const bool trapezoid = start_evaluated_ && !reaction_at_start_.empty() && !rule_.goes_on();
  const double before_them = obstacle_work_at_start_, here = obstacle_work_;
  step.pushed = std::max(
      here, rule_.goes_on() ? (before_them + 4 * here + ahead) / 6 : 0.5 * (before_them + here));
  double at_end = 0, mean = 0, trapezoidal = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof];
    if (dofs_.locked(dof)) {
      const double reaction = gradient_[dof] - (conservative_ ? 0 : path_.gradient[dof]);
      at_end += reaction * moved;
      if (trapezoid) mean += 0.5 * (reaction_at_start_[dof] + reaction) * moved;
      continue;
    }
    if (!conservative_) {
      const double after = path_.gradient[dof];
      const bool acted = trapezoid && path_at_start_[dof] != 0;
      step.work -= after * moved;
      if (acted) trapezoidal += 0.5 * (after - path_at_start_[dof]) * moved;
    }
    const double v = EndVelocity(dof), v_mean = moved / rule_.dt;
    step.kinetic += 0.5 * mass_[dof] * v * v;
    step.mean += 0.5 * mass_[dof] * v_mean * v_mean;
  }
  step.work += step.pushed + (trapezoid ? std::max(at_end, mean) : at_end);
  step.doubt = std::max(0.0, trapezoidal);
  const double before = step.kinetic_before = KineticAtStart();
  step.dissipated = dissipated_ / rule_.part;  // by the forces where the equation holds
  step.made =
      step.kinetic - before + step.end.sum() - step.start.sum() + step.dissipated - step.work;
  step.noise = kNoise * (noise_ + step.kinetic + before + std::abs(step.work));
  return step;
}

}  // namespace strand
