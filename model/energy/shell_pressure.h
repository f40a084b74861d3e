// Pressure of what fills a closed shell.
//
// With V the volume that its triangles (x0, x1, x2) enclose, the energy of a gauge pressure p is
// -p V, and the force on a node is p dV/dx: a third of p times the area vectors of its triangles,
//     dV/dx_i = sum_t (x1 - x0) x (x2 - x0) / 6.
// A triangle's own derivative of that is not symmetric; the sum over a closed surface is. Nothing
// depends on where the origin is.
#pragma once

#include <array>
#include <vector>

#include "model/energy/force.h"

namespace strand {

class ShellPressure : public Force {
 public:
  /// Of one of the network's shells. Triangles that run clockwise as seen from outside count the
  /// other way round, if that is how it is drawn: pressure > 0 inflates. Throws ConfigError where
  /// an edge has a triangle on one side only, and on a shell that there is not.
  ShellPressure(const Network& network, const Dofs& dofs, int shell);

  /// `pressure` above what is outside (Pa), from now on. Throws ConfigError unless it is finite.
  void Set(double pressure);
  double pressure() const { return pressure_; }
  /// Enclosed (m^3); < 0 where it is inside out.
  double Volume(const Configuration& at) const;

  EnergyKind kind() const override { return EnergyKind::kExternal; }
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  struct Face {
    std::array<int, 9> Group() const;

    std::array<int, 3> dof;      // of the x of its nodes
    std::array<int, 81> offset;  // of its block
  };

  std::vector<Face> face_;
  double pressure_ = 0, sign_ = 1;
};

}  // namespace strand
