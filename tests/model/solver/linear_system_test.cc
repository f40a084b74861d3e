#include "model/assembly/linear_system.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>

#include "model/solver/either_system.h"
#include "model/solver/make_linear_system.h"
#include "tests/model/solver/systems.h"
#include "tests/support/dense_algebra.h"

namespace strand {
namespace linear_system_test {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ChainPattern;
using testing::FactorShifted;
using testing::Fill;
using testing::Make;
using testing::NamedPattern;
using testing::Patterns;
using testing::Product;
using testing::Random;
using testing::RandomMatrix;
using testing::RandomVector;
using testing::RingPattern;
using testing::Solution;
using testing::StarPattern;
using testing::Storage;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Kind {
  Symmetry symmetry;
  Storage storage;
};

class LinearSystems : public ::testing::TestWithParam<Kind> {
 protected:
  std::unique_ptr<LinearSystem> System(const Pattern& pattern) const {
    return Make(pattern, GetParam().symmetry, GetParam().storage);
  }

  /// Well-conditioned, without pivoting if symmetric; every other diagonal entry is negative.
  MatrixXd Matrix(const Pattern& pattern, Random* random) const {
    MatrixXd a = RandomMatrix(pattern, GetParam().symmetry, 0, random);
    for (int i = 0; i < a.rows(); ++i) a(i, i) = (i % 2 ? -1.2 : 1.2) * a.row(i).lpNorm<1>() + 0.1;
    return a;
  }

  bool symmetric() const { return GetParam().symmetry == Symmetry::kSymmetric; }
};

TEST_P(LinearSystems, SolveAndMultiplyAsDense) {
  Random random(1);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const MatrixXd a = Matrix(pattern, &random);
    const auto system = System(pattern);
    ASSERT_EQ(system->size(), pattern.size());
    Fill(pattern, a, system.get());
    ASSERT_TRUE(system->Factor(0, {}).ok);
    const VectorXd b = RandomVector(pattern.size(), &random);
    const VectorXd expected = testing::SolveDense(a, b);
    EXPECT_LT((Solution(*system, b) - expected).norm(), 1e-12 * expected.norm());
    EXPECT_LT((Product(*system, b) - a * b).norm(), 1e-14 * (a * b).norm());
  }
}

TEST_P(LinearSystems, ShiftAddsTheWeights) {
  Random random(2);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const MatrixXd a = RandomMatrix(pattern, GetParam().symmetry, 0, &random);
    VectorXd weight = RandomVector(pattern.size(), &random).cwiseAbs();
    weight.array() += 1;
    const MatrixXd shifted = a + 40 * MatrixXd(weight.asDiagonal());
    const auto system = System(pattern);
    Fill(pattern, a, system.get());
    const std::vector<double> before(system->values().begin(), system->values().end());
    ASSERT_TRUE(FactorShifted(40, weight, system.get()).ok);
    EXPECT_TRUE(std::equal(before.begin(), before.end(), system->values().begin()));
    const VectorXd b = RandomVector(pattern.size(), &random);
    const VectorXd expected = testing::SolveDense(shifted, b);
    EXPECT_LT((Solution(*system, b) - expected).norm(), 1e-12 * expected.norm());
  }
}

TEST_P(LinearSystems, CanBeSetToADiagonal) {
  Random random(11);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const auto system = System(pattern);
    Fill(pattern, Matrix(pattern, &random), system.get());
    const VectorXd diagonal = RandomVector(pattern.size(), &random);
    system->SetDiagonal({diagonal.data(), static_cast<size_t>(diagonal.size())});
    const VectorXd b = RandomVector(pattern.size(), &random);
    EXPECT_EQ(Product(*system, b), VectorXd(diagonal.cwiseProduct(b)));
  }
}

