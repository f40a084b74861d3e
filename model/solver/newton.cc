#include "model/solver/newton.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "model/solver/newton_step.h"

namespace strand {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kSufficient = 1e-4;  // fraction of the decrease predicted by the slope (Armijo)
// Times the weight. A single edge is stiffer than a long rod's softest motion by (L / l)^3 and
// more: a shift that is not small relative to that motion makes Newton's method crawl.
constexpr double kFirstShift = 1e-8;
// Times the diagonal: what rounding of the matrix and of its elimination may add to an eigenvalue,
// in a body whose coordinates are some ten times its size.
constexpr double kEigenvalueNoise = 128 * std::numeric_limits<double>::epsilon();
constexpr double kShiftGrowth = 10;
constexpr double kLeastShift = 1e-20;  // below all noise
// For forces without a potential: steps of the exact problem before and between rounds.
constexpr int kMaxPlainIterations = 20, kMaxPolishIterations = 8, kRounds = 10;
constexpr double kRough = 0.1;  // tolerance of the first round, tightened by it in each later one
constexpr int kMaxCorrectedTrials = 2;     // trials of a step that may be followed by a correction
constexpr int kVainCorrectionCost = 8;     // taken off the credit by a failed correction
constexpr double kMaxSlopeFraction = 0.5;  // of the initial slope, allowed at the end of a step
constexpr double kExtension = 10, kMostExtended = 1e3;  // of a shifted step: at once, and in total
constexpr int kMostRepetitions = 5;  // of a step with the same matrix, to start repeating it
constexpr int kMaxSlopeTrials = 8;   // trials of a step that look for a smaller slope
// Consecutive shrinking shifted steps, before a saddle is tried: in general, and if the last
// solution was one.
constexpr int kMinCrawls = 3, kMinCrawlsAgain = 2;
constexpr double kSaddleCorrection = 0.1,
                 kSaddleReduction = 0.2;   // of all change, and of the last try
constexpr double kFirstOrderLimit = 1e-3;  // of all change: first-order updates are accurate
// Of the tolerance: allowed error after Nudge without a potential, where its estimate is less
// certain.
constexpr double kWithoutPotential = 0.1;

// Brackets the zero of the merit's slope along a step: it is negative at low.
struct Bracket {
  double low, low_slope, high, high_slope;

  double Next() const {
    if (!(high_slope > 0))
      return 0.5 * (low + high);  // the merit is too high although it decreases there
    const double part = low_slope / (low_slope - high_slope);
    return low + std::clamp(part, 0.1, 0.9) * (high - low);
  }
};

bool Positive(const Factorization& factors) { return factors.ok && factors.negative_pivots == 0; }

}  // namespace

SolveReport After(const SolveReport& before, SolveReport next) {
  next.iterations += before.iterations, next.factorizations += before.factorizations;
  return next;
}

bool TrialValue::finite() const { return std::isfinite(merit) && std::isfinite(residual); }

const char* Describe(SolveReason reason) {
  switch (reason) {
    case SolveReason::kCorrection:
      return "a further step would change less than the tolerance";
    case SolveReason::kPublished:
      return "the published stop rule holds";
    case SolveReason::kRoundOff:
      return "steps no longer get shorter: round-off";
    case SolveReason::kIterations:
      return "the iterations were used up";
    case SolveReason::kLineSearch:
      return "no step along the direction lowered the merit";
    case SolveReason::kSingular:
      return "no shift made the matrix positive definite";
    case SolveReason::kNotFinite:
      return "a number was not finite";
    case SolveReason::kBlocked:
      return "the step would have passed through something";
    case SolveReason::kEnergy:
      return "the time stepping would have made too much energy";
    case SolveReason::kImpact:
      return "the step is too long for an impact";
    case SolveReason::kUnheld:
      return "nothing holds a part against the loads";
  }
  return "";
}

