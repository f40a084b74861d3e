#include "model/stencil/membrane.h"

#include <gtest/gtest.h>

#include "tests/support/derivative_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace membrane_test {

using testing::ExpectDerivatives;
using testing::Matrix;
using testing::Random;
using testing::Vector;

using Nodes = std::array<Vector3, 3>;
constexpr double kStiffness = 3, kPoisson = 0.3;  // E h (N/m), nu

Nodes At(const Vector& q) { return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6)}; }

Nodes Drawn(double size) {
  return {Vector3(0, 0, 0), Vector3(1.1 * size, 0.1 * size, 0), Vector3(0.3 * size, 0.7 * size, 0)};
}

MembraneRest RestOf(const Nodes& x, double poisson = kPoisson) {
  return {MembraneStiffness(x, kStiffness, poisson),
          Vector3((x[2] - x[1]).norm(), (x[0] - x[2]).norm(), (x[1] - x[0]).norm())};
}

Vector Moved(const Nodes& x, double by, Random* random) {
  Vector q(9);
  for (int n = 0; n < 3; ++n) q.segment<3>(3 * n) = x[n] + by * random->Vector();
  return q;
}

TEST(Membrane, DerivativesMatchDifferences) {
  Random random(3);
  for (double size : {1e-3, 1.0}) {
    for (double poisson : {-0.5, 0.0, 0.3, 0.5}) {
      SCOPED_TRACE(poisson);
      const MembraneRest rest = RestOf(Drawn(size), poisson);
      const Vector q = Moved(Drawn(size), 0.2 * size, &random);
      const auto energy = [&](const Vector& x) { return StretchMembrane(At(x), rest); };
      const auto gradient = [&](const Vector& x) {
        MembraneGradientOf<double> g;
        StretchMembrane(At(x), rest, &g);
        return Vector(g);
      };
      MembraneGradientOf<double> g;
      MembraneHessianOf<double> h;
      StretchMembrane(At(q), rest, &g, &h);
      ExpectDerivatives(energy, gradient, q, g, Matrix(h.selfadjointView<Eigen::Lower>()),
                        0.05 * size);
    }
  }
}

TEST(Membrane, RigidMotionHasNoEffect) {
  Random random(5);
  const MembraneRest rest = RestOf(Drawn(1));
  const Eigen::Matrix3d turn = random.Rotation();
  const Vector3 by = random.Vector();
  Nodes moved = Drawn(1);
  for (Vector3& x : moved) x = turn * x + by;
  EXPECT_LT(StretchMembrane(moved, rest), 1e-30);
  const Vector q = Moved(Drawn(1), 0.2, &random);
  MembraneGradientOf<double> g;
  StretchMembrane(At(q), rest, &g);
  Vector3 force = Vector3::Zero(), moment = force;
  for (int n = 0; n < 3; ++n) {
    const Vector3 x = q.segment<3>(3 * n), own = g.segment<3>(3 * n);
    force += own, moment += x.cross(own);
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-14);
}

// For any deformation gradient F and any triangle: E = (F^T F - I) / 2.
TEST(Membrane, EnergyUsesTheGreenStrain) {
  Random random(7);
  for (int trial = 0; trial < 20; ++trial) {
    Nodes x;
    for (Vector3& node : x) node = Vector3(random.Uniform(-1, 1), random.Uniform(-1, 1), 0);
    Eigen::Matrix3d F = Eigen::Matrix3d::Identity();
    for (int k = 0; k < 6; ++k) F(k / 2, k % 2) += random.Uniform(-0.5, 0.5);
    const double poisson = random.Uniform(-0.9, 0.5);
    const Eigen::Matrix2d strain =
        0.5 * (F.leftCols<2>().transpose() * F.leftCols<2>() - Eigen::Matrix2d::Identity());
    const double area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    const double trace = strain.trace();
    const double expected = area * kStiffness / (2 * (1 - poisson * poisson)) *
                            ((1 - poisson) * strain.squaredNorm() + poisson * trace * trace);
    const double energy = StretchMembrane(Nodes{F * x[0], F * x[1], F * x[2]}, RestOf(x, poisson));
    EXPECT_NEAR(energy / expected, 1, 1e-9);
  }
}

TEST(Membrane, PacksEqualSingles) {
  using P = Pack<2>;
  Random random(9);
  const MembraneRest rest = RestOf(Drawn(1));
  const Vector a = Moved(Drawn(1), 0.2, &random), b = Moved(Drawn(1), 0.2, &random);
  std::array<Vector3Of<P>, 3> x;
  MembraneRestOf<P> packed;
  for (int r = 0; r < 3; ++r) {
    packed.length[r] = P(rest.length[r]);
    for (int c = 0; c < 3; ++c) {
      packed.stiffness(r, c) = P(rest.stiffness(r, c));
      x[r][c] = P({a[3 * r + c], b[3 * r + c]});
    }
  }
  MembraneGradientOf<P> gradient;
  MembraneHessianOf<P> hessian;
  StretchMembrane<P>(x, packed, &gradient, &hessian);
  for (int lane : {0, 1}) {
    MembraneGradientOf<double> g;
    MembraneHessianOf<double> h;
    StretchMembrane(At(lane ? b : a), rest, &g, &h);
    for (int r = 0; r < 9; ++r) {
      EXPECT_NEAR(gradient[r][lane], g[r], 1e-13);
      for (int c = 0; c <= r; ++c) EXPECT_NEAR(hessian(r, c)[lane], h(r, c), 1e-12);
    }
  }
}

}  // namespace membrane_test
}  // namespace strand
