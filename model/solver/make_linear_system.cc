#include "model/solver/make_linear_system.h"

#include <utility>

#include "model/solver/banded.h"
#include "model/solver/either_system.h"
#include "model/solver/sparse.h"

namespace strand {
namespace {

// Widest half-bandwidth for banded storage; it is that of a rod. A chain of 803 unknowns with one
// coupling over this distance takes equally long in both storages, symmetric or not.
constexpr int kWidestBand = 10;

// A sparse system of the kind, in the memory of `spare` if possible.
template <class Sparse>
std::unique_ptr<LinearSystem> Reuse(const Pattern& pattern, std::unique_ptr<LinearSystem> spare) {
  auto* sparse = dynamic_cast<Sparse*>(spare.get());
  if (!sparse) return std::make_unique<Sparse>(pattern);
  sparse->Fit(pattern);
  return spare;
}

}  // namespace

std::unique_ptr<LinearSystem> MakeLinearSystem(const Pattern& pattern, Symmetry symmetry,
                                               std::unique_ptr<LinearSystem> spare) {
  const bool banded = pattern.half_bandwidth() <= kWidestBand;
  if (symmetry == Symmetry::kGeneral) {
    if (banded) return std::make_unique<EitherSystem>(pattern);
    return Reuse<SparseGeneral>(pattern, std::move(spare));
  }
  if (banded) return std::make_unique<BandedSymmetric>(pattern);
  return Reuse<SparseSymmetric>(pattern, std::move(spare));
}

}  // namespace strand
