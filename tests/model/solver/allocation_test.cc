// Factor and Solve allocate nothing, but for SparseGeneral.
#include <gtest/gtest.h>

#include "tests/model/solver/systems.h"
#include "tests/support/allocations.h"

#ifdef STRAND_COUNTS_ALLOCATIONS
namespace strand {
namespace {

using testing::Allocations;
using testing::ChainPattern;
using testing::FactorShifted;
using testing::Fill;
using testing::Make;
using testing::Random;
using testing::RandomMatrix;
using testing::Storage;

long AllocationsOfAStep(Symmetry symmetry, Storage storage) {
  Random random(1);
  const Pattern pattern = ChainPattern(803, 10);
  const auto system = Make(pattern, symmetry, storage);
  Fill(pattern, RandomMatrix(pattern, symmetry, 30, &random), system.get());
  const Eigen::VectorXd weight = Eigen::VectorXd::Ones(803);
  std::vector<double> x(803, 1.0), y(803);
  system->Factor(0, {});
  const long before = Allocations();
  const bool ok = FactorShifted(1, weight, system.get()).ok;
  system->Solve(x);
  system->Multiply(x, y);
  const long after = Allocations();
  EXPECT_TRUE(ok);
  return after - before;
}

TEST(Allocation, FactorAndSolve) {
  EXPECT_EQ(AllocationsOfAStep(Symmetry::kSymmetric, Storage::kBanded), 0);
  EXPECT_EQ(AllocationsOfAStep(Symmetry::kGeneral, Storage::kBanded), 0);
  EXPECT_EQ(AllocationsOfAStep(Symmetry::kSymmetric, Storage::kSparse), 0);
  EXPECT_GT(AllocationsOfAStep(Symmetry::kGeneral, Storage::kSparse), 0);  // the count does count
}

}  // namespace
}  // namespace strand
#endif
