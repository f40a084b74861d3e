// Drag of a fluid at rest or in steady flow: pressure on shells, resistive force theory on rods.
#pragma once

#include <vector>

#include "model/energy/force.h"
#include "model/energy/shell.h"
#include "model/stencil/fluid.h"

namespace strand {

/// Stencils of N nodes that a fluid acts on.
template <int N>
class FluidDrag : public Force {
 public:
  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  bool conservative() const override { return false; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

  /// Sets the velocity of the fluid (m/s).
  void SetFlow(const Vector3& velocity);

 protected:
  explicit FluidDrag(const Vector3& flow) { SetFlow(flow); }
  virtual FluidForce<N> OnStencil(size_t stencil, const std::array<Vector3, N>& x,
                                  const std::array<Vector3, N>& velocity, double rate,
                                  FluidDerivative<N>* by_position) const = 0;
  /// `dof`: of each node's x.
  void AddStencil(const std::array<int, N>& dof) { dof_.push_back(dof); }
  double derivative_factor_ = 1;

 private:
  std::array<int, 3 * N> Dofs3(size_t stencil) const;

  Vector3 flow_;
  std::vector<std::array<int, N>> dof_;
  std::vector<std::array<int, 9 * N * N>> offset_;
};

/// Pressure on both sides of all shells (stencil/fluid.h).
class AerodynamicDrag : public FluidDrag<3> {
 public:
  /// rho (kg/m^3) and C_D of the fluid. `as_published`: the derivative is multiplied by 2, as in
  /// MAT-DiSMech's code; with that code's stopping criterion this affects the published figures.
  /// Throws ConfigError if a value is negative or not finite.
  AerodynamicDrag(const ShellRest& rest, const Dofs& dofs, double density, double coefficient,
                  const Vector3& flow, bool as_published = false);

 private:
  FluidForce<3> OnStencil(size_t stencil, const std::array<Vector3, 3>& x,
                          const std::array<Vector3, 3>& velocity, double rate,
                          FluidDerivative<3>* by_position) const override;
  std::vector<double> factor_;  ///< rho C_D / 2 A / 3 (kg/m)
};

/// Resistive force theory on all rods (stencil/fluid.h).
class ResistiveDrag : public FluidDrag<2> {
 public:
  /// Throws ConfigError if a coefficient is negative or not finite.
  ResistiveDrag(const Network& network, const Dofs& dofs, const ResistiveCoefficients& coefficients,
                const Vector3& flow);

 private:
  FluidForce<2> OnStencil(size_t stencil, const std::array<Vector3, 2>& x,
                          const std::array<Vector3, 2>& velocity, double rate,
                          FluidDerivative<2>* by_position) const override;
  ResistiveCoefficients coefficients_;
  std::vector<double> length_;  ///< m
};

}  // namespace strand
