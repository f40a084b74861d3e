#include "model/stencil/membrane.h"

#include <gtest/gtest.h>

#include "tests/support/finite_difference.h"

namespace strand {
namespace {

using Nodes = std::array<Vector3, 3>;
using testing::ExpectSecondOrder;
using testing::SweepSteps;

constexpr double kYoung = 3e6, kThickness = 2e-3, kPoisson = 0.3;
constexpr double kFactor = kYoung * kThickness / (1 - kPoisson * kPoisson);
const Nodes kDrawn = {Vector3(0.01, 0, 0.002), Vector3(0.05, 0.01, -0.003), Vector3(0.02, 0.04, 0)};

Vector3 Squares(const Nodes& x) {
  Vector3 squares;
  for (int k = 0; k < 3; ++k) squares[k] = (x[(k + 2) % 3] - x[(k + 1) % 3]).squaredNorm();
  return squares;
}

double Energy(const Nodes& x, MembraneGradientOf<double>* gradient = nullptr,
              MembraneHessianOf<double>* hessian = nullptr) {
  return StretchTriangle<double>(x, MembraneStiffness(kDrawn, kFactor, kPoisson), Squares(kDrawn),
                                 gradient, hessian);
}

Nodes Shifted(Nodes x, int dof, double by) {
  x[dof / 3][dof % 3] += by;
  return x;
}

const Nodes kDeformed = {Vector3(0.008, 0.002, 0.004), Vector3(0.056, 0.008, 0),
                         Vector3(0.018, 0.047, 0.01)};

TEST(Membrane, DerivativesMatchDifferences) {
  MembraneGradientOf<double> gradient;
  MembraneHessianOf<double> hessian;
  const double energy = Energy(kDeformed, &gradient, &hessian);
  EXPECT_EQ(energy, Energy(kDeformed));
  for (int i = 0; i < 9; ++i) {
    const auto error = [&](double h) {
      const double slope =
          (Energy(Shifted(kDeformed, i, h)) - Energy(Shifted(kDeformed, i, -h))) / (2 * h);
      return std::abs(slope - gradient[i]) / gradient.norm();
    };
    ExpectSecondOrder(SweepSteps(1e-3, 12, error), 1e-9);
    const auto curvature = [&](double h) {
      MembraneGradientOf<double> more, less;
      Energy(Shifted(kDeformed, i, h), &more), Energy(Shifted(kDeformed, i, -h), &less);
      return ((more - less) / (2 * h) - hessian.col(i)).norm() / hessian.norm();
    };
    ExpectSecondOrder(SweepSteps(1e-3, 12, curvature), 1e-9);
  }
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
}

TEST(Membrane, RigidMotionsCostNothing) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(2.1, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
  Nodes moved;
  for (int k = 0; k < 3; ++k) moved[k] = turn * kDrawn[k] + Vector3(3, -1, 2);
  MembraneGradientOf<double> gradient;
  EXPECT_NEAR(Energy(moved, &gradient) / Energy(kDeformed), 0, 1e-20);
  EXPECT_LT(gradient.norm(), 1e-9);
}

// Stretched by lambda along a direction and mu across it: Green's strain is ((lambda^2 - 1) / 2,
// (mu^2 - 1) / 2), whatever the triangle and the direction.
TEST(Membrane, HasYoungsModulusAndPoissonsRatio) {
  const Vector3 normal = (kDrawn[1] - kDrawn[0]).cross(kDrawn[2] - kDrawn[0]);
  const double area = 0.5 * normal.norm();
  for (double angle : {0.0, 0.4, 1.3, 2.5}) {
    const Vector3 along = Eigen::AngleAxisd(angle, normal.normalized()) *
                          Vector3((kDrawn[1] - kDrawn[0]).normalized());
    const Vector3 across = normal.normalized().cross(along);
    for (const auto& [lambda, mu] : {std::pair(1.01, 1.0), std::pair(1.1, 0.95)}) {
      Nodes x = kDrawn;
      for (Vector3& node : x) {
        node += (lambda - 1) * along.dot(node) * along + (mu - 1) * across.dot(node) * across;
      }
      const double a = 0.5 * (lambda * lambda - 1), b = 0.5 * (mu * mu - 1);
      const double expected = 0.5 * kFactor * area * (a * a + b * b + 2 * kPoisson * a * b);
      EXPECT_NEAR(Energy(x), expected, 1e-11 * expected);
    }
  }
}

}  // namespace
}  // namespace strand
