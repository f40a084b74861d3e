// Force-lever reduction: couples on links -> generalised forces of any kinematic tree, O(n).
//
// A couple C_b on body b has the power C_b . omega_b, and omega_b is the sum of the rotation
// axes a_d (world) times the speeds of the joints on the path from b to the root. So
//     tau_d = a_d . (sum of the couples in the subtree that joint d carries):
// one backward pass, child to parent. Couples of a rod sum to zero, so that the pass ends below
// the links' lowest common ancestor, whose share is exactly zero.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// A kinematic tree in plain arrays; body 0 is the root (world). parent[b] < b for b > 0.
struct KinematicTree {
  std::span<const int> parent;     ///< parent of each body
  std::span<const int> dof_begin;  ///< first degree of freedom of each body (any value if none)
  std::span<const int> dof_count;  ///< degrees of freedom of each body
};

class JointTorqueReduction {
 public:
  JointTorqueReduction() = default;

  /// `link_body[k]` is the body of link k. There are as many joints as links in a closed rod, one
  /// fewer in others.
  JointTorqueReduction(const KinematicTree& tree, std::span<const int> link_body, int joints)
      : JointTorqueReduction(tree, link_body, link_body, joints) {}

  /// For links that may consist of two bodies: `near[k]` at the first node of link k, `far[k]` at
  /// its last.
  JointTorqueReduction(const KinematicTree& tree, std::span<const int> near,
                       std::span<const int> far, int joints);

  /// Adds to `torque` (one entry per degree of freedom, N m) the effect of the joints' couples:
  /// couples[i] acts on the near body of link i + 1 (after the last link: link 0), and its opposite
  /// on the far body of link i. The rotation axis of degree of freedom d is axes[d * axis_stride +
  /// 0..2], in world coordinates, zero for a slide.
  void AddTorques(std::span<const Vector3> couples, const double* axes, int axis_stride,
                  double* torque);

 private:
  struct Node {
    int parent;  ///< index in nodes_; -1: the pass ends here
    int dof_begin, dof_count;
    int share_end = 0;        ///< end of its own couples in shares_
    bool leaf = true;         ///< no node passes couples to it
    bool first_child = true;  ///< visited first of its parent's children
  };
  struct Share {
    int couple;
    double sign;
  };
  std::vector<Node> nodes_;      ///< bodies between the links and their common ancestor, leaf first
  std::vector<Share> shares_;    ///< couples on the nodes' own ends of links, node by node
  std::vector<Vector3> passed_;  ///< per node: couples in the subtrees below it
};

}  // namespace strand
