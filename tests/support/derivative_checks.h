// A kernel's gradient and Hessian compared with differences.
#pragma once

#include "tests/support/finite_difference.h"

namespace strand::testing {

/// Compares with central differences of the energy and of the gradient: errors fall as h^2, to
/// below 1e-8 of the norm of the derivative.
void ExpectDerivatives(const ScalarFunction& energy, const VectorFunction& gradient_of,
                       const Vector& at, const Vector& gradient, const Matrix& hessian,
                       double first_step);

}  // namespace strand::testing
