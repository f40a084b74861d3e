// Edges of rods whose twist follows a rigid body: E = K / 2 (m2 . b)^2. Here b = sum_j (s_j . d)
// X_j is the director d, which is fixed in the body, from its carriers' positions X_j
// (geometry/network.h).
//
// The edge's direction t is fixed in the body as well, by ties of its nodes, so that m1 = b in
// equilibrium. A moment about t acts on the body; the forces on the edge's nodes balance it. With
// c = m2 . b, spin psi and edge vector e of length l,
//     dc = -(m1 . b) psi - (t . b) m2 . de / l + m2 . db
// and the second derivatives follow from stencil/frame_offset.h. They neglect holonomy (a closed
// path of t leaves a spin); that term is proportional to c, which is nearly zero.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/geometry/network.h"

namespace strand {

class BodyDirectors : public Force {
 public:
  /// For all tied edges of the network; `stiffness`: K (J) per body.
  BodyDirectors(const Network& network, const Dofs& dofs, const std::vector<double>& stiffness);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  static constexpr int kSize = 19;
  struct Stencil {
    int edge;
    std::array<int, kSize> dof;   ///< the edge's nodes, the carriers, the spin
    std::array<double, 4> slope;  ///< s_j . d (1/m)
    double stiffness;
  };
  std::vector<Stencil> stencil_;
  std::vector<std::array<int, kSize * kSize>> offset_;
};

}  // namespace strand
