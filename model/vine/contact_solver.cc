#include "model/vine/contact_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strand {
namespace {

constexpr int kColumns = 32;  // initial capacity, doubled when more are needed

// A contact's row counts as dependent on the active ones if its Schur complement is below this
// fraction of its own entry of S.
constexpr double kDependent = 1e-11;

constexpr double kForever = std::numeric_limits<double>::infinity();

void AddImpulse(const ContactRows& rows, int direction, double impulse, Eigen::VectorXd* right) {
  for (int k = 0; k < rows.parts; ++k) {
    right->segment<3>(VineSystem::Body(2 * rows.part[k].pair + 1)) +=
        impulse * rows.part[k].row[direction];
  }
}

}  // namespace

VineContactSolver::VineContactSolver(int capacity, double friction)
    : pairs_(capacity),
      friction_(friction),
      impulse_(kColumns),
      response_(3 * capacity, kColumns),
      delassus_(kColumns, kColumns),
      factor_(kColumns, kColumns),
      free_(3 * capacity),
      velocity_(3 * capacity),
      unknowns_(VineSystem::kUnknowns * capacity),
      direction_(kColumns) {
  slot_.reserve(kColumns);
  work_.reserve(kColumns);
  active_.reserve(kColumns);
}

void VineContactSolver::Begin(const Eigen::VectorXd& free) {
  for (int i = 0; i < pairs_; ++i) {
    free_.segment<3>(3 * i) = free.segment<3>(VineSystem::Body(2 * i + 1));
  }
  velocity_ = free_;
  slot_.clear();
  work_.clear();
  pivots_ = 0;
}

void VineContactSolver::AddColumn(int column) {
  const int columns = static_cast<int>(response_.cols());
  if (column >= columns) {
    impulse_.conservativeResize(2 * columns);
    direction_.conservativeResize(2 * columns);
    response_.conservativeResize(Eigen::NoChange, 2 * columns);
    delassus_.conservativeResize(2 * columns, 2 * columns);
    factor_.conservativeResize(2 * columns, 2 * columns);
  }
  unknowns_.setZero();
  AddImpulse(Rows(column), Direction(column), 1, &unknowns_);
  system_->Solve(&unknowns_);
  for (int i = 0; i < pairs_; ++i) {
    response_.col(column).segment<3>(3 * i) = unknowns_.segment<3>(VineSystem::Body(2 * i + 1));
  }
  for (int other = 0; other <= column; ++other) {
    const double entry = Rows(other).Rate(Direction(other), response_.col(column));
    delassus_(other, column) = delassus_(column, other) = entry;
  }
  impulse_[column] = 0;
}

int VineContactSolver::FindSlot(const VineContact& contact) const {
  for (size_t s = 0; s < slot_.size(); ++s) {
    if (slot_[s].contact.IsSame(contact)) return static_cast<int>(s);
  }
  return -1;
}

int VineContactSolver::Enter(const VineContact& contact) {
  const int known = FindSlot(contact);
  if (known >= 0) return known;
  const int slot = static_cast<int>(slot_.size());
  slot_.push_back({set_->At(contact), set_->Rows(contact)});
  for (int d = 0; d < Directions(); ++d) AddColumn(slot * Directions() + d);
  return slot;
}

bool VineContactSolver::Active(int slot) const {
  return std::find(work_.begin(), work_.end(), slot) != work_.end();
}

// Cholesky factorisation, row by row. A row that depends on those before it gets an infinite
// diagonal and thus no weight.
void VineContactSolver::RefactorActive() {
  for (size_t i = 0; i < work_.size(); ++i) {
    for (size_t j = 0; j <= i; ++j) {
      double sum = delassus_(work_[i], work_[j]);
      for (size_t k = 0; k < j; ++k) sum -= factor_(i, k) * factor_(j, k);
      if (i > j) {
        factor_(i, j) = sum / factor_(j, j);
      } else {
        const double own = delassus_(work_[i], work_[i]);
        factor_(i, i) = sum > kDependent * own ? std::sqrt(sum) : kForever;
      }
    }
  }
}

void VineContactSolver::SolveActive(Eigen::VectorXd* x) const {
  const int n = static_cast<int>(work_.size());
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) (*x)[i] -= factor_(i, k) * (*x)[k];
    (*x)[i] /= factor_(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) (*x)[i] -= factor_(k, i) * (*x)[k];
    (*x)[i] /= factor_(i, i);
  }
}

void VineContactSolver::Drop(int place) {
  impulse_[work_[place]] = 0;
  work_.erase(work_.begin() + place);
  RefactorActive();
}

