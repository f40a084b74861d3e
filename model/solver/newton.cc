#include "model/solver/newton.h"

#include <algorithm>
#include <cmath>

namespace strand {
namespace {

constexpr double kSufficient = 1e-4;  // of the decrease the slope promises
constexpr double kFirstShift = 1e-2;  // times the weight
constexpr double kShiftGrowth = 4;
constexpr double kSmallestChange = 4;  // a step of so many roundings of the unknowns is none

}  // namespace

bool TrialValue::finite() const { return std::isfinite(merit) && std::isfinite(residual); }

const char* Words(SolveReason reason) {
  switch (reason) {
    case SolveReason::kResidual:
      return "the residual is below the tolerance";
    case SolveReason::kRoundOff:
      return "the last step was below round-off";
    case SolveReason::kIterations:
      return "the iterations were used up";
    case SolveReason::kLineSearch:
      return "no step along the direction lowered the merit";
    case SolveReason::kSingular:
      return "no shift made the matrix positive definite";
    case SolveReason::kNotFinite:
      return "a number was not finite";
    case SolveReason::kBlocked:
      return "the step would have passed through something";
  }
  return "";
}

SolveReport NewtonSolver::Solve(NewtonProblem& problem) {
  SolveReport report;
  shift_ = 0;
  TrialValue value = problem.Evaluate(true);
  for (;;) {
    report.residual = value.residual;
    if (!value.finite()) {
      report.reason = SolveReason::kNotFinite;
      return report;
    }
    if (value.residual <= options.tolerance) {
      report.reason = SolveReason::kResidual;
      report.converged = true;
      return report;
    }
    if (report.iterations == options.max_iterations) return report;
    if (report.iterations > 0) value = problem.Evaluate(true);  // a merit may start from its base
    if (!Direction(problem, &report)) return report;
    if (!LineSearch(problem, &value, &report)) return report;
    problem.Accept();
    ++report.iterations;
    if (report.converged) {
      report.residual = value.residual;
      return report;
    }
  }
}

bool NewtonSolver::Direction(NewtonProblem& problem, SolveReport* report) {
  const std::span<const double> residual = problem.residual();
  step_.resize(residual.size());
  for (int tries = 0; tries <= options.max_shifts; ++tries) {
    const Factorization factors = problem.system().Factor(shift_, problem.weight());
    ++report->factorizations;
    if (factors.ok && (factors.negative_pivots == 0 || !problem.has_potential())) {
      for (size_t i = 0; i < residual.size(); ++i) step_[i] = -residual[i];
      problem.system().Solve(step_);
      shifted_ = shift_ > 0;
      if (tries == 0) shift_ = shift_ > kFirstShift ? shift_ / kShiftGrowth : 0;
      return true;
    }
    shift_ = std::max(kFirstShift, kShiftGrowth * shift_);
  }
  report->reason = SolveReason::kSingular;
  return false;
}

// On return the trial is the last one tried; `value` is its value if it was taken.
bool NewtonSolver::LineSearch(NewtonProblem& problem, TrialValue* value, SolveReport* report) {
  const std::span<const double> residual = problem.residual();
  double slope = 0;
  for (size_t i = 0; i < residual.size(); ++i) slope += residual[i] * step_[i];
  if (!problem.has_potential()) slope = -2 * value->merit;  // of |r|^2 / 2 along a Newton step
  const double whole = problem.Limit(step_);
  double scale = whole;
  for (int halvings = 0; halvings <= options.max_halvings; ++halvings, scale *= 0.5) {
    const double moved = problem.Move(step_, scale);
    const TrialValue trial = problem.Evaluate(false);
    const bool falls = trial.merit <= value->merit + kSufficient * scale * slope + value->noise;
    // Where the unknowns themselves cannot hold the step, neither does the merit show it.
    const bool tiny = scale == whole && whole > 0 && moved <= kSmallestChange && !shifted_;
    if (trial.finite() && (falls || tiny || trial.residual <= options.tolerance)) {
      if (tiny) {
        report->converged = true;
        report->reason = SolveReason::kRoundOff;
      }
      *value = trial;
      return true;
    }
    if (!trial.finite() && halvings == options.max_halvings) {
      report->reason = SolveReason::kNotFinite;
      return false;
    }
  }
  report->reason = SolveReason::kLineSearch;
  return false;
}

}  // namespace strand
