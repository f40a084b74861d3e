// Couples (N m) on rigid bodies: along axes of the world, or that turn with the body.
//
// By the change of the carriers a body turns by w = 1/2 sum_j u_j x dX_j, u_j = F^-T s_j
// (stencil/carried_touch.h), so that a couple T acts on carrier j by T x u_j / 2: without a net
// force, and with the moment T. It has no potential. Derivatives are exact.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/stencil/carried_touch.h"

namespace strand {

class BodyTorque : public Force {
 public:
  /// None at first.
  BodyTorque(const Network& network, const Dofs& dofs);

  /// `along`: T = sum_i along_i of the body's principal axes; `fixed`: T along axes of the world
  /// (N m). Throws ConfigError on what is not finite and on a body out of range.
  void Set(int body, const Vector3& fixed, const Vector3& along);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  EnergyKind kind() const override { return EnergyKind::kExternal; }
  bool conservative() const override { return false; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

  /// The couples are no state: as of loads, who set them sets them again.

 private:
  struct Body {
    std::array<int, 12> dof;
    CarrierSlopes slope;
    Vector3 fixed = Vector3::Zero(), along = Vector3::Zero();
  };
  std::vector<Body> body_;
  std::vector<std::array<int, 144>> offset_;
};

}  // namespace strand
