// All forces on a system: their sum, and the matrix of its derivatives.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "model/energy/contact_force.h"
#include "model/energy/elastic_energy.h"
#include "model/integrator/energy_watch.h"

namespace strand {

/// The sum of all forces at one configuration.
struct ForceSum {
  Potentials energy;             ///< J
  double magnitude = 0;          ///< J: sum of the energies' magnitudes, for round-off
  Evaluation total;              ///< of all forces together
  std::vector<double> gradient;  ///< per dof: N, N m; for locked dofs, the reaction
  /// Per dof: the part of the gradient that belongs to forces without a potential.
  std::vector<double> pathwise;
};

class Forces {
 public:
  explicit Forces(std::unique_ptr<ElasticEnergy> elastic) : elastic_(std::move(elastic)) {}

  ElasticEnergy& elastic() { return *elastic_; }
  void Add(std::unique_ptr<Force> force);

  /// Marks the matrix as stale: the stencils of a force or the locked degrees of freedom changed.
  void Rebuild() { stale_ = true; }
  bool stale() const { return stale_; }
  /// Makes the matrix for these degrees of freedom. They must be numbered (Dofs::Number).
  void Bind(const Dofs& dofs);
  LinearSystem& matrix() { return *matrix_; }
  /// Treats the matrix as symmetric or general, if it supports both.
  void Treat(Symmetry symmetry);

  /// Whether all forces had a potential at the last Bind.
  bool conservative() const { return conservative_; }
  /// Whether any of them may do work that no potential accounts for.
  bool supplies() const;
  /// Whether anything may collide.
  bool collides() const { return !contact_.empty(); }
  /// Whether a force drives something itself in the next step: obstacles, tendons.
  bool drives() const;

  /// Evaluate in two parts: EvaluateLoads leaves out the elastic energy, AddElastic adds it.
  void EvaluateLoads(const Motion& motion, bool with_matrix, ForceSum* sum);
  void AddElastic(const Motion& motion, bool with_matrix, ForceSum* sum);
  /// Computes the sum; on request, adds its derivatives to the matrix.
  void Evaluate(const Motion& motion, bool with_matrix, ForceSum* sum);
  /// Energies alone; `driven`: J, the sum of Evaluation::driven.
  Potentials PotentialsAt(const Motion& motion, double* driven);

  // The functions of StepForce and ContactForce, applied to all such forces. Prepare and Refresh
  // may make the matrix stale.
  void Prepare(const Motion& still, std::span<const double> velocity, double dt);
  void Refresh(const Configuration& at);
  void Push(const Configuration& start, double part, std::span<double> move);
  double Limit(const Configuration& from, std::span<const double> move, const Passage& passage);
  bool Clears(const Configuration& from, std::span<const double> move, const Passage& passage);
  bool AcceptsEndpoint(const Configuration& from, const Configuration& to, const Passage& passage);
  bool Misses(const Configuration& from, std::span<const double> step);
  /// Freezes friction until ReleaseFriction. The matrix is then treated as symmetric, if all forces
  /// have a potential.
  void FreezeFriction(const Motion& motion);
  void ReleaseFriction();
  bool unresolved() const;  ///< of any contact
  void Report();
  void Accept(const Motion& motion);
  void Adapt(double time);
  std::vector<double> Save() const;
  void Load(std::span<const double> memory);

 private:
  Derivatives Into(bool with_matrix, ForceSum* sum);

  std::unique_ptr<ElasticEnergy> elastic_;
  std::vector<std::unique_ptr<Force>> all_;  ///< except the elastic energy
  std::vector<StepForce*> stepped_;          ///< the StepForces among all_
  std::vector<ContactForce*> contact_;       ///< the ContactForces among all_
  std::unique_ptr<LinearSystem> matrix_;
  bool stale_ = true, conservative_ = true;
  Symmetry treated_ = Symmetry::kGeneral;
};

}  // namespace strand
