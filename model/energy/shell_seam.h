// Seams of shells: edges where three or more sheets meet, joined rigidly.
//
// Every sheet has a rim edge of its own at the seam. Each pair of these edges, i and j, is a hinge
// (stencil/hinge.h). Its angle phi, less the rotations alpha = xi of the two sheets' mid-edge
// normals (stencil/mid_edge.h), keeps its initial value phibar:
//     E = K / 2 (phi_ij - xi_i - s xi_j - phibar)^2,
// s = 1 if the normals of both sheets lie on the same side of the surface that the two form, else
// -1.
//
// With mid-edge normals the joint is rigid: K is a thousand times the sheet's stiffness. With
// hinges there are no such normals, and K is the bending stiffness: a flat hinge of stiffness B is
// two half sheets of 2 B in series, and m springs of 2 B at a common centre in equilibrium are
// equivalent to springs of K = 2 B / m between all pairs.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/energy/shell.h"

namespace strand {

class ShellSeams : public Force {
 public:
  /// For all seams of the network, whose shape is the rest shape.
  ShellSeams(const Network& network, const ShellRest& rest, const Dofs& dofs);

  int pairs() const { return static_cast<int>(pair_.size()); }

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  static constexpr int kSize = 14;  ///< x0, x1, the wings, xi_i, xi_j
  struct Pair {
    std::array<int, 4> node;      ///< dofs of x: the edge's nodes, the wings
    std::array<int, 2> rotation;  ///< dof of xi; -1 with hinges
    double sign, stiffness, natural;
  };
  void AddPair(const Network& network, const ShellRest& rest, const Dofs& dofs, int shell,
               const std::vector<int>& seam, size_t i, size_t j);
  static std::array<int, kSize> DofsOf(const Pair& pair);

  std::vector<Pair> pair_;
  std::vector<std::array<int, kSize * kSize>> entry_;
};

}  // namespace strand
