#include "model/energy/user_force.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"

namespace strand {

UserForce::UserForce(const Dofs& dofs, std::vector<int> group, bool conservative, Function function)
    : group_(std::move(group)), conservative_(conservative), function_(std::move(function)) {
  for (int dof : group_) {
    if (dof < 0 || dof >= dofs.size()) {
      throw ConfigError("dofs", std::to_string(dof), "0 to " + std::to_string(dofs.size() - 1));
    }
    angle_.push_back(dofs.angle(dof));
  }
  const size_t size = group_.size();
  for (auto* array : {&q_, &v_, &force_}) array->resize(size);
  jacobian_.resize(size * size);
}

void UserForce::Couple(const Dofs& dofs, Pattern* pattern) const {
  std::vector<int> unknowns;
  for (int dof : group_) unknowns.push_back(dofs.unknown(dof));
  pattern->Couple(unknowns);
}

void UserForce::Bind(const Dofs& dofs, const LinearSystem& system) {
  offset_.resize(group_.size() * group_.size());
  BlockOffsets(dofs, system, group_, offset_);
}

Evaluation UserForce::Evaluate(const Motion& motion, const Derivatives& out) {
  const size_t size = group_.size();
  for (size_t k = 0; k < size; ++k) {
    q_[k] = motion.at.q[group_[k]];
    v_[k] = motion.velocity(group_[k]);
  }
  std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(jacobian_.begin(), jacobian_.end(), 0.0);
  Evaluation result;
  const double energy = function_(q_, v_, motion.time, motion.rate, force_, jacobian_);
  if (conservative_) result.energy = energy;
  for (size_t k = 0; k < size; ++k) {
    double& largest = angle_[k] ? result.moment : result.force;
    largest = std::max(largest, std::abs(force_[k]));
    if (out.gradient) out.gradient[group_[k]] -= force_[k];
    if (out.pathwise && !conservative_) out.pathwise[group_[k]] -= force_[k];
  }
  if (!out.values) return result;
  for (size_t k = 0; k < size * size; ++k) out.values[offset_[k]] -= jacobian_[k];
  return result;
}

}  // namespace strand
