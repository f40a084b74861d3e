#include "tests/support/dense_algebra.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace strand::testing {

Vector Eigenvalues(const Matrix& symmetric) {
  return Eigen::SelfAdjointEigenSolver<Matrix>(symmetric, Eigen::EigenvaluesOnly).eigenvalues();
}

Vector SolveDense(const Matrix& a, const Vector& right) { return a.fullPivLu().solve(right); }

double ReciprocalCondition(const Matrix& a) { return a.fullPivLu().rcond(); }

}  // namespace strand::testing
