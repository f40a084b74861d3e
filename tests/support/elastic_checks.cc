#include "tests/support/elastic_checks.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "tests/support/networks.h"
#include "tests/support/random.h"

namespace strand::testing {

Configuration Disturbed(const EnergyProbe& probe, std::uint64_t seed) {
  Random random(seed);
  Configuration at = probe.drawn();
  for (int k = 0; k < 4; ++k) {
    Vector step = RandomStep(probe.dofs().size(), 0.01, &random);
    for (int edge : probe.dofs().edges()) step[edge] = random.Uniform(-0.5, 1);
    at = probe.Moved(at, step);
  }
  return at;
}

void CheckDerivatives(EnergyProbe* probe, const Configuration& at, double first_step) {
  const Vector gradient = probe->Gradient(at);
  const Matrix hessian = probe->Hessian(at);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-14 * hessian.norm());
  const auto energy = [&](const Vector& step) { return probe->Energy(probe->Moved(at, step)); };
  const auto slope = [&](const Vector& step) { return probe->Gradient(probe->Moved(at, step)); };
  // Random directions u and v; the errors of all pairs are summed.
  std::vector<std::array<Vector, 2>> pairs(6);
  Random random(3);
  for (auto& pair : pairs) {
    for (Vector& u : pair) u = RandomStep(probe->dofs().size(), 1, &random).normalized();
  }
  const auto sum_of_squares = [&pairs](double scale, const auto& error) {
    double sum = 0;
    for (const auto& [u, v] : pairs) sum += std::pow(error(u, v) / scale, 2);
    return std::sqrt(sum);
  };
  const auto first_error = [&](double h) {
    return sum_of_squares(gradient.norm(), [&](const Vector& u, const Vector&) {
      return (energy(h * u) - energy(-h * u)) / (2 * h) - gradient.dot(u);
    });
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, first_error), 1e-8);
  const auto second_error = [&](double h) {
    return sum_of_squares(hessian.norm(), [&](const Vector& u, const Vector& v) {
      const Vector sum = h * (u + v), difference = h * (u - v);
      const double mixed = energy(sum) - energy(difference) - energy(-difference) + energy(-sum);
      return mixed / (4 * h * h) - u.dot(hessian * v);
    });
  };
  ExpectSecondOrder(SweepSteps(first_step, 10, second_error), 1e-6);
  // Differences of the gradient give more digits. The gradient is taken at transported frames,
  // whose holonomy adds an antisymmetric part to its Jacobian; symmetrising removes it.
  const auto by_gradient = [&](double h) {
    return sum_of_squares(hessian.norm(), [&](const Vector& u, const Vector& v) {
      const double mixed =
          v.dot(slope(h * u) - slope(-h * u)) + u.dot(slope(h * v) - slope(-h * v));
      return mixed / (4 * h) - u.dot(hessian * v);
    });
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, by_gradient), 1e-9);
}

}  // namespace strand::testing
