#include "tests/support/kinematics.h"

#include <Eigen/Geometry>
#include <utility>

namespace strand::testing {
namespace {

int DofCount(JointType type) {
  switch (type) {
    case JointType::kBall:
      return 3;
    case JointType::kFree:
      return 6;
    default:
      return 1;
  }
}

}  // namespace

Eigen::Matrix3d Rotation(const Vector3& turn) {
  const double angle = turn.norm();
  if (angle == 0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

int TestTree::AddBody(int parent, std::vector<TreeJoint> joints) {
  TreeBody body{parent, Eigen::Matrix3d::Identity(), std::move(joints), dofs_};
  for (const TreeJoint& joint : body.joints) dofs_ += DofCount(joint.type);
  bodies_.push_back(std::move(body));
  return static_cast<int>(bodies_.size()) - 1;
}

std::vector<Eigen::Matrix3d> TestTree::Forward(const Eigen::VectorXd& q,
                                               Eigen::Matrix3Xd* axes) const {
  if (axes) axes->setZero(3, dofs_);
  std::vector<Eigen::Matrix3d> rotations(bodies_.size(), Eigen::Matrix3d::Identity());
  for (size_t b = 1; b < bodies_.size(); ++b) {
    const TreeBody& body = bodies_[b];
    Eigen::Matrix3d& rotation = rotations[b];
    rotation = rotations[body.parent] * body.placement;
    int dof = body.dof_begin;
    for (const TreeJoint& joint : body.joints) {
      if (joint.type == JointType::kHinge) {
        if (axes) axes->col(dof) = rotation * joint.axis;
        rotation = rotation * Rotation((joint.angle + q[dof]) * joint.axis);
      } else if (joint.type != JointType::kSlide) {
        const int turn = joint.type == JointType::kFree ? dof + 3 : dof;
        rotation = rotation * joint.turned * Rotation(q.segment<3>(turn));
        if (axes) axes->middleCols<3>(turn) = rotation;
      }
      dof += DofCount(joint.type);
    }
  }
  return rotations;
}

void TestTree::PlaceBody(int index, const Eigen::Matrix3d& target) {
  TreeBody& body = bodies_[index];
  body.placement.setIdentity();
  const auto rotations = Forward(Eigen::VectorXd::Zero(dofs_));
  const Eigen::Matrix3d& parent = rotations[body.parent];
  const Eigen::Matrix3d by_joints = parent.transpose() * rotations[index];
  const Eigen::Matrix3d placement = parent.transpose() * target * by_joints.transpose();
  // Round-off must not grow from parent to child.
  body.placement = Eigen::Quaterniond(placement).normalized().toRotationMatrix();
}

TreeArrays::TreeArrays(const TestTree& tree) {
  for (int b = 0; b < tree.bodies(); ++b) {
    parent.push_back(tree.body(b).parent);
    dof_begin.push_back(tree.dof_count(b) > 0 ? tree.body(b).dof_begin : -1);
    dof_count.push_back(tree.dof_count(b));
  }
}

}  // namespace strand::testing