SolveReport NewtonSolver::Solve(NewtonProblem& problem) {
  correction_.reserve(problem.residual().size());  // so that iterations do not allocate
  tolerance_ = options.tolerance;
  if (problem.has_potential()) return Run(problem, options.max_iterations);
  SolveReport report = Run(problem, std::min(kMaxPlainIterations, options.max_iterations));
  double rough = 1;
  for (int round = 0; !report.converged && report.reason != SolveReason::kNotFinite; ++round) {
    if (round > 0) report = After(report, Polish(problem, false));
    if (report.converged || round == kRounds) break;
    problem.FreezeFriction();
    rough *= kRough, tolerance_ = std::max(options.tolerance, rough);
    const SolveReport frozen = Run(problem, options.max_iterations);
    tolerance_ = options.tolerance;
    problem.ReleaseFriction();
    report = After(report, frozen);
    if (!frozen.converged) break;
    report.converged = false;  // the exact problem may not have
  }
  return report;
}

// Full steps of the exact problem, as long as each halves the residual; if one does not, the base
// is restored. `anywhere`: saddles are accepted, too.
SolveReport NewtonSolver::Polish(NewtonProblem& problem, bool anywhere) {
  SolveReport report;
  problem.SaveBase();
  report.residual = kInfinity, last_ = kInfinity;
  for (;; ++report.iterations) {
    const TrialValue value = problem.Evaluate(true);
    const bool halved = value.residual < 0.5 * report.residual;
    if (!value.finite() ||
        !(anywhere ? NewtonDirection(problem, &report) : Direction(problem, &report))) {
      break;
    }
    const bool settled = Converged(problem, value, true, &report);
    if (settled || halved) report.residual = value.residual;
    if (settled) return report;
    if (!halved || report.iterations == kMaxPolishIterations || problem.Limit(step_) < 1) break;
    problem.Move(step_, 1);
    problem.Accept();
  }
  problem.RestoreBase();
  return report;
}

// The unshifted Newton step, a descent direction or not.
bool NewtonSolver::NewtonDirection(NewtonProblem& problem, SolveReport* report) {
  used_shift_ = 0;
  if (!Factor(problem, 0, report).ok) return false;
  NewtonStep(problem, &step_);
  slope_ = Dot(problem.residual(), step_);
  return true;
}

SolveReport NewtonSolver::Run(NewtonProblem& problem, int iterations) {
  SolveReport report;
  credit = std::min(credit + 1, kFullCredit);
  shift_ = 0, first_shift_ = kFirstShift, crawls_ = 0, extended_ = 1;
  last_ = last_decrease_ = kInfinity;
  expected_shift_ = std::exchange(saddle_shift, 0.0);
  near_ = expected_shift_ > 0 ? kInfinity : kSaddleCorrection;
  for (;;) {
    TrialValue value = problem.Evaluate(true);
    report.residual = value.residual;
    if (!value.finite()) {
      report.reason = SolveReason::kNotFinite;
      return report;
    }
    if (value.residual == 0 && !options.to_the_end) {
      report.reason = SolveReason::kCorrection, report.converged = true;
      return report;
    }
    if (!Direction(problem, &report)) return report;
    if (ConvergedToTheEnd(problem, value, &report)) {
      if (options.to_the_end) TakeLastStep(problem);
      if (!report.stable) saddle_shift = used_shift_;
      usual = report.iterations;
      return report;
    }
    if (AtSaddle(problem, value, &report) || report.iterations == iterations) return report;
    if (!LineSearch(problem, &value, &report)) return report;
    problem.Accept();
    ++report.iterations;
    report.residual = value.residual;
    if (!report.converged) continue;
    usual = report.iterations;
    return report;
  }
}

// Whether the next Newton step is negligible. A shifted step is shorter than Newton's: where steps
// shrink by a factor p, the remaining distance is p / (1 - p) times the last one. If the last step
// was extended, this one probably has to be extended by the same factor. `may_drift`: a residual at
// round-off that moves a singular problem is no reason to go on.
bool NewtonSolver::Converged(NewtonProblem& problem, const TrialValue& value, bool may_drift,
                             SolveReport* report) {
  const double correction = problem.Correction(step_), part = correction / last_;
  const bool flat = std::abs(slope_) <= value.noise;  // the merit, along the step
  double left = correction;
  if (used_shift_ > 0) {
    const bool shrinks = part < 1 && correction > 0;
    if (shrinks) {
      left *= std::max(extended_, part / (1 - part));
    } else if (correction > 0 || !flat) {
      left = kInfinity;
    }
  }
  // Only the first shift restrains a free rigid-body motion, which drifts by round-off.
  const bool drifts =
      may_drift && used_shift_ > 0 && used_shift_ <= kFirstShift && problem.AtRoundOff();
  const bool stalls = drifts || (part > 0.5 && used_shift_ == 0 && flat);
  report->converged = left <= tolerance_ || stalls;
  report->reason = left <= tolerance_ ? SolveReason::kCorrection : SolveReason::kRoundOff;
  if (!report->converged) report->reason = SolveReason::kIterations;
  const double decrease = -slope_;
  crawls_ = used_shift_ > kFirstShift && decrease < last_decrease_ ? crawls_ + 1 : 0;
  last_decrease_ = decrease;
  report->correction = last_ = correction;
  report->stable = used_shift_ <= kFirstShift;
  return report->converged;
}

