#include "model/assembly/colouring.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/support/random.h"

namespace strand {
namespace colouring_test {

using testing::Random;

// Checks what the header promises, for any stencils.
void ExpectSound(const std::vector<int>& nodes, int size, int block_size) {
  const Colouring of = ColourBlocks(nodes, size, block_size);
  const int count = static_cast<int>(nodes.size()) / size;
  std::vector<int> sorted = of.order;
  std::ranges::sort(sorted);
  ASSERT_EQ(static_cast<int>(sorted.size()), count);
  for (int s = 0; s < count; ++s) EXPECT_EQ(sorted[s], s);  // each once
  EXPECT_EQ(of.block.front(), 0);
  EXPECT_EQ(of.block.back(), count);
  EXPECT_EQ(of.blocks(), (count + block_size - 1) / block_size);
  EXPECT_EQ(of.colour.front(), 0);
  EXPECT_EQ(of.colour.back(), of.blocks());
  for (int c = 0; c < of.colours(); ++c) {
    EXPECT_LT(of.colour[c], of.colour[c + 1]);
    std::set<int> of_colour;
    for (int b = of.colour[c]; b < of.colour[c + 1]; ++b) {
      EXPECT_LT(of.block[b], of.block[b + 1]);
      EXPECT_LE(of.block[b + 1] - of.block[b], block_size);
      std::set<int> of_block;
      for (int k = of.block[b]; k < of.block[b + 1]; ++k) {
        for (int i = 0; i < size; ++i) of_block.insert(nodes[of.order[k] * size + i]);
      }
      for (int node : of_block) {
        EXPECT_TRUE(node < 0 || of_colour.insert(node).second) << "shared by two blocks";
      }
    }
  }
}

std::vector<int> RandomStencils(int count, int size, int nodes, std::uint64_t seed) {
  Random random(seed);
  std::vector<int> stencils;
  for (int k = 0; k < count * size; ++k) {
    stencils.push_back(static_cast<int>(random.Uniform(0, nodes + 1)) - 1);  // -1: no node
  }
  return stencils;
}

// Quads of a square grid, in scrambled order.
std::vector<int> GridStencils(int side) {
  std::vector<int> nodes;
  for (int k = 0; k < side * side; ++k) {
    const int s = k * 7919 % (side * side), a = s % side + s / side * (side + 1);
    nodes.insert(nodes.end(), {a, a + 1, a + side + 1, a + side + 2});
  }
  return nodes;
}

TEST(Colouring, BlocksOfAColourShareNoNode) {
  for (int block_size : {1, 3, 16, 1000}) {
    for (int size : {1, 2, 9}) {
      for (int nodes : {1, 5, 60, 4000}) {
        ExpectSound(RandomStencils(200, size, nodes, nodes), size, block_size);
      }
    }
    ExpectSound(GridStencils(31), 4, block_size);
  }
}

TEST(Colouring, EmptyInput) {
  const Colouring none = ColourBlocks({}, 3, 8);
  EXPECT_EQ(none.blocks(), 0);
  EXPECT_EQ(none.colours(), 0);
  ExpectSound({-1, -1, -1, -1}, 2, 1);
  EXPECT_EQ(ColourBlocks(std::vector{-1, -1, -1, -1}, 2, 1).colours(), 1);
}

TEST(Colouring, OneSharedNodeMakesAColourPerBlock) {
  EXPECT_EQ(ColourBlocks(std::vector<int>(50, 7), 1, 5).colours(), 10);
}

TEST(Colouring, IsDeterministic) {
  const std::vector<int> nodes = GridStencils(50);
  const Colouring first = ColourBlocks(nodes, 4, 32), again = ColourBlocks(nodes, 4, 32);
  EXPECT_EQ(first.order, again.order);
  EXPECT_EQ(first.block, again.block);
  EXPECT_EQ(first.colour, again.colour);
}

// Threads need work to share: blocks are compact patches, not scattered stencils, in any input
// order.
TEST(Colouring, FewColoursOnAGrid) {
  const Colouring of = ColourBlocks(GridStencils(101), 4, 64);
  EXPECT_LE(of.colours(), 8);
}

}  // namespace colouring_test
}  // namespace strand
