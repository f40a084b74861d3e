// Newton's method with line search, for any problem (rods, shells, contact).
//
// The direction solves (A + shift W) d = -r. The shift is raised until d is a descent direction
// and, for a symmetric A, the shifted matrix is positive definite, so that iterates leave saddles.
// The line search enforces the strong Wolfe conditions (Nocedal & Wright, Numerical Optimization,
// eq. 3.7).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/assembly/linear_system.h"

namespace strand {

/// Value of the problem at a trial.
struct TrialValue {
  double merit = 0;     ///< J; its slope along a step d from the base is r . d
  double residual = 0;  ///< largest residual, as a fraction of the problem's force scale
  double noise = 0;     ///< round-off error of the merit
  bool finite() const;
};

class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual LinearSystem& system() = 0;
  /// r per unknown, at the trial.
  virtual std::span<const double> residual() const = 0;
  /// W: a positive weight per unknown, in the units of A's diagonal.
  virtual std::span<const double> weight() const = 0;
  /// Evaluates the residual at the trial. The matrix, on request, only where the trial is the base.
  virtual TrialValue Evaluate(bool with_matrix) = 0;
  /// Largest change of a position (m) in the step.
  virtual double LargestMove(std::span<const double> step) const = 0;
  /// Size of the step as a fraction of the total change so far, so that 1e-6 means six correct
  /// digits of the change; at most 1, and 0 below the resolution of the unknowns.
  virtual double Correction(std::span<const double> step) const = 0;
  /// Whether the residual is at the level that rounding of the unknowns causes.
  virtual bool AtRoundOff() const { return false; }
  /// Largest fraction of the step that can be taken from the base without collision: 0 to 1. May
  /// disturb the trial, which Move sets again.
  virtual double Limit(std::span<const double> step) = 0;
  /// trial = base moved by scale * step.
  virtual void Move(std::span<const double> step, double scale) = 0;
  /// base = trial. Returns false if that changes the pattern of the matrix: its factors are lost.
  virtual bool Accept() = 0;
  /// Moves the trial by a small step. With a potential, first-order updates of the values suffice;
  /// otherwise the trial becomes the base, and is evaluated after the step. Returns false, without
  /// the step, if that is not possible or does not help.
  virtual bool Nudge(std::span<const double>) { return false; }
  virtual bool has_potential() const = 0;
  /// Freezes the normals and normal forces of friction at their values at the base, which gives the
  /// problem a potential, until ReleaseFriction.
  virtual void FreezeFriction() {}
  virtual void ReleaseFriction() {}
  /// Saves the base, and restores the saved one.
  virtual void SaveBase() = 0;
  virtual void RestoreBase() = 0;
};

struct NewtonOptions {
  /// Allowed size of the next Newton step as a fraction of the total change of the solution
  /// (NewtonProblem::Correction). The residual does not measure that: a taut string's is small
  /// relative to its tension, however far it is from its sag (Deuflhard, Newton Methods for
  /// Nonlinear Problems, 2004, section 2.1).
  double tolerance = 1e-7;
  /// Factorises the matrix at the solution, so that SolveReport::stable is valid, and takes the
  /// remaining step. Costs one more factorisation, and a few at saddles and with neutral motions.
  bool to_the_end = false;
  int max_iterations = 50;
  int max_trials = 30;
  int max_shifts = 40;
};

enum class SolveReason {
  kCorrection,
  kPublished,
  kRoundOff,
  kIterations,
  kLineSearch,
  kSingular,
  kNotFinite,
  kBlocked,
  kEnergy,
  kImpact,
  kUnheld,
};

/// Completes the sentence "stopped because ...".
const char* Describe(SolveReason reason);

struct SolveReport {
  bool converged = false;
  int iterations = 0;  ///< Newton steps taken, without repetitions with the same matrix
  int factorizations = 0;
  double residual = 0;    ///< the last one, as a fraction of the force scale
  double correction = 0;  ///< size of the next Newton step, as a fraction of the total change
  /// False where the merit has a saddle instead of a minimum: an unstable equilibrium.
  bool stable = true;
  SolveReason reason = SolveReason::kIterations;
  std::string detail;  ///< description of the failure, if known
};

/// `next`, with the iterations and factorisations of both.
SolveReport After(const SolveReport& before, SolveReport next);

class NewtonSolver {
 public:
  explicit NewtonSolver(const NewtonOptions& given) : options(given) {}

  /// Starts from the problem's trial, which is also its base. Without convergence the base is the
  /// best iterate found. Without a potential the iterates can cycle while the merit decreases: if
  /// the first iterations do not converge, the problem is solved with frozen normal forces, which
  /// are updated after each such solve until a few steps of the exact problem converge.
  SolveReport Solve(NewtonProblem& problem);

  NewtonOptions options;
  /// Newton steps of the last solution. Convergence is checked early (ConvergedAfterStep) from one
  /// step before that on. Part of a checkpoint, because it affects where the solver stops.
  int usual = 0;
  /// Budget for correction steps (Correct) that fail: after a success four in a row are allowed,
  /// later one in eight solutions. They fail at the kinks of contact and are needed for stiff
  /// stretching. Part of a checkpoint, too.
  static constexpr int kFullCredit = 32;
  int credit = kFullCredit;
  /// Shift of the last solution if that was a saddle, otherwise 0. The next solution probably is
  /// one, too, and is likely to need the same shift. Part of a checkpoint, too.
  double saddle_shift = 0;

 private:
  SolveReport Run(NewtonProblem& problem, int iterations);
  SolveReport Polish(NewtonProblem& problem, bool anywhere);
  bool NewtonDirection(NewtonProblem& problem, SolveReport* report);
  bool AtSaddle(NewtonProblem& problem, const TrialValue& value, SolveReport* report);
  bool Direction(NewtonProblem& problem, SolveReport* report);
  bool Converged(NewtonProblem& problem, const TrialValue& value, bool may_drift,
                 SolveReport* report);
  bool ConvergedToTheEnd(NewtonProblem& problem, const TrialValue& value, SolveReport* report);
  bool FreshDirection(NewtonProblem& problem, SolveReport* report);
  bool Indefinite(NewtonProblem& problem, SolveReport* report);
  bool SoftDirection(NewtonProblem& problem, SolveReport* report);
  bool ConvergedAfterStep(NewtonProblem& problem, bool taken, SolveReport* report);
  bool Repeat(NewtonProblem& problem, TrialValue* trial);
  void TakeLastStep(NewtonProblem& problem);
  bool Correct(NewtonProblem& problem, double enough, TrialValue* trial, SolveReport* report);
  void Extend(NewtonProblem& problem, double slope, TrialValue* trial);
  bool LineSearch(NewtonProblem& problem, TrialValue* value, SolveReport* report);

  std::vector<double> step_, correction_;
  std::vector<double> diagonal_;  ///< of the matrix, to judge stability
  double tolerance_ = 0;          ///< of the current round
  double slope_ = 0;              ///< of the merit along step_
  double last_ = 0;               ///< correction of the previous step
  double last_decrease_ = 0;      ///< of the merit, predicted by the slope of the previous step
  double left_ = 0;               ///< correction that correction_ makes
  double shift_ = 0;              ///< to try next
  double first_shift_ = 0;        ///< smallest shift to try, other than none
  double used_shift_ = 0;         ///< of step_
  double expected_shift_ = 0;     ///< saddle_shift at the start
  double extended_ = 1;           ///< factor by which the last shifted step was extended
  double near_ = 0;               ///< correction below which a saddle is looked for
  int crawls_ = 0;                ///< consecutive shifted steps of decreasing slope
};

}  // namespace strand
