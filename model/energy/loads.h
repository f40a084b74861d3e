// Loads that act on single degrees of freedom: gravity, viscous drag, prescribed forces.
#pragma once

#include <vector>

#include "model/energy/force.h"

namespace strand {

/// E = -sum a m g . x, with masses m that are reduced by buoyancy (BuoyantMass), and shares a that
/// are 1 unless set.
class Gravity : public Force {
 public:
  /// `weight_mass` per dof (kg; 0 for angles), g (m/s^2).
  Gravity(const Dofs& dofs, std::vector<double> weight_mass, const Vector3& g);
  void Set(const Vector3& g) { g_ = g; }
  const Vector3& g() const { return g_; }
  /// Makes a point mass (kg) weigh, too. `node`: the dof of its node's x.
  void AddMass(int node, double mass);
  /// Makes only this share (0 to 1) of a node's mass weigh, e.g. of a node that is partly behind a
  /// mouth. `node`: the dof of its x. Throws ConfigError if the dof or the share is out of range.
  void SetShare(int node, double share);
  double weighing(int node) const { return mass_[node]; }  ///< kg, as if the share were 1
  EnergyKind kind() const override { return EnergyKind::kExternal; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  void CheckNode(int node) const;

  std::vector<int> node_;
  std::vector<double> mass_;   ///< per dof (kg)
  std::vector<double> share_;  ///< of each node, at the dof of its x; -1 at other dofs
  Vector3 g_;
};

/// F = -c v for each degree of freedom; c = eta l is the viscous drag of a line (MAT-DiSMech, eq.
/// 27, 28). It has the incremental potential c (q - q_0)^2 / (2 tau).
class ViscousDrag : public Force {
 public:
  /// `coefficient` per dof: N s/m, N m s/rad.
  explicit ViscousDrag(std::vector<double> coefficient) : coefficient_(std::move(coefficient)) {}
  EnergyKind kind() const override { return EnergyKind::kDissipated; }
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<double> coefficient_;
  std::vector<int> diagonal_;  ///< offset per dof, or -1
};

/// Constant forces (N) and axial moments (N m), per dof. E = -F . q.
class NodalLoad : public Force {
 public:
  explicit NodalLoad(const Dofs& dofs);
  std::vector<double>& value() { return value_; }
  EnergyKind kind() const override { return EnergyKind::kExternal; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  std::vector<double> value_;
  std::vector<char> angle_;  ///< per dof: 1 for angles
};

/// c = eta l per dof of the nodes (N s/m), with the Voronoi length l (m) of rod at the node and the
/// drag eta (Pa s) per length and speed. Throws ConfigError unless eta is finite and >= 0.
std::vector<double> LineDrag(const Network& network, const Dofs& dofs, double eta);

/// Mass reduced by buoyancy (kg), per dof: (1 - rho_medium / rho) of every edge's mass. `area`
/// (m^2): the cross-section per edge.
std::vector<double> BuoyantMass(const Network& network, const Dofs& dofs,
                                const std::vector<double>& mass, std::span<const double> area,
                                double medium_density);

}  // namespace strand
