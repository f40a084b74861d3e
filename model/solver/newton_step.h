// The parts of a Newton step that solvers share.
#pragma once

#include <span>
#include <vector>

#include "model/simd/flush_denormals.h"
#include "model/solver/newton.h"

namespace strand {

/// Factorises the matrix at the trial, shifted by `shift` times `weight`; counts it in the report.
inline Factorization Factor(NewtonProblem& problem, double shift, std::span<const double> weight,
                            SolveReport* report) {
  const FlushDenormals flush;
  ++report->factorizations;
  return problem.system().Factor(shift, weight);
}

/// The same with the problem's weight.
inline Factorization Factor(NewtonProblem& problem, double shift, SolveReport* report) {
  return Factor(problem, shift, problem.weight(), report);
}

/// The full Newton step from the trial with the last factorisation: x = -A^-1 r.
inline void NewtonStep(NewtonProblem& problem, std::vector<double>* x) {
  const FlushDenormals flush;
  const std::span<const double> residual = problem.residual();
  x->assign(residual.begin(), residual.end());
  for (double& entry : *x) entry = -entry;
  problem.system().Solve(*x);
}

inline double Dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace strand