// `to_the_end` judges by the matrix alone whether the solution is stable, because no shift shows
// that: one may be left over from earlier iterations, neutral motions need one, and the softest
// motions of a fine mesh are softer than the first. A saddle is a solution if the next step does
// not lead away from it.
bool NewtonSolver::ConvergedToTheEnd(NewtonProblem& problem, const TrialValue& value,
                                     SolveReport* report) {
  const double last = last_;
  if (!Converged(problem, value, true, report)) return false;
  if (!options.to_the_end) return true;
  if (!report->stable) {
    if (!FreshDirection(problem, report)) return false;
    last_ = last;
    if (!Converged(problem, value, true, report)) return false;
  }
  if (used_shift_ == 0 || !problem.has_potential()) return true;
  report->stable = !Indefinite(problem, report);
  if (report->stable || used_shift_ > kFirstShift) return true;
  if (!SoftDirection(problem, report)) return false;
  last_ = last;
  const bool stays = Converged(problem, value, false, report);
  report->stable = false;
  return stays;
}

// The direction without a shift that is left over from earlier iterations. At a saddle, which needs
// it, nothing changes.
bool NewtonSolver::FreshDirection(NewtonProblem& problem, SolveReport* report) {
  const double used = used_shift_;
  shift_ = 0;
  if (!Direction(problem, report)) return false;
  if (used_shift_ <= kFirstShift) return true;
  shift_ = used;
  return Direction(problem, report);
}

// Whether the matrix at the base has an eigenvalue that is negative beyond doubt. The elimination
// of a positive matrix keeps its pivots positive unless the least eigenvalue, of the matrix scaled
// to a unit diagonal, is at round-off (J. Demmel: N. Higham, Accuracy and Stability of Numerical
// Algorithms, 2002, theorem 10.7). So it needs no more than a shift of that size: this tells the
// softest motion of a fine mesh from a neutral one.
bool NewtonSolver::Indefinite(NewtonProblem& problem, SolveReport* report) {
  LinearSystem& matrix = problem.system();
  const std::span<const double> weight = problem.weight();
  diagonal_.resize(weight.size());
  for (int u = 0; u < matrix.size(); ++u) {
    diagonal_[u] = std::abs(matrix.values()[matrix.Offset(u, u)]);
    if (diagonal_[u] == 0) diagonal_[u] = weight[u];
  }
  return !Positive(Factor(problem, kEigenvalueNoise, diagonal_, report));
}

// At a saddle so flat that the first shift holds the solution there: shifts start from nearly the
// smallest one that makes the matrix positive definite. Each step then takes iterates at least
// twice as far along the softest motion, away from the saddle.
bool NewtonSolver::SoftDirection(NewtonProblem& problem, SolveReport* report) {
  const auto suffices = [&](double shift) { return Positive(Factor(problem, shift, report)); };
  while (first_shift_ > kLeastShift && suffices(0.5 * first_shift_)) first_shift_ *= 0.5;
  shift_ = first_shift_;
  return Direction(problem, report);
}

