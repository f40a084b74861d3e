#include "model/assembly/hessian_plan.h"

#include <algorithm>

#include "model/assembly/dofs.h"
#include "model/assembly/linear_system.h"

namespace strand {
namespace {

// Entries of the lower triangle between unknowns. An off-diagonal entry stands for two entries of
// the full Hessian: both are added if the system stores both, or if row and column are the same
// unknown.
std::vector<HessianEntry> StencilEntries(const Dofs& dofs, const LinearSystem& system,
                                         std::span<const int> stencil) {
  const int size = static_cast<int>(stencil.size());
  const bool whole = system.stored() == Symmetry::kGeneral;
  std::vector<HessianEntry> entries;
  const auto unknown = [&](int k) { return stencil[k] < 0 ? -1 : dofs.unknown(stencil[k]); };
  for (int column = 0; column < size; ++column) {
    for (int row = column; row < size; ++row) {
      const int r = unknown(row), c = unknown(column);
      if (r < 0 || c < 0) continue;
      entries.push_back({row + size * column, system.Offset(r, c)});
      const bool twice = r == c ? row != column : whole;
      if (twice) entries.push_back({row + size * column, system.Offset(c, r)});
    }
  }
  return entries;
}

}  // namespace

void PlanStencil(const Dofs& dofs, const LinearSystem& system, std::span<const int> stencil,
                 HessianPlan* plan) {
  std::vector<HessianEntry> entries = StencilEntries(dofs, system, stencil);
  const int base = entries.empty() ? 0 : entries.front().offset;
  for (HessianEntry& entry : entries) entry.offset -= base;
  HessianPlan::Stencil place{base, 0, 0};
  if (!plan->stencil.empty()) place = {base, plan->stencil.back().begin, plan->stencil.back().end};
  const auto last = plan->entry.begin();
  if (!std::equal(entries.begin(), entries.end(), last + place.begin, last + place.end)) {
    place.begin = static_cast<int>(plan->entry.size());
    plan->entry.insert(plan->entry.end(), entries.begin(), entries.end());
    place.end = static_cast<int>(plan->entry.size());
  }
  plan->stencil.push_back(place);
}

}  // namespace strand
