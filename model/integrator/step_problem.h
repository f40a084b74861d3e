// One implicit step of a system: the equation that Newton's method solves, and its outcome.
//
//     M (q - q_hat) / tau^2 + dE/dq = 0          (time_rule.h)
// Statics has no inertia: 1 / tau = 0. The system's state is that of the start until the step is
// taken: a StepProblem is posed by its constructor, solved by Solve, and what Solve returns can be
// judged and taken.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "model/compat/published_stop.h"
#include "model/integrator/system.h"
#include "model/integrator/time_rule.h"
#include "model/solver/newton.h"

namespace strand {

/// What steps work in, kept from one to the next: steps then allocate nothing.
struct StepWorkspace {
  /// Work (J) against the forces without a potential, from the start of the step along all iterates
  /// to here, and these forces' gradient per dof.
  struct Path {
    double work = 0;
    std::vector<double> gradient;
  };
  Configuration base, trial, saved;
  Path path_of_base, saved_path;
  ForceSum forces;                                ///< of the last evaluation
  std::vector<double> predicted, carried;         ///< per dof: q_hat, and what of c u is in it
  std::vector<double> gyroscopic, before;         ///< per dof: N, and where the step before started
  std::vector<double> move;                       ///< per dof: from the base to the trial
  std::vector<double> inertia, residual, weight;  ///< per unknown
  std::vector<char> unknown_angle;                ///< per unknown: 1 of angles
  std::vector<char> loose;         ///< per dof: 1 of spins that statics holds where they are
  std::vector<int> spin_locked;    ///< edges whose spin is locked, their direction is not
  std::vector<double> held_angle;  ///< rad, of theirs
  /// Gradients per dof at the start of a step that is driven: of what has a potential, and not.
  std::vector<double> reaction_at_start, path_at_start;

  void Fit(const System& system);
};

class SolvedStep;

class StepProblem : private NewtonProblem {
 public:
  /// Poses the equation of a step from the system's state. The trial starts with the driven degrees
  /// of freedom as far as the rule's part of the way, the others at rest, or where obstacles push
  /// them.
  StepProblem(System& system, const TimeRule& rule, StepWorkspace& workspace);
  StepProblem(const StepProblem&) = delete;
  StepProblem& operator=(const StepProblem&) = delete;

  /// The step, where Newton's method converges and nothing passes through anything. Once.
  /// `published`: MAT-DiSMech's stop rule in place of the solver's own.
  std::optional<SolvedStep> Solve(NewtonSolver& newton, SolveReport* report,
                                  const std::optional<PublishedStop>& published = {});

  /// The equation at its first trial, for those who solve it by other means.
  NewtonProblem& equation() { return *this; }

 private:
  friend class SolvedStep;
  struct Residuals {
    Evaluation inertia;
    double force = 0, moment = 0;  ///< N, N m: the largest
    bool finite = true;
  };

  // Posing it.
  void PredictUnknowns();
  void StartTrial();
  void AddGyroscopic();
  void EvaluateStart();
  void FindUnknowns();
  void WeighUnknowns();
  void RefreshForces();

  // Solving it.
  void GuessFromVelocities();
  bool Extrapolate();

  // The outcome, of a SolvedStep.
  EnergyBalance Balance();
  void Take();
  double LooseTurn(int* edge) const;
  double EndVelocity(int dof) const;
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
  void Accept() override;
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
  double TransportAngle(int angle) const;
  void MakeBaseTrial();
  void Spread(std::span<const double> step, double scale);  ///< unknowns to the move
  void MoveTo(Configuration* to, const Configuration& from);
  Motion MotionAt(const Configuration& at, double part) const;
  /// Has no mass of its own to move by.
  bool follows(int dof) const { return !dofs_.locked(dof) && !(system_.mass()[dof] > 0); }

  System& system_;
  Forces& forces_;
  const Dofs& dofs_;
  State& state_;
  StepWorkspace& w_;
  TimeRule rule_;
  double time_;                ///< s, of the forces
  bool free_ = true;           ///< the first trial passes through nothing
  bool trial_is_base_ = true;  ///< then the workspace's trial is not used
  double extent_ = 0;          ///< m
  /// Largest |q - q_hat| of positions (m) and angles (rad), at the trial and of what is driven.
  std::array<double, 2> changed_{}, changed_by_drives_{};
  double path_work_ = 0;  ///< J, as of Path, of the last evaluation
  Potentials energy_at_start_;
  bool start_evaluated_ = false;
  /// J, of the whole step: by the forces at its start.
  double obstacle_work_at_start_ = 0;
  // Moments act along spins, but an angle of the trial also changes as its edge turns aside. The
  // work of that change, which no residual knows of, is left out of the merit.
  double holonomy_ = 0;  ///< J
};

/// A step that is solved and not yet taken. It refers to its StepProblem.
class SolvedStep {
 public:
  /// What the step does to the energy.
  EnergyBalance Balance() { return problem_.Balance(); }
  /// How far (rad) the solution of statics has turned spins that nothing holds: `edge` the most.
  /// They are held softly where they are; only a moment turns them.
  double LooseTurn(int* edge) const { return problem_.LooseTurn(edge); }
  /// Its end becomes the system's state.
  void Take() && { problem_.Take(); }

 private:
  friend class StepProblem;
  explicit SolvedStep(StepProblem& problem) : problem_(problem) {}
  StepProblem& problem_;
};

}  // namespace strand
