// Factor and Solve allocate nothing.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "model/solver/make_linear_system.h"
#include "tests/model/solver/systems.h"
#include "tests/support/allocations.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
namespace strand {
namespace allocation_test {

using testing::Allocations;
using testing::ChainPattern;
using testing::FactorShifted;
using testing::Fill;
using testing::Make;
using testing::Random;
using testing::RandomMatrix;
using testing::RingPattern;
using testing::Storage;

/// Allocations of the first step. The diagonal is so small that LU is refined where possible.
long AllocationsOfAStep(Symmetry symmetry, Storage storage, int size) {
  const Pattern pattern = RingPattern(size, 4);
  const Pattern::Columns lower = pattern.LowerColumns();
  const auto system = Make(pattern, symmetry, storage);
  for (int c = 0; c < size; ++c) {
    for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
      const int r = lower.rows[k];
      for (const auto& [row, column] : {std::pair(r, c), std::pair(c, r)}) {
        system->values()[system->Offset(row, column)] = std::sin(row + 2.0 * column);
      }
    }
  }
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(size);
  std::vector<double> x(size, 1.0), y(size);
  const long before = Allocations();
  const bool ok = FactorShifted(0.1, weight, system.get()).ok;
  system->Solve(x);
  system->Multiply(x, y);
  const long after = Allocations();
  EXPECT_TRUE(ok);
  return after - before;
}

TEST(Allocation, FactorAndSolve) {
  EXPECT_EQ(AllocationsOfAStep(Symmetry::kSymmetric, Storage::kBanded, 203), 0);
  EXPECT_EQ(AllocationsOfAStep(Symmetry::kGeneral, Storage::kBanded, 203), 0);
  for (int size : {203, 20003}) {
    EXPECT_EQ(AllocationsOfAStep(Symmetry::kSymmetric, Storage::kSparse, size), 0);
    EXPECT_EQ(AllocationsOfAStep(Symmetry::kGeneral, Storage::kSparse, size), 0);
  }
}

// A system that can be treated either way sets up its second form once.
TEST(Allocation, TreatedEitherWay) {
  const Pattern ring = RingPattern(203, 4), chain = ChainPattern(203, 4);
  for (const Pattern* pattern : {&ring, &chain}) {
    Random random(1);
    const auto system = MakeLinearSystem(*pattern, Symmetry::kGeneral);
    Fill(*pattern, RandomMatrix(*pattern, Symmetry::kGeneral, 30, &random), system.get());
    system->Treat(Symmetry::kSymmetric);
    std::vector<double> x(203, 1.0);
    const long before = Allocations();
    for (Symmetry symmetry : {Symmetry::kGeneral, Symmetry::kSymmetric, Symmetry::kGeneral}) {
      system->Treat(symmetry);
      EXPECT_TRUE(system->Factor(0, {}).ok);
      system->Solve(x);
    }
    EXPECT_EQ(Allocations() - before, 0);
  }
}

}  // namespace allocation_test
}  // namespace strand
#endif
