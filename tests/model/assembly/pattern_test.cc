#include "model/assembly/pattern.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>

namespace strand {
namespace pattern_test {

TEST(Pattern, StartsWithTheDiagonal) {
  const Pattern pattern(3);
  EXPECT_EQ(pattern.half_bandwidth(), 0);
  const Pattern::Columns lower = pattern.LowerColumns();
  EXPECT_EQ(lower.begin, (std::vector<int>{0, 1, 2, 3}));
  EXPECT_EQ(lower.rows, (std::vector<int>{0, 1, 2}));
}

TEST(Pattern, ListsEachPairOnceAndSorted) {
  Pattern pattern(6);
  pattern.Couple(std::array{4, 0, 2});
  pattern.Couple(std::array{2, 4});
  pattern.Couple(std::array{3, 3, 2});
  EXPECT_EQ(pattern.half_bandwidth(), 4);
  const Pattern::Columns lower = pattern.LowerColumns();
  EXPECT_EQ(lower.begin, (std::vector<int>{0, 3, 4, 7, 8, 9, 10}));
  EXPECT_EQ(lower.rows, (std::vector<int>{0, 2, 4, 1, 2, 3, 4, 3, 4, 5}));
}

// Two edges of three nodes with two coordinates each, and an unknown that nothing is coupled to.
TEST(Pattern, PutsUnknownsOfTheSameStencilsIntoBlocks) {
  Pattern pattern(7);
  pattern.Couple(std::array{3, 4, 0, 1});
  pattern.Couple(std::array{5, 3, 4, 6, 5, -1});
  const Pattern::Blocks blocks = pattern.LowerBlocks(8);
  EXPECT_EQ(blocks.begin, (std::vector<int>{0, 2, 3, 5, 7}));
  EXPECT_EQ(blocks.unknown, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(blocks.lower.begin, (std::vector<int>{0, 2, 3, 5, 6}));
  EXPECT_EQ(blocks.lower.rows, (std::vector<int>{0, 2, 1, 2, 3, 3}));
}

TEST(Pattern, KeepsUncoupledUnknownsApartAndCutsWideBlocks) {
  Pattern pattern(7);
  pattern.Couple(std::array{0, 6, 1, 2, 3});
  const Pattern::Blocks blocks = pattern.LowerBlocks(2);
  EXPECT_EQ(blocks.begin, (std::vector<int>{0, 2, 4, 5, 6, 7}));
  EXPECT_EQ(blocks.unknown, (std::vector<int>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(blocks.lower.begin, (std::vector<int>{0, 3, 5, 6, 7, 8}));
  EXPECT_EQ(blocks.lower.rows, (std::vector<int>{0, 1, 4, 1, 4, 2, 3, 4}));
}

TEST(Pattern, LeavesOutEliminatedUnknowns) {
  Pattern pattern(5);
  pattern.Couple(std::array{-1, 3, -7, 4});
  pattern.Couple(std::array{-1, 0});
  EXPECT_EQ(pattern.half_bandwidth(), 1);
  EXPECT_EQ(pattern.LowerColumns().rows, (std::vector<int>{0, 1, 2, 3, 4, 4}));
}

TEST(Pattern, RejectsUnknownsOutOfRange) {
  EXPECT_THROW(Pattern(-1), std::out_of_range);
  Pattern pattern(3);
  EXPECT_THROW(pattern.Couple(std::array{0, 3}), std::out_of_range);
}

TEST(Pattern, MayBeEmpty) {
  const Pattern pattern(0);
  EXPECT_EQ(pattern.LowerColumns().begin, (std::vector<int>{0}));
  EXPECT_EQ(pattern.LowerBlocks(8).count(), 0);
}

}  // namespace pattern_test
}  // namespace strand
