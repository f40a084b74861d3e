// The derivatives of one contact by the unknowns of its stencil, and how they are added to those of
// the system. Numbers of unknowns are values here and not types, so that the loops are compiled
// once for all kinds of contact.
#pragma once

#include <array>
#include <span>

#include "model/energy/evaluation.h"
#include "model/stencil/friction.h"
#include "model/stencil/penalty.h"

namespace strand {

/// The unknowns of a contact. `dof`: degrees of freedom, -1: none. `offset`: of the entries of
/// their block in the matrix, column-major; empty if they are not coupled in it.
struct ContactUnknowns {
  std::span<const int> dof;
  std::span<const int> offset;

  int size() const { return static_cast<int>(dof.size()); }
};

/// Gradient and Hessian of one contact; of the gradient also the part without a potential.
class ContactTerms {
 public:
  static constexpr int kMost = 28;  ///< unknowns: two curved edges and the spins that turn them

  /// All terms are zero. `unknowns`: at most kMost.
  ContactTerms(int unknowns, bool with_hessian);

  /// Adds a penalty on a gap with the derivatives `by` (first) and `second` (square; 1/m) by the
  /// first unknowns. `elastic`: the part of the penalty with a potential.
  void AddPenalty(const Penalty& penalty, const Penalty& elastic, std::span<const double> by,
                  const double* second);
  /// Adds a potential with this gradient and Hessian by the first unknowns.
  void AddPotential(std::span<const double> gradient, const double* hessian);
  /// Adds the force of friction on each unknown (N, N m) and its derivative (square; N/m).
  void AddFriction(const double* force, const double* by_position);
  /// Adds the terms to those of the system.
  void AddTo(const ContactUnknowns& unknowns, const Derivatives& out) const;

 private:
  int size_;
  bool with_hessian_;
  std::array<double, kMost> gradient_, pathwise_;
  std::array<double, kMost * kMost> hessian_;
};

/// Adds friction with a frozen normal to the system. `ways`: 3 per unknown, the relative
/// displacement of the surfaces.
void AddFrozenFriction(const FrozenFriction& friction, const double* ways,
                       const ContactUnknowns& unknowns, const Derivatives& out);

}  // namespace strand
