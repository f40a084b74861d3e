// A small forward kinematics of rotating bodies, independent of the code under test: rotations of
// the bodies of a tree and the rotation axis of every degree of freedom. Positions are not needed,
// since the energies depend on directions and frames only.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "model/geometry/frame.h"
#include "model/reduction/joint_torque.h"

namespace strand::testing {

enum class JointType { kBall, kHinge, kSlide, kFree };

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

Eigen::Matrix3d Rotation(const Vector3& turn);

/// Body 0 is the world. The joints of a body act one after the other.
class TestTree {
 public:
  TestTree() : bodies_(1) {}

  int AddBody(int parent, std::vector<TreeJoint> joints);

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
                                       Eigen::Matrix3Xd* axes = nullptr) const;

  /// Places body `index` so that its world rotation at q = 0 is `target`; parents come first.
  void PlaceBody(int index, const Eigen::Matrix3d& target);

 private:
  std::vector<TreeBody> bodies_;
  int dofs_ = 0;
};

/// The tree in the plain arrays that model/reduction takes.
struct TreeArrays {
  explicit TreeArrays(const TestTree& tree);
  KinematicTree view() const { return {parent, dof_begin, dof_count}; }

  std::vector<int> parent, dof_begin, dof_count;
};

}  // namespace strand::testing
