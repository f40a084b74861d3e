#include "model/solver/linear_system.h"

#include "model/solver/banded.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

constexpr int kWidestBand = 24;

}  // namespace

std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry) {
  const bool banded = pattern.half_bandwidth() <= kWidestBand;
  if (symmetry == Symmetry::kSymmetric) {
    if (banded) return std::make_unique<BandedSymmetric>(pattern);
    return std::make_unique<SparseSymmetric>(pattern);
  }
  if (banded) return std::make_unique<BandedGeneral>(pattern);
  return std::make_unique<SparseGeneral>(pattern);
}

}  // namespace strand
