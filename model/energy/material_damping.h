// Kelvin-Voigt damping of rods and shells: the dissipation function of their elastic energy.
//
//     D = beta / (2 tau) sum_s K_s (s - s_0)^2,   stress K (s + beta ds/dt),
//     ds/dt = (s - s_0) / tau
// over the strains s of the elastic energy (lengths, curvatures, twists, Green's strain, angles)
// with their stiffness K; s_0 is the strain at the start of the time step, tau the time since then.
// The function is thus the elastic energy with the shape at the start as natural shape. Its strains
// are invariant under rigid motion, so that the damping conserves momentum. It is of first order in
// dt, which shifts frequencies by the fraction beta dt omega^2 / 4 but leaves the damping
// unchanged.
#pragma once

#include <vector>

#include "model/energy/elastic_energy.h"
#include "model/energy/shell_energy.h"
#include "model/energy/step_force.h"

namespace strand {

class RodDamping : public StepForce {
 public:
  /// Damps `elastic`, whose stiffness may change. `beta` (s) per edge; a joint has the mean of its
  /// edges, weighted by length.
  RodDamping(const Network& network, const ElasticRest& elastic, const Dofs& dofs,
             const std::vector<double>& beta);

  EnergyKind kind() const override { return EnergyKind::kDissipated; }
  bool Prepare(const Motion& still, std::span<const double> velocity, double dt) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override { viscous_.Couple(dofs, pattern); }
  void Bind(const Dofs& dofs, const LinearSystem& system) override { viscous_.Bind(dofs, system); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  void Scale(double per_time);

  const ElasticRest& elastic_;
  std::vector<double> edge_beta_, joint_beta_;  ///< s
  ElasticEnergy viscous_;
  double per_time_ = 0;  ///< 1/s, for which viscous_ is scaled
};

class ShellDamping : public StepForce {
 public:
  /// Damps `elastic`, whose stiffness may change; `beta` (s) per shell.
  ShellDamping(const Network& network, const ShellRest& elastic, const Dofs& dofs,
               std::vector<double> beta);

  EnergyKind kind() const override { return EnergyKind::kDissipated; }
  bool Prepare(const Motion& still, std::span<const double> velocity, double dt) override;
  void Couple(const Dofs& dofs, Pattern* pattern) const override { viscous_.Couple(dofs, pattern); }
  void Bind(const Dofs& dofs, const LinearSystem& system) override { viscous_.Bind(dofs, system); }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  void Scale(double per_time);

  const ShellRest& elastic_;
  std::vector<double> beta_;          ///< s
  std::vector<int> rotation_, node_;  ///< dof of each mesh edge's rotation (-1: none), of each node
  ShellEnergy viscous_;
  double per_time_ = 0;
};

}  // namespace strand