// A time step that is too long to resolve an instability ends at a saddle of its merit unless
// something perturbs it, and shifted steps only crawl there. The saddle is a valid solution, unless
// its merit is higher than that of `value`: then the iterates have left it already. (Without a
// potential, merits at two bases cannot be compared.)
bool NewtonSolver::AtSaddle(NewtonProblem& problem, const TrialValue& value, SolveReport* report) {
  const int enough = expected_shift_ > 0 ? kMinCrawlsAgain : kMinCrawls;
  if (crawls_ < enough || last_ >= near_ || options.to_the_end) return false;
  near_ = kSaddleReduction * last_;
  const double shift = used_shift_;
  const SolveReport found = Polish(problem, true);
  if (found.converged &&
      (!problem.has_potential() || problem.Evaluate(false).merit <= value.merit + value.noise)) {
    *report = After(*report, found);
    report->stable = false;
    saddle_shift = shift;
    return true;
  }
  if (found.converged) problem.RestoreBase();
  report->factorizations += found.factorizations;  // its steps are undone
  report->converged = false;
  problem.Evaluate(true);
  Direction(problem, report);
  return false;
}

// Tests convergence at the trial with the matrix of the step that led there, which costs no
// factorisation. If Nudge allows it, the correction is applied, too: the remaining error is then
// smaller than the correction by the same factor as that is than the step. Without a potential,
// Nudge makes the trial the base even if it fails, so that only trials that are `taken` are nudged.
bool NewtonSolver::ConvergedAfterStep(NewtonProblem& problem, bool taken, SolveReport* report) {
  if (used_shift_ > 0 || options.to_the_end) return false;
  NewtonStep(problem, &correction_);
  left_ = problem.Correction(correction_);
  double left = left_;
  const double shrunk = 2 * left * left / last_;
  const bool exact = problem.has_potential(), may = taken || exact;
  const double enough = exact ? tolerance_ : kWithoutPotential * tolerance_;
  const bool near = left < kFirstOrderLimit && shrunk <= enough;
  if (left > tolerance_ && near && may && problem.Nudge(correction_)) left = shrunk;
  if (!(left <= tolerance_)) return false;
  report->converged = report->stable = true, report->reason = SolveReason::kCorrection;
  report->correction = left;
  return true;
}

// Repeats the step with the same matrix: that costs an evaluation and no factorisation. The error
// shrinks by about the same factor each time, so that this is done where a few repetitions promise
// to end the solution. Banded matrices are factorised too quickly to gain from it.
bool NewtonSolver::Repeat(NewtonProblem& problem, TrialValue* trial) {
  const double part = left_ / last_;
  const bool few = part < 1 && left_ * std::pow(part, kMostRepetitions) <= tolerance_;
  if (!few || used_shift_ > 0 || options.to_the_end || problem.system().banded()) return false;
  if (!problem.Accept()) return false;
  if (problem.Limit(correction_) == 1) {
    problem.Move(correction_, 1);
    const TrialValue value = problem.Evaluate(false);
    if (value.finite() && value.merit <= trial->merit + value.noise) {
      *trial = value, last_ = left_;
      return true;
    }
  }
  problem.Move(correction_, 0);
  return false;
}

// Takes the step that was small enough to stop: it squares the error.
void NewtonSolver::TakeLastStep(NewtonProblem& problem) {
  if (problem.Correction(step_) == 0 || problem.Limit(step_) < 1) return;
  problem.SaveBase();
  problem.Move(step_, 1);
  problem.Accept();
  if (!problem.Evaluate(false).finite()) problem.RestoreBase(), problem.Evaluate(false);
}

bool NewtonSolver::Direction(NewtonProblem& problem, SolveReport* report) {
  for (int tries = 0; tries <= options.max_shifts; ++tries) {
    const Factorization factors = Factor(problem, shift_, report);
    if (Positive(factors)) {
      NewtonStep(problem, &step_);
      slope_ = Dot(problem.residual(), step_);
      if (!(slope_ > 0)) {
        used_shift_ = shift_;
        if (tries == 0) shift_ = shift_ > first_shift_ ? shift_ / kShiftGrowth : 0;
        return true;
      }
    }
    shift_ = shift_ > 0 ? kShiftGrowth * shift_ : std::max(first_shift_, expected_shift_);
  }
  report->reason = SolveReason::kSingular, report->converged = false;
  return false;
}

