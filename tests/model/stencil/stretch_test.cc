#include "model/stencil/stretch.h"

#include <gtest/gtest.h>

#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand {
namespace stretch_test {

using testing::CentralGradient;
using testing::CentralHessian;
using testing::CentralJacobian;
using testing::ExpectSecondOrder;
using testing::Matrix;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

constexpr double kEA = 3.5, kRest = 0.9;

double AtNodes(const Vector& q, Vector* gradient = nullptr, Matrix* hessian = nullptr) {
  const Vector3 edge = q.tail<3>() - q.head<3>();
  Vector3 force;
  Eigen::Matrix3d block;
  const Vector3 t = edge.normalized();
  const double energy = StretchEdge(t, edge.norm(), kEA, kRest, &force, &block);
  if (gradient) *gradient << -force, force;
  if (hessian) *hessian << block, -block, -block, block;
  return energy;
}

double Energy(const Vector& q) { return AtNodes(q); }

Vector Gradient(const Vector& q) {
  Vector gradient(6);
  AtNodes(q, &gradient);
  return gradient;
}

Vector Edge(double length, Random* random) {
  Vector q(6);
  q.head<3>() = random->Vector();
  q.tail<3>() = q.head<3>() + length * random->Direction();
  return q;
}

TEST(Stretch, DerivativesMatchDifferences) {
  Random random(1);
  for (double length : {0.3, 0.8, 0.9, 1.5, 4.0}) {
    SCOPED_TRACE(length);
    const Vector q = Edge(length, &random);
    const Vector gradient = Gradient(q);
    Matrix hessian(6, 6);
    AtNodes(q, nullptr, &hessian);
    EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-14 * hessian.norm());
    ExpectSecondOrder(SweepSteps(0.05 * length, 16,
                                 [&](double h) {
                                   return (CentralGradient(Energy, q, h) - gradient).norm() / kEA;
                                 }),
                      1e-9);
    ExpectSecondOrder(SweepSteps(0.05 * length, 16,
                                 [&](double h) {
                                   return (CentralJacobian(Gradient, q, h) - hessian).norm() / kEA;
                                 }),
                      1e-8);
    ExpectSecondOrder(
        SweepSteps(0.05 * length, 12,
                   [&](double h) { return (CentralHessian(Energy, q, h) - hessian).norm() / kEA; }),
        1e-6);
  }
}

TEST(Stretch, ZeroAtRest) {
  Random random(2);
  const Vector q = Edge(kRest, &random);
  EXPECT_NEAR(Energy(q), 0, 1e-30);
  EXPECT_LT(Gradient(q).norm(), 1e-14);
}

// EA strain^2 l0 / 2 by hand.
TEST(Stretch, ValueOfAHandComputedEdge) {
  Vector3 gradient;
  const Vector3 along_y(0, 1, 0);
  const double energy = StretchEdge(along_y, 3, 10, 2, &gradient);
  EXPECT_NEAR(energy, 0.5 * 10 * 0.25 * 2, 1e-14);
  EXPECT_LT((gradient - 10 * 0.5 * along_y).norm(), 1e-14);
}

TEST(Stretch, RigidMotionAndNetWrench) {
  Random random(3);
  const Vector q = Edge(1.4, &random);
  const Eigen::Matrix3d rotation = random.Rotation();
  const Vector3 shift = random.Vector();
  Vector moved(6);
  moved << rotation * q.head<3>() + shift, rotation * q.tail<3>() + shift;
  EXPECT_NEAR(Energy(moved), Energy(q), 1e-14);
  const Vector g = Gradient(q), turned = Gradient(moved);
  EXPECT_LT((turned.head<3>() - rotation * g.head<3>()).norm(), 1e-14);
  EXPECT_LT((turned.tail<3>() - rotation * g.tail<3>()).norm(), 1e-14);
  const Vector3 x0 = q.head<3>(), x1 = q.tail<3>(), g0 = g.head<3>(), g1 = g.tail<3>();
  EXPECT_LT((g0 + g1).norm(), 1e-15);
  EXPECT_LT((x0.cross(g0) + x1.cross(g1)).norm(), 1e-14);
}

}  // namespace stretch_test
}  // namespace strand
