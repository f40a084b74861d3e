// The part of VineContactSolver that handles friction.
#include <cmath>

#include "model/vine/contact_solver.h"

namespace strand {
namespace {

FrictionMode LastMode(const VineContact& contact, double mu) {
  if (std::abs(contact.friction) < (1 - 1e-9) * mu * contact.impulse) return FrictionMode::kStick;
  return contact.friction > 0 ? FrictionMode::kSlideNegative : FrictionMode::kSlidePositive;
}

}  // namespace

// Violated contacts join the problem one by one and stay in it, so that the loop terminates.
ContactOutcome VineContactSolver::SolveFrictional(double rate_tolerance, double tolerance) {
  modes_.clear();
  for (const VineContact& last : active_) {
    if (!Stays(last)) continue;
    const size_t slots = slot_.size();
    Enter(last);
    if (slot_.size() > slots) modes_.push_back(LastMode(last, friction_));
  }
  for (;;) {
    const int contacts = static_cast<int>(slot_.size());
    direction_.resize(std::max<Eigen::Index>(direction_.size(), 2 * contacts));
    for (int s = 0; s < contacts; ++s) {
      const ContactRows& rows = slot_[s].rows;
      direction_[2 * s] = rows.Rate(0, free_) - rows.least_rate;
      direction_[2 * s + 1] = rows.Rate(1, free_);
    }
    const bool solved = problem_.Solve(delassus_, direction_, contacts, friction_,
                                       1e-2 * rate_tolerance, &modes_, &impulse_);
    pivots_ += problem_.pivots();
    if (!solved) {
      blocking_ = slot_.back().contact;
      return ContactOutcome::kInfeasible;
    }
    work_.clear();
    for (int s = 0; s < contacts; ++s) {
      if (modes_[s] != FrictionMode::kOpen) work_.push_back(s);
    }
    UpdateVelocity();
    const auto skip = [this](const VineContact& contact) { return FindSlot(contact) >= 0; };
    const std::optional<VineContact> violated = set_->MostViolated(velocity_, tolerance, skip);
    if (!violated) return ContactOutcome::kSolved;
    Enter(*violated);
    modes_.push_back(FrictionMode::kStick);
  }
}

}  // namespace strand
