// The equation of a step as Newton's method sees it: trials, residuals, and the matrix.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/integrator/step_problem.h"

namespace strand {
namespace {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
constexpr double kNoise = 64 * kEpsilon;  // fraction of the sum of the energies' magnitudes
// Steps up to this many roundings of an unknown count as zero.
constexpr double kSmallestChange = 4;

}  // namespace

void StepProblem::Spread(std::span<const double> step, double scale) {
  std::fill(w_.move.begin(), w_.move.end(), 0.0);
  for (int u = 0; u < dofs_.unknowns(); ++u) w_.move[dofs_.dof_of_unknown(u)] = scale * step[u];
}

// Computes the frames of `to`, whose positions and locked angles are set already, from those of
// `from`. The angle of a locked spin is measured against the start of the step; its spin in this
// move is therefore reduced by the holonomy of the transport from iterate to iterate.
void StepProblem::MoveTo(Configuration* to, const Configuration& from) {
  const auto direction = [](const Configuration& at, int e) {
    return Vector3(at.t[0][e], at.t[1][e], at.t[2][e]);
  };
  for (size_t k = 0; k < w_.spin_locked.size(); ++k) {
    const int e = w_.spin_locked[k], angle = dofs_.edge(e);
    const auto& [first, last] = system_.network().edge()[e].node;
    const Vector3 along = to->position(dofs_.node(last)) - to->position(dofs_.node(first));
    w_.held_angle[k] = to->q[angle];
    w_.move[angle] =
        to->q[angle] - from.q[angle] - Holonomy(direction(state_.at, e), direction(from, e), along);
  }
  system_.elastic().Move(from, state_.at, w_.move, to);
  for (size_t k = 0; k < w_.spin_locked.size(); ++k) {  // removes round-off
    to->q[dofs_.edge(w_.spin_locked[k])] = w_.held_angle[k];
  }
}

double StepProblem::LargestMove(std::span<const double> step) const {
  double largest = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    if (!w_.unknown_angle[u]) largest = std::max(largest, std::abs(step[u]));
  }
  return largest;
}

double StepProblem::Limit(std::span<const double> step) {
  Spread(step, 1);
  return forces_.Limit(w_.base, w_.move, {rule_.part, rule_.part});
}

// Positions and angles are each compared with their own change. The change of angles is at least
// that of positions as a fraction of the extent.
double StepProblem::Correction(std::span<const double> step) const {
  double shift = 0, turn = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const double size = std::abs(step[u]);
    if (w_.unknown_angle[u]) {
      turn = std::max(turn, size);
    } else {
      shift = std::max(shift, size);
    }
  }
  const auto [moved, turned] = changed_;
  const double extent = std::max(extent_, moved), grain = kSmallestChange * kEpsilon * extent;
  const auto part = [](double change, double of, double least) {
    return change <= least ? 0 : std::min(1.0, change / std::max(of, least));
  };
  return std::max(part(shift, moved, grain),
                  part(turn, std::max(turned, moved / extent),
                       std::max(grain / system_.shortest_edge(), kEpsilon)));
}

bool StepProblem::AtRoundOff() const {
  const double grain = kSmallestChange * kEpsilon * extent_;
  LinearSystem& matrix = forces_.matrix();
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const double least = w_.unknown_angle[u] ? grain / system_.shortest_edge() : grain;
    const double stiffness = std::abs(matrix.values()[matrix.Offset(u, u)]);
    if (std::abs(w_.residual[u]) > stiffness * least) return false;
  }
  return true;
}

void StepProblem::Move(std::span<const double> step, double scale) {
  Spread(step, scale);
  MakeTrial();
}

// The trial becomes the base, moved by the move.
void StepProblem::MakeTrial() {
  for (int dof = 0; dof < dofs_.size(); ++dof) w_.trial.q[dof] = w_.base.q[dof] + w_.move[dof];
  MoveTo(&w_.trial, w_.base);
  trial_is_base_ = false;
}

void StepProblem::MakeBaseTrial() {
  trial_is_base_ = true;
  std::fill(w_.move.begin(), w_.move.end(), 0.0);
}

bool StepProblem::Accept() {
  if (!trial_is_base_) std::swap(w_.base, w_.trial);
  MakeBaseTrial();
  // path_work_ keeps the value of the last evaluation, for the step's balance.
  w_.path_of_base.work = path_work_, w_.path_of_base.gradient = w_.forces.pathwise;
  return RefreshForces();
}

// The residual as the energy (J) of the forces on springs as stiff as the weight.
double StepProblem::ResidualEnergy() const {
  double energy = 0;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    energy += w_.residual[u] * w_.residual[u] / w_.weight[u];
  }
  return energy;
}

