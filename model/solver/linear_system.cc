#include "model/solver/linear_system.h"

#include "model/solver/banded.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

// Where a chain of 803 unknowns, coupled once at this distance, takes as long in both storages.
constexpr int kWidestSymmetricBand = 20;
constexpr int kWidestGeneralBand = 32;

}  // namespace

std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry) {
  const int width = pattern.half_bandwidth();
  if (symmetry == Symmetry::kSymmetric) {
    if (width <= kWidestSymmetricBand) return std::make_unique<BandedSymmetric>(pattern);
    return std::make_unique<SparseSymmetric>(pattern);
  }
  if (width <= kWidestGeneralBand) return std::make_unique<BandedGeneral>(pattern);
  return std::make_unique<SparseGeneral>(pattern);
}

}  // namespace strand
