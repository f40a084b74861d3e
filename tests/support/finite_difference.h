// Central differences, and sweeps over their step: for a correct derivative the error falls as h^2
// until round-off dominates.
#pragma once

#include <Eigen/Core>
#include <functional>

namespace strand::testing {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using ScalarFunction = std::function<double(const Vector&)>;
using VectorFunction = std::function<Vector(const Vector&)>;

/// Second-order error: (f(+h) - f(-h)) / 2h.
Vector CentralGradient(const ScalarFunction& f, const Vector& at, double h);

/// Fourth-order error, for totals that are compared to many digits.
Vector FivePointGradient(const ScalarFunction& f, const Vector& at, double h);

/// Jacobian of a vector function, by central differences.
Matrix CentralJacobian(const VectorFunction& f, const Vector& at, double h);

/// Second derivatives from values alone: four corners for every pair, second-order error.
Matrix CentralHessian(const ScalarFunction& f, const Vector& at, double h);

/// Errors of a difference quotient at steps h, h/2, h/4 ...
struct StepSweep {
  double first = 0;  ///< error at the longest step
  double best = 0;   ///< smallest error of all steps
  double slope = 0;  ///< d log(error) / d log(h), fitted above round-off
  int points = 0;    ///< steps in that fit
};

StepSweep SweepSteps(double first_step, int steps,
                     const std::function<double(double)>& error_of_step);

/// Fails unless the error falls as h^2 over several steps and ends below `best`. If even the
/// longest step is better than `best` (the energy is symmetric about the point and has no error
/// term of that order), the slope cannot be measured and is not checked.
void ExpectSecondOrder(const StepSweep& sweep, double best);

}  // namespace strand::testing
