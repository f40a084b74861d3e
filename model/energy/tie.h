// Nodes tied to each other, to bodies and to guides: E = k / 2 |sum_n A_n (x_n - o) - offset|^2.
#pragma once

#include <vector>

#include "model/energy/force.h"

namespace strand {

/// One tie.
struct LinearTie {
  std::vector<int> node;             ///< dof of x of each
  std::vector<Eigen::Matrix3d> by;   ///< A_n
  double stiffness = 0;              ///< k (N/m)
  Vector3 offset = Vector3::Zero();  ///< m
  /// o (m). Where the A_n sum to nothing it does not matter, and is taken near by.
  Vector3 origin = Vector3::Zero();
};

/// `node` keeps its place against the mean of `owners`, from what it is at `offset` (m).
LinearTie Following(int node, const std::vector<int>& owners, const Vector3& offset);
/// `node` keeps to the line (`along`) or the plane (else) through `place` (m) with that direction
/// or normal, a unit vector.
LinearTie Guided(int node, const Vector3& place, const Vector3& direction, bool along);
/// What belongs to places fixed in rigid bodies; `stiffness` (N/m) per body.
std::vector<LinearTie> BodyTies(const Network& network, const Dofs& dofs,
                                const std::vector<double>& stiffness);

class Ties : public Force {
 public:
  explicit Ties(std::vector<LinearTie> ties);

  const std::vector<LinearTie>& ties() const { return tie_; }
  void SetOffset(int tie, const Vector3& offset) { tie_[tie].offset = offset; }
  /// k times what is left of the tie there (N): its pull on a node is -A_n^T of that.
  Vector3 Tension(int tie, const Configuration& at) const;

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<LinearTie> tie_;
  // Per tie.
  std::vector<char> moves_along_;         ///< the A_n sum to nothing
  std::vector<std::vector<int>> dof_;     ///< all of its nodes
  std::vector<Eigen::MatrixXd> slope_;    ///< (A_0, A_1, ..)
  std::vector<Eigen::MatrixXd> hessian_;  ///< k A^T A
  std::vector<std::vector<int>> entry_;   ///< of each of the Hessian's numbers in the matrix
};

}  // namespace strand
