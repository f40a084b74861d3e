// Couples (N m) on rigid bodies, along axes that are fixed in the world or turn with the body.
//
// When its carriers move by dX_j, a body turns by w = 1/2 sum_j u_j x dX_j, u_j = F^-T s_j
// (stencil/carried_touch.h). A couple T therefore acts on carrier j as the force T x u_j / 2: the
// net force is zero, the moment is T. It has no potential. Derivatives are exact.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"
#include "model/stencil/carried_touch.h"

namespace strand {

class BodyTorque : public Force {
 public:
  /// All couples are zero at first.
  BodyTorque(const Network& network, const Dofs& dofs);

  /// Sets the couple on a body: `fixed` (N m) along the world axes plus `along` (N m) along the
  /// body's principal axes. Throws ConfigError if a value is not finite or `body` is out of range.
  void Set(int body, const Vector3& fixed, const Vector3& along);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  EnergyKind kind() const override { return EnergyKind::kExternal; }
  bool conservative() const override { return false; }
  bool supplies() const override { return true; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

  /// Couples, like loads, are not saved as state: the caller sets them again after a restart.

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
