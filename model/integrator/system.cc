#include "model/integrator/system.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "model/config/error.h"
#include "model/integrator/gyroscopic.h"
#include "model/solver/make_linear_system.h"

namespace strand {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNoise = 64 * kEpsilon;  // of the sum of the energies' sizes
constexpr double kSoft = 1e-6;            // of a stiffness: where nothing else holds a spin
constexpr double kSmallestChange = 4;     // a step of so many roundings of the unknowns is none

// Largest coordinate (m), whose last digit is the smallest change of the unknowns.
double Extent(const Dofs& dofs, const Configuration& at) {
  double extent = 0;
  for (int node : dofs.nodes()) {
    for (int c = 0; c < 3; ++c) extent = std::max(extent, std::abs(at.q[node + c]));
  }
  return extent;
}

}  // namespace

void System::Lock(int dof, bool locked) {
  if (dofs_.locked(dof) == locked) return;
  dofs_.Lock(dof, locked);
  driven_[dof] = state_.at.q[dof];
  if (locked) state_.velocity[dof] = 0;
  ForgetLastStep();
  rebuild_ = true;
}

void System::Drive(int dof, double value) {
  if (!dofs_.locked(dof)) throw ConfigError("drive", "a free degree of freedom", "locked ones");
  if (!std::isfinite(value)) throw ConfigError("drive", std::to_string(value), "finite");
  driven_[dof] = value;
}

void System::DriveVelocities(double dt) {
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (dofs_.locked(dof)) state_.velocity[dof] = (driven_[dof] - state_.at.q[dof]) / dt;
  }
}

void System::MakeMatrix() {
  dofs_.Number();
  conservative_ = true;
  Pattern pattern(dofs_.unknowns());
  elastic_->Couple(dofs_, &pattern);
  for (const auto& force : forces_) {
    force->Couple(dofs_, &pattern);
    conservative_ = conservative_ && force->conservative();
  }
  matrix_ = MakeLinearSystem(pattern, conservative_ ? Symmetry::kSymmetric : Symmetry::kGeneral);
  matrix_->Treat(treated_);
  elastic_->Bind(dofs_, *matrix_);
  for (const auto& force : forces_) force->Bind(dofs_, *matrix_);
  spin_locked_.clear();
  for (int e = 0; e < network_.edges(); ++e) {
    if (dofs_.locked(dofs_.edge(e))) spin_locked_.push_back(e);
  }
  held_angle_.resize(spin_locked_.size());
  for (auto* array : {&inertia_, &residual_, &weight_}) array->assign(dofs_.unknowns(), 0.0);
  unknown_angle_.clear();
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    unknown_angle_.push_back(dofs_.angle(dofs_.dof_of_unknown(u)));
  }
  rebuild_ = false;
}

void System::PrepareForces(double dt) {
  const Motion still{state_.at, state_.at, 0, state_.time};
  for (const auto& force : forces_) {
    rebuild_ = force->Prepare(still, state_.velocity, dt) || rebuild_;
  }
  if (rebuild_) MakeMatrix();
}

bool System::Begin(const TimeRule& rule, double time) {
  PrepareForces(rule.dt);
  rule_ = rule;
  time_ = time;
  const Configuration& start = state_.at;
  extent_ = Extent(dofs_, start);
  bool driven = drives();
  changed_by_drives_ = {};
  std::fill(move_.begin(), move_.end(), 0.0);
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (dofs_.locked(dof)) move_[dof] = rule.part * (driven_[dof] - start.q[dof]);
  }
  for (const auto& force : forces_) force->Push(start, rule.part, move_);
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double v = state_.velocity[dof], v_before = state_.velocity_before[dof];
    carried_[dof] = rule.carry * state_.moved[dof];
    predicted_[dof] = start.q[dof] + carried_[dof] + rule.tau * (v + rule.carry * (v - v_before));
    if (dofs_.locked(dof)) move_[dof] = rule.part * (driven_[dof] - start.q[dof]);
    base_.q[dof] = start.q[dof] + move_[dof];
    if (!dofs_.locked(dof)) continue;
    driven = driven || move_[dof] != 0;
    double& changed = changed_by_drives_[dofs_.angle(dof)];
    changed = std::max(changed, std::abs(base_.q[dof] - predicted_[dof]));
  }
  AddGyroscopic(rule);
  MoveTo(&base_, start);
  path_.work = path_of_base_.work = 0;
  WeighUnknowns();
  const bool free = LimitOfForces(start, {0, rule.part}) == 1;
  RefreshForces();
  MakeBaseTrial();
  obstacle_work_at_start_ = 0;
  start_evaluated_ = driven && rule.dt > 0;  // otherwise the first evaluation is of the start
  reaction_at_start_.clear();
  if (start_evaluated_) {
    EvaluateForces(MotionAt(start, 0), false);
    energy_at_start_ = energy_, reaction_at_start_ = gradient_, path_at_start_ = path_.gradient;
    for (int dof = 0; dof < dofs_.size() && !conservative_; ++dof) {
      reaction_at_start_[dof] -= path_.gradient[dof];
    }
    obstacle_work_at_start_ = obstacle_work_;
  }
  return free;
}

