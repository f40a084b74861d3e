// Factor and Solve allocate nothing, but for SparseGeneral. In a program of its own, as it counts
// all calls of malloc, Eigen's and operator new's among them; the sanitizer needs malloc itself.
#include <gtest/gtest.h>

#include <cstddef>

#include "tests/model/solver/systems.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
namespace {
long allocations = 0;
}
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}

namespace strand {
namespace {

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
  const long before = allocations;
  const bool ok = FactorShifted(1, weight, system.get()).ok;
  system->Solve(x);
  system->Multiply(x, y);
  const long after = allocations;
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
