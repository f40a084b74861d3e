// Checks for the distance of every kind of pair: exact derivatives and invariance under rigid
// motion.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "model/stencil/pair_distance.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand::testing {

/// `at(q)` gives the pair with nodes q. Compares gradient and Hessian with central differences, the
/// latter also with differences of the value. `first_step` (m); `distance` (m) scales the errors of
/// second derivatives.
template <class At>
void CheckPairDerivatives(const At& at, const Vector& q, double first_step, double distance) {
  const auto value = [&](const Vector& x) { return at(x).distance; };
  const auto slope = [&](const Vector& x) -> Vector { return at(x).Gradient(); };
  const Vector gradient = at(q).Gradient();
  const Matrix hessian = at(q).Hessian();
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
  const auto gradient_error = [&](double h) {
    return (CentralGradient(value, q, h) - gradient).norm();
  };
  const auto hessian_error = [&](double h) {
    return (CentralJacobian(slope, q, h) - hessian).norm() * distance;
  };
  const auto value_error = [&](double h) {
    return (CentralHessian(value, q, h) - hessian).norm() * distance;
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, gradient_error), 1e-9);
  ExpectSecondOrder(SweepSteps(first_step, 16, hessian_error), 1e-8);
  ExpectSecondOrder(SweepSteps(first_step, 10, value_error), 1e-5);
}

/// Net force and net moment are zero; a rigid motion rotates gradient and Hessian.
template <class At>
void CheckPairInvariance(const At& at, const Vector& q, Random* random) {
  const Vector gradient = at(q).Gradient();
  const Matrix hessian = at(q).Hessian();
  const Eigen::Matrix3d rotation = random->Rotation();
  const Vector3 shift = random->Vector(), spin = random->Vector();
  const int size = static_cast<int>(q.size());
  Vector moved(size), translation(size), turn(size), turned(size);
  Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
  for (int i = 0; i < size; i += 3) {
    const Vector3 x = q.segment<3>(i), g = gradient.segment<3>(i);
    moved.segment<3>(i) = rotation * x + shift;
    translation.segment<3>(i) = shift;
    turn.segment<3>(i) = spin.cross(x);
    turned.segment<3>(i) = spin.cross(g);
    force += g;
    moment += x.cross(g);
  }
  EXPECT_LT(force.norm(), 1e-15);
  EXPECT_LT(moment.norm(), 1e-14);
  // Under rotation the gradient turns with the body, H (spin x q) = spin x g; translations have no
  // effect.
  EXPECT_LT((hessian * translation).norm(), 1e-14 * hessian.norm());
  EXPECT_LT((hessian * turn - turned).norm(), 1e-14 * hessian.norm());
  const auto after = at(moved);
  for (int i = 0; i < size / 3; ++i) EXPECT_NEAR(after.weight[i], at(q).weight[i], 1e-11);
  EXPECT_NEAR(after.distance, at(q).distance, 1e-14);
  Matrix big = Matrix::Zero(size, size);
  for (int i = 0; i < size; i += 3) big.block<3, 3>(i, i) = rotation;
  EXPECT_LT((after.Gradient() - big * gradient).norm(), 1e-13);
  EXPECT_LT((after.Hessian() - big * hessian * big.transpose()).norm(), 1e-13 * hessian.norm());
}

/// Finite, with a unit normal: for pairs that touch or have no direction.
template <class Pair>
void CheckPairIsFinite(const Pair& pair) {
  EXPECT_TRUE(std::isfinite(pair.distance));
  EXPECT_NEAR(pair.normal.norm(), 1, 1e-12);
  EXPECT_TRUE(pair.Gradient().allFinite());
  EXPECT_TRUE(pair.Hessian().allFinite());
}

}  // namespace strand::testing
