// Energy balance of a step.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/integrator/step_problem.h"

namespace strand {
namespace {

// Fraction of the sum of the energies' magnitudes.
constexpr double kBalanceNoise = 256 * std::numeric_limits<double>::epsilon();
// Relative rounding of positions and angles, the only source of energy of a body at rest on which
// nothing acts.
constexpr double kResolution = 4 * std::numeric_limits<double>::epsilon();

}  // namespace

double StepProblem::KineticAtStart() const {
  double energy = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    energy += 0.5 * system_.mass()[dof] * state_.velocity[dof] * state_.velocity[dof];
  }
  return energy;
}

// Potentials: the difference of their values. Forces without a potential: work of the force at the
// time at which the step's equation holds. Forces that may supply energy, and driven degrees of
// freedom: either that, or the trapezoidal rule, whichever is larger. The trapezoidal rule is more
// accurate, but the equation of a stiff body only contains the force at its own time. With the
// larger work, the difference of the two is not counted as energy made by the time stepping.
// Where friction that carries something along does more work by the trapezoidal rule, a gain of up
// to that difference is in doubt.
// Forces without a potential on driven degrees of freedom absorb the work that the drive does
// against them, so neither is counted. (A hand that carries something by friction does the work
// that its friction does on what it carries.)
// If the midpoint rule extrapolates, the work of obstacles is summed by Simpson's rule.
EnergyBalance StepProblem::Balance() {
  EnergyBalance step;
  step.start = energy_at_start_;
  double ahead = 0;
  step.end =
      rule_.goes_on() ? forces_.PotentialsAt(MotionAt(trial(), 1), &ahead) : w_.forces.energy;
  const Configuration& end = trial();
  const bool trapezoid = start_evaluated_ && !w_.reaction_at_start.empty() && !rule_.goes_on();
  const double before_them = obstacle_work_at_start_, here = w_.forces.total.driven;
  step.pushed = std::max(
      here, rule_.goes_on() ? (before_them + 4 * here + ahead) / 6 : 0.5 * (before_them + here));
  const bool conservative = forces_.conservative();
  const std::vector<double>&gradient = w_.forces.gradient, &pathwise = w_.forces.pathwise;
  const std::vector<double>& mass = system_.mass();
  const bool follows = state_.dt_before > 0 && state_.path.size() == pathwise.size();
  double at_end = 0, mean = 0, path = 0, mean_path = 0, trapezoidal = 0, unresolved = 0;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof];
    unresolved += kResolution * std::abs(gradient[dof] * end.q[dof]);
    if (dofs_.locked(dof)) {
      const double reaction = gradient[dof] - (conservative ? 0 : pathwise[dof]);
      at_end += reaction * moved;
      if (trapezoid) mean += 0.5 * (w_.reaction_at_start[dof] + reaction) * moved;
      continue;
    }
    if (!conservative) {
      const double after = pathwise[dof];
      const bool acted = trapezoid && !follows && w_.path_at_start[dof] != 0;
      path -= after * moved;
      if (follows) mean_path -= 0.5 * (state_.path[dof] + after) * moved;
      if (acted) trapezoidal += 0.5 * (after - w_.path_at_start[dof]) * moved;
    }
    const double v = w_.end_velocity[dof], v_mean = moved / rule_.dt;
    step.kinetic += 0.5 * mass[dof] * v * v;
    step.mean += 0.5 * mass[dof] * v_mean * v_mean;
  }
  step.work += step.pushed + (trapezoid ? std::max(at_end, mean) : at_end);
  step.work += follows ? std::max(path, mean_path) : path;
  step.doubt = std::max(0.0, trapezoidal);
  const double before = step.kinetic_before = KineticAtStart();
  step.dissipated =
      w_.forces.total.dissipated / rule_.part;  // by the forces where the equation holds
  step.made =
      step.kinetic - before + step.end.sum() - step.start.sum() + step.dissipated - step.work;
  step.noise = unresolved +
               kBalanceNoise * (w_.forces.magnitude + step.kinetic + before + std::abs(step.work));
  return step;
}

}  // namespace strand
