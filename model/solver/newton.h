// Newton's method with line search, on a problem that knows nothing of rods.
//
// The direction solves (A + shift W) d = -r, with the shift raised until d leads downwards and a
// symmetric A is positive definite: a saddle is no minimum. Steps are cut until the merit falls
// enough and its slope has mostly gone (Nocedal & Wright, Numerical Optimization, eq. 3.7).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/solver/linear_system.h"

namespace strand {

/// What a trial looks like.
struct TrialValue {
  double merit = 0;     ///< J, whose slope along a step d from the base is r . d there
  double residual = 0;  ///< largest residual in units of the problem's own force scale
  double noise = 0;     ///< round-off of the merit
  bool finite() const;
};

class NewtonProblem {
 public:
  virtual ~NewtonProblem() = default;
  virtual LinearSystem& system() = 0;
  /// r by the unknowns, at the trial.
  virtual std::span<const double> residual() const = 0;
  /// W: a positive weight per unknown, in units of A's diagonal.
  virtual std::span<const double> weight() const = 0;
  /// Evaluates at the trial: the residual, and the matrix where asked for, at the base alone.
  virtual TrialValue Evaluate(bool with_matrix) = 0;
  /// Largest change of a position (m) in the step.
  virtual double LargestMove(std::span<const double> step) const = 0;
  /// The step as a part of what the trial has changed altogether, so that 1e-6 leaves six digits of
  /// the change; at most 1, and 0 where it is below what the unknowns can hold.
  virtual double Correction(std::span<const double> step) const = 0;
  /// Whether the residual is no more than what rounding the unknowns makes of it.
  virtual bool AtRoundOff() const { return false; }
  /// The part of the step that may be taken from the base: 0 to 1.
  virtual double Limit(std::span<const double> step) = 0;
  /// trial = base moved by scale * step.
  virtual void Move(std::span<const double> step, double scale) = 0;
  /// base = trial.
  virtual void Accept() = 0;
  /// Moves the trial by a step so small that values follow to first order, without a further
  /// evaluation. False where that is not possible.
  virtual bool Nudge(std::span<const double>) { return false; }
  virtual bool has_potential() const = 0;
  /// Gives the problem a potential by holding, at the base, what keeps it from having one: friction
  /// by the normal forces. LetGo lets go of that.
  virtual void Hold() {}
  virtual void LetGo() {}
  /// Remembers the base, and makes it the base again.
  virtual void Keep() = 0;
  virtual void Return() = 0;
};

/// How MAT-DiSMech's code stops, to reproduce its figures: whole Newton steps, from the tenth on
/// damped by .9 each, until one of three numbers is small. The first two are those before the last
/// step.
struct PublishedStop {
  double force = 1e-4;      ///< N, norm of the residual
  double reduction = 1e-4;  ///< norm of the residual, as a part of the first one
  double change = 0;        ///< m, largest move of a node: its 1e-2 m/s times dt
};

struct NewtonOptions {
  /// The next Newton step as a part of what the solution changes (NewtonProblem::Correction). A
  /// residual is no measure of that: a taut string's is small beside its tension, however far it is
  /// from its sag (Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 2.1).
  double tolerance = 1e-7;
  /// Instead of the tolerance, and of all safeguards.
  std::optional<PublishedStop> published = std::nullopt;
  /// Looks at the matrix of the solution itself, so that SolveReport::stable counts, and takes the
  /// step that is left to go, too. One more factorisation.
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
};

/// Words for a reason, to finish the sentence "stopped because ...".
const char* Words(SolveReason reason);

struct SolveReport {
  bool converged = false;
  int iterations = 0;  ///< Newton steps taken
  int factorizations = 0;
  double residual = 0;    ///< the last one, in units of the force scale
  double correction = 0;  ///< what a further Newton step would change, as a part of all change
  /// False where the merit has a saddle, not a minimum: an equilibrium that is not stable.
  bool stable = true;
  SolveReason reason = SolveReason::kIterations;
};

/// `next`, with the work of both counted.
SolveReport After(const SolveReport& before, SolveReport next);

class NewtonSolver {
 public:
  explicit NewtonSolver(const NewtonOptions& given) : options(given) {}

  /// Starts from the problem's trial, which is also its base. Where it does not converge, the
  /// base is the best found. Without a potential the merit may fall round and round: what does not
  /// converge soon is solved with normal forces held, round by round, each followed by a few steps
  /// of the exact problem.
  SolveReport Solve(NewtonProblem& problem);

  NewtonOptions options;
  /// Newton steps that the last solution took: one less, and it is worth asking whether they do.
  /// Part of a checkpoint, as what is asked decides where it stops.
  int usual = 0;
  /// What second steps (Correct) in vain have left: at first and after a success it lasts for four
  /// of them in a row, then for one in eight solutions. Contact's kinks defeat them, stiff
  /// stretching needs them. Part of a checkpoint, too.
  static constexpr int kFullCredit = 32;
  int credit = kFullCredit;

 private:
  SolveReport SolveAsPublished(NewtonProblem& problem, const PublishedStop& stop);
  SolveReport Run(NewtonProblem& problem, int iterations);
  SolveReport Polish(NewtonProblem& problem, bool anywhere);
  bool Straight(NewtonProblem& problem, SolveReport* report);
  bool AtSaddle(NewtonProblem& problem, SolveReport* report);
  bool Direction(NewtonProblem& problem, SolveReport* report);
  bool Settled(NewtonProblem& problem, const TrialValue& value, SolveReport* report);
  bool SettledAfterStep(NewtonProblem& problem, SolveReport* report);
  void TakeLastStep(NewtonProblem& problem);
  bool Correct(NewtonProblem& problem, double enough, TrialValue* trial, SolveReport* report);
  bool LineSearch(NewtonProblem& problem, TrialValue* value, SolveReport* report);

  std::vector<double> step_, correction_;
  double tolerance_ = 0;   ///< of this round
  double slope_ = 0;       ///< of the merit along step_
  double last_ = 0;        ///< correction by the step before
  double shift_ = 0;       ///< to try next
  double used_shift_ = 0;  ///< of step_
  double near_ = 0;        ///< correction below which a saddle may be near,
  int crawls_ = 0;         ///< and shifted steps in a row that have shrunk
};

}  // namespace strand