TEST_P(LinearSystems, SingularIsNotOk) {
  Random random(3);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    MatrixXd a = Matrix(pattern, &random);
    const auto system = System(pattern);
    EXPECT_FALSE(system->Factor(0, {}).ok) << "zero";
    a.row(pattern.size() / 2).setZero();
    a.col(pattern.size() / 2).setZero();
    Fill(pattern, a, system.get());
    EXPECT_FALSE(system->Factor(0, {}).ok) << "zero row and column";
  }
}

// Singular up to rounding: the last pivot is the difference of equal numbers. With irregular
// stiffnesses it has a rounding error and is not exactly zero.
TEST_P(LinearSystems, FreeChainIsNotOk) {
  Random random(4);
  for (int size : {2, 3, 20, 203}) {
    for (const Pattern& pattern : {ChainPattern(size, 1), ChainPattern(size, 10)}) {
      MatrixXd a = MatrixXd::Zero(size, size);
      for (int i = 0; i + 1 < size; ++i) {
        const double stiffness = random.Uniform(0.5, 1.5);
        a(i, i) += stiffness;
        a(i + 1, i + 1) += stiffness;
        a(i, i + 1) = a(i + 1, i) = -stiffness;
      }
      const auto system = System(pattern);
      Fill(pattern, a, system.get());
      EXPECT_FALSE(system->Factor(0, {}).ok);
      EXPECT_TRUE(FactorShifted(1e-6, VectorXd::Ones(size), system.get()).ok);
    }
  }
}

TEST_P(LinearSystems, NonFiniteValuesAreNotOkAndLeaveNoTrace) {
  Random random(5);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const MatrixXd a = Matrix(pattern, &random);
    const auto system = System(pattern), fresh = System(pattern);
    for (double bad : {kNaN, std::numeric_limits<double>::infinity(), 1e300}) {
      for (int place = 0; place < system->discard(); place += 1 + system->discard() / 7) {
        Fill(pattern, a, system.get());
        system->values()[place] = bad;
        system->Factor(0, {});
      }
    }
    const int size = pattern.size();
    const Pattern::Columns lower = pattern.LowerColumns();
    for (int c = 0; c < size; c += 1 + size / 7) {
      for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
        for (double bad : {kNaN, std::numeric_limits<double>::infinity()}) {
          Fill(pattern, a, system.get());
          system->values()[system->Offset(lower.rows[k], c)] = bad;
          EXPECT_FALSE(system->Factor(0, {}).ok) << lower.rows[k] << ", " << c << ": " << bad;
        }
      }
    }
    std::fill(system->values().begin(), system->values().end(), 0.0);
    Fill(pattern, a, system.get());
    Fill(pattern, a, fresh.get());
    ASSERT_TRUE(system->Factor(0, {}).ok);
    ASSERT_TRUE(fresh->Factor(0, {}).ok);
    const VectorXd b = RandomVector(size, &random);
    EXPECT_EQ(Solution(*system, b), Solution(*fresh, b));
  }
}

TEST_P(LinearSystems, DiscardedValueDoesNotMatter) {
  Random random(6);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const auto system = System(pattern);
    EXPECT_EQ(system->Offset(-1, 0), system->discard());
    EXPECT_EQ(system->Offset(0, -3), system->discard());
    EXPECT_EQ(system->discard() + 1, static_cast<int>(system->values().size()));
    Fill(pattern, Matrix(pattern, &random), system.get());
    ASSERT_TRUE(system->Factor(0, {}).ok);
    const VectorXd b = RandomVector(pattern.size(), &random);
    const VectorXd x = Solution(*system, b);
    const VectorXd product = Product(*system, b);
    system->values()[system->discard()] = kNaN;
    ASSERT_TRUE(system->Factor(0, {}).ok);
    EXPECT_EQ(Solution(*system, b), x);
    EXPECT_EQ(Product(*system, b), product);
  }
}

