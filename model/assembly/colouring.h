// Groups stencils into blocks, and blocks into colours. Blocks of one colour share no node, so that
// they can be added to a gradient and a matrix in parallel. The order of sums is fixed, whatever
// the number of threads.
#pragma once

#include <span>
#include <vector>

namespace strand {

struct Colouring {
  std::vector<int> order;   ///< the stencils, sorted so that neighbours follow each other
  std::vector<int> block;   ///< b: stencils order[block[b]] to order[block[b + 1] - 1]
  std::vector<int> colour;  ///< c: blocks colour[c] to colour[c + 1] - 1

  int blocks() const { return static_cast<int>(block.size()) - 1; }
  int colours() const { return static_cast<int>(colour.size()) - 1; }
};

/// `nodes`: those of stencil s are nodes[size s] to nodes[size s + size - 1]; negative ones are
/// ignored.
Colouring ColourBlocks(std::span<const int> nodes, int size, int block_size);

}  // namespace strand
