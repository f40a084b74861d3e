// Edges of rods whose twist follows a rigid body: E = K / 2 (m2 . b)^2, where b = sum_j (s_j . d)
// X_j is the director d, fixed in the body, over its carriers (geometry/network.h).
//
// With the edge's direction t in the body, too (by ties of its nodes), m1 = b in equilibrium. A
// moment about t goes to the body, and its part that t's nodes bear is equal and opposite. With
// c = m2 . b, spin psi and edge vector e of length l,
//     dc = -(m1 . b) psi - (t . b) m2 . de / l + m2 . db
// and second derivatives as of stencil/frame_offset.h. What these leave out, that turning there and
// back again leaves a spin, goes with c, which is nearly 0.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/geometry/network.h"

namespace strand {

class BodyDirectors : public Force {
 public:
  /// All tied edges of the network; `stiffness` K (J) per body.
  BodyDirectors(const Network& network, const Dofs& dofs, const std::vector<double>& stiffness);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  static constexpr int kSize = 19;
  struct Stencil {
    int edge;
    std::array<int, kSize> dof;   ///< of the edge's nodes, the carriers, and the spin
    std::array<double, 4> slope;  ///< s_j . d (1/m)
    double stiffness;
  };
  std::vector<Stencil> stencil_;
  std::vector<std::array<int, kSize * kSize>> offset_;
};

}  // namespace strand