// They stand beside inertia, as of where the step's equation holds, extrapolated from its start and
// that of the step before: to second order, and with a matrix that stays symmetric.
void System::AddGyroscopic(const TimeRule& rule) {
  if (rule.tau == 0) return;
  std::fill(gyroscopic_.begin(), gyroscopic_.end(), 0.0);
  const double ahead = state_.dt_before > 0 ? rule.part * rule.dt / state_.dt_before : 0;
  AddGyroscopicForces(network_, dofs_, mass_, state_.at.q, state_.velocity, 1 + ahead, gyroscopic_);
  if (ahead > 0) {
    for (int dof = 0; dof < dofs_.size(); ++dof) {
      before_[dof] = state_.at.q[dof] - state_.moved[dof];
    }
    AddGyroscopicForces(network_, dofs_, mass_, before_, state_.velocity_before, -ahead,
                        gyroscopic_);
  }
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    if (mass_[dof] > 0) predicted_[dof] += rule.tau * rule.tau * gyroscopic_[dof] / mass_[dof];
  }
}

// Contact needs a way without collisions from the start; a rod's iterations are so cheap that two
// more evaluations cost what they save.
void System::Predict() {
  if (rule_.tau == 0 || !shells_ || collides()) return;
  const TrialValue rest = Evaluate(false);
  std::swap(path_of_base_, path_);
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    move_[dof] = dofs_.locked(dof) ? 0 : rule_.tau * state_.velocity[dof];
    trial_.q[dof] = base_.q[dof] + move_[dof];
  }
  MoveTo(&trial_, base_);
  trial_is_base_ = false;
  const TrialValue moved = Evaluate(false);
  if (moved.finite() && moved.merit < rest.merit) {
    Accept();
  } else {
    MakeBaseTrial();
  }
  path_of_base_.work = 0;
}

void System::RefreshForces() {
  for (const auto& force : forces_) rebuild_ = force->Refresh(base_) || rebuild_;
  if (!rebuild_) return;
  MakeMatrix();
  WeighUnknowns();
}

void System::WeighUnknowns() {
  const double per_tau = rule_.per_tau();
  if (per_tau == 0) FindLooseSpins();
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const bool loose = per_tau == 0 && loose_[dof];
    inertia_[u] = loose ? kSoft * stiffness_[dof] : mass_[dof] * per_tau * per_tau;
    weight_[u] = inertia_[u] + stiffness_[dof];
  }
}

double System::LimitOfForces(const Configuration& from, const Passage& passage) {
  double part = 1;
  for (const auto& force : forces_) part = std::min(part, force->Limit(from, move_, passage));
  return part;
}

void System::Spread(std::span<const double> step, double scale) {
  std::fill(move_.begin(), move_.end(), 0.0);
  for (int u = 0; u < dofs_.unknowns(); ++u) move_[dofs_.dof_of_unknown(u)] = scale * step[u];
}