// Possible only without contact. Forces without a potential are evaluated, for their work, and may
// have kinks, so that the residual has to become smaller.
bool StepProblem::Nudge(std::span<const double> step) {
  if (forces_.collides()) return false;
  if (!forces_.conservative()) {
    const double before = ResidualEnergy();
    if (!trial_is_base_) Accept();
    Move(step, 1);
    if (Evaluate(false).finite() && ResidualEnergy() < before) return true;
    MakeBaseTrial();  // with the values of before, which Accept keeps
    path_work_ = w_.path_of_base.work, w_.forces.pathwise = w_.path_of_base.gradient;
    return false;
  }
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const double inertia = w_.inertia[u] * (trial().q[dof] - w_.predicted[dof]);
    w_.forces.energy.internal += (w_.forces.gradient[dof] - inertia) * step[u];
  }
  if (!trial_is_base_) Accept();
  Move(step, 1);
  return true;
}

// The search along a line that has failed before may have ended at a trial.
void StepProblem::FreezeFriction() {
  MakeBaseTrial();
  forces_.FreezeFriction(MotionAt(w_.base, rule_.part));
  w_.path_of_base.work = 0;
}

void StepProblem::ReleaseFriction() {
  forces_.ReleaseFriction();
  w_.path_of_base.work = 0;
}

void StepProblem::SaveBase() { w_.saved = w_.base, w_.saved_path = w_.path_of_base; }

void StepProblem::RestoreBase() {
  w_.base = w_.saved, w_.path_of_base = w_.saved_path;
  MakeBaseTrial();
  RefreshForces();
}

void StepProblem::EvaluateForces(const Motion& motion, bool with_matrix) {
  if (with_matrix) forces_.matrix().SetDiagonal(w_.inertia);
  forces_.EvaluateLoads(motion, with_matrix, &w_.forces);
  const std::vector<double>& gradient = w_.forces.gradient;
  holonomy_ = 0;
  for (int angle : dofs_.edges()) holonomy_ += gradient[angle] * TransportAngle(angle);
  forces_.AddElastic(motion, with_matrix, &w_.forces);
  for (int e : w_.spin_locked) {  // the residual does not contain the work of locked spins either
    const int angle = dofs_.edge(e);
    holonomy_ -= gradient[angle] * TransportAngle(angle);
  }
}

// Change of an angle of the trial that comes from its edge changing direction, not from its spin.
double StepProblem::TransportAngle(int angle) const {
  return trial().q[angle] - w_.base.q[angle] - w_.move[angle];
}

// Adds inertia to the gradient, and returns the energy of inertia and the largest residuals.
StepProblem::Residuals StepProblem::AddInertia() {
  Residuals balance;
  const Configuration& at = trial();
  auto [moved, turned] = changed_by_drives_;
  for (int u = 0; u < dofs_.unknowns(); ++u) {
    const int dof = dofs_.dof_of_unknown(u);
    const bool angle = w_.unknown_angle[u];
    const double off = at.q[dof] - w_.predicted[dof], force = w_.inertia[u] * off;
    w_.residual[u] = w_.forces.gradient[dof] += force;
    balance.inertia.energy += 0.5 * force * off;
    const double residual = std::abs(w_.residual[u]);
    if (angle) {
      turned = std::max(turned, std::abs(off));
      holonomy_ += force * TransportAngle(dof);
      balance.moment = std::max(balance.moment, residual);
    } else {
      moved = std::max(moved, std::abs(off));
      balance.inertia.force = std::max(balance.inertia.force, std::abs(force));
      balance.force = std::max(balance.force, residual);
    }
    balance.finite = balance.finite && std::isfinite(residual);
  }
  changed_ = {moved, turned};
  return balance;
}

// Adds the work of the move by the trapezoidal rule, whose slope at the base is the force there.
void StepProblem::FollowPath(bool at_base) {
  if (forces_.conservative()) return;
  if (at_base) w_.path_of_base.gradient = w_.forces.pathwise;
  path_work_ = w_.path_of_base.work;
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    path_work_ += 0.5 * (w_.path_of_base.gradient[dof] + w_.forces.pathwise[dof]) * w_.move[dof];
  }
}

TrialValue StepProblem::Evaluate(bool with_matrix) {
  EvaluateForces(MotionAt(trial(), rule_.part), with_matrix);
  if (!start_evaluated_) energy_at_start_ = w_.forces.energy, start_evaluated_ = true;
  Evaluation sum = w_.forces.total;
  const Residuals residuals = AddInertia();
  FollowPath(with_matrix);
  w_.forces.magnitude += std::abs(residuals.inertia.energy) + std::abs(path_work_);
  sum += residuals.inertia;
  constexpr double kTiny = std::numeric_limits<double>::min();
  const double moment_scale = std::max({sum.moment, sum.force * system_.shortest_edge(), kTiny});
  TrialValue value;
  value.residual =
      std::max(residuals.force / std::max(sum.force, kTiny), residuals.moment / moment_scale);
  if (!residuals.finite) value.residual = std::numeric_limits<double>::quiet_NaN();
  value.merit = sum.energy + path_work_ - holonomy_;
  value.noise = kNoise * w_.forces.magnitude;
  return value;
}

}  // namespace strand