TEST_P(LinearSystems, FactoringAgainGivesTheSameBits) {
  Random random(8);
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const auto system = System(pattern);
    Fill(pattern, Matrix(pattern, &random), system.get());
    const Factorization first = system->Factor(0, {});
    const VectorXd b = RandomVector(pattern.size(), &random);
    const VectorXd x = Solution(*system, b);
    const VectorXd weight = VectorXd::Ones(pattern.size());
    for (int k = 0; k < 20; ++k) {
      FactorShifted(0.3 * k, weight, system.get());
      EXPECT_EQ(system->Factor(0, {}).negative_pivots, first.negative_pivots);
      ASSERT_EQ(Solution(*system, b), x);
    }
  }
}

TEST_P(LinearSystems, OffsetsAreDistinctAndInThePattern) {
  for (const auto& [name, pattern] : Patterns()) {
    SCOPED_TRACE(name);
    const auto system = System(pattern);
    const Pattern::Columns lower = pattern.LowerColumns();
    std::set<int> places;
    for (int c = 0; c < pattern.size(); ++c) {
      for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
        const int r = lower.rows[k], place = system->Offset(r, c);
        EXPECT_TRUE(places.insert(place).second);
        EXPECT_TRUE(0 <= place && place < system->discard());
        if (r == c) continue;
        EXPECT_EQ(places.insert(system->Offset(c, r)).second, !symmetric());
      }
    }
    EXPECT_THROW(system->Offset(pattern.size(), 0), std::out_of_range);
    EXPECT_THROW(system->Offset(0, pattern.size()), std::out_of_range);
  }
  const auto chain = System(ChainPattern(30, 4));
  EXPECT_THROW(chain->Offset(3, 9), std::out_of_range);
  EXPECT_THROW(chain->Offset(9, 3), std::out_of_range);
}

INSTANTIATE_TEST_SUITE_P(All, LinearSystems,
                         ::testing::Values(Kind{Symmetry::kSymmetric, Storage::kBanded},
                                           Kind{Symmetry::kSymmetric, Storage::kSparse},
                                           Kind{Symmetry::kGeneral, Storage::kBanded},
                                           Kind{Symmetry::kGeneral, Storage::kSparse}));

TEST(LinearSystem, BandedAndSparseAgree) {
  Random random(9);
  for (int width : {5, 8, 9, 10}) {
    const Pattern pattern = ChainPattern(403, width);
    for (Symmetry symmetry : {Symmetry::kSymmetric, Symmetry::kGeneral}) {
      const MatrixXd a = RandomMatrix(pattern, symmetry, 2.0 * width, &random);
      const VectorXd b = RandomVector(pattern.size(), &random);
      VectorXd x[2];
      for (Storage storage : {Storage::kBanded, Storage::kSparse}) {
        const auto system = Make(pattern, symmetry, storage);
        Fill(pattern, a, system.get());
        ASSERT_TRUE(system->Factor(0, {}).ok);
        x[storage == Storage::kSparse] = Solution(*system, b);
      }
      EXPECT_LT((x[0] - x[1]).norm(), 1e-12 * x[0].norm());
    }
  }
}

TEST(LinearSystem, KindFitsThePattern) {
  const auto is = []<class System>(const Pattern& pattern, Symmetry symmetry, const System*) {
    return dynamic_cast<System*>(MakeLinearSystem(pattern, symmetry).get()) != nullptr;
  };
  const BandedSymmetric* banded_symmetric = nullptr;
  const EitherSystem* banded_general = nullptr;
  const SparseSymmetric* sparse_symmetric = nullptr;
  const SparseGeneral* sparse_general = nullptr;
  const Pattern chain = ChainPattern(203, 10), ring = RingPattern(203, 10);
  EXPECT_TRUE(is(chain, Symmetry::kSymmetric, banded_symmetric));
  EXPECT_TRUE(is(chain, Symmetry::kGeneral, banded_general));
  EXPECT_TRUE(is(ring, Symmetry::kSymmetric, sparse_symmetric));
  EXPECT_TRUE(is(ring, Symmetry::kGeneral, sparse_general));
}

