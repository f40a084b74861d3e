#include "tests/support/finite_difference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace strand::testing {

Vector CentralGradient(const ScalarFunction& f, const Vector& at, double h) {
  Vector gradient(at.size());
  for (int i = 0; i < at.size(); ++i) {
    const Vector step = h * Vector::Unit(at.size(), i);
    gradient[i] = (f(at + step) - f(at - step)) / (2 * h);
  }
  return gradient;
}

Vector FivePointGradient(const ScalarFunction& f, const Vector& at, double h) {
  return (4 * CentralGradient(f, at, h) - CentralGradient(f, at, 2 * h)) / 3;
}

Matrix CentralJacobian(const VectorFunction& f, const Vector& at, double h) {
  Matrix jacobian(f(at).size(), at.size());
  for (int i = 0; i < at.size(); ++i) {
    const Vector step = h * Vector::Unit(at.size(), i);
    jacobian.col(i) = (f(at + step) - f(at - step)) / (2 * h);
  }
  return jacobian;
}

Matrix CentralHessian(const ScalarFunction& f, const Vector& at, double h) {
  const auto size = at.size();
  Matrix hessian(size, size);
  for (int i = 0; i < size; ++i) {
    const Vector u = h * Vector::Unit(size, i);
    for (int j = 0; j <= i; ++j) {
      const Vector v = h * Vector::Unit(size, j);
      hessian(i, j) = hessian(j, i) =
          (f(at + u + v) - f(at + u - v) - f(at - u + v) + f(at - u - v)) / (4 * h * h);
    }
  }
  return hessian;
}

StepSweep SweepSteps(double first_step, int steps,
                     const std::function<double(double)>& error_of_step) {
  std::vector<double> log_step, log_error;
  for (int k = 0; k < steps; ++k) {
    const double h = first_step * std::pow(0.5, k);
    log_step.push_back(std::log(h));
    log_error.push_back(std::log(std::max(error_of_step(h), 1e-300)));
  }
  const auto lowest = std::min_element(log_error.begin(), log_error.end());
  StepSweep sweep{std::exp(log_error[0]), std::exp(*lowest), 0, 0};
  const double round_off = *lowest + std::log(50.0);
  double x = 0, y = 0, xx = 0, xy = 0;
  for (int k = 0; k < lowest - log_error.begin() && log_error[k] > round_off; ++k) {
    ++sweep.points;
    x += log_step[k], y += log_error[k];
    xx += log_step[k] * log_step[k], xy += log_step[k] * log_error[k];
  }
  const double n = sweep.points;
  if (sweep.points > 1) sweep.slope = (n * xy - x * y) / (n * xx - x * x);
  return sweep;
}

void ExpectSecondOrder(const StepSweep& sweep, double best) {
  EXPECT_LT(sweep.best, best);
  if (sweep.first < best) return;
  EXPECT_GE(sweep.points, 3) << "too few steps above round-off";
  EXPECT_NEAR(sweep.slope, 2, 0.03);
}

}  // namespace strand::testing
