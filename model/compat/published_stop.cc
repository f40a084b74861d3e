#include "model/compat/published_stop.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "model/solver/newton_step.h"

namespace strand {
namespace {

constexpr int kUndampedSteps = 9;
constexpr double kDamping = 0.9, kLeastDamped = 0.1;

}  // namespace

SolveReport SolveAsPublished(NewtonProblem& problem, const PublishedStop& stop,
                             int max_iterations) {
  SolveReport report;
  std::vector<double> step;
  double first = 0, scale = 1;
  while (!report.converged && report.iterations < max_iterations) {
    const TrialValue value = problem.Evaluate(true);
    report.residual = value.residual;
    const Factorization factors = Factor(problem, 0, &report);
    if (!value.finite() || !factors.ok) {
      report.reason = value.finite() ? SolveReason::kSingular : SolveReason::kNotFinite;
      return report;
    }
    const double norm = std::sqrt(Dot(problem.residual(), problem.residual()));
    if (report.iterations == 0) first = norm;
    NewtonStep(problem, &step);
    if (report.iterations >= kUndampedSteps) scale = std::max(kDamping * scale, kLeastDamped);
    problem.Move(step, scale);
    problem.Accept();
    ++report.iterations;
    report.converged = norm <= stop.force || norm < stop.reduction * first ||
                       problem.LargestMove(step) < stop.change;
  }
  if (report.converged) report.reason = SolveReason::kPublished;
  return report;
}

}  // namespace strand
