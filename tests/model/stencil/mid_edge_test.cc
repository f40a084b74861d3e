#include "model/stencil/mid_edge.h"

#include <gtest/gtest.h>

#include "tests/support/derivative_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace mid_edge_test {

using testing::ExpectDerivatives;
using testing::Matrix;
using testing::Random;
using testing::Vector;

constexpr double kYoung = 2e6, kThickness = 1e-3;

double Factor(double poisson) {
  return kYoung * std::pow(kThickness, 3) / (24 * (1 - poisson * poisson));
}

// The three corners and the far nodes, in a plane.
MidEdgeNodesOf<double> Flat(double size) {
  const std::array<Vector3, 6> x = {Vector3(0, 0, 0),      Vector3(1, 0.1, 0),
                                    Vector3(0.3, 0.8, 0),  Vector3(1.2, 1.1, 0),
                                    Vector3(-0.7, 0.6, 0), Vector3(0.4, -0.9, 0)};
  MidEdgeNodesOf<double> scaled;
  for (int n = 0; n < 6; ++n) scaled[n] = size * x[n];
  return scaled;
}

MidEdgeRest Rest(double size, double poisson) {
  const auto x = Flat(size);
  return {MidEdgeStiffness({x[0], x[1], x[2]}, Factor(poisson), poisson), Vector3(0.1, -0.2, 0.05),
          Vector3(0.5, 0.5, 1), Vector3(1, -1, 0)};
}

double Evaluate(const Vector& q, const MidEdgeRest& rest, MidEdgeGradientOf<double>* gradient,
                MidEdgeHessianOf<double>* hessian) {
  MidEdgeNodesOf<double> x;
  for (int n = 0; n < 6; ++n) x[n] = q.segment<3>(3 * n);
  return BendMidEdge<double>(x, q.tail<3>(), rest, gradient, hessian);
}

Vector Moved(double size, Random* random) {
  const auto x = Flat(size);
  Vector q(kMidEdgeSize);
  for (int n = 0; n < 6; ++n) q.segment<3>(3 * n) = x[n] + 0.15 * size * random->Vector();
  q.tail<3>() = 0.3 * random->Vector();
  return q;
}

TEST(MidEdge, DerivativesMatchDifferences) {
  Random random(2);
  for (double size : {2e-3, 1.0}) {
    for (double poisson : {0.0, 0.3, 0.5}) {
      const MidEdgeRest rest = Rest(size, poisson);
      Vector q = Moved(size, &random);
      // In scaled units for lengths and angles.
      Vector unit = Vector::Constant(kMidEdgeSize, size);
      unit.tail<3>().setOnes();
      const auto scaled = [&](const Vector& y) { return Vector(unit.cwiseProduct(y)); };
      const Vector y = q.cwiseQuotient(unit);
      const auto energy = [&](const Vector& at) {
        return Evaluate(scaled(at), rest, nullptr, nullptr);
      };
      const auto gradient = [&](const Vector& at) {
        MidEdgeGradientOf<double> g;
        Evaluate(scaled(at), rest, &g, nullptr);
        return Vector(unit.cwiseProduct(Vector(g)));
      };
      MidEdgeGradientOf<double> g;
      MidEdgeHessianOf<double> h;
      Evaluate(q, rest, &g, &h);
      const Vector exact = unit.cwiseProduct(Vector(g));
      const Matrix full =
          unit.asDiagonal() * Matrix(h.selfadjointView<Eigen::Lower>()) * unit.asDiagonal();
      ExpectDerivatives(energy, gradient, y, exact, full, 0.05);
    }
  }
}

// A triangle whose normals follow a surface of constant curvature has the energy of the plate,
// D / 2 [(k1 + k2)^2 - 2 (1 - nu) k1 k2] A, for any shape.
TEST(MidEdge, ConstantCurvatureHasThePlatesEnergy) {
  Random random(4);
  for (double poisson : {0.0, 0.3, 0.5}) {
    const auto x = Flat(1);
    MidEdgeRest rest = Rest(1, poisson);
    rest.natural.setZero();
    Eigen::Matrix2d curvature;
    curvature << 0.02, 0.01, 0.01, -0.03;
    const auto height = [&](int n) { return 0.5 * x[n].head<2>().dot(curvature * x[n].head<2>()); };
    Eigen::Matrix2d edges;
    edges << (x[1] - x[0]).head<2>().transpose(), (x[2] - x[0]).head<2>().transpose();
    const Eigen::Vector2d slope =  // of the plane through the corners
        edges.inverse() * Eigen::Vector2d(height(1) - height(0), height(2) - height(0));
    Vector3 alpha;
    for (int k = 0; k < 3; ++k) {
      const Vector3 &a = x[(k + 1) % 3], &b = x[(k + 2) % 3];
      const Eigen::Vector2d outward(b.y() - a.y(), a.x() - b.x()), middle = 0.5 * (a + b).head<2>();
      alpha[k] = outward.normalized().dot(curvature * middle - slope);
    }
    const double energy = 0.5 * alpha.dot(rest.stiffness * alpha);
    const double area = 0.5 * (x[1] - x[0]).cross(x[2] - x[0]).norm();
    const double D = kYoung * std::pow(kThickness, 3) / (12 * (1 - poisson * poisson));
    const double trace = curvature.trace();
    const double plate =
        0.5 * D * (trace * trace - 2 * (1 - poisson) * curvature.determinant()) * area;
    EXPECT_NEAR(energy, plate, 1e-12 * plate);
  }
}

TEST(MidEdge, RigidMotionHasNoEffect) {
  Random random(6);
  const MidEdgeRest rest = Rest(1, 0.3);
  const Vector q = Moved(1, &random);
  MidEdgeGradientOf<double> g;
  const double energy = Evaluate(q, rest, &g, nullptr);
  Vector3 force = Vector3::Zero(), moment = force;
  for (int n = 0; n < 6; ++n) {
    force += g.segment<3>(3 * n);
    moment += Vector3(q.segment<3>(3 * n)).cross(g.segment<3>(3 * n));
  }
  EXPECT_LT(force.norm(), 1e-14 * g.norm());
  EXPECT_LT(moment.norm(), 1e-14 * g.norm());
  const Eigen::Matrix3d rotation = random.Rotation();
  Vector turned = q;
  for (int n = 0; n < 6; ++n) turned.segment<3>(3 * n) = rotation * q.segment<3>(3 * n);
  EXPECT_NEAR(Evaluate(turned, rest, nullptr, nullptr), energy, 1e-14 * energy);
}

// The triangle on the other side of an edge sees the same normal.
TEST(MidEdge, NeighboursShareANormal) {
  const auto x = Flat(1);
  MidEdgeNodesOf<double> bent = x;
  bent[3].z() = 0.4;
  const double xi = 0.07;
  const double angle = HingeOf<double>(bent[1], bent[2], bent[0], bent[3]).Angle();
  EXPECT_NEAR((0.5 * angle + xi) + (0.5 * angle - xi), angle, 1e-15);
  MidEdgeRest one{Eigen::Matrix3d::Identity(), Vector3::Zero(), Vector3(0.5, 0, 0),
                  Vector3(1, 0, 0)};
  EXPECT_NEAR(BendMidEdge<double>(bent, Vector3(xi, 0, 0), one),
              0.5 * std::pow(0.5 * angle + xi, 2), 1e-15);
}

}  // namespace mid_edge_test
}  // namespace strand
