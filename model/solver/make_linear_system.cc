#include "model/solver/make_linear_system.h"

#include "model/solver/banded.h"
#include "model/solver/either_system.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

// Widest half-bandwidth for banded storage; it is that of a rod. A chain of 803 unknowns with one
// coupling over this distance takes equally long in both storages, symmetric or not.
constexpr int kWidestBand = 10;

}  // namespace

std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry) {
  const bool banded = pattern.half_bandwidth() <= kWidestBand;
  if (symmetry == Symmetry::kGeneral) {
    if (banded) return std::make_unique<EitherSystem>(pattern);
    return std::make_unique<SparseGeneral>(pattern);
  }
  if (banded) return std::make_unique<BandedSymmetric>(pattern);
  return std::make_unique<SparseSymmetric>(pattern);
}

}  // namespace strand
