#include "model/integrator/time_stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/config/error.h"
#include "model/integrator/distorted.h"

namespace strand {
namespace {

constexpr double kGrowth = 2;
constexpr int kMaxRejections = 300;  // in one step, which could go on for hours
// Energy that consecutive steps may make together, as a fraction of all energy that the motion can
// have: by the midpoint rule, and by the others.
constexpr double kExplodes = 0.5, kGrows = 0.01;
// Energy that one step may make. Midpoint rule with contact: as a fraction of the kinetic energy
// plus the work of obstacles. Other rules: as a fraction of what is left of kGrows, so that steps
// become shorter where they make energy one after the other.
constexpr double kMadeInContact = 0.005, kMade = 0.1;

bool Implicit(Method method) {
  return method != Method::kSymplecticEuler && method != Method::kVerlet;
}

std::string Exploding(const State& state) {
  const EnergyBook& book = state.book;
  return "the motion explodes at t = " + Text(state.time) + ": the time stepping has made " +
         Text(book.growing) + " J, while initial energy, drives and loads have supplied " +
         Text(book.available()) +
         " J; use a shorter dt, or a method that damps (bdf2, backward_euler)";
}

void CheckMasses(const System& system) {
  for (int dof = 0; dof < system.dofs().size(); ++dof) {
    if (system.dofs().locked(dof) || system.mass()[dof] > 0) continue;
    throw ConfigError("mass",
                      system.dofs().angle(dof) ? "0 for a spin or the rotation of a shell's edge"
                                               : "0 for a node",
                      "> 0 for explicit steps, unless locked");
  }
}

// Gives driven degrees of freedom the velocity that takes them to their targets in `dt` (s).
void DriveVelocities(System& system, double dt) {
  State& state = system.state();
  for (int dof = 0; dof < system.dofs().size(); ++dof) {
    if (system.dofs().locked(dof)) {
      state.velocity[dof] = (system.target(dof) - state.at.q[dof]) / dt;
    }
  }
}

}  // namespace

StepReport& StepReport::operator+=(const StepReport& next) {
  steps += next.steps, rejections += next.rejections;
  iterations += next.iterations, factorizations += next.factorizations;
  residual = std::max(residual, next.residual), dt = next.dt;
  return *this;
}

TimeStepper::TimeStepper(const TimeStepOptions& options)
    : options_(options), newton_(options.newton) {
  set_dt(options.dt);
}

void TimeStepper::set_dt(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) {
    throw ConfigError("dt", std::to_string(dt), "finite, > 0 (s)");
  }
  options_.dt = dt_ = dt;
}

SolveReport TimeStepper::ImplicitStep(System& system, double dt, const Drive& drive) {
  if (drive) drive(system, system.state().time + dt);
  switch (options_.method) {
    case Method::kMidpoint:
      return Attempt(system, TimeRule::Midpoint(dt));
    case Method::kBdf2:
      if (system.state().dt_before > 0) {
        const SolveReport report = Attempt(system, TimeRule::Bdf2(dt, system.state().dt_before));
        const bool impact = report.reason == SolveReason::kImpact;
        if (report.reason != SolveReason::kEnergy && !impact) return report;
        const SolveReport again = After(report, Attempt(system, TimeRule::BackwardEuler(dt)));
        // Two-step rules start anew where velocities have jumped.
        if (impact && again.converged) system.ForgetLastStep();
        return again;
      }
      [[fallthrough]];
    default:
      return Attempt(system, TimeRule::BackwardEuler(dt));
  }
}

SolveReport TimeStepper::Attempt(System& system, const TimeRule& rule) {
  StepProblem problem(system, rule, workspace_);
  SolveReport report;
  std::optional<SolvedStep> solved = problem.Solve(newton_, &report, options_.published);
  if (!solved) return report;
  if (!options_.published && solved->MissesContact()) {
    report.converged = false, report.reason = SolveReason::kBlocked;
    return report;
  }
  if (!options_.published && rule.carry > 0 && system.forces().unresolved()) {
    report.converged = false, report.reason = SolveReason::kImpact;
    return report;
  }
  if (!options_.published && !Watch(system, rule, *solved)) {
    report.converged = false, report.reason = SolveReason::kEnergy;
    return report;
  }
  std::move(*solved).Take();
  return report;
}

