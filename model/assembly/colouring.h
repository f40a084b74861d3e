// Stencils in blocks, and blocks in groups that share no node: those of a group may be added to a
// gradient and a matrix side by side, whatever the number of threads, in a fixed order of sums.
#pragma once

#include <span>
#include <vector>

namespace strand {

struct Colouring {
  std::vector<int> order;   ///< of the stencils: neighbours next to each other
  std::vector<int> block;   ///< b: stencils order[block[b]] to order[block[b + 1] - 1]
  std::vector<int> colour;  ///< c: blocks colour[c] to colour[c + 1] - 1

  int blocks() const { return static_cast<int>(block.size()) - 1; }
  int colours() const { return static_cast<int>(colour.size()) - 1; }
};

/// `nodes`: of stencil s from nodes[size s] on; negative ones do not exist. `size` per stencil.
Colouring ColourBlocks(std::span<const int> nodes, int size, int block_size);

}  // namespace strand
