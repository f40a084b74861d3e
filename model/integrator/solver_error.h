// The error of time stepping and statics.
#pragma once

#include <stdexcept>
#include <string>

#include "model/solver/newton.h"

namespace strand {

/// The solver did not converge. The state is that after the last accepted step.
class SolverError : public std::runtime_error {
 public:
  SolverError(const std::string& what, const SolveReport& solve)
      : std::runtime_error(what), report(solve) {}
  SolveReport report;
};

/// The error of a solve that is `what`, for example "the step to t = ", and a number.
inline SolverError Unsolved(const char* what, double at, const SolveReport& report) {
  return {std::string(what) + std::to_string(at) + " did not converge: " + Describe(report.reason) +
              (report.detail.empty() ? "" : ", " + report.detail) + " (" +
              std::to_string(report.iterations) + " iterations, residual " +
              std::to_string(report.residual) + " of the largest force)",
          report};
}

}  // namespace strand
