// Places of a dense block of a Hessian in the system matrix.
#pragma once

#include <array>
#include <span>

#include "model/assembly/dofs.h"
#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"

namespace strand {

/// The unknown of a degree of freedom; -1 if it is locked or does not exist (-1).
inline int UnknownOf(const Dofs& dofs, int dof) { return dof < 0 ? -1 : dofs.unknown(dof); }

/// Offsets of all entries of a square block over the dofs in `group` (-1: none), column by column.
/// Entries that are not stored go to LinearSystem::discard(): the upper triangle of a symmetric
/// system, and rows and columns of locked dofs.
inline void BlockOffsets(const Dofs& dofs, const LinearSystem& system, std::span<const int> group,
                         std::span<int> offsets) {
  const bool whole = system.stored() == Symmetry::kGeneral;
  // Column by column: sparse systems remember the last place in each row.
  for (size_t column = 0; column < group.size(); ++column) {
    const int c = UnknownOf(dofs, group[column]);
    for (size_t row = 0; row < group.size(); ++row) {
      const int r = UnknownOf(dofs, group[row]);
      const bool kept = whole || r >= c;
      offsets[row + group.size() * column] = kept ? system.Offset(r, c) : system.discard();
    }
  }
}

/// Couples the unknowns among the dofs in `group`.
template <size_t N>
void CoupleBlock(const Dofs& dofs, const std::array<int, N>& group, Pattern* pattern) {
  std::array<int, N> unknowns;
  for (size_t k = 0; k < N; ++k) unknowns[k] = UnknownOf(dofs, group[k]);
  pattern->Couple(unknowns);
}

}  // namespace strand
