// Nodes tied to each other, to bodies and to guides: E = k / 2 |sum_n A_n (x_n - o) - offset|^2.
#pragma once

#include <vector>

#include "model/energy/force.h"

namespace strand {

/// One tie: the terms of the energy above.
struct LinearTie {
  std::vector<int> node;             ///< dof of each node's x
  std::vector<Eigen::Matrix3d> by;   ///< A_n
  double stiffness = 0;              ///< k (N/m)
  Vector3 offset = Vector3::Zero();  ///< m
  /// o (m). Irrelevant where the A_n sum to zero; a nearby point is then used, for accuracy.
  Vector3 origin = Vector3::Zero();
};

/// Ties `node` to the mean position of `owners` plus `offset` (m).
LinearTie Following(int node, const std::vector<int>& owners, const Vector3& offset);
/// Ties `node` to where the edge from `inner` to `end` continues, as long as it is.
LinearTie Extending(int node, int end, int inner);
/// Constrains `node` to the line (`along` true) or the plane (false) through `place` (m);
/// `direction`, a unit vector, is the direction of the line or the normal of the plane.
LinearTie Guided(int node, const Vector3& place, const Vector3& direction, bool along);
/// The ties of nodes that are fixed in rigid bodies; `stiffness` (N/m) per body.
std::vector<LinearTie> BodyTies(const Network& network, const Dofs& dofs,
                                const std::vector<double>& stiffness);

class Ties : public Force {
 public:
  explicit Ties(std::vector<LinearTie> ties);

  const std::vector<LinearTie>& ties() const { return tie_; }
  void SetOffset(int tie, const Vector3& offset) { tie_[tie].offset = offset; }
  /// Moves a guide to where its line or plane passes through `place` (m).
  void SetPlace(int tie, const Vector3& place) { tie_[tie].origin = place; }
  /// Removes all ties.
  void Release();
  /// k times the violation of the tie at `at` (N); its force on node n is -A_n^T times this.
  Vector3 Tension(int tie, const Configuration& at) const;

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<LinearTie> tie_;
  // Per tie.
  std::vector<char> moves_along_;         ///< the A_n sum to zero
  std::vector<std::vector<int>> dof_;     ///< of all its nodes
  std::vector<Eigen::MatrixXd> slope_;    ///< (A_0, A_1, ..)
  std::vector<Eigen::MatrixXd> hessian_;  ///< k A^T A
  std::vector<std::vector<int>> entry_;   ///< offset in the matrix of each of the Hessian's entries
};

}  // namespace strand