// Frames of `to`, whose positions stand already, by move_ from `from`. An edge's locked spin is to
// take its angle, against the start of the step, to what stands there: by as much less as transport
// over the iterates turns it (holonomy).
void System::MoveTo(Configuration* to, const Configuration& from) {
  const auto direction = [](const Configuration& at, int e) {
    return Vector3(at.t[0][e], at.t[1][e], at.t[2][e]);
  };
  for (size_t k = 0; k < spin_locked_.size(); ++k) {
    const int e = spin_locked_[k], angle = dofs_.edge(e);
    const auto& [first, last] = network_.edge()[e].node;
    const Vector3 along = to->position(dofs_.node(last)) - to->position(dofs_.node(first));
    held_angle_[k] = to->q[angle];
    move_[angle] =
        to->q[angle] - from.q[angle] - Holonomy(direction(state_.at, e), direction(from, e), along);
  }
  elastic_->Move(from, state_.at, move_, to);
  for (size_t k = 0; k < spin_locked_.size(); ++k) {  // but for round-off that is where they are
    to->q[dofs_.edge(spin_locked_[k])] = held_angle_[k];
  }
}

double System::LargestMove(std::span<const double> step) const {
  double largest = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    if (!dofs_.angle(dofs_.dof_of_unknown(u))) largest = std::max(largest, std::abs(step[u]));
  }
  return largest;
}

double System::Limit(std::span<const double> step) {
  Spread(step, 1);
  return LimitOfForces(base_, {rule_.part, rule_.part});
}

// Positions and angles each by their own: moving by a part of the extent turns by that, too.
double System::Correction(std::span<const double> step) const {
  std::array<double, 2> largest{};
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    double& of = largest[unknown_angle_[u]];
    of = std::max(of, std::abs(step[u]));
  }
  const auto [moved, turned] = changed_;
  const double extent = std::max(extent_, moved), grain = kSmallestChange * kEpsilon * extent;
  const auto part = [](double change, double of, double least) {
    return change <= least ? 0 : std::min(1.0, change / std::max(of, least));
  };
  return std::max(part(largest[0], moved, grain), part(largest[1], std::max(turned, moved / extent),
                                                       std::max(grain / shortest_edge_, kEpsilon)));
}

bool System::AtRoundOff() const {
  const double grain = kSmallestChange * kEpsilon * extent_;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const double least = unknown_angle_[u] ? grain / shortest_edge_ : grain;
    const double stiffness = std::abs(matrix_->values()[matrix_->Offset(u, u)]);
    if (std::abs(residual_[u]) > stiffness * least) return false;
  }
  return true;
}

void System::Move(std::span<const double> step, double scale) {
  Spread(step, scale);
  for (int dof = 0; dof < dofs_.size(); ++dof) trial_.q[dof] = base_.q[dof] + move_[dof];
  MoveTo(&trial_, base_);
  trial_is_base_ = false;
}

void System::MakeBaseTrial() {
  trial_is_base_ = true;
  std::fill(move_.begin(), move_.end(), 0.0);
}

void System::Accept() {
  if (!trial_is_base_) std::swap(base_, trial_);
  MakeBaseTrial();
  path_of_base_ = path_;  // which stays that of the last evaluation, for the step's balance
  RefreshForces();
}

// Where nothing can collide, and no path is to be followed.
bool System::Nudge(std::span<const double> step) {
  if (collides() || !conservative_) return false;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const double inertia = inertia_[u] * (trial().q[dof] - predicted_[dof]);
    energy_.internal += (gradient_[dof] - inertia) * step[u];
  }
  if (!trial_is_base_) Accept();
  Move(step, 1);
  return true;
}

void System::FreezeFriction() {
  const Motion motion = MotionAt(base_, rule_.part);
  bool potential = true;
  for (const auto& force : forces_) potential = force->FreezeFriction(motion) && potential;
  treated_ = potential ? Symmetry::kSymmetric : Symmetry::kGeneral;
  matrix_->Treat(treated_);
  path_of_base_.work = 0;
}

void System::ReleaseFriction() {
  for (const auto& force : forces_) force->ReleaseFriction();
  treated_ = Symmetry::kGeneral;
  matrix_->Treat(treated_);
  path_of_base_.work = 0;
}

void System::SaveBase() { kept_ = base_, kept_path_ = path_of_base_; }

void System::RestoreBase() {
  base_ = kept_, path_of_base_ = kept_path_;
  MakeBaseTrial();
  RefreshForces();
}

