// Where the Hessians of many stencils of one kind go in the system matrix.
#pragma once

#include <span>
#include <vector>

namespace strand {

class Dofs;
class LinearSystem;

/// One number of a stencil's Hessian and its place in the system matrix.
struct HessianEntry {
  int number;  ///< row + rows * column in the stencil's own matrix
  int offset;  ///< in LinearSystem::values(), from the stencil's base on

  bool operator==(const HessianEntry&) const = default;
};

/// Places of all stencils' Hessians. Neighbours along a rod have the same entries, moved on by a
/// constant: they are kept once.
struct HessianPlan {
  struct Stencil {
    int base;        ///< in LinearSystem::values()
    int begin, end;  ///< of its entries
  };
  std::vector<Stencil> stencil;
  std::vector<HessianEntry> entry;
};

/// Appends the next stencil, of which the lower triangle is filled. Degrees of freedom below 0 do
/// not exist; one may occur twice.
void PlanStencil(const Dofs& dofs, const LinearSystem& system, std::span<const int> stencil,
                 HessianPlan* plan);

}  // namespace strand
