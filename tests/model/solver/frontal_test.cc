#include "model/solver/frontal.h"

#include <gtest/gtest.h>

#include "tests/model/solver/systems.h"

namespace strand {
namespace frontal_test {

using testing::NamedPattern;
using testing::Patterns;
using testing::Random;

struct Entry {
  int from, row, column;
};

// Registers of any width sum in the same order.
TEST(FrontalFactors, AreTheSameInWideRegisters) {
  if (!RunsWide()) GTEST_SKIP() << "this processor has no registers of 8 numbers";
  Random random(3);
  for (const auto& [name, pattern] : Patterns()) {
    for (Symmetry symmetry : {Symmetry::kSymmetric, Symmetry::kGeneral}) {
      SCOPED_TRACE(name);
      FrontalFactors factors;
      factors.Fit(Fronts(pattern.LowerBlocks(Fronts::kWidest)));
      const int size = pattern.size();
      const std::vector<int>& place = factors.fronts().place;
      const Eigen::MatrixXd a = testing::RandomMatrix(pattern, symmetry, 0, &random);
      std::vector<Entry> entries;
      std::vector<double> values, least(size, 0.0);
      for (int r = 0; r < size; ++r) {
        for (int c = 0; c < size; ++c) {
          const bool upper = place[r] <= place[c];
          if (a(r, c) == 0 || (symmetry == Symmetry::kSymmetric && !upper)) continue;
          entries.push_back({static_cast<int>(values.size()), place[r], place[c]});
          values.push_back(r == c ? 3.0 * size : a(r, c));
        }
      }
      FrontalFactors::Entries placed;
      placed.Fit(factors.fronts(), [&](const auto& use) {
        for (const auto& [from, row, column] : entries) use(from, row, column);
      });
      std::vector<double> solution[2];
      for (bool wide : {false, true}) {
        factors.wide = wide;
        ASSERT_TRUE(factors.Factor(placed, symmetry, values, least).ok);
        solution[wide].assign(size, 1.0);
        factors.Solve(solution[wide]);
      }
      EXPECT_EQ(solution[0], solution[1]);
    }
  }
}

}  // namespace frontal_test
}  // namespace strand
