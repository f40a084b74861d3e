#include "model/stencil/hinge.h"

#include <gtest/gtest.h>

#include "tests/support/derivative_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace hinge_test {

using testing::ExpectDerivatives;
using testing::Matrix;
using testing::Random;
using testing::Vector;

Hinge At(const Vector& q) {
  return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6), q.segment<3>(9)};
}

// Triangles of the given size, folded by `angle`, with random displacements of up to a tenth.
Vector Folded(double angle, double size, Random* random) {
  Vector q(12);
  q << 0, 0, 0, 1, 0, 0, 0.4, std::cos(angle), std::sin(angle), 0.7, -0.8, 0;
  for (int k = 0; k < 12; ++k) q[k] += random->Uniform(-0.1, 0.1);
  const Eigen::Matrix3d rotation = random->Rotation();
  for (int n = 0; n < 4; ++n) q.segment<3>(3 * n) = rotation * q.segment<3>(3 * n);
  return size * q;
}

TEST(Hinge, AngleIsPositiveInAValley) {
  for (double fold : {-3.0, -1.2, -1e-9, 0.0, 1e-9, 0.3, 1.5, 3.0}) {
    const Vector3 wing(0.2, 2 * std::cos(fold), 2 * std::sin(fold));
    const Vector3 x0(0, 0, 0), x1(1.5, 0, 0), other(0.9, -1, 0);
    EXPECT_NEAR(Hinge(x0, x1, wing, other).Angle(), fold, 1e-15);
    EXPECT_NEAR(Hinge(x1, x0, other, wing).Angle(), fold, 1e-15) << "from the other side";
    EXPECT_NEAR(Hinge(x1, x0, wing, other).Angle(), -fold, 1e-15) << "from below";
  }
}

TEST(Hinge, DerivativesMatchDifferences) {
  Random random(3);
  for (double angle : {-2.5, -1.0, 0.0, 0.4, 1.7, 2.6}) {
    for (double size : {1e-3, 1.0}) {
      SCOPED_TRACE(angle);
      const Vector q = Folded(angle, size, &random);
      const auto energy = [](const Vector& x) { return BendHinge(At(x), 2.0, 0.3, 0.3); };
      const auto gradient = [](const Vector& x) {
        HingeGradientOf<double> g;
        BendHinge(At(x), 2.0, 0.3, 0.3, &g);
        return Vector(g);
      };
      HingeGradientOf<double> g;
      HingeHessianOf<double> h;
      BendHinge(At(q), 2.0, 0.3, 0.3, &g, &h);
      const Matrix full = h.selfadjointView<Eigen::Lower>();
      ExpectDerivatives(energy, gradient, q, g, full, 0.05 * size);
    }
  }
}

TEST(Hinge, RigidMotionHasNoEffect) {
  Random random(5);
  const Vector q = Folded(0.8, 1, &random);
  const HingeGradientOf<double> slope = At(q).Gradient();
  Vector3 force = Vector3::Zero(), moment = force;
  for (int n = 0; n < 4; ++n) {
    force += slope.segment<3>(3 * n);
    moment += Vector3(q.segment<3>(3 * n)).cross(slope.segment<3>(3 * n));
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-14);
}

TEST(Hinge, SmallTrianglesBendLikeLargeOnes) {
  Random random(7);
  const Vector q = Folded(0.5, 1, &random);
  const double angle = At(q).Angle();
  for (double size : {1e-6, 1e-3, 1e3}) {
    EXPECT_NEAR(At(size * q).Angle(), angle, 1e-14);
    EXPECT_LT((size * At(size * q).Gradient() - At(q).Gradient()).norm(), 1e-13);
  }
}

TEST(Hinge, PacksEqualSingles) {
  using P = Pack<2>;
  Random random(9);
  const Vector a = Folded(0.5, 1, &random), b = Folded(-1.5, 1, &random);
  std::array<Vector3Of<P>, 4> x;
  for (int n = 0; n < 4; ++n) {
    for (int c = 0; c < 3; ++c) x[n][c] = P({a[3 * n + c], b[3 * n + c]});
  }
  HingeGradientOf<P> gradient;
  HingeHessianOf<P> hessian;
  BendHinge<P>(HingeOf<P>(x[0], x[1], x[2], x[3]), P(2), P(0.3), P(0.3), &gradient, &hessian);
  for (int lane : {0, 1}) {
    HingeGradientOf<double> g;
    HingeHessianOf<double> h;
    BendHinge(At(lane ? b : a), 2.0, 0.3, 0.3, &g, &h);
    for (int r = 0; r < 12; ++r) {
      EXPECT_NEAR(gradient[r][lane], g[r], 1e-13);
      for (int c = 0; c <= r; ++c) EXPECT_NEAR(hessian(r, c)[lane], h(r, c), 1e-12);
    }
  }
}

}  // namespace hinge_test
}  // namespace strand
