#include "model/integrator/step_problem.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "model/integrator/distorted.h"
#include "model/integrator/gyroscopic.h"
#include "model/integrator/loose_spins.h"

namespace strand {
namespace {

constexpr double kSoft = 1e-6;  // fraction of a stiffness, holds spins that nothing else holds

// Largest coordinate (m). Its rounding error is the smallest resolved change of the unknowns.
double Extent(const Dofs& dofs, const Configuration& at) {
  double extent = 0;
  for (int node : dofs.nodes()) {
    for (int c = 0; c < 3; ++c) extent = std::max(extent, std::abs(at.q[node + c]));
  }
  return extent;
}

}  // namespace

void StepWorkspace::Fit(const System& system) {
  const Configuration& at = system.state().at;
  if (base.q.size() == at.q.size() && base.length.size() == at.length.size() &&
      base.twist.size() == at.twist.size()) {
    return;
  }
  base = trial = saved = at;
  for (auto* array :
       {&predicted, &carried, &end_velocity, &gyroscopic, &before, &move, &path_of_base.gradient,
        &saved_path.gradient, &forces.gradient, &forces.pathwise}) {
    array->assign(at.q.size(), 0.0);
  }
}

StepProblem::StepProblem(System& system, const TimeRule& rule, StepWorkspace& workspace)
    : system_(system),
      forces_(system.forces()),
      dofs_(system.dofs()),
      state_(system.state()),
      w_(workspace),
      rule_(rule),
      time_(system.state().time + rule.part * rule.dt),
      extent_(Extent(dofs_, state_.at)) {
  system_.Prepare(rule.dt);
  w_.Fit(system_);
  FindUnknowns();
  w_.path_of_base.work = 0;
  PredictUnknowns();
  StartTrial();
  EvaluateStart();
}

void StepProblem::FindUnknowns() {
  const Network& network = system_.network();
  w_.spin_locked.clear();
  for (int e = 0; e < network.edges(); ++e) {
    if (dofs_.locked(dofs_.edge(e))) w_.spin_locked.push_back(e);
  }
  w_.held_angle.resize(w_.spin_locked.size());
  for (auto* array : {&w_.inertia, &w_.residual, &w_.weight}) array->resize(dofs_.unknowns());
  w_.unknown_angle.resize(dofs_.unknowns());
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    w_.unknown_angle[u] = dofs_.angle(dofs_.dof_of_unknown(u));
  }
  if (rule_.tau == 0) w_.loose = LooseSpins(network, dofs_, system_.elastic().rest());
}

void StepProblem::PredictUnknowns() {
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double v = state_.velocity[dof], v_before = state_.velocity_before[dof];
    w_.carried[dof] = rule_.carry * state_.moved[dof];
    w_.predicted[dof] =
        state_.at.q[dof] + w_.carried[dof] + rule_.tau * (v + rule_.carry * (v - v_before));
  }
  w_.bodies.Predict(system_, rule_, w_.predicted);
}

void StepProblem::StartTrial() {
  const Configuration& start = state_.at;
  const auto driven_part = [&](int dof) {
    return rule_.part * (system_.target(dof) - start.q[dof]);
  };
  std::fill(w_.move.begin(), w_.move.end(), 0.0);
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (dofs_.locked(dof)) w_.move[dof] = driven_part(dof);
  }
  forces_.Push(start, rule_.part, w_.move);
  bool driven = forces_.drives();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (dofs_.locked(dof)) w_.move[dof] = driven_part(dof);
    w_.base.q[dof] = start.q[dof] + w_.move[dof];
    if (!dofs_.locked(dof)) continue;
    driven = driven || w_.move[dof] != 0;
    double& changed = changed_by_drives_[dofs_.angle(dof)];
    changed = std::max(changed, std::abs(w_.base.q[dof] - w_.predicted[dof]));
  }
  start_evaluated_ = driven && rule_.dt > 0;  // otherwise the first evaluation is at the start
  AddGyroscopic();
  MoveTo(&w_.base, start);
  WeighUnknowns();
  free_ = forces_.Clears(start, w_.move, {0, rule_.part});
  RefreshForces();
  MakeBaseTrial();
}

