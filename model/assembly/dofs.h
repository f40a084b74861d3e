// Degrees of freedom of a network, and which of them are unknowns.
//
// Along every rod positions and angles are interleaved, (x_0, theta_0, x_1, theta_1, ...), so that
// an open rod's system matrix has half-bandwidth 10. Locked degrees of freedom are eliminated:
// they have no unknown, and their rows of the gradient are the reactions. Nodes of shells and
// bodies follow, and the rotations of shells' mid-edge normals.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/geometry/network.h"

namespace strand {

class Dofs {
 public:
  explicit Dofs(const Network& network);

  int size() const { return static_cast<int>(unknown_.size()); }
  int unknowns() const { return static_cast<int>(dof_of_unknown_.size()); }
  int node(int n) const { return node_[n]; }  ///< index of x; y and z follow
  int edge(int e) const { return edge_[e]; }  ///< index of theta
  /// Index of the rotation (rad) of a mesh edge; -1 if its shell has none.
  int rotation(int mesh_edge) const { return rotation_[mesh_edge]; }
  /// Index of x of each of a body's carriers.
  std::array<int, 4> carriers(const BodyTopology& body) const {
    const auto& [a, b, c, d] = body.carrier;
    return {node_[a], node_[b], node_[c], node_[d]};
  }
  std::span<const int> nodes() const { return node_; }
  std::span<const int> edges() const { return edge_; }

  /// Index among the unknowns; -1 for a locked degree of freedom.
  int unknown(int dof) const { return unknown_[dof]; }
  int dof_of_unknown(int unknown) const { return dof_of_unknown_[unknown]; }
  bool locked(int dof) const { return unknown_[dof] < 0; }
  bool angle(int dof) const { return angle_[dof]; }

  /// Locks or releases a degree of freedom. Number must be called afterwards.
  void Lock(int dof, bool locked = true) { unknown_[dof] = locked ? -1 : 0; }
  /// Numbers the unknowns.
  void Number();

 private:
  std::vector<int> node_, edge_, rotation_, unknown_, dof_of_unknown_;
  std::vector<bool> angle_;
};

/// Adds half of an edge's amount to each degree of freedom of its two nodes.
void AddToNodes(const Network& network, const Dofs& dofs, int edge, double amount,
                std::vector<double>* per_dof);

}  // namespace strand
