// Inertia of symmetric systems and pivoting of general ones.
#include <gtest/gtest.h>

#include "tests/model/solver/systems.h"
#include "tests/support/dense_algebra.h"

namespace strand {
namespace inertia_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ChainPattern;
using testing::FactorShifted;
using testing::Fill;
using testing::Make;
using testing::NegativeEigenvalues;
using testing::Patterns;
using testing::Random;
using testing::RandomMatrix;
using testing::RandomVector;
using testing::Solution;
using testing::Storage;

class Inertia : public ::testing::TestWithParam<Storage> {};

TEST_P(Inertia, CountsNegativeEigenvalues) {
  Random random(11);
  int indefinite = 0;
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const auto system = Make(pattern, Symmetry::kSymmetric, GetParam());
    for (double diagonal : {-20.0, -2.0, 0.0, 1.0, 3.0, 20.0}) {
      const MatrixXd a = RandomMatrix(pattern, Symmetry::kSymmetric, diagonal, &random);
      Fill(pattern, a, system.get());
      const Factorization factorization = system->Factor(0, {});
      ASSERT_TRUE(factorization.ok);
      const int expected = NegativeEigenvalues(a);
      EXPECT_EQ(factorization.negative_pivots, expected);
      indefinite += 0 < expected && expected < pattern.size();
    }
  }
  EXPECT_GT(indefinite, 100);
}

// Whenever the shift passes an eigenvalue, one negative pivot disappears.
TEST_P(Inertia, FollowsTheShift) {
  Random random(12);
  const Pattern pattern = ChainPattern(60, 10);
  const MatrixXd a = RandomMatrix(pattern, Symmetry::kSymmetric, 0, &random);
  const VectorXd eigenvalues = testing::Eigenvalues(a);
  const auto system = Make(pattern, Symmetry::kSymmetric, GetParam());
  Fill(pattern, a, system.get());
  const VectorXd ones = VectorXd::Ones(60);
  for (int k = 0; k + 1 < 60; ++k) {
    const double shift = -(eigenvalues[k] + eigenvalues[k + 1]) / 2;
    const Factorization factorization = FactorShifted(shift, ones, system.get());
    ASSERT_TRUE(factorization.ok);
    EXPECT_EQ(factorization.negative_pivots, k + 1);
  }
}

// Regular, but without pivoting the first pivot is negligible compared to its column.
TEST_P(Inertia, TinyPivotIsNotOk) {
  const Pattern pattern = ChainPattern(2, 1);
  const auto system = Make(pattern, Symmetry::kSymmetric, GetParam());
  for (double first : {0.0, 1e-20, -1e-15}) {
    const MatrixXd a{{first, 1}, {1, first}};
    Fill(pattern, a, system.get());
    EXPECT_FALSE(system->Factor(0, {}).ok);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Inertia, ::testing::Values(Storage::kBanded, Storage::kSparse));

// A banded system exchanges rows freely; sparse_test.cc tests sparse systems.
TEST(Pivoting, BandSolvesWithoutADiagonal) {
  Random random(13);
  for (int size : {2, 3, 8, 21, 90, 203}) {
    for (int width : {1, 3, 10}) {
      SCOPED_TRACE(std::to_string(size) + ", " + std::to_string(width));
      const Pattern pattern = ChainPattern(size, width);
      MatrixXd a = RandomMatrix(pattern, Symmetry::kGeneral, 0, &random);
      // Without a diagonal, a matrix of half bandwidth 1 is singular for odd sizes.
      for (int i = width > 1 ? 0 : size % 2; i < size; ++i) a(i, i) = 0;
      const auto system = Make(pattern, Symmetry::kGeneral, Storage::kBanded);
      Fill(pattern, a, system.get());
      if (std::abs(testing::ReciprocalCondition(a)) < 1e-10) continue;
      ASSERT_TRUE(system->Factor(0, {}).ok);
      const VectorXd b = RandomVector(size, &random), x = Solution(*system, b);
      EXPECT_LT((a * x - b).norm(), 1e-13 * (a.norm() * x.norm() + b.norm()));
    }
  }
}

}  // namespace inertia_test
}  // namespace strand