// Massless degrees of freedom are in equilibrium at the midpoint; plain extrapolation would make
// them oscillate about it. They advance by half the change since the previous midpoint,
// q_0 - tau v_0.
bool System::Extrapolate() {
  if (!trial_is_base_) Accept();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    move_[dof] = base_.q[dof] - state_.at.q[dof];
    if (follows(dof)) move_[dof] = 0.5 * (move_[dof] + rule_.tau * state_.velocity[dof]);
    trial_.q[dof] = dofs_.locked(dof) ? driven_[dof] : base_.q[dof] + move_[dof];
  }
  MoveTo(&trial_, base_);
  trial_is_base_ = false;
  const Passage passage{rule_.part, 1};
  const auto may_end = [&](const auto& force) {
    return force->AcceptsEndpoint(base_, trial_, passage);
  };
  return LimitOfForces(base_, passage) == 1 && std::ranges::all_of(forces_, may_end);
}

double System::EndVelocity(int dof) const {
  const double moved = trial().q[dof] - state_.at.q[dof], v = state_.velocity[dof];
  if (rule_.dt == 0) return 0;
  if (dofs_.locked(dof)) return moved / rule_.dt;
  if (!rule_.goes_on()) return (moved - carried_[dof]) * rule_.per_tau();
  // As Extrapolate has moved what has no mass: from midpoint to midpoint.
  return follows(dof) ? (moved * rule_.per_tau() + v) / 3 : moved * rule_.per_tau() - v;
}

void System::End() {
  const Configuration& end = trial();
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    const double velocity = EndVelocity(dof);
    state_.moved[dof] = end.q[dof] - state_.at.q[dof];
    state_.velocity_before[dof] = state_.velocity[dof];
    state_.velocity[dof] = velocity;
  }
  state_.dt_before = rule_.dt;
  const double per_dt = rule_.dt > 0 ? 1 / rule_.dt : 0;
  AcceptForces({end, state_.at, per_dt, time_, per_dt, {}, 1});
  std::swap(state_.at, trial_is_base_ ? base_ : trial_);
}

void System::AcceptForces(const Motion& motion) {
  for (const auto& force : forces_) force->Report(), force->Accept(motion);
}

void System::Adapt() {
  for (const auto& force : forces_) force->Adapt(state_.time);
}

Motion System::MotionAt(const Configuration& at, double part) const {
  return {at, state_.at, rule_.per_time(), time_, rule_.per_tau(), carried_, part};
}

Evaluation System::EvaluateForces(const Motion& motion, bool with_matrix) {
  std::fill(gradient_.begin(), gradient_.end(), 0.0);
  if (with_matrix) matrix_->SetDiagonal(inertia_);
  if (!conservative_) path_.gradient.assign(gradient_.size(), 0.0);
  const Derivatives out{gradient_.data(), with_matrix ? matrix_->values().data() : nullptr,
                        conservative_ ? nullptr : path_.gradient.data()};
  Evaluation sum;
  energy_ = {};
  noise_ = holonomy_ = obstacle_work_ = 0;
  for (const auto& force : forces_) {
    const Evaluation one = force->Evaluate(motion, out);
    noise_ += std::abs(one.energy);
    energy_.Add(*force, one.energy);
    obstacle_work_ += one.driven;
    sum += one;
  }
  for (int angle : dofs_.edges()) holonomy_ += gradient_[angle] * TransportAngle(angle);
  const Evaluation elastic = elastic_->Evaluate(motion, out);
  noise_ += std::abs(elastic.energy);
  energy_.internal += elastic.energy;
  sum += elastic;
  dissipated_ = sum.dissipated;
  for (int e : spin_locked_) {  // and what they spin back, of which no residual knows either
    const int angle = dofs_.edge(e);
    holonomy_ -= gradient_[angle] * TransportAngle(angle);
  }
  return sum;
}

// How far an angle of the trial has changed because its edge has turned aside.
double System::TransportAngle(int angle) const {
  return trial().q[angle] - base_.q[angle] - move_[angle];
}

