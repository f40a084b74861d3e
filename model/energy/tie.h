// Nodes tied to places fixed in rigid bodies: E = k / 2 |x - sum_j w_j x_j|^2 over the carriers.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class Ties : public Force {
 public:
  /// All ties of the network; `stiffness` (N/m) per body.
  Ties(const Network& network, const Dofs& dofs, const std::vector<double>& stiffness);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Stencil {
    std::array<int, 15> dof;       ///< of the node and the four carriers
    std::array<double, 5> weight;  ///< 1 and -w_j
    double stiffness;
  };
  std::vector<Stencil> stencil_;
  std::vector<std::array<int, 225>> offset_;
};

}  // namespace strand
