// Seams of shells: edges where three or more sheets meet, joined rigidly.
//
// Every sheet has an edge of its own there, which bends towards the sheet alone. Each pair of them,
// i and j, is a hinge (stencil/hinge.h) whose angle phi less what the sheets' own mid-edge normals
// turn by, alpha = xi (stencil/mid_edge.h), is to stay as drawn:
//     E = K / 2 (phi_ij - xi_i - s xi_j - phibar)^2,
// s = 1 where the sheets' normals agree on the sides of a surface that goes through both, else -1.
// Mid-edge normals: K is a thousand times the sheet's stiffness, a rigid joint. Hinges have no
// normals of their own: K is their bending. A flat hinge of stiffness B is two half-sheets of 2 B
// in series; m springs of 2 B on one centre, which is in equilibrium, are pairs of K = 2 B / m.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/energy/shell.h"

namespace strand {

class ShellSeams : public Force {
 public:
  /// All seams of the network, as drawn.
  ShellSeams(const Network& network, const ShellRest& rest, const Dofs& dofs);

  int pairs() const { return static_cast<int>(pair_.size()); }

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  static constexpr int kSize = 14;  ///< x0, x1, the wings, xi_i, xi_j
  struct Pair {
    std::array<int, 4> node;      ///< dof of x of the edge's nodes and of the wings
    std::array<int, 2> rotation;  ///< dof of xi, or -1 of hinges
    double sign, stiffness, natural;
  };
  void AddPair(const Network& network, const ShellRest& rest, const Dofs& dofs, int shell,
               const std::vector<int>& seam, size_t i, size_t j);
  static std::array<int, kSize> DofsOf(const Pair& pair);

  std::vector<Pair> pair_;
  std::vector<std::array<int, kSize * kSize>> entry_;
};

}  // namespace strand
