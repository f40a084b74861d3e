#include "model/reduction/joint_torque.h"

#include <algorithm>

namespace strand {
namespace {

// Number of ends of links in each body's subtree, itself included.
std::vector<int> CountEnds(const KinematicTree& tree, std::span<const int> near,
                           std::span<const int> far) {
  std::vector<int> count(tree.parent.size(), 0);
  for (int body : near) ++count[body];
  for (int body : far) ++count[body];
  for (int body = static_cast<int>(count.size()) - 1; body > 0; --body) {
    count[tree.parent[body]] += count[body];
  }
  return count;
}

}  // namespace

JointTorqueReduction::JointTorqueReduction(const KinematicTree& tree, std::span<const int> near,
                                           std::span<const int> far) {
  const int bodies = static_cast<int>(tree.parent.size());
  const int ends = static_cast<int>(near.size() + far.size());
  const std::vector<int> count = CountEnds(tree, near, far);
  std::vector<int> node_of(bodies, -1);
  // Bodies that carry every link are common ancestors and get no couple. Children come first.
  for (int body = bodies - 1; body > 0; --body) {
    if (count[body] == 0 || count[body] == ends) continue;
    node_of[body] = static_cast<int>(nodes_.size());
    nodes_.push_back({-1, tree.dof_begin[body], tree.dof_count[body]});
  }
  for (int body = 1; body < bodies; ++body) {
    if (node_of[body] >= 0) nodes_[node_of[body]].parent = node_of[tree.parent[body]];
  }
  for (int body : near) near_node_.push_back(node_of[body]);
  for (int body : far) far_node_.push_back(node_of[body]);
  couple_.resize(nodes_.size());
}

void JointTorqueReduction::AddTorques(std::span<const Vector3> couples, const double* axes,
                                      int axis_stride, double* torque) {
  std::fill(couple_.begin(), couple_.end(), Vector3::Zero());
  const int links = static_cast<int>(near_node_.size());
  for (int i = 0; i < static_cast<int>(couples.size()); ++i) {
    const int a = far_node_[i], b = near_node_[i + 1 == links ? 0 : i + 1];
    if (a >= 0) couple_[a] -= couples[i];
    if (b >= 0) couple_[b] += couples[i];
  }
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    const Vector3& couple = couple_[k];
    for (int d = node.dof_begin; d < node.dof_begin + node.dof_count; ++d) {
      torque[d] += Eigen::Map<const Vector3>(axes + d * axis_stride).dot(couple);
    }
    if (node.parent >= 0) couple_[node.parent] += couple;
  }
}

}  // namespace strand
