// The energy of a network for the checks of elastic_checks.h.
#pragma once

#include "model/assembly/dofs.h"
#include "model/energy/configuration.h"
#include "tests/support/finite_difference.h"

namespace strand::testing {

/// Energy, gradient per degree of freedom and Hessian over the unknowns.
class EnergyProbe {
 public:
  virtual ~EnergyProbe() = default;

  virtual const Dofs& dofs() const = 0;
  virtual const Configuration& drawn() const = 0;
  /// `from` moved by `step`: positions shifted, frames of edges transported and spun.
  virtual Configuration Moved(const Configuration& from, const Vector& step) const = 0;
  virtual double Energy(const Configuration& at) = 0;
  virtual Vector Gradient(const Configuration& at) = 0;
  virtual Matrix Hessian(const Configuration& at) = 0;
};

}  // namespace strand::testing
