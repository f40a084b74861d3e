#include "model/integrator/statics.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <vector>

namespace strand {
namespace {

constexpr double kLooseTurn = 1e-3;  // rad, allowed rotation of spins that statics holds softly
// Motion towards the equilibrium. Lengths of its steps: the first, the shortest (s), and how they
// change.
constexpr double kFirstStep = 1e-2, kShortest = 1e-9;
constexpr double kMuchLonger = 4, kLonger = 2, kShorter = 0.1;
constexpr double kFarthest = 10;    // of the network's length, that it may move
constexpr double kBalanced = 1e-3;  // of the largest force, a residual of an equilibrium
constexpr int kMaxSteps = 300;
constexpr int kEasy = 10;  // Newton steps of a step after which the next can be much longer
constexpr int kRare = 4;   // hard steps, of which one is followed by a try to find the equilibrium
constexpr int kNear = 30;  // Newton steps that the equilibrium may take from the end of a step
constexpr int kBudget = 100;  // Newton steps in all, as a multiple of those that one solve may take

// Throws if a moment turns a rod that nothing keeps from spinning: there is no equilibrium.
void CheckLooseSpins(const System& system, const SolvedStep& solved, const SolveReport& report) {
  int edge = 0;
  const double turn = solved.LooseTurn(&edge);
  if (turn <= kLooseTurn) return;
  throw SolverError("statics: a moment turns " + system.network().EdgeName(edge) +
                        ", whose spin nothing holds (fix_spin does)",
                    report);
}

// Length (m) of everything together: what is held anywhere moves by little more.
double Length(const System& system) {
  Eigen::AlignedBox3d box;
  for (const Vector3& x : system.Positions()) box.extend(x);
  double length = box.diagonal().norm();
  for (const Edge& edge : system.network().edge()) length += edge.length;
  return length;
}

double FarthestMove(const System& system, const Configuration& from, const Configuration& to) {
  double farthest = 0;
  for (int node : system.dofs().nodes()) {
    farthest = std::max(farthest, (to.position(node) - from.position(node)).norm());
  }
  return farthest;
}

SolveReport SolveEquilibrium(System& system, NewtonSolver& newton, StepWorkspace& workspace,
                             const std::optional<PublishedStop>& published = {}) {
  StepProblem problem(system, TimeRule::Statics(), workspace);
  SolveReport report;
  std::optional<SolvedStep> solved = problem.Solve(newton, &report, published);
  if (!solved) return report;
  CheckLooseSpins(system, *solved, report);
  // What nothing holds moves until the step is negligible against the distance.
  if (report.residual > kBalanced &&
      FarthestMove(system, system.state().at, solved->end()) > kFarthest * Length(system)) {
    report.converged = false, report.reason = SolveReason::kUnheld;
    return report;
  }
  std::move(*solved).Take();
  return report;
}

// A backward Euler step of the length `dt` (s) from rest. Time does not advance.
SolveReport StepFromRest(System& system, double dt, NewtonSolver& newton,
                         StepWorkspace& workspace) {
  State& state = system.state();
  std::ranges::fill(state.velocity, 0.0);
  system.ForgetLastStep();
  StepProblem problem(system, TimeRule::BackwardEuler(dt), workspace);
  SolveReport report;
  std::optional<SolvedStep> solved = problem.Solve(newton, &report);
  if (!solved) return report;
  const double time = state.time;
  std::move(*solved).Take();
  state.time = time;
  return report;
}

// What a failed search restores.
struct Start {
  State state;
  std::vector<double> memory;  ///< of the forces
};

// Moves until Newton's method finds the equilibrium from there. What forces remember, as plastic
// strain, stays that of the start, so that the equilibrium is that of one load step. With friction,
// and where the system is driven, the history goes on along the way.
SolveReport MoveToEquilibrium(System& system, const Start& start, const NewtonOptions& options,
                              StepWorkspace& workspace) {
  const bool history_goes_on =
      system.forces().drives() || (system.forces().collides() && !system.forces().conservative());
  const double farthest = kFarthest * Length(system);
  NewtonOptions in_motion = options, few = options;
  in_motion.to_the_end = false;
  few.max_iterations = std::min(kNear, options.max_iterations);
  SolveReport report;
  double dt = kFirstStep;
  for (int k = 0; k < kMaxSteps && dt > kShortest; ++k) {
    if (report.iterations / kBudget >= options.max_iterations) break;
    NewtonSolver motion(in_motion), newton(few);
    const SolveReport step = StepFromRest(system, dt, motion, workspace);
    report = After(report, step);
    if (!step.converged) {
      dt *= kShorter;
      continue;
    }
    if (!(FarthestMove(system, start.state.at, system.state().at) < farthest)) {
      report.reason = SolveReason::kUnheld;
      break;
    }
    if (!history_goes_on) system.forces().Load(start.memory);
    const bool easy = step.iterations <= kEasy;
    dt *= easy ? kMuchLonger : step.iterations <= 2 * kEasy ? kLonger : 1;
    if (!easy && k % kRare != 0) continue;
    report = After(report, SolveEquilibrium(system, newton, workspace));
    if (report.converged) return report;
  }
  report.converged = false;
  return report;
}

// Newton's method from the state, then from states that the motion leads to. If there is no
// equilibrium the state stays as it is.
SolveReport SolveFromAfar(System& system, NewtonSolver& newton, StepWorkspace& workspace) {
  SolveReport direct = SolveEquilibrium(system, newton, workspace);
  if (direct.converged) return direct;
  const Start start{system.state(), system.forces().Save()};
  const auto restore = [&] {
    system.forces().Load(start.memory);
    system.state() = start.state;
    system.forces().Rebuild();
  };
  try {
    const SolveReport moved = MoveToEquilibrium(system, start, newton.options, workspace);
    if (moved.converged) return After(direct, moved);
    if (moved.reason == SolveReason::kUnheld) direct.reason = SolveReason::kUnheld;
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return direct;
}

}  // namespace

SolveReport SolveStatics(System& system, const NewtonOptions& options, int steps,
                         const std::function<void(System&, double)>& ramp,
                         const std::optional<PublishedStop>& published, Reach reach) {
  if (steps < 1) throw ConfigError("steps", std::to_string(steps), "at least 1");
  NewtonSolver newton(options);
  newton.options.to_the_end = true;
  StepWorkspace workspace;
  SolveReport report;
  int iterations = 0, factorizations = 0;
  for (int step = 1; step <= steps; ++step) {
    const double load = static_cast<double>(step) / steps;
    if (ramp) ramp(system, load);
    report = published || reach == Reach::kNearby
                 ? SolveEquilibrium(system, newton, workspace, published)
                 : SolveFromAfar(system, newton, workspace);
    if (!report.converged) throw Unsolved("statics at load ", load, report);
    report.iterations = iterations += report.iterations;
    report.factorizations = factorizations += report.factorizations;
    system.state().book.open = false;
    system.forces().Adapt(system.state().time);
  }
  return report;
}

}  // namespace strand
