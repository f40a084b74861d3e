#include "tests/support/derivative_checks.h"

namespace strand::testing {

void ExpectDerivatives(const ScalarFunction& energy, const VectorFunction& gradient_of,
                       const Vector& at, const Vector& gradient, const Matrix& hessian,
                       double first_step) {
  const auto of_gradient = [&](double h) {
    return (CentralGradient(energy, at, h) - gradient).norm() / gradient.norm();
  };
  const auto of_hessian = [&](double h) {
    return (CentralJacobian(gradient_of, at, h) - hessian).norm() / hessian.norm();
  };
  ExpectSecondOrder(SweepSteps(first_step, 14, of_gradient), 1e-8);
  ExpectSecondOrder(SweepSteps(first_step, 14, of_hessian), 1e-8);
}

}  // namespace strand::testing
