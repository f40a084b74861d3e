// All that acts on a system: the sum, and the matrix of its derivatives.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/energy/contact_force.h"
#include "model/energy/elastic_energy.h"
#include "model/integrator/energy_watch.h"

namespace strand {

/// The sum of all forces at one place.
struct ForceSum {
  Potentials energy;             ///< J
  double magnitude = 0;          ///< J: sum of the energies' sizes, for round-off
  Evaluation total;              ///< of all forces together
  std::vector<double> gradient;  ///< per dof: N, N m; of locked ones, what holds them
  /// Per dof: the part of the gradient that belongs to forces without a potential.
  std::vector<double> pathwise;
};

class Forces {
 public:
  explicit Forces(std::unique_ptr<ElasticEnergy> elastic) : elastic_(std::move(elastic)) {}

  ElasticEnergy& elastic() { return *elastic_; }
  void Add(std::unique_ptr<Force> force);

  /// The stencils of a force, or which degrees of freedom are locked, have changed.
  void Rebuild() { stale_ = true; }
  bool stale() const { return stale_; }
  /// Makes the matrix of these degrees of freedom, which are numbered.
  void Bind(const Dofs& dofs);
  LinearSystem& matrix() { return *matrix_; }
  /// What the matrix counts as, where it can be either.
  void Treat(Symmetry symmetry);

  /// Whether all have a potential, as of the last Bind.
  bool conservative() const { return conservative_; }
  /// Whether anything may collide.
  bool collides() const { return !contact_.empty(); }
  /// Whether a force drives something itself in the next step: obstacles, tendons.
  bool drives() const;

  /// All of these as of Evaluate, the first with the elastic energy left out, the second adding it.
  void EvaluateLoads(const Motion& motion, bool with_matrix, ForceSum* sum);
  void AddElastic(const Motion& motion, bool with_matrix, ForceSum* sum);
  /// The sum there; on request, its derivatives are added to the matrix.
  void Evaluate(const Motion& motion, bool with_matrix, ForceSum* sum);
  /// Energies alone; `driven`: J, as of Evaluation.
  Potentials PotentialsAt(const Motion& motion, double* driven);

  // As of StepForce and ContactForce, of all of them. Prepare and Refresh may make the matrix
  // stale.
  void Prepare(const Motion& still, std::span<const double> velocity, double dt);
  void Refresh(const Configuration& at);
  void Push(const Configuration& start, double part, std::span<double> move);
  double Limit(const Configuration& from, std::span<const double> move, const Passage& passage);
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to, const Passage& passage);
  /// Freezes friction, until it is released; the matrix is symmetric then, where it can be.
  void FreezeFriction(const Motion& motion);
  void ReleaseFriction();
  void Report();
  void Accept(const Motion& motion);
  void Adapt(double time);
  std::vector<double> Save() const;
  void Load(std::span<const double> memory);

 private:
  Derivatives Into(bool with_matrix, ForceSum* sum);

  std::unique_ptr<ElasticEnergy> elastic_;
  std::vector<std::unique_ptr<Force>> all_;  ///< but the elastic energy
  std::vector<StepForce*> stepped_;          ///< those of them that follow the steps,
  std::vector<ContactForce*> contact_;       ///< and that are contact
  std::unique_ptr<LinearSystem> matrix_;
  bool stale_ = true, conservative_ = true;
  Symmetry treated_ = Symmetry::kGeneral;
};

}  // namespace strand
