#include "tests/support/pair_checks.h"

namespace strand::testing {

void CheckPairDerivatives(const PairFunctions& pair, const Vector& q, double first_step,
                          double distance) {
  const Vector gradient = pair.gradient(q);
  const Matrix hessian = pair.hessian(q);
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
  const auto gradient_error = [&](double h) {
    return (CentralGradient(pair.distance, q, h) - gradient).norm();
  };
  const auto hessian_error = [&](double h) {
    return (CentralJacobian(pair.gradient, q, h) - hessian).norm() * distance;
  };
  const auto value_error = [&](double h) {
    return (CentralHessian(pair.distance, q, h) - hessian).norm() * distance;
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, gradient_error), 1e-9);
  ExpectSecondOrder(SweepSteps(first_step, 16, hessian_error), 1e-8);
  ExpectSecondOrder(SweepSteps(first_step, 10, value_error), 1e-5);
}

void CheckPairInvariance(const PairFunctions& pair, const Vector& q, Random* random) {
  const Vector gradient = pair.gradient(q);
  const Matrix hessian = pair.hessian(q);
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
  const std::vector<double> before = pair.weight(q), after = pair.weight(moved);
  for (int i = 0; i < size / 3; ++i) EXPECT_NEAR(after[i], before[i], 1e-11);
  EXPECT_NEAR(pair.distance(moved), pair.distance(q), 1e-14);
  Matrix big = Matrix::Zero(size, size);
  for (int i = 0; i < size; i += 3) big.block<3, 3>(i, i) = rotation;
  EXPECT_LT((pair.gradient(moved) - big * gradient).norm(), 1e-13);
  EXPECT_LT((pair.hessian(moved) - big * hessian * big.transpose()).norm(), 1e-13 * hessian.norm());
}

}  // namespace strand::testing
