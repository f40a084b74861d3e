#include "model/energy/contact_terms.h"

#include <algorithm>

namespace strand {

ContactTerms::ContactTerms(int unknowns, bool with_hessian)
    : size_(unknowns), with_hessian_(with_hessian) {
  std::fill_n(gradient_.begin(), size_, 0.0);
  std::fill_n(pathwise_.begin(), size_, 0.0);
  if (with_hessian_) std::fill_n(hessian_.begin(), size_ * size_, 0.0);
}

void ContactTerms::AddPenalty(const Penalty& penalty, const Penalty& elastic,
                              std::span<const double> by, const double* second) {
  const int count = static_cast<int>(by.size());
  for (int k = 0; k < count; ++k) {
    gradient_[k] += penalty.slope * by[k];
    pathwise_[k] += (penalty.slope - elastic.slope) * by[k];
  }
  for (int l = 0; with_hessian_ && l < count; ++l) {
    const double curved = penalty.curvature * by[l];
    for (int k = 0; k < count; ++k) {
      hessian_[k + size_ * l] += curved * by[k] + penalty.slope * second[k + count * l];
    }
  }
}

void ContactTerms::AddPotential(std::span<const double> gradient, const double* hessian) {
  const int count = static_cast<int>(gradient.size());
  for (int k = 0; k < count; ++k) gradient_[k] += gradient[k];
  for (int l = 0; with_hessian_ && l < count; ++l) {
    for (int k = 0; k < count; ++k) hessian_[k + size_ * l] += hessian[k + count * l];
  }
}

void ContactTerms::AddFriction(const double* force, const double* by_position) {
  for (int k = 0; k < size_; ++k) gradient_[k] -= force[k], pathwise_[k] -= force[k];
  for (int k = 0; with_hessian_ && k < size_ * size_; ++k) hessian_[k] -= by_position[k];
}

void ContactTerms::AddTo(const ContactUnknowns& unknowns, const Derivatives& out) const {
  const auto& [dof, offset] = unknowns;
  for (int k = 0; k < size_; ++k) {
    if (dof[k] < 0) continue;
    if (out.gradient) out.gradient[dof[k]] += gradient_[k];
    if (out.pathwise) out.pathwise[dof[k]] += pathwise_[k];
  }
  if (!out.values || offset.empty()) return;
  for (int l = 0; l < size_; ++l) {
    for (int k = 0; k < size_; ++k) {
      out.values[offset[k + unknowns.size() * l]] += hessian_[k + size_ * l];
    }
  }
}

void AddFrozenFriction(const FrozenFriction& friction, const double* ways,
                       const ContactUnknowns& unknowns, const Derivatives& out) {
  using Way = Eigen::Map<const Vector3>;
  const auto& [dof, offset] = unknowns;
  const int size = unknowns.size();
  for (int k = 0; out.gradient && k < size; ++k) {
    if (dof[k] >= 0) out.gradient[dof[k]] -= Way(ways + 3 * k).dot(friction.force);
  }
  if (!out.values || offset.empty()) return;
  for (int l = 0; l < size; ++l) {
    const Vector3 force = friction.by_displacement * Way(ways + 3 * l);
    for (int k = 0; k < size; ++k) {
      out.values[offset[k + size * l]] -= Way(ways + 3 * k).dot(force);
    }
  }
}

}  // namespace strand