// Adds gyroscopic forces to q_hat. They are extrapolated from the start of this step and of the
// previous one to the time at which the step's equation holds. That is accurate to second order and
// keeps the matrix symmetric.
void StepProblem::AddGyroscopic() {
  if (rule_.tau == 0) return;
  const std::vector<double>& mass = system_.mass();
  std::fill(w_.gyroscopic.begin(), w_.gyroscopic.end(), 0.0);
  const double ahead = state_.dt_before > 0 ? rule_.part * rule_.dt / state_.dt_before : 0;
  AddGyroscopicForces(system_.network(), dofs_, mass, state_.at.q, state_.velocity, 1 + ahead,
                      w_.gyroscopic);
  if (ahead > 0) {
    for (int dof = 0; dof < dofs_.size(); ++dof) {
      w_.before[dof] = state_.at.q[dof] - state_.moved[dof];
    }
    AddGyroscopicForces(system_.network(), dofs_, mass, w_.before, state_.velocity_before, -ahead,
                        w_.gyroscopic);
  }
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (mass[dof] > 0) {
      w_.predicted[dof] += rule_.tau * rule_.tau * w_.gyroscopic[dof] / mass[dof];
    }
  }
}

void StepProblem::EvaluateStart() {
  w_.reaction_at_start.clear();
  if (!start_evaluated_) return;
  EvaluateForces(MotionAt(state_.at, 0), false);
  energy_at_start_ = w_.forces.energy;
  w_.reaction_at_start = w_.forces.gradient, w_.path_at_start = w_.forces.pathwise;
  for (int dof = 0; dof < dofs_.size() && !forces_.conservative(); ++dof) {
    w_.reaction_at_start[dof] -= w_.forces.pathwise[dof];
  }
  obstacle_work_at_start_ = w_.forces.total.driven;
}

void StepProblem::WeighUnknowns() {
  const double per_tau = rule_.per_tau();
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const double stiffness = system_.stiffness()[dof];
    const bool loose = per_tau == 0 && w_.loose[dof];
    w_.inertia[u] = loose ? kSoft * stiffness : system_.mass()[dof] * per_tau * per_tau;
    w_.weight[u] = w_.inertia[u] + stiffness;
  }
}

bool StepProblem::RefreshForces() {
  forces_.Refresh(w_.base);
  const bool same = !forces_.stale();
  system_.Bind();
  return same;
}

std::optional<SolvedStep> StepProblem::Solve(NewtonSolver& newton, SolveReport* report,
                                             const std::optional<PublishedStop>& published) {
  SolveReport blocked;
  blocked.reason = SolveReason::kBlocked;
  *report = blocked;
  if (!free_) return {};
  if (!published) GuessFromVelocities();
  *report = published ? SolveAsPublished(*this, *published, newton.options.max_iterations)
                      : newton.Solve(*this);
  if (!report->converged) {
    if (report->reason == SolveReason::kNotFinite) {
      report->detail = CollapsedPart(system_.network(), dofs_, trial());
    }
    return {};
  }
  if (rule_.goes_on() && !Extrapolate()) {
    *report = std::move(blocked);
    return {};
  }
  FindEndVelocities();
  return SolvedStep(*this);
}

// Starts the trial at q_0 + tau v_0, with bodies at q_hat, or as far on the way there as is free,
// if the merit is lower there than at q_0. With shells this saves Newton's method one or two of
// four iterations, with contact one of about seven, of a rolling ball six of seven. It is not done
// for rods alone, whose iterations are so cheap that the two extra evaluations cost as much as they
// save.
void StepProblem::GuessFromVelocities() {
  if (rule_.tau == 0) return;
  if (!(system_.shells() || forces_.collides() || w_.bodies.any())) return;
  const TrialValue rest = Evaluate(false);
  std::swap(w_.path_of_base.gradient, w_.forces.pathwise);
  w_.path_of_base.work = path_work_;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double ahead =
        w_.bodies.any() ? w_.predicted[dof] : state_.at.q[dof] + rule_.tau * state_.velocity[dof];
    w_.move[dof] = dofs_.locked(dof) ? 0 : ahead - w_.base.q[dof];
  }
  w_.bodies.Lead(system_, w_.base.q, w_.predicted, w_.move);
  const double free = forces_.Limit(w_.base, w_.move, {rule_.part, rule_.part});
  for (double& move : w_.move) move *= free;
  MakeTrial();
  const TrialValue moved = Evaluate(false);
  if (moved.finite() && moved.merit < rest.merit) {
    Accept();
  } else {
    MakeBaseTrial();
  }
  w_.path_of_base.work = 0;
}

