// Places of the Hessians of many stencils of one kind in the system matrix.
#pragma once

#include <span>
#include <vector>

namespace strand {

class Dofs;
class LinearSystem;

/// One entry of a stencil's Hessian and its place in the system matrix.
struct HessianEntry {
  int number;  ///< row + rows * column in the stencil's own matrix
  int offset;  ///< in LinearSystem::values(), relative to the stencil's base

  bool operator==(const HessianEntry&) const = default;
};

/// Places of all stencils' Hessians. Neighbours along a rod have the same entries up to a constant
/// offset, so that these are stored once.
struct HessianPlan {
  struct Stencil {
    int base;        ///< in LinearSystem::values()
    int begin, end;  ///< of its entries
  };
  std::vector<Stencil> stencil;
  std::vector<HessianEntry> entry;
};

/// Appends the next stencil, whose lower triangle is filled. `stencil`: its degrees of freedom;
/// negative ones are ignored, and one may occur twice.
void PlanStencil(const Dofs& dofs, const LinearSystem& system, std::span<const int> stencil,
                 HessianPlan* plan);

}  // namespace strand
