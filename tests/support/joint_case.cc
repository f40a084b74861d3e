#include "tests/support/joint_case.h"

#include <gtest/gtest.h>

namespace strand::testing {

double JointCase::length_a() const { return (x1 - x0).norm(); }
double JointCase::length_b() const { return (x2 - x1).norm(); }
JointGeometry JointCase::geometry() const { return {a.col(0), b.col(0)}; }

JointCase MakeJointCase(double turning, double twist, Random* random) {
  JointCase joint;
  joint.a = random->Rotation();
  joint.b = NextFrame(joint.a, turning, twist, random);
  joint.x0 = random->Vector();
  joint.x1 = joint.x0 + 0.8 * joint.a.col(0);
  joint.x2 = joint.x1 + 1.3 * joint.b.col(0);
  joint.twist = twist;
  return joint;
}

JointCase MoveJoint(const JointCase& source, const Eigen::VectorXd& q) {
  JointCase moved = source;
  moved.x0 += q.segment<3>(0);
  moved.x1 += q.segment<3>(4);
  moved.x2 += q.segment<3>(8);
  moved.a = TransportFrame(source.a, (moved.x1 - moved.x0).normalized(), q[3]);
  moved.b = TransportFrame(source.b, (moved.x2 - moved.x1).normalized(), q[7]);
  moved.twist = Unwrap(TwistAngle(moved.a, moved.b), source.twist + q[7] - q[3]);
  return moved;
}

JointCase MoveRigidly(const JointCase& joint, const Eigen::Matrix3d& rotation,
                      const Vector3& shift) {
  const auto place = [&](const Vector3& x) -> Vector3 { return rotation * x + shift; };
  return {place(joint.x0),    place(joint.x1),    place(joint.x2),
          rotation * joint.a, rotation * joint.b, joint.twist};
}

Eigen::Matrix<double, 8, 8> Dense(const JointHessian& hessian) {
  Eigen::Matrix<double, 8, 8> dense;
  const auto& mixed = hessian.mixed;
  dense << hessian.aa, mixed[0][0], hessian.ab, mixed[0][1],                                 //
      mixed[0][0].transpose(), hessian.angle_aa, mixed[1][0].transpose(), hessian.angle_ab,  //
      hessian.ab.transpose(), mixed[1][0], hessian.bb, mixed[1][1],                          //
      mixed[0][1].transpose(), hessian.angle_ab, mixed[1][1].transpose(), hessian.angle_bb;
  return dense;
}

NodeDerivatives EvaluateAtNodes(const JointKernel& kernel, const JointCase& joint) {
  NodeDerivatives result;
  JointGradient gradient;
  JointHessian hessian;
  result.energy = kernel(joint, &gradient, &hessian);
  const double per_length[2] = {1 / joint.length_a(), 1 / joint.length_b()};
  DirectionsToEdges(joint.geometry(), per_length, &gradient, &hessian);
  EdgesToNodes(gradient, &result.gradient);
  NodeHessian lower;
  EdgesToNodes(hessian, &lower);
  result.hessian = lower.selfadjointView<Eigen::Lower>();
  return result;
}

void ExpectNoNetWrench(const JointCase& joint, const NodeGradient& gradient, double scale) {
  const Vector3 f0 = gradient.segment<3>(0), f1 = gradient.segment<3>(4);
  const Vector3 f2 = gradient.segment<3>(8);
  const Vector3 force = f0 + f1 + f2;
  const Vector3 moment = joint.x0.cross(f0) + joint.x1.cross(f1) + joint.x2.cross(f2) +
                         gradient[3] * joint.a.col(0) + gradient[7] * joint.b.col(0);
  EXPECT_LT(force.norm(), 1e-12 * scale);
  EXPECT_LT(moment.norm(), 1e-12 * scale);
}

}  // namespace strand::testing
