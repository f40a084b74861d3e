// What a step does to the energy of its system.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/integrator/step_problem.h"

namespace strand {
namespace {

constexpr double kNoise = 256 * std::numeric_limits<double>::epsilon();  // of the energies' sizes

}  // namespace

double StepProblem::KineticAtStart() const {
  double energy = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    energy += 0.5 * system_.mass()[dof] * state_.velocity[dof] * state_.velocity[dof];
  }
  return energy;
}

// The potentials change by their values; what has no potential works by its force where the step's
// equation holds, and what is driven by that or by the trapezoidal rule: nearer to the truth, but
// the first is what the equation of a stiff body knows of. The larger one is no gain that it made.
// By so much as friction that carries along works more by the trapezoidal rule, a gain is in doubt.
// Forces without a potential on what is driven take what its drive puts in against them: neither
// counts (a hand that carries by friction works by what it does to what it carries).
// What obstacles do where the midpoint rule goes on is summed by Simpson's rule.
EnergyBalance StepProblem::Balance() {
  EnergyBalance step;
  step.start = energy_at_start_;
  double ahead = 0;
  step.end =
      rule_.goes_on() ? forces_.PotentialsAt(MotionAt(trial(), 1), &ahead) : w_.forces.energy;
  // What contact reports is of where the equation holds.
  if (rule_.goes_on() && forces_.collides()) EvaluateForces(MotionAt(w_.base, rule_.part), false);
  const Configuration& end = trial();
  const bool trapezoid = start_evaluated_ && !w_.reaction_at_start.empty() && !rule_.goes_on();
  const double before_them = obstacle_work_at_start_, here = w_.forces.total.driven;
  step.pushed = std::max(
      here, rule_.goes_on() ? (before_them + 4 * here + ahead) / 6 : 0.5 * (before_them + here));
  const bool conservative = forces_.conservative();
  const std::vector<double>&gradient = w_.forces.gradient, &pathwise = w_.forces.pathwise;
  const std::vector<double>& mass = system_.mass();
  double at_end = 0, mean = 0, trapezoidal = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof];
    if (dofs_.locked(dof)) {
      const double reaction = gradient[dof] - (conservative ? 0 : pathwise[dof]);
      at_end += reaction * moved;
      if (trapezoid) mean += 0.5 * (w_.reaction_at_start[dof] + reaction) * moved;
      continue;
    }
    if (!conservative) {
      const double after = pathwise[dof];
      const bool acted = trapezoid && w_.path_at_start[dof] != 0;
      step.work -= after * moved;
      if (acted) trapezoidal += 0.5 * (after - w_.path_at_start[dof]) * moved;
    }
    const double v = EndVelocity(dof), v_mean = moved / rule_.dt;
    step.kinetic += 0.5 * mass[dof] * v * v;
    step.mean += 0.5 * mass[dof] * v_mean * v_mean;
  }
  step.work += step.pushed + (trapezoid ? std::max(at_end, mean) : at_end);
  step.doubt = std::max(0.0, trapezoidal);
  const double before = step.kinetic_before = KineticAtStart();
  step.dissipated =
      w_.forces.total.dissipated / rule_.part;  // by the forces where the equation holds
  step.made =
      step.kinetic - before + step.end.sum() - step.start.sum() + step.dissipated - step.work;
  step.noise = kNoise * (w_.forces.magnitude + step.kinetic + before + std::abs(step.work));
  return step;
}

}  // namespace strand
