#include "model/reduction/joint_torque.h"

#include <utility>

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
                                           std::span<const int> far, int joints) {
  const int bodies = static_cast<int>(tree.parent.size());
  const int links = static_cast<int>(near.size());
  const std::vector<int> count = CountEnds(tree, near, far);
  std::vector<std::vector<Share>> shares(bodies);
  for (int i = 0; i < joints; ++i) {
    shares[far[i]].push_back({i, -1});
    shares[near[i + 1 == links ? 0 : i + 1]].push_back({i, 1});
  }
  std::vector<int> node_of(bodies, -1);
  // Bodies that carry every link are common ancestors and get no couple. Children come first.
  for (int body = bodies - 1; body > 0; --body) {
    if (count[body] == 0 || count[body] == 2 * links) continue;
    node_of[body] = static_cast<int>(nodes_.size());
    shares_.insert(shares_.end(), shares[body].begin(), shares[body].end());
    nodes_.push_back(
        {-1, tree.dof_begin[body], tree.dof_count[body], static_cast<int>(shares_.size())});
  }
  for (int body = bodies - 1; body > 0; --body) {
    if (node_of[body] < 0) continue;
    Node& node = nodes_[node_of[body]];
    node.parent = node_of[tree.parent[body]];
    if (node.parent < 0) continue;
    node.first_child = std::exchange(nodes_[node.parent].leaf, false);
  }
  passed_.resize(nodes_.size());
}

void JointTorqueReduction::AddTorques(std::span<const Vector3> couples, const double* axes,
                                      int axis_stride, double* torque) {
  const Share* share = shares_.data();
  for (size_t k = 0; k < nodes_.size(); ++k) {
    const Node& node = nodes_[k];
    Vector3 couple = Vector3::Zero();
    for (const Share* end = shares_.data() + node.share_end; share < end; ++share) {
      couple += share->sign * couples[share->couple];
    }
    if (!node.leaf) couple += passed_[k];
    for (int d = node.dof_begin; d < node.dof_begin + node.dof_count; ++d) {
      torque[d] += Eigen::Map<const Vector3>(axes + d * axis_stride).dot(couple);
    }
    if (node.parent < 0) continue;
    if (node.first_child) {
      passed_[node.parent] = couple;
    } else {
      passed_[node.parent] += couple;
    }
  }
}

}  // namespace strand
