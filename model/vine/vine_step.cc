// A step of Vine as a sequence of quadratic programs.
#include <algorithm>
#include <cmath>

#include "model/config/error.h"
#include "model/vine/vine.h"

namespace strand {
namespace {

// Linearised gaps of a quadratic program may be negative by this fraction of the step's tolerance.
constexpr double kQpTolerance = 1e-3;

// Number of programs in a step whose H has only the masses and joints. They converge if impulses
// are small. If impulses are large (a robot that is wedged, or about to buckle) they may cycle, and
// the following programs get the curvature of the constraints, as in Newton's method.
constexpr int kPlainPrograms = 4;

// If that makes H indefinite, a proximal term sigma/2 |v - w|^2 in the metric of the masses is
// added. It vanishes at the solution.
constexpr double kFirstProximal = 0.25;
constexpr double kProximalGrowth = 4;
constexpr int kMostProximals = 12;

}  // namespace

// Lengthens the bodies of pairs that keep their material per length (see VineGrowth).
void Vine::Lengthen(std::span<const double> growth, double dt) {
  if (options_.growth == VineGrowth::kTip) {
    SetPairLength(options_.material, options_.diameter, TipLength(chain_) + dt * growth[0],
                  chain_.pairs - 1, &chain_);
    return;
  }
  if (!chain_.material) return;
  for (int i = 0; i < chain_.pairs; ++i) {
    if (growth[i] != 0) StretchPair(options_.diameter, dt * growth[i], i, &chain_);
  }
}

// Computes what all programs of a step share: forces, joint stiffness in H, target extensions.
void Vine::Begin(std::span<const double> growth) {
  const double dt = dt_;
  Lengthen(growth, dt);
  for (int k = 0; k < chain_.bodies(); ++k) {
    const double m = chain_.mass[k / 2];
    load_.segment<2>(3 * k) = m * (state_.v.segment<2>(3 * k) + dt * options_.gravity);
    load_[3 * k + 2] = chain_.inertia[k / 2] * state_.v[3 * k + 2];
  }
  for (int i = 0; i < chain_.pairs; ++i) {
    if (IsLengthened()) {
      target_[i] = 2 * chain_.half_length[i];
      rate_[i] = (target_[i] - Extension(state_.q, i)) / dt;
    } else {
      rate_[i] = growth[i];
      target_[i] = Extension(state_.q, i) + dt * growth[i];
    }
    joint_[i] = 0;
    if (!chain_.HasJoint(i)) continue;
    double torque = -chain_.stiffness[i] * JointAngle(chain_, state_.q, i);
    if (options_.implicit_bending) {
      joint_[i] = dt * (chain_.damping[i] + dt * chain_.stiffness[i]);
    } else {
      torque -= chain_.damping[i] * JointRate(state_.v, i);
    }
    load_[6 * i + 2] += dt * torque;
    if (i > 0) load_[6 * i - 1] -= dt * torque;
  }
}

void Vine::Linearise(bool first) {
  const double dt = dt_;
  for (int i = 0; i < chain_.pairs; ++i) {
    geometry_[i] = MakePairGeometry(q_, i);
    rows_[i] = MakePairRows(chain_, i, geometry_[i > 0 ? i - 1 : 0], geometry_[i]);
    if (!first || options_.mode != VineMode::kSingleQp) continue;
    // d s / dt = D . dV / |D|. The row is its derivative by V, plus dt times that by D.
    const auto dv = state_.v.segment<2>(6 * i + 3) - state_.v.segment<2>(6 * i);
    const double s = geometry_[i].extension;
    const Vector2 along = Vector2(geometry_[i].dx, geometry_[i].dy) / s;
    const Vector2 turning = dt / s * (dv - along * along.dot(dv));
    rows_[i].on_a.block<1, 2>(2, 0) -= turning.transpose();
    rows_[i].on_b.block<1, 2>(2, 0) += turning.transpose();
  }
}

// Right-hand side of the constraints: A w - c / dt, so that c vanishes at q + dt (v - w).
void Vine::FillRight(bool first) {
  const double dt = dt_;
  for (int i = 0; i < chain_.pairs; ++i) {
    const int at = VineSystem::kUnknowns * i;
    right_.segment<3>(at) = load_.segment<3>(6 * i);
    right_.segment<3>(at + VineSystem::kBodyB) = load_.segment<3>(6 * i + 3);
    const auto a = w_.segment<3>(6 * i), b = w_.segment<3>(6 * i + 3);
    const Eigen::Vector4d c =
        JointErrors(chain_, q_, i, geometry_[i > 0 ? i - 1 : 0], geometry_[i]);
    for (int axis = 0; axis < 2; ++axis) {
      double rate = a[axis] + rows_[i].pin_a[axis] * a[2];
      if (i > 0) rate += -w_[6 * i - 3 + axis] + rows_[i].pin_p[axis] * w_[6 * i - 1];
      right_[at + VineSystem::kPin + axis] = chain_.HasJoint(i) ? rate - c[axis] / dt : 0;
    }
    const Eigen::Vector3d rates = rows_[i].on_a * a + rows_[i].on_b * b;
    right_[at + VineSystem::kPrismatic] = rates[0] - c[2] / dt;
    right_[at + VineSystem::kPrismatic + 1] = rates[1] - c[3] / dt;
    const bool published = first && options_.mode == VineMode::kSingleQp;
    right_[at + VineSystem::kExtension] =
        published ? rate_[i] : rates[2] + (target_[i] - geometry_[i].extension) / dt;
  }
}

VineReport Vine::SolveQp(bool first, bool curved) {
  VineReport report;
  Linearise(first);
  FillRight(first);
  set_.Linearise(chain_, q_, w_, dt_);
  if (!FactorSystem(curved)) {
    report.status = VineStatus::kDependent;
    return report;
  }
  unknowns_ = right_;
  SolveSystem();
  if (set_.empty()) return report;
  const ContactOutcome outcome =
      contact_.Solve(system_, &set_, unknowns_, dt_, kQpTolerance * options_.tolerance);
  report.pivots = contact_.pivots();
  report.contacts = static_cast<int>(contact_.active().size());
  if (outcome != ContactOutcome::kSolved) {
    report.status = outcome == ContactOutcome::kInfeasible ? VineStatus::kInfeasible
                                                           : VineStatus::kNotConverged;
    SetContact(contact_.blocking(), &report);
    return report;
  }
  if (report.contacts == 0) return report;
  unknowns_ = right_;
  contact_.AddImpulses(&set_, &unknowns_);
  SolveSystem();
  return report;
}

// Mode single_qp is accurate enough without refinement: after 400 steps the error is 1e-14 m with
// 30 bodies and 1e-9 m with 2000.
void Vine::SolveSystem() {
  if (options_.mode == VineMode::kSingleQp) {
    system_.Solve(&unknowns_);
  } else {
    system_.SolveRefined(&unknowns_);
  }
}

void Vine::AddCurvature() {
  system_.AddCurvature(chain_, geometry_, unknowns_, dt_);
  for (const VineContact& contact : contact_.active()) {
    system_.AddBlock(2 * contact.point + 1, -dt_ * contact.impulse * set_.Curvature(contact));
  }
}

// `curved`: adds the curvature of the constraints by the last program's multipliers. It acts on the
// change v - w, so that its product with w is added to the right-hand side.
bool Vine::FactorSystem(bool curved) {
  system_.Assemble(chain_, rows_, joint_, 0);
  if (!curved) return system_.Factor();
  start_rates_.setZero();
  for (int k = 0; k < chain_.bodies(); ++k) {
    start_rates_.segment<3>(VineSystem::Body(k)) = w_.segment<3>(3 * k);
  }
  system_.Multiply(start_rates_, &product_);
  right_ -= product_;
  double sigma = 0;
  for (int i = 0; i < kMostProximals; ++i) {
    system_.Assemble(chain_, rows_, joint_, sigma);
    AddCurvature();
    if (system_.Factor()) {
      system_.Multiply(start_rates_, &product_);
      right_ += product_;
      return true;
    }
    sigma = sigma > 0 ? kProximalGrowth * sigma : kFirstProximal;
  }
  return false;
}

void Vine::TakeVelocities() {
  for (int k = 0; k < chain_.bodies(); ++k) {
    w_.segment<3>(3 * k) = unknowns_.segment<3>(VineSystem::Body(k));
  }
  q_ = state_.q + dt_ * w_;
}

void Vine::MeasureErrors(VineReport* report) {
  report->joint_error = 0;
  PairGeometry previous{};
  for (int i = 0; i < chain_.pairs; ++i) {
    const PairGeometry here = MakePairGeometry(q_, i);
    double error = JointErrors(chain_, q_, i, previous, here).cwiseAbs().maxCoeff();
    if (options_.mode == VineMode::kConverged) {
      error = std::max(error, std::abs(here.extension - target_[i]));
    }
    if (!(error <= report->joint_error)) {
      report->joint_error = error;
      report->pair = i;
    }
    previous = here;
  }
  line_.Place(chain_, q_);
  VineContact nearest;
  report->least_gap = set_.LeastGap(line_, &nearest);
  if (!(report->least_gap < -options_.tolerance)) return;
  SetContact(nearest, report);
}

void Vine::SetContact(const VineContact& contact, VineReport* report) {
  report->point = contact.point, report->object = contact.object;
  report->on_segment = contact.OnSegment();
}

// Whether all constraints hold and no contact pushes across an open gap. The latter can happen
// because the gap of a convex obstacle is never less than its linearisation.
bool Vine::Holds(const VineReport& report) const {
  if (!(report.joint_error <= options_.tolerance && report.least_gap >= -options_.tolerance)) {
    return false;
  }
  return std::ranges::all_of(contact_.active(), [&](const VineContact& contact) {
    return set_.GapOn(line_, contact) <= options_.tolerance;
  });
}

VineReport Vine::Advance(std::span<const double> growth) {
  Begin(growth);
  q_ = state_.q;
  w_.setZero();
  VineReport report;
  for (int iteration = 1;; ++iteration) {
    const VineReport solved = SolveQp(iteration == 1, iteration > kPlainPrograms);
    report.status = solved.status;
    report.iterations = iteration;
    report.pivots += solved.pivots;
    report.contacts = solved.contacts;
    report.point = solved.point, report.object = solved.object;
    report.on_segment = solved.on_segment;
    if (!report.ok()) return report;
    TakeVelocities();
    MeasureErrors(&report);
    if (!std::isfinite(report.joint_error)) {
      report.status = VineStatus::kDependent;
      return report;
    }
    if (options_.mode == VineMode::kSingleQp || Holds(report)) break;
    if (iteration < options_.max_iterations) continue;
    report.status = VineStatus::kNotConverged;
    return report;
  }
  report.point = report.object = report.pair = -1;
  report.on_segment = false;
  state_.q = q_;
  state_.v = w_;
  return report;
}

// Advances by dt in one step or, if that fails, in two steps of half the length.
bool Vine::TryAdvance(std::span<const double> growth, double dt, int halvings, VineReport* report) {
  dt_ = dt;
  const double tip = TipLength(chain_);
  const VineReport last = Advance(growth);
  report->status = last.status;
  report->steps += last.ok();
  report->iterations += last.iterations;
  report->pivots += last.pivots;
  report->contacts = last.contacts;
  report->joint_error = last.joint_error;
  report->least_gap = last.least_gap;
  report->point = last.point, report->object = last.object, report->pair = last.pair;
  report->on_segment = last.on_segment;
  if (last.ok()) return true;
  if (options_.growth == VineGrowth::kTip) {
    SetPairLength(options_.material, options_.diameter, tip, chain_.pairs - 1, &chain_);
  } else {
    Lengthen(growth, -dt);
  }
  if (halvings == 0) return false;
  return TryAdvance(growth, dt / 2, halvings - 1, report) &&
         TryAdvance(growth, dt / 2, halvings - 1, report);
}

std::span<const double> Vine::SharedRates(double rate) {
  const size_t shares = options_.growth == VineGrowth::kTip ? 1 : chain_.pairs;
  std::fill_n(shared_.begin(), shares, rate / static_cast<double>(shares));
  return {shared_.data(), shares};
}

VineReport Vine::Step(std::span<const double> growth) {
  const bool tip = options_.growth == VineGrowth::kTip;
  const size_t wanted = tip ? 1 : chain_.pairs;
  if (growth.size() != wanted) {
    throw ConfigError("growth", std::to_string(growth.size()) + " numbers",
                      std::to_string(wanted) + (tip ? ": the tip's rate" : ": one per pair"));
  }
  for (const double rate : growth) {
    if (!std::isfinite(rate)) throw ConfigError("growth", Text(rate), "finite numbers (m/s)");
  }
  start_ = state_;
  start_chain_ = chain_;
  VineReport report;
  if (tip) {
    report.status = PrepareTip(growth[0]);
  } else if (chain_.material) {
    report.status = CheckLengths(growth);
  }
  const int halvings = options_.mode == VineMode::kSingleQp ? 0 : options_.max_halvings;
  if (report.ok() && TryAdvance(growth, options_.dt, halvings, &report)) {
    contacts_.assign(contact_.active().begin(), contact_.active().end());
    for (VineContact& contact : contacts_) contact.share = set_.ShareOn(line_, contact);
    time_ += options_.dt;
    return report;
  }
  state_ = start_;
  chain_ = start_chain_;
  return report;
}

// Whether all pairs of a material have something left after the step.
VineStatus Vine::CheckLengths(std::span<const double> growth) const {
  for (int i = 0; i < chain_.pairs; ++i) {
    if (!(4 * chain_.half_length[i] + options_.dt * growth[i] > 0)) {
      return VineStatus::kNothingLeft;
    }
  }
  return VineStatus::kSolved;
}

VineStatus Vine::PrepareTip(double rate) {
  const double growth = rate * options_.dt;
  if (std::abs(growth) > options_.segment / 4) {
    throw ConfigError("growth", Text(rate), "at most a quarter of a segment in a step (m/s)");
  }
  const TipChange change =
      RemeshTip(options_.material, options_.diameter, options_.segment, growth, &chain_, &state_);
  if (change == TipChange::kFull) return VineStatus::kFull;
  if (change == TipChange::kNothingLeft) return VineStatus::kNothingLeft;
  if (change == TipChange::kMerged) contact_.Truncate(chain_.pairs);
  return VineStatus::kSolved;
}

}  // namespace strand
