// Factorisations of dense matrices, for reference. Eigen's take long to compile: here, once.
#pragma once

#include "tests/support/finite_difference.h"

namespace strand::testing {

/// Of a symmetric matrix, in ascending order.
Vector Eigenvalues(const Matrix& symmetric);

/// The solution of a regular system.
Vector SolveDense(const Matrix& a, const Vector& right);

double ReciprocalCondition(const Matrix& a);

}  // namespace strand::testing