// To the gradient; and what is left of it for the unknowns.
System::Residuals System::AddInertia() {
  Residuals balance;
  const Configuration& at = trial();
  changed_ = changed_by_drives_;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const bool angle = unknown_angle_[u];
    const double off = at.q[dof] - predicted_[dof], force = inertia_[u] * off;
    residual_[u] = gradient_[dof] += force;
    balance.inertia.energy += 0.5 * force * off;
    changed_[angle] = std::max(changed_[angle], std::abs(off));
    if (angle) holonomy_ += force * TransportAngle(dof);
    if (!angle) balance.inertia.force = std::max(balance.inertia.force, std::abs(force));
    double& largest = angle ? balance.moment : balance.force;
    largest = std::max(largest, std::abs(residual_[u]));
    balance.finite = balance.finite && std::isfinite(residual_[u]);
  }
  return balance;
}

// By the trapezoidal rule: its slope at the base is that of the forces there.
void System::FollowPath(bool at_base) {
  if (conservative_) return;
  if (at_base) path_of_base_.gradient = path_.gradient;
  path_.work = path_of_base_.work;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    path_.work += 0.5 * (path_of_base_.gradient[dof] + path_.gradient[dof]) * move_[dof];
  }
}

TrialValue System::Evaluate(bool with_matrix) {
  Evaluation sum = EvaluateForces(MotionAt(trial(), rule_.part), with_matrix);
  if (!start_evaluated_) energy_at_start_ = energy_, start_evaluated_ = true;
  const Residuals residuals = AddInertia();
  FollowPath(with_matrix);
  noise_ += std::abs(residuals.inertia.energy) + std::abs(path_.work);
  sum += residuals.inertia;
  constexpr double kTiny = std::numeric_limits<double>::min();
  const double moment_scale = std::max({sum.moment, sum.force * shortest_edge_, kTiny});
  TrialValue value;
  value.residual =
      std::max(residuals.force / std::max(sum.force, kTiny), residuals.moment / moment_scale);
  if (!residuals.finite) value.residual = std::numeric_limits<double>::quiet_NaN();
  value.merit = sum.energy + path_.work - holonomy_;
  value.noise = kNoise * noise_;
  return value;
}

void System::SetState(const State& state, std::span<const double> memory) {
  for (const auto& force : forces_) force->Load(&memory);
  if (!memory.empty()) {
    throw ConfigError("memory", std::to_string(memory.size()) + " numbers too many",
                      "the state of the same forces");
  }
  state_ = state;
  driven_ = state.at.q;
  rebuild_ = true;
}

std::vector<double> System::Memory() const {
  std::vector<double> memory;
  for (const auto& force : forces_) force->Save(&memory);
  return memory;
}

void System::EvaluateState() {
  if (rebuild_) MakeMatrix();
  rule_ = TimeRule::Statics(), time_ = state_.time;
  EvaluateForces({state_.at, state_.at, 0, time_}, false);
}

void System::ReportState() {
  EvaluateState();
  for (const auto& force : forces_) force->Report();
}

void System::Accelerations(double dt, std::span<double> acceleration) {
  time_ = state_.time;
  base_ = state_.at;
  for (int dof = 0; dof < dofs_.size(); ++dof) base_.q[dof] -= dt * state_.velocity[dof];
  EvaluateForces({state_.at, base_, 1 / dt, time_}, false);
  // Gyroscopic forces are those of the velocities in the middle of the step.
  before_ = state_.velocity;
  for (const double ahead : {0.5 * dt, 0.0}) {
    std::fill(gyroscopic_.begin(), gyroscopic_.end(), 0.0);
    AddGyroscopicForces(network_, dofs_, mass_, state_.at.q, before_, 1, gyroscopic_);
    for (int dof = 0; dof < dofs_.size(); ++dof) {
      const double force = gyroscopic_[dof] - gradient_[dof];
      acceleration[dof] = dofs_.locked(dof) ? 0 : force / mass_[dof];
      before_[dof] += ahead * acceleration[dof];
    }
  }
}

bool System::Displace(std::span<const double> step) {
  base_ = state_.at;
  std::ranges::copy(step, move_.begin());
  if (LimitOfForces(base_, {}) < 1) return false;
  for (int dof = 0; dof < dofs_.size(); ++dof) state_.at.q[dof] += step[dof];
  elastic_->Move(base_, base_, step, &state_.at);
  return true;
}

void System::AcceptForces(const Configuration& start, double dt) {
  AcceptForces({state_.at, start, 1 / dt, state_.time});
}

}  // namespace strand