// Midpoint rule: extrapolates the solved midpoint to the end of the step, with driven degrees of
// freedom at their targets. False if that would pass through or end inside something. Massless
// degrees of freedom are in equilibrium at the midpoint; plain extrapolation would make them
// oscillate about it. They advance by half the change since the previous midpoint, q_0 - tau v_0.
bool StepProblem::Extrapolate() {
  if (!trial_is_base_) Accept();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    double& move = w_.move[dof];
    move = w_.base.q[dof] - state_.at.q[dof];
    if (follows(dof)) move = 0.5 * (move + rule_.tau * state_.velocity[dof]);
  }
  w_.bodies.Extrapolate(system_, w_.base.q, w_.move);
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    w_.trial.q[dof] = dofs_.locked(dof) ? system_.target(dof) : w_.base.q[dof] + w_.move[dof];
  }
  MoveTo(&w_.trial, w_.base);
  trial_is_base_ = false;
  const Passage passage{rule_.part, 1};
  return forces_.Clears(w_.base, w_.move, passage) &&
         forces_.AcceptsEndpoint(w_.base, w_.trial, passage);
}

bool StepProblem::MissesContact() {
  const Configuration& end = trial();
  for (int dof = 0; dof < dofs_.size(); ++dof) w_.move[dof] = end.q[dof] - state_.at.q[dof];
  return forces_.Misses(state_.at, w_.move);
}

void StepProblem::Take() {
  const Configuration& end = trial();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    state_.moved[dof] = end.q[dof] - state_.at.q[dof];
    state_.velocity_before[dof] = state_.velocity[dof];
    state_.velocity[dof] = w_.end_velocity[dof];
  }
  state_.dt_before = rule_.dt;
  state_.path.clear();
  if (forces_.supplies() && !rule_.goes_on()) state_.path = w_.forces.pathwise;
  const double per_dt = rule_.dt > 0 ? 1 / rule_.dt : 0;
  forces_.Accept({end, state_.at, per_dt, time_, per_dt, {}, 1});
  std::swap(state_.at, trial_is_base_ ? w_.base : w_.trial);
  state_.time += rule_.dt;
}

void StepProblem::FindEndVelocities() {
  const Configuration& end = trial();
  const double per_tau = rule_.per_tau();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double moved = end.q[dof] - state_.at.q[dof], before = state_.velocity[dof];
    double& velocity = w_.end_velocity[dof];
    if (dofs_.locked(dof)) {
      velocity = rule_.dt > 0 ? moved / rule_.dt : 0;
    } else if (!rule_.goes_on()) {
      velocity = (moved - w_.carried[dof]) * per_tau;
    } else if (follows(dof)) {  // massless: from midpoint to midpoint, as in Extrapolate
      velocity = (moved * per_tau + before) / 3;
    } else {
      velocity = moved * per_tau - before;
    }
  }
  const Configuration& solved = rule_.goes_on() ? w_.base : end;
  w_.bodies.FindVelocities(system_, rule_, w_.predicted, solved.q, end.q, w_.end_velocity);
}

double StepProblem::LooseTurn(int* edge) const {
  double most = 0;
  for (int e = 0; e < system_.network().edges(); ++e) {
    const int angle = dofs_.edge(e);
    const double turn = w_.loose[angle] ? std::abs(trial().q[angle] - w_.predicted[angle]) : 0;
    if (turn > most) most = turn, *edge = e;
  }
  return most;
}

Motion StepProblem::MotionAt(const Configuration& at, double part) const {
  return {at, state_.at, rule_.per_time(), time_, rule_.per_tau(), w_.carried, part};
}

}  // namespace strand
