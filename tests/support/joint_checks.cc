#include "tests/support/joint_checks.h"

#include <gtest/gtest.h>

#include "tests/support/finite_difference.h"

namespace strand::testing {

void CheckDerivatives(const JointKernel& kernel, const JointCase& joint, double first_step,
                      double stiffness) {
  const NodeDerivatives at = EvaluateAtNodes(kernel, joint);
  const ScalarFunction energy = [&](const Vector& q) {
    return kernel(MoveJoint(joint, q), nullptr, nullptr);
  };
  const VectorFunction gradient = [&](const Vector& q) -> Vector {
    return EvaluateAtNodes(kernel, MoveJoint(joint, q)).gradient;
  };
  const Vector zero = Vector::Zero(11);
  const double gradient_scale = std::max(at.gradient.norm(), stiffness);
  const double hessian_scale = std::max(at.hessian.norm(), stiffness);
  EXPECT_LT((at.hessian - at.hessian.transpose()).norm(), 1e-12 * hessian_scale);
  const auto gradient_error = [&](double h) {
    return (CentralGradient(energy, zero, h) - at.gradient).norm() / gradient_scale;
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, gradient_error), 1e-8);
  // Second derivatives from values alone: independent of the gradient.
  const auto value_error = [&](double h) {
    return (CentralHessian(energy, zero, h) - at.hessian).norm() / hessian_scale;
  };
  ExpectSecondOrder(SweepSteps(first_step, 10, value_error), 1e-5);
  // Differences of the gradient give more digits. The gradient is taken at transported frames,
  // whose holonomy adds an antisymmetric part to its Jacobian.
  const auto gradient_jacobian_error = [&](double h) {
    const Matrix jacobian = CentralJacobian(gradient, zero, h);
    return (0.5 * (jacobian + jacobian.transpose()) - at.hessian).norm() / hessian_scale;
  };
  ExpectSecondOrder(SweepSteps(first_step, 16, gradient_jacobian_error), 1e-8);
}

void CheckRigidMotion(const JointKernel& kernel, const JointCase& joint, Random* random) {
  const Eigen::Matrix3d rotation = random->Rotation();
  const JointCase moved = MoveRigidly(joint, rotation, random->Vector());
  const NodeDerivatives before = EvaluateAtNodes(kernel, joint);
  const NodeDerivatives after = EvaluateAtNodes(kernel, moved);
  NodeHessian turn = NodeHessian::Identity();
  for (int offset : {0, 4, 8}) turn.block<3, 3>(offset, offset) = rotation;
  const double gradient_scale = std::max(before.gradient.norm(), 1.0);
  const double hessian_scale = std::max(before.hessian.norm(), 1.0);
  EXPECT_NEAR(after.energy, before.energy, 1e-11 * std::max(before.energy, 1.0));
  EXPECT_LT((after.gradient - turn * before.gradient).norm(), 1e-10 * gradient_scale);
  EXPECT_LT((after.hessian - turn * before.hessian * turn.transpose()).norm(),
            1e-9 * hessian_scale);
  ExpectNoNetWrench(joint, before.gradient, 100 * gradient_scale);
}

void CheckOptionalOutputs(const JointKernel& kernel, const JointCase& joint) {
  JointGradient gradient, again;
  JointHessian hessian;
  const double energy = kernel(joint, &gradient, &hessian);
  EXPECT_EQ(kernel(joint, nullptr, nullptr), energy);
  EXPECT_EQ(kernel(joint, &again, nullptr), energy);
  EXPECT_EQ(again, gradient);
}

}  // namespace strand::testing
