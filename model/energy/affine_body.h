// Rigid bodies as stiff affine ones (L. Lan, D. M. Kaufman, M. Li, C. Jiang, Y. Yang, "Affine Body
// Dynamics", ACM TOG 41, 2022).
//
// Four carrier nodes of equal mass are equimomental with the body (geometry/network.h), so that
// the mass matrix stays diagonal. The body moves by x = c + F X; the columns of F are linear in the
// carriers' positions:
//     F_i = sum_j s_ij x_j / (4 a_i)        s_ij signs of carrier j, a_i spread (m) along axis i
//     E   = K / 4 |F^T F - 1|^2             K (J): a load of moment f r strains it by f r / K
// The energy is invariant under rotations of any size and exerts no net force or moment on the
// body. Gradient and Hessian are exact; the Hessian is indefinite only where the body is
// compressed.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"

namespace strand {

/// Mass and stiffness of a rigid body.
struct BodyMaterial {
  double mass;           ///< kg
  double stiffness = 0;  ///< K (J); 0: default (Rigidity)
};

/// K (J) of a body: the given value; by default one for which an acceleration of 100 m/s^2 strains
/// the body by 1e-6, and at least `least`. Throws ConfigError if a value is out of range.
double Rigidity(const BodyMaterial& material, const BodyTopology& body, double least = 0);

class AffineBodies : public Force {
 public:
  /// `stiffness` (J) per body.
  AffineBodies(const Network& network, const Dofs& dofs, std::vector<double> stiffness);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Body {
    std::array<int, 12> dof;
    CarrierSlopes slope;  ///< dF_i / dx_j (1/m)
    double stiffness;
  };
  std::vector<Body> body_;
  std::vector<std::array<int, 144>> offset_;
};

}  // namespace strand
