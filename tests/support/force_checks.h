// Checks that every force of the implicit core has to pass.
#pragma once

#include <memory>

#include "model/energy/force.h"
#include "model/geometry/network.h"
#include "tests/support/finite_difference.h"

namespace strand::testing {

/// Unlocks and numbers all degrees of freedom. Returns `dofs`.
const Dofs& Unlocked(Dofs* dofs);

/// A force with everything that its evaluation needs. Only positions move: frames stay.
class ForceCase {
 public:
  /// `part`: the fraction of the step that obstacles have moved.
  ForceCase(const Network& network, const Dofs& dofs, Force* force, double per_time,
            double part = 0);

  int size() const { return dofs_.size(); }

  /// `q`: displacement from the rest shape of the network, which is the start of the step.
  double Energy(const Vector& q);
  Vector Gradient(const Vector& q);
  Matrix Hessian(const Vector& q);
  Motion At(const Vector& q);

 private:
  double Evaluate(const Vector& q, Vector* gradient, bool with_matrix);

  const Dofs& dofs_;
  Force* force_;
  double per_time_, part_;
  Configuration start_, at_;
  std::unique_ptr<LinearSystem> system_;
};

/// Compares the Jacobian of the gradient, and for a conservative force the gradient of the energy,
/// with central differences whose error falls as h^2.
void CheckForceDerivatives(ForceCase& force, const Vector& q, double first_step, bool conservative);

}  // namespace strand::testing
