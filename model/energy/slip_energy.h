// Plasticity and friction between strands of the rods of a network, in steps of time.
//
// With x the joint's strain beyond its natural shape (curvatures averaged over the joint's two
// sides; twist) and p_e(x) what its elements have slipped at x (stencil/slip.h), they add
//     -B x . S + B sum_e s_e |p_e|^2 (1 + h_k) / 2 + D,    S = sum_e s_e p_e
// to the joint's elastic energy B |x|^2 / 2. The first two terms make it what is stored. D, the
// work of the sliders since the start of the step, makes the sum an incremental potential: p
// minimises it, its gradient is the force, and its Hessian is that of the radial return.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/energy/elastic.h"
#include "model/energy/rod_slip.h"
#include "model/energy/step_force.h"

namespace strand {

class SlipEnergy : public StepForce {
 public:
  /// `joints`: of the network, each once; `slips`: their elements, as RodSlip takes them. `elastic`
  /// must outlive this; its stiffness may change. Throws ConfigError if an index or an element is
  /// invalid, or unless the elastic energy is of order 2 and averages energies.
  SlipEnergy(const Network& network, const Dofs& dofs, const ElasticRest& elastic,
             const std::vector<int>& joints, std::span<const JointSlip> slips,
             const Hardening& hardening);

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;
  void Accept(const Motion& motion) override;
  void Save(std::vector<double>* memory) const override;
  void Load(std::span<const double>* memory) override;

  /// Permanent set of each of the joints: curvatures about m1 and m2 of its edges (1/m) and twist
  /// (rad/m).
  std::vector<std::array<double, 3>> Set() const;

 private:
  static constexpr int kSize = 11;

  struct JointTerms;

  JointTerms Terms(int k, const Configuration& at) const;
  void AddDerivatives(int k, const Configuration& at, const JointTerms& terms,
                      const Derivatives& out, Evaluation* result) const;

  const ElasticRest& elastic_;
  std::vector<int> joint_;  ///< in the network
  RodSlip law_;
  std::vector<double> history_;  ///< at the start of the step
  std::vector<std::array<int, kSize>> dofs_;
  std::vector<std::array<int, kSize * kSize>> entry_;
};

}  // namespace strand