// Returns false if the step makes too much energy. With rotating and buckling rods and with contact
// no rule is certain to conserve or lose energy, but shorter steps make less. A two-step rule may
// make what the step before has lost: what it never increases is a norm of two states (Hairer &
// Wanner, Solving Ordinary Differential Equations II, section V.6). It would otherwise be rejected
// after each step of backward Euler, the first one included. In contact that would let bodies
// bounce on that come to rest.
bool TimeStepper::Watch(System& system, const TimeRule& rule, SolvedStep& solved) {
  const EnergyBalance step = solved.Balance();
  EnergyBook book = system.state().book;
  const double before = std::max(0.0, book.growing);
  const double lost = rule.carry > 0 && !step.touches() ? book.lost() : 0;
  book.Enter(step);
  const double available = book.available();
  const double limit = !rule.goes_on() ? lost + kMade * std::max(0.0, kGrows * available - before)
                       : system.forces().collides()
                           ? kMadeInContact * (step.mean + std::abs(step.pushed))
                           : std::numeric_limits<double>::infinity();
  if (step.made > limit + step.noise + step.doubt) return false;
  system.state().book = book;
  if (book.growing > (rule.goes_on() ? kExplodes : kGrows) * available + step.noise) {
    SolveReport report;
    report.reason = SolveReason::kEnergy;
    throw SolverError(Exploding(system.state()), report);
  }
  return true;
}

// Symplectic Euler: v += h a(q), q += h v. Position Verlet: q += h/2 v, v += h a(q), q += h/2 v.
StepReport TimeStepper::ExplicitStep(System& system, const Drive& drive) {
  CheckMasses(system);
  const int dofs = system.dofs().size();
  const double dt = options_.dt, before = options_.method == Method::kVerlet ? 0.5 * dt : 0;
  step_.resize(dofs), acceleration_.resize(dofs);
  last_ = system.state();
  State& state = system.state();
  if (drive) drive(system, last_.time + dt);
  if (system.forces().drives()) {
    throw ConfigError("method", "an explicit one",
                      "implicit ones, with obstacles that move, or tendons that are drawn in");
  }
  DriveVelocities(system, dt);
  const auto fail = [&](SolveReason reason) {
    state = last_;
    SolveReport report;
    report.reason = reason;
    throw Unsolved("the explicit step from t = ", last_.time, report);
  };
  const auto move = [&](double h) {
    for (int dof = 0; dof < dofs; ++dof) step_[dof] = h * state.velocity[dof];
    if (!motion_.Displace(system, step_)) fail(SolveReason::kBlocked);
    state.time += h;
  };
  system.Prepare(dt);
  if (before > 0) move(before);
  motion_.Accelerations(system, dt, acceleration_);
  for (int dof = 0; dof < dofs; ++dof) {
    state.velocity[dof] += dt * acceleration_[dof];
    if (!std::isfinite(state.velocity[dof])) fail(SolveReason::kNotFinite);
  }
  move(dt - before);
  state.time = last_.time + dt;
  system.forces().Accept({state.at, last_.at, 1 / dt, state.time});
  system.forces().Adapt(state.time);
  StepReport report;
  report.steps = 1, report.dt = dt;
  return report;
}

StepReport TimeStepper::Step(System& system, const Drive& drive) {
  if (!Implicit(options_.method)) return ExplicitStep(system, drive);
  StepReport report;
  const double end = system.state().time + options_.dt;
  double left = options_.dt;
  while (left > 1e-12 * options_.dt) {
    // The last sub-step ends exactly with the whole step: up to 1.5 dt_ are taken at once.
    const double dt = left < 1.5 * dt_ ? left : dt_;
    SolveReport solve = ImplicitStep(system, dt, drive);
    report.iterations += solve.iterations;
    report.factorizations += solve.factorizations;
    if (!solve.converged) {
      ++report.rejections;
      dt_ = 0.5 * dt;
      if (dt_ < options_.least_dt || report.rejections > kMaxRejections) {
        dt_ = options_.dt;
        const Configuration& at = system.state().at;
        for (const auto& distorted : {CrushedPart, FoldedPart}) {
          if (!solve.detail.empty()) break;
          solve.detail = distorted(system.network(), system.dofs(), at);
        }
        throw Unsolved("the step to t = ", system.state().time + dt, solve);
      }
      continue;
    }
    ++report.steps;
    report.residual = std::max(report.residual, solve.residual);
    report.dt = dt;
    left = end - system.state().time;
    dt_ = std::min(options_.dt, kGrowth * dt_);
  }
  system.state().time = end;
  system.forces().Adapt(end);
  return report;
}

}  // namespace strand
