// A small forward kinematics of rotating bodies, independent of the code under test: rotations of
// the bodies of a tree and the rotation axis of every degree of freedom. Positions are not needed,
// since the energies depend on directions and frames only.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "model/geometry/frame.h"
#include "model/reduction/joint_torque.h"

namespace strand::testing {

enum class JointType { kBall, kHinge, kSlide, kFree };

inline int DofCount(JointType type) {
  switch (type) {
    case JointType::kBall:
      return 3;
    case JointType::kFree:
      return 6;
    default:
      return 1;
  }
}

struct TreeJoint {
  JointType type;
  Vector3 axis = Vector3::Zero();                        ///< of a hinge, in the frame of its body
  Eigen::Matrix3d turned = Eigen::Matrix3d::Identity();  ///< rotation of a ball or free joint
  double angle = 0;                                      ///< of a hinge (rad)
};

struct TreeBody {
  int parent = 0;
  Eigen::Matrix3d placement = Eigen::Matrix3d::Identity();  ///< in the parent's frame
  std::vector<TreeJoint> joints;
  int dof_begin = 0;
};

inline Eigen::Matrix3d Rotation(const Vector3& turn) {
  const double angle = turn.norm();
  if (angle == 0) return Eigen::Matrix3d::Identity();
  return Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix();
}

/// Body 0 is the world. The joints of a body act one after the other.
class TestTree {
 public:
  TestTree() : bodies_(1) {}

  int AddBody(int parent, std::vector<TreeJoint> joints) {
    TreeBody body{parent, Eigen::Matrix3d::Identity(), std::move(joints), dofs_};
    for (const TreeJoint& joint : body.joints) dofs_ += DofCount(joint.type);
    bodies_.push_back(std::move(body));
    return static_cast<int>(bodies_.size()) - 1;
  }

  int bodies() const { return static_cast<int>(bodies_.size()); }
  int dofs() const { return dofs_; }
  TreeBody& body(int index) { return bodies_[index]; }
  const TreeBody& body(int index) const { return bodies_[index]; }
  int dof_count(int index) const {
    const int end = index + 1 < bodies() ? bodies_[index + 1].dof_begin : dofs_;
    return index == 0 ? 0 : end - bodies_[index].dof_begin;
  }

  /// World rotations of all bodies after moving each degree of freedom by `q`; fills `axes`, one
  /// column per degree of freedom, with the rotation axes in world.
  std::vector<Eigen::Matrix3d> Forward(const Eigen::VectorXd& q,
                                       Eigen::Matrix3Xd* axes = nullptr) const {
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

  /// Places body `index` so that its world rotation at q = 0 is `target`; parents come first.
  void PlaceBody(int index, const Eigen::Matrix3d& target) {
    TreeBody& body = bodies_[index];
    body.placement.setIdentity();
    const auto rotations = Forward(Eigen::VectorXd::Zero(dofs_));
    const Eigen::Matrix3d& parent = rotations[body.parent];
    const Eigen::Matrix3d by_joints = parent.transpose() * rotations[index];
    const Eigen::Matrix3d placement = parent.transpose() * target * by_joints.transpose();
    // Round-off must not grow from parent to child.
    body.placement = Eigen::Quaterniond(placement).normalized().toRotationMatrix();
  }

 private:
  std::vector<TreeBody> bodies_;
  int dofs_ = 0;
};

/// The tree in the plain arrays that model/reduction takes.
struct TreeArrays {
  explicit TreeArrays(const TestTree& tree) {
    for (int b = 0; b < tree.bodies(); ++b) {
      parent.push_back(tree.body(b).parent);
      dof_begin.push_back(tree.dof_count(b) > 0 ? tree.body(b).dof_begin : -1);
      dof_count.push_back(tree.dof_count(b));
    }
  }
  KinematicTree view() const { return {parent, dof_begin, dof_count}; }

  std::vector<int> parent, dof_begin, dof_count;
};

}  // namespace strand::testing