// Solves on the active set and drops the contact with the most negative impulse until none is
// negative.
void VineContactSolver::WarmStart() {
  for (VineContact& last : active_) {
    if (!Stays(last)) continue;
    const int slot = Enter(last);
    if (!Active(slot)) work_.push_back(slot);
  }
  RefactorActive();
  while (!work_.empty()) {
    const int n = static_cast<int>(work_.size());
    for (int i = 0; i < n; ++i) {
      const Slot& slot = slot_[work_[i]];
      direction_[i] = slot.rows.least_rate - slot.rows.Rate(0, free_);
    }
    SolveActive(&direction_);
    int worst = 0;
    for (int i = 0; i < n; ++i) {
      if (factor_(i, i) == kForever) direction_[i] = -kForever;
      if (direction_[i] < direction_[worst]) worst = i;
    }
    if (direction_[worst] >= 0) {
      for (int i = 0; i < n; ++i) impulse_[work_[i]] = direction_[i];
      break;
    }
    Drop(worst);
    ++pivots_;
  }
  UpdateVelocity();
}

void VineContactSolver::UpdateVelocity() {
  velocity_ = free_;
  for (const int slot : work_) {
    for (int d = 0; d < Directions(); ++d) {
      const int column = slot * Directions() + d;
      velocity_ += impulse_[column] * response_.col(column);
    }
  }
}

// Goldfarb and Idnani's step: raises the slot's impulse until its gap is zero. Active contacts
// whose impulse reaches zero on the way are dropped.
ContactOutcome VineContactSolver::Add(int slot, int* left) {
  impulse_[slot] = 0;
  const double own = delassus_(slot, slot);
  while ((*left)-- > 0) {
    ++pivots_;
    const int n = static_cast<int>(work_.size());
    const Slot& added = slot_[slot];
    const double short_of = added.rows.least_rate - added.rows.Rate(0, velocity_);
    for (int i = 0; i < n; ++i) direction_[i] = delassus_(work_[i], slot);
    SolveActive(&direction_);
    double curvature = own;
    for (int i = 0; i < n; ++i) curvature -= delassus_(work_[i], slot) * direction_[i];
    const double whole = curvature > kDependent * own ? short_of / curvature : kForever;
    double step = whole;
    int blocked = -1;
    for (int i = 0; i < n; ++i) {
      if (!(direction_[i] > 0)) continue;
      const double until = impulse_[work_[i]] / direction_[i];
      if (until < step) step = until, blocked = i;
    }
    if (step == kForever) return ContactOutcome::kInfeasible;
    impulse_[slot] += step;
    for (int i = 0; i < n; ++i) impulse_[work_[i]] -= step * direction_[i];
    velocity_ += step * response_.col(slot);
    for (int i = 0; i < n; ++i) velocity_ -= step * direction_[i] * response_.col(work_[i]);
    if (blocked < 0) {
      work_.push_back(slot);
      RefactorActive();
      return ContactOutcome::kSolved;
    }
    Drop(blocked);
  }
  return ContactOutcome::kPivots;
}

ContactOutcome VineContactSolver::SolveFrictionless(double tolerance) {
  WarmStart();
  // The method terminates by itself; the bound guards against round-off.
  int left = 100 + 20 * points_;
  for (;;) {
    const auto skip = [this](const VineContact& contact) {
      const int slot = FindSlot(contact);
      return slot >= 0 && Active(slot);
    };
    const std::optional<VineContact> violated = set_->MostViolated(velocity_, tolerance, skip);
    if (!violated) return ContactOutcome::kSolved;
    const ContactOutcome outcome = Add(Enter(*violated), &left);
    if (outcome == ContactOutcome::kSolved) continue;
    blocking_ = *violated;
    return outcome;
  }
}

ContactOutcome VineContactSolver::Solve(const VineSystem& system, VineContactSet* set,
                                        const Eigen::VectorXd& free, double dt, double tolerance) {
  system_ = &system;
  set_ = set;
  points_ = set->points();
  Begin(free);
  if (set->empty()) return ContactOutcome::kSolved;
  const ContactOutcome outcome =
      friction_ > 0 ? SolveFrictional(tolerance / dt, tolerance) : SolveFrictionless(tolerance);
  if (outcome == ContactOutcome::kSolved) Finish();
  return outcome;
}

void VineContactSolver::Finish() {
  active_.clear();
  for (const int slot : work_) {
    VineContact contact = slot_[slot].contact;
    contact.impulse = impulse_[slot * Directions()];
    contact.friction = friction_ > 0 ? impulse_[slot * Directions() + 1] : 0;
    active_.push_back(contact);
  }
}

void VineContactSolver::AddImpulses(VineContactSet* set, Eigen::VectorXd* right) const {
  for (const VineContact& contact : active_) {
    const ContactRows rows = set->Rows(contact);
    AddImpulse(rows, 0, contact.impulse, right);
    AddImpulse(rows, 1, contact.friction, right);
  }
}

void VineContactSolver::Truncate(int points) {
  points_ = points;
  std::erase_if(active_, [&](const VineContact& c) { return Gone(c); });
}

}  // namespace strand