// Stiff stretching makes the merit a curved valley: a step that rotates edges stretches them to
// second order and is rejected, however good it is. A second Newton step, from the trial, leads
// back to the valley floor (a watchdog of length two: Chamberlain et al., Math. Programming Study
// 16, 1982). Its matrix is that of a place beside the valley, and says nothing of the error along
// the floor.
bool NewtonSolver::Correct(NewtonProblem& problem, double enough, TrialValue* trial,
                           SolveReport* report) {
  problem.SaveBase();
  problem.Accept();
  problem.Evaluate(true);
  const Factorization factors = Factor(problem, 0, report);
  if (Positive(factors)) {
    NewtonStep(problem, &correction_);
    problem.Move(correction_, problem.Limit(correction_));
    *trial = problem.Evaluate(false);
    if (trial->finite() && trial->merit <= enough) return true;
  }
  problem.RestoreBase();
  return false;
}

// A shifted step is shorter than Newton's along directions that are softer than the shift. It is
// extended towards the zero of the slope along it, which costs evaluations instead of
// factorisations; not where the slope hardly changes, as it may have no zero.
void NewtonSolver::Extend(NewtonProblem& problem, double slope, TrialValue* trial) {
  if (-slope_ <= trial->noise) return;
  while (slope < kMaxSlopeFraction * slope_) {
    const double zero = extended_ / (1 - slope / slope_);  // by the secant
    if (!(zero > 0 && zero < kMostExtended)) return;
    const double next = std::min(zero, kExtension * extended_);
    correction_ = step_;
    for (double& each : correction_) each *= next;
    if (problem.Limit(correction_) < 1) return problem.Move(step_, extended_);
    problem.Move(step_, next);
    const TrialValue longer = problem.Evaluate(false);
    if (!longer.finite() || longer.merit > trial->merit) {
      problem.Move(step_, extended_);
      problem.Evaluate(false);
      return;
    }
    *trial = longer, extended_ = next;
    slope = Dot(problem.residual(), step_);
  }
}

// On return the trial is the last one tried; `value` is its value if it was accepted. Friction
// reverses within a small slip: steps that do not end near the zero of the slope oscillate across
// it, so that some trials are spent on finding that zero (strong Wolfe conditions; Nocedal &
// Wright, section 3.5). A trial costs far less than the factorisation before it.
bool NewtonSolver::LineSearch(NewtonProblem& problem, TrialValue* value, SolveReport* report) {
  const double whole = problem.Limit(step_);
  extended_ = 1;
  SolveReason failure = SolveReason::kBlocked;
  Bracket bracket{0, slope_, whole, 0};
  double scale = whole;
  for (int trials = 0; whole > 0 && trials <= options.max_trials; ++trials) {
    problem.Move(step_, scale);
    TrialValue trial = problem.Evaluate(false);
    const double slope = Dot(problem.residual(), step_);
    const double enough = value->merit + kSufficient * scale * slope_ + value->noise;
    const bool lower = trial.finite() && trial.merit <= enough;
    const bool steep = slope > -kMaxSlopeFraction * slope_ ||
                       (scale < whole && slope < kMaxSlopeFraction * slope_);
    const bool newton = scale == 1 && trial.finite() && used_shift_ == 0;
    bool taken = lower && (!steep || trials >= kMaxSlopeTrials);
    // Where the predicted decrease is below round-off, the merit cannot judge the step.
    taken = taken || (newton && -slope_ <= value->noise);
    if (!taken && !lower && newton) taken = ConvergedAfterStep(problem, false, report);
    bool corrected = false;
    if (!taken && !lower && trial.finite() && trials < kMaxCorrectedTrials &&
        credit >= kVainCorrectionCost) {
      taken = corrected = Correct(problem, enough, &trial, report);
      credit = taken ? kFullCredit : credit - kVainCorrectionCost;
    }
    if (taken) {
      if (scale == 1 && used_shift_ > 0) Extend(problem, slope, &trial);
      const bool due = report->iterations + 2 >= usual;
      if (newton && due && !corrected && !report->converged) {
        while (!ConvergedAfterStep(problem, true, report) && Repeat(problem, &trial)) continue;
      }
      *value = trial;
      return true;
    }
    failure = trial.finite() ? SolveReason::kLineSearch : SolveReason::kNotFinite;
    if (lower && slope < 0) {
      bracket.low = scale, bracket.low_slope = slope;
    } else {
      bracket.high = scale, bracket.high_slope = trial.finite() ? slope : 0;
    }
    scale = bracket.Next();
  }
  report->reason = failure;
  return false;
}

}  // namespace strand
