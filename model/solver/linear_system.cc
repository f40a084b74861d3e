#include "model/solver/linear_system.h"

#include "model/solver/banded.h"
#include "model/solver/either_system.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

// Where a chain of 803 unknowns, coupled once at this distance, takes as long in both storages.
constexpr int kWidestSymmetricBand = 20;
constexpr int kWidestGeneralBand = 32;

}  // namespace

std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry) {
  if (symmetry == Symmetry::kGeneral) return std::make_unique<EitherSystem>(pattern);
  if (pattern.half_bandwidth() > kWidestSymmetricBand) {
    return std::make_unique<SparseSymmetric>(pattern);
  }
  return std::make_unique<BandedSymmetric>(pattern);
}

std::unique_ptr<LinearSystem> MakeGeneralSystem(const Pattern& pattern) {
  if (pattern.half_bandwidth() <= kWidestGeneralBand)
    return std::make_unique<BandedGeneral>(pattern);
  return std::make_unique<SparseGeneral>(pattern);
}

}  // namespace strand
