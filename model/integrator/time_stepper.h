// Time stepping. Steps are halved if the solver fails, and grow back.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "model/integrator/explicit_motion.h"
#include "model/integrator/solver_error.h"
#include "model/integrator/step_problem.h"

namespace strand {

enum class Method { kBdf2, kBackwardEuler, kMidpoint, kSymplecticEuler, kVerlet };

struct TimeStepOptions {
  Method method = Method::kBdf2;
  double dt = 1e-3;  ///< s, the longest step
  /// s, shortest step to which failed steps are halved; within dt at most 300 fail.
  double least_dt = 1e-9;
  NewtonOptions newton;
  /// MAT-DiSMech's stop rule, to reproduce its figures; switches the watch on energy off, too.
  std::optional<PublishedStop> published = std::nullopt;
};

/// Statistics of one call.
struct StepReport {
  int steps = 0;       ///< accepted sub-steps
  int rejections = 0;  ///< steps that were halved
  int iterations = 0;  ///< Newton steps
  int factorizations = 0;
  double residual = 0;  ///< largest of the accepted steps, in units of the force scale
  double dt = 0;        ///< s, of the last step

  StepReport& operator+=(const StepReport& next);
};

class TimeStepper {
 public:
  /// Called before every sub-step with the time at which it ends, to set the targets of locked
  /// degrees of freedom, natural curvatures and forces.
  using Drive = std::function<void(System&, double time)>;

  explicit TimeStepper(const TimeStepOptions& options);

  /// Advances by options.dt, in one step if possible. Throws SolverError if even the shortest
  /// sub-step fails.
  StepReport Step(System& system, const Drive& drive = {});

  const TimeStepOptions& options() const { return options_; }
  /// Changes options().dt (s). Throws ConfigError unless it is finite and > 0.
  void set_dt(double dt);
  /// Length (s) of the next sub-step: part of a checkpoint.
  double next_dt() const { return dt_; }
  void set_next_dt(double dt) { dt_ = std::min(dt, options_.dt); }
  /// Newton steps of the last sub-step (NewtonSolver::usual): part of a checkpoint.
  int usual_iterations() const { return newton_.usual; }
  void set_usual_iterations(int count) { newton_.usual = count; }
  int second_step_credit() const { return newton_.credit; }
  void set_second_step_credit(int credit) { newton_.credit = credit; }
  double saddle_shift() const { return newton_.saddle_shift; }
  void set_saddle_shift(double shift) { newton_.saddle_shift = shift; }

 private:
  SolveReport ImplicitStep(System& system, double dt, const Drive& drive);
  SolveReport Attempt(System& system, const TimeRule& rule);
  bool Watch(System& system, const TimeRule& rule, SolvedStep& solved);
  StepReport ExplicitStep(System& system, const Drive& drive);

  TimeStepOptions options_;
  NewtonSolver newton_;
  double dt_;
  StepWorkspace workspace_;
  ExplicitMotion motion_;
  std::vector<double> step_, acceleration_;
  State last_;  ///< before an explicit step
};

}  // namespace strand
