// Kelvin-Voigt damping of rods and shells: the dissipation function of their elastic energy.
//
//     D = beta / (2 tau) sum_s K_s (s - s_0)^2,   stress K (s + beta ds/dt),  ds/dt = (s - s_0) /
//     tau
// over the elastic energy's own strains s (lengths, curvatures, twists, Green's strain, angles),
// with its stiffness K; s_0 is the strain at the start of the time step, tau the time since. So it
// is the elastic energy again, with the shape at the start for the natural one, and as its strains
// see no rigid motion, neither does the damping: momentum stays. (Of first order in dt, which
// shifts frequencies by beta dt omega^2 / 4 of themselves, but not the damping.)
#pragma once

#include <vector>

#include "model/energy/elastic_energy.h"
#include "model/energy/shell_energy.h"
#include "model/energy/step_force.h"

namespace strand {

class RodDamping : public StepForce {
 public:
  /// Damps `elastic`, whose stiffness may change; `beta` (s) per edge, of joints the mean of both.
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
  double per_time_ = 0;  ///< 1/s, that its stiffness is for
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
