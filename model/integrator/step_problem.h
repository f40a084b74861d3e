// One implicit step of a system: the equation that Newton's method solves, and its outcome.
//
//     M (q - q_hat) / tau^2 + dE/dq = 0          (time_rule.h)
// Statics has no inertia: 1 / tau = 0. The constructor of StepProblem poses the equation and Solve
// solves it. The SolvedStep that Solve returns can be checked (Balance) and taken (Take). Until it
// is taken, the system's state is that at the start of the step.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/compat/published_stop.h"
#include "model/integrator/body_rotation.h"
#include "model/integrator/system.h"
#include "model/integrator/time_rule.h"
#include "model/solver/newton.h"

namespace strand {

/// Work arrays, reused from step to step so that steps allocate nothing.
struct StepWorkspace {
  /// Work (J) against the forces without a potential, from the start of the step along all iterates
  /// to the current one, and the gradient of these forces per dof.
  struct Path {
    double work = 0;
    std::vector<double> gradient;
  };
  Configuration base, trial, saved;
  Path path_of_base, saved_path;
  ForceSum forces;                                ///< of the last evaluation
  std::vector<double> predicted, carried;         ///< per dof: q_hat, and its part c u
  BodyRotations bodies;                           ///< their part of it
  std::vector<double> end_velocity;               ///< per dof: of the solved step
  std::vector<double> gyroscopic, before;         ///< per dof: N, and q_-1 (time_rule.h)
  std::vector<double> move;                       ///< per dof: from the base to the trial
  std::vector<double> inertia, residual, weight;  ///< per unknown
  std::vector<char> unknown_angle;                ///< per unknown: 1 for angles
  std::vector<char> loose;         ///< per dof: 1 for spins that statics holds softly in place
  std::vector<int> spin_locked;    ///< edges whose spin is locked
  std::vector<double> held_angle;  ///< rad, the angles of these edges
  /// Gradients per dof at the start of a driven step: of forces with and without a potential.
  std::vector<double> reaction_at_start, path_at_start;

  void Fit(const System& system);
};

class SolvedStep;

class StepProblem : private NewtonProblem {
 public:
  /// Poses the equation of a step from the system's state. In the first trial, driven degrees of
  /// freedom have moved by TimeRule::part of their way, the others not at all, or as far as
  /// obstacles push them.
  StepProblem(System& system, const TimeRule& rule, StepWorkspace& workspace);
  StepProblem(const StepProblem&) = delete;
  StepProblem& operator=(const StepProblem&) = delete;

  /// Solves the equation; empty if Newton's method does not converge or the step would pass through
  /// something. To be called once. `published`: MAT-DiSMech's stop rule in place of the solver's
  /// own.
  std::optional<SolvedStep> Solve(NewtonSolver& newton, SolveReport* report,
                                  const std::optional<PublishedStop>& published = {});

  /// The equation at its first trial, for other solvers.
  NewtonProblem& equation() { return *this; }

 private:
  friend class SolvedStep;
  struct Residuals {
    Evaluation inertia;
    double force = 0, moment = 0;  ///< N, N m: the largest residuals
    bool finite = true;
  };

  // Posing the equation.
  void PredictUnknowns();
  void StartTrial();
  void AddGyroscopic();
  void EvaluateStart();
  void FindUnknowns();
  void WeighUnknowns();
  bool RefreshForces();  ///< returns false if the pattern of the matrix has changed

  // Solving the equation.
  void GuessFromVelocities();
  bool Extrapolate();
  void FindEndVelocities();

  // The outcome, used by SolvedStep.
  EnergyBalance Balance();
  bool MissesContact();
  void Take();
  double LooseTurn(int* edge) const;
  double KineticAtStart() const;

  LinearSystem& system() override { return forces_.matrix(); }
  std::span<const double> residual() const override { return w_.residual; }
  std::span<const double> weight() const override { return w_.weight; }
  TrialValue Evaluate(bool with_matrix) override;
  double LargestMove(std::span<const double> step) const override;
  double Limit(std::span<const double> step) override;
  double Correction(std::span<const double> step) const override;
  bool AtRoundOff() const override;
  void Move(std::span<const double> step, double scale) override;
  bool Accept() override;
  bool Nudge(std::span<const double> step) override;
  bool has_potential() const override { return forces_.conservative(); }
  void FreezeFriction() override;
  void ReleaseFriction() override;
  void SaveBase() override;
  void RestoreBase() override;

  const Configuration& trial() const { return trial_is_base_ ? w_.base : w_.trial; }
  void EvaluateForces(const Motion& motion, bool with_matrix);
  Residuals AddInertia();
  void FollowPath(bool at_base);
  double ResidualEnergy() const;
  double TransportAngle(int angle) const;
  void MakeBaseTrial();
  void MakeTrial();
  void Spread(std::span<const double> step, double scale);  ///< writes the unknowns to the move
  void MoveTo(Configuration* to, const Configuration& from);
  Motion MotionAt(const Configuration& at, double part) const;
  /// Whether the degree of freedom is free and has no mass.
  bool follows(int dof) const { return !dofs_.locked(dof) && !(system_.mass()[dof] > 0); }

  System& system_;
  Forces& forces_;
  const Dofs& dofs_;
  State& state_;
  StepWorkspace& w_;
  TimeRule rule_;
  double time_;                ///< s, at which the forces are evaluated
  bool free_ = true;           ///< the first trial passes through nothing
  bool trial_is_base_ = true;  ///< if so, the workspace's trial is not used
  double extent_ = 0;          ///< m, largest coordinate
  /// Largest |q - q_hat| of positions (m) and angles (rad): of the trial, and of driven dofs only.
  std::array<double, 2> changed_{}, changed_by_drives_{};
  double path_work_ = 0;  ///< J, Path::work at the last evaluation
  Potentials energy_at_start_;
  bool start_evaluated_ = false;
  /// J, work of obstacles in the whole step, by the forces at its start.
  double obstacle_work_at_start_ = 0;
  // Moments act along spins, but an angle of the trial also changes when its edge changes direction
  // (parallel transport). The residual does not contain the work of that change, so the merit
  // leaves it out, too.
  double holonomy_ = 0;  ///< J
};

/// A step that is solved and not yet taken. It refers to its StepProblem.
class SolvedStep {
 public:
  /// Energy balance of the step.
  EnergyBalance Balance() { return problem_.Balance(); }
  /// Whether the step leads through a contact that exists at neither of its ends.
  bool MissesContact() { return problem_.MissesContact(); }
  /// Largest rotation (rad) in statics among the spins that nothing holds; `edge` is set to that
  /// edge. Statics holds these spins softly in place, so only a moment turns them.
  double LooseTurn(int* edge) const { return problem_.LooseTurn(edge); }
  const Configuration& end() const { return problem_.trial(); }
  /// Makes the end of the step the system's state.
  void Take() && { problem_.Take(); }

 private:
  friend class StepProblem;
  explicit SolvedStep(StepProblem& problem) : problem_(problem) {}
  StepProblem& problem_;
};

}  // namespace strand
