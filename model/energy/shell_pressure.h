// Pressure inside a closed shell.
//
// With V the volume that its triangles (x0, x1, x2) enclose, the energy of a gauge pressure p is
// -p V, and the force on a node is p dV/dx: a third of p times the area vectors of its triangles,
//     dV/dx_i = sum_t (x1 - x0) x (x2 - x0) / 6.
// The derivative of a single triangle's term is not symmetric; the sum over a closed surface is.
// The result does not depend on the origin.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class ShellPressure : public Force {
 public:
  /// For one of the network's shells. If its triangles run clockwise as seen from outside, the sign
  /// is reversed, so that a pressure > 0 always inflates. Throws ConfigError if an edge has a
  /// triangle on one side only or if `shell` is out of range.
  ShellPressure(const Network& network, const Dofs& dofs, int shell);

  /// Sets the gauge pressure (Pa). Throws ConfigError unless it is finite.
  void Set(double pressure);
  double pressure() const { return pressure_; }
  /// Enclosed volume (m^3); < 0 if the shell is inside out.
  double Volume(const Configuration& at) const;

  EnergyKind kind() const override { return EnergyKind::kExternal; }
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Face {
    std::array<int, 9> Group() const;

    std::array<int, 3> dof;      // of its nodes' x
    std::array<int, 81> offset;  // of its block's entries in the matrix
  };

  std::vector<Face> face_;
  double pressure_ = 0, sign_ = 1;
};

}  // namespace strand