// Nothing of the last pattern is left: neither its entries nor how it was treated.
TEST(LinearSystem, MayBeMadeInTheMemoryOfAnother) {
  Random random(5);
  for (Symmetry symmetry : {Symmetry::kSymmetric, Symmetry::kGeneral}) {
    std::unique_ptr<LinearSystem> reused;
    for (const auto& [name, pattern] : Patterns()) {
      SCOPED_TRACE(name);
      reused = MakeLinearSystem(pattern, symmetry, std::move(reused));
      const auto fresh = MakeLinearSystem(pattern, symmetry);
      ASSERT_TRUE(std::ranges::equal(reused->values(), fresh->values()));
      const MatrixXd a = RandomMatrix(pattern, symmetry, 3.0 * pattern.size(), &random);
      const VectorXd b = RandomVector(pattern.size(), &random);
      for (LinearSystem* system : {reused.get(), fresh.get()}) {
        Fill(pattern, a, system);
        ASSERT_TRUE(system->Factor(0, {}).ok);
      }
      EXPECT_EQ(Solution(*reused, b), Solution(*fresh, b));
      reused->Treat(Symmetry::kSymmetric);
      reused->Factor(0, {});
    }
  }
}

// Treated as symmetric, a general system is that of its lower triangle; then general again.
TEST(LinearSystem, CanBeTreatedEitherWay) {
  for (const Pattern& pattern : {ChainPattern(83, 10), RingPattern(83, 10)}) {
    const auto either = MakeLinearSystem(pattern, Symmetry::kGeneral);
    const auto symmetric = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    const bool banded = pattern.half_bandwidth() < 11;
    const auto general =
        Make(pattern, Symmetry::kGeneral, banded ? Storage::kBanded : Storage::kSparse);
    const Pattern::Columns columns = pattern.LowerColumns();
    int count = 0;
    for (int column = 0; column < pattern.size(); ++column) {
      for (int k = columns.begin[column]; k < columns.begin[column + 1]; ++k) {
        const int row = columns.rows[k];
        const double value = row == column ? 30 : std::sin(++count), above = std::cos(count);
        symmetric->values()[symmetric->Offset(row, column)] = value;
        for (LinearSystem* system : {either.get(), general.get()}) {
          system->values()[system->Offset(column, row)] = row == column ? value : above;
          system->values()[system->Offset(row, column)] = value;
        }
      }
    }
    const std::vector<double> weight(pattern.size(), 1.0);
    for (const Symmetry symmetry : {Symmetry::kGeneral, Symmetry::kSymmetric, Symmetry::kGeneral}) {
      either->Treat(symmetry);
      LinearSystem& same = symmetry == Symmetry::kSymmetric ? *symmetric : *general;
      for (double shift : {0.0, -60.0}) {
        const Factorization found = either->Factor(shift, weight),
                            wanted = same.Factor(shift, weight);
        EXPECT_TRUE(found.ok && wanted.ok);
        EXPECT_EQ(found.negative_pivots, wanted.negative_pivots);
        EXPECT_EQ(found.negative_pivots > 0, shift < 0 && symmetry == Symmetry::kSymmetric);
        std::vector<double> x(pattern.size(), 1.0), y = x;
        either->Solve(x), same.Solve(y);
        EXPECT_EQ(x, y);
      }
    }
  }
}

TEST(LinearSystem, MayBeEmpty) {
  for (Symmetry symmetry : {Symmetry::kSymmetric, Symmetry::kGeneral}) {
    const auto system = MakeLinearSystem(Pattern(0), symmetry);
    EXPECT_TRUE(system->Factor(0, {}).ok);
    system->Solve({});
    EXPECT_EQ(system->Offset(-1, 3), system->discard());
    EXPECT_THROW(system->Offset(0, 0), std::out_of_range);
  }
}

}  // namespace linear_system_test
}  // namespace strand
