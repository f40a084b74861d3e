#include "model/assembly/colouring.h"

#include <algorithm>

namespace strand {
namespace {

// The stencils at each node.
struct Incidence {
  std::vector<int> begin, stencil;

  Incidence(std::span<const int> nodes, int size) {
    const int most = nodes.empty() ? 0 : *std::ranges::max_element(nodes) + 1;
    begin.assign(most + 1, 0);
    for (int node : nodes) {
      if (node >= 0) ++begin[node + 1];
    }
    for (int n = 0; n < most; ++n) begin[n + 1] += begin[n];
    stencil.resize(begin.back());
    std::vector<int> next(begin.begin(), begin.end() - 1);
    for (size_t k = 0; k < nodes.size(); ++k) {
      if (nodes[k] >= 0) stencil[next[nodes[k]]++] = static_cast<int>(k) / size;
    }
  }
};

// The stencils in breadth-first order, so that neighbours follow each other.
std::vector<int> Neighbourly(std::span<const int> nodes, int size, const Incidence& at) {
  const int count = static_cast<int>(nodes.size()) / size;
  std::vector<int> order;
  std::vector<bool> seen(count, false);
  const auto visit = [&](int s) {
    if (!seen[s]) order.push_back(s);
    seen[s] = true;
  };
  size_t next = 0;
  for (int start = 0; start < count; ++start) {
    visit(start);
    for (; next < order.size(); ++next) {
      for (int node : nodes.subspan(size_t(order[next]) * size, size)) {
        if (node < 0) continue;
        for (int k = at.begin[node]; k < at.begin[node + 1]; ++k) visit(at.stencil[k]);
      }
    }
  }
  return order;
}

// The first colour that no block at any of the nodes uses.
int FreeColour(const std::vector<int>& block_nodes,
               const std::vector<std::vector<int>>& colours_at) {
  std::vector<int> taken;
  for (int node : block_nodes) {
    taken.insert(taken.end(), colours_at[node].begin(), colours_at[node].end());
  }
  std::ranges::sort(taken);
  int colour = 0;
  for (int other : taken) {
    if (other == colour) ++colour;
  }
  return colour;
}

}  // namespace

Colouring ColourBlocks(std::span<const int> nodes, int size, int block_size) {
  const Incidence at(nodes, size);
  const std::vector<int> near = Neighbourly(nodes, size, at);
  std::vector<std::vector<int>> colours_at(at.begin.size());
  std::vector<std::vector<size_t>> blocks_of_colour;
  for (size_t first = 0; first < near.size(); first += block_size) {
    std::vector<int> block_nodes;
    const size_t end = std::min(first + block_size, near.size());
    for (size_t k = first; k < end; ++k) {
      for (int node : nodes.subspan(size_t(near[k]) * size, size)) {
        if (node >= 0) block_nodes.push_back(node);
      }
    }
    std::ranges::sort(block_nodes);
    block_nodes.erase(std::ranges::unique(block_nodes).begin(), block_nodes.end());
    const int colour = FreeColour(block_nodes, colours_at);
    for (int node : block_nodes) colours_at[node].push_back(colour);
    if (colour == static_cast<int>(blocks_of_colour.size())) blocks_of_colour.emplace_back();
    blocks_of_colour[colour].push_back(first);
  }
  Colouring result;
  result.block.push_back(0), result.colour.push_back(0);
  for (const auto& blocks : blocks_of_colour) {
    for (size_t first : blocks) {
      const size_t end = std::min(first + block_size, near.size());
      result.order.insert(result.order.end(), near.begin() + first, near.begin() + end);
      result.block.push_back(static_cast<int>(result.order.size()));
    }
    result.colour.push_back(result.blocks());
  }
  return result;
}

}  // namespace strand
