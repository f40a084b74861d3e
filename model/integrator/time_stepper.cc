#include "model/integrator/time_stepper.h"

#include <algorithm>
#include <cmath>

#include "model/config/error.h"

namespace strand {
namespace {

constexpr double kGrowth = 2;

std::string Failure(const char* what, double at, const SolveReport& report) {
  return std::string(what) + std::to_string(at) + " did not converge: " + Words(report.reason) +
         " (" + std::to_string(report.iterations) + " iterations, residual " +
         std::to_string(report.residual) + " of the largest force)";
}

bool Implicit(Method method) {
  return method == Method::kBackwardEuler || method == Method::kMidpoint;
}

void CheckMasses(const System& system) {
  for (int dof = 0; dof < system.dofs().size(); ++dof) {
    if (system.dofs().locked(dof) || system.mass()[dof] > 0) continue;
    throw ConfigError("mass",
                      system.dofs().angle(dof) ? "0 of a spin, or of the rotation of a shell's edge"
                                               : "0 of a node",
                      "> 0 for explicit steps, where it is not locked");
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
    : options_(options), newton_(options.newton), dt_(options.dt) {
  if (!(options.dt > 0) || !std::isfinite(options.dt)) {
    throw ConfigError("dt", std::to_string(options.dt), "finite, > 0 (s)");
  }
}

SolveReport TimeStepper::ImplicitStep(System& system, double dt, const Drive& drive) {
  const bool midpoint = options_.method == Method::kMidpoint;
  const double start = system.state().time, end = start + dt;
  if (drive) drive(system, end);
  const double part = midpoint ? 0.5 : 1;
  SolveReport blocked;
  blocked.reason = SolveReason::kBlocked;
  if (!system.Begin(part * dt, start + part * dt, part)) return blocked;
  if (!options_.newton.published) system.Predict();
  const SolveReport report = newton_.Solve(system);
  if (!report.converged) return report;
  if (midpoint && !system.Extrapolate()) return blocked;
  system.End(1 / (part * dt), midpoint ? -1 : 0);
  system.state().time = end;
  return report;
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
  system.DriveVelocities(dt);
  const auto fail = [&](SolveReason reason) {
    state = last_;
    SolveReport report;
    report.reason = reason;
    throw SolverError(Failure("the explicit step from t = ", last_.time, report), report);
  };
  const auto move = [&](double h) {
    for (int dof = 0; dof < dofs; ++dof) step_[dof] = h * state.velocity[dof];
    if (!system.Displace(step_)) fail(SolveReason::kBlocked);
    state.time += h;
  };
  system.PrepareForces(dt);
  if (before > 0) move(before);
  system.Accelerations(dt, acceleration_);
  for (int dof = 0; dof < dofs; ++dof) {
    state.velocity[dof] += dt * acceleration_[dof];
    if (!std::isfinite(state.velocity[dof])) fail(SolveReason::kNotFinite);
  }
  move(dt - before);
  state.time = last_.time + dt;
  system.AcceptForces(last_.at, dt);
  system.Adapt();
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
    // The last sub-step ends where the whole step does.
    const double dt = left < 1.5 * dt_ ? left : dt_;
    const SolveReport solve = ImplicitStep(system, dt, drive);
    report.iterations += solve.iterations;
    report.factorizations += solve.factorizations;
    if (!solve.converged) {
      ++report.rejections;
      dt_ = 0.5 * dt;
      if (dt_ < options_.least_dt) {
        dt_ = options_.dt;
        throw SolverError(Failure("the step to t = ", system.state().time + dt, solve), solve);
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
  system.Adapt();
  return report;
}

SolveReport SolveStatics(System& system, const NewtonOptions& options, int steps,
                         const std::function<void(System&, double)>& ramp) {
  NewtonSolver newton(options);
  SolveReport report;
  int iterations = 0, factorizations = 0;
  for (int step = 1; step <= steps; ++step) {
    const double load = static_cast<double>(step) / steps;
    if (ramp) ramp(system, load);
    report = {};
    report.reason = SolveReason::kBlocked;
    if (system.Begin(0, system.state().time, 1)) report = newton.Solve(system);
    if (!report.converged) throw SolverError(Failure("statics at load ", load, report), report);
    report.iterations = iterations += report.iterations;
    report.factorizations = factorizations += report.factorizations;
    system.End(0, 0);
    system.Adapt();
  }
  return report;
}

}  // namespace strand
