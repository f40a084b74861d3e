#include "model/assembly/pattern.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace strand {
namespace {

// 0, and the sums of the first, the first two, ... numbers.
std::vector<int> Sums(const std::vector<int>& numbers) {
  std::vector<int> sums(numbers.size() + 1, 0);
  std::partial_sum(numbers.begin(), numbers.end(), sums.begin() + 1);
  return sums;
}

// The lower triangle of the pairs among `size` unknowns or blocks that share a group.
Pattern::Columns ListColumns(int size, const std::vector<int>& group,
                             const std::vector<int>& members) {
  const int groups = static_cast<int>(group.size()) - 1;
  std::vector<int> count(size, 0), groups_of(members.size());
  for (int member : members) ++count[member];
  const std::vector<int> of = Sums(count);  // groups of m: groups_of[of[m]] to groups_of[of[m + 1]]
  std::vector<int> next(of.begin(), of.end() - 1);
  for (int g = 0; g < groups; ++g) {
    for (int i = group[g]; i < group[g + 1]; ++i) groups_of[next[members[i]]++] = g;
  }
  Pattern::Columns columns;
  columns.begin.push_back(0);
  std::vector<int> listed_for(size, -1);
  for (int column = 0; column < size; ++column) {
    listed_for[column] = column;
    columns.rows.push_back(column);
    for (int k = of[column]; k < of[column + 1]; ++k) {
      for (int i = group[groups_of[k]]; i < group[groups_of[k] + 1]; ++i) {
        const int row = members[i];
        if (row < column || listed_for[row] == column) continue;
        listed_for[row] = column;
        columns.rows.push_back(row);
      }
    }
    std::sort(columns.rows.begin() + columns.begin.back(), columns.rows.end());
    columns.begin.push_back(static_cast<int>(columns.rows.size()));
  }
  return columns;
}

}  // namespace

Pattern::Pattern(int size) : size_(size), group_{0} {
  if (size < 0) throw std::out_of_range("Pattern: size " + std::to_string(size));
}

void Pattern::Couple(std::span<const int> unknowns) {
  int first = size_, last = -1;
  for (int unknown : unknowns) {
    if (unknown >= size_) {
      throw std::out_of_range("Pattern: unknown " + std::to_string(unknown) + " of " +
                              std::to_string(size_));
    }
    if (unknown < 0) continue;
    first = std::min(first, unknown);
    last = std::max(last, unknown);
  }
  if (last <= first) return;
  for (int unknown : unknowns) {
    if (unknown >= 0) members_.push_back(unknown);
  }
  group_.push_back(static_cast<int>(members_.size()));
  half_bandwidth_ = std::max(half_bandwidth_, last - first);
}

std::vector<int> Pattern::Classes() const {
  std::vector<int> class_of(size_, 0), split_by{-1}, successor{0};
  for (int g = 0; g + 1 < static_cast<int>(group_.size()); ++g) {
    for (int i = group_[g]; i < group_[g + 1]; ++i) {  // splits off the members of the group
      int& of = class_of[members_[i]];
      if (split_by[of] != g) {
        const int next = static_cast<int>(split_by.size());
        split_by[of] = g, successor[of] = next;
        split_by.push_back(g), successor.push_back(next);
      }
      of = successor[of];
    }
  }
  return class_of;
}

Pattern::Columns Pattern::LowerColumns() const { return ListColumns(size_, group_, members_); }

Pattern::Blocks Pattern::LowerBlocks(int widest) const {
  Blocks blocks;
  const std::vector<int> class_of = Classes();
  // The block of each class that is being filled; a member splits off one class at most.
  std::vector<int> open(members_.size() + 1, -1), width, block_of(size_);
  for (int u = 0; u < size_; ++u) {
    int& block = open[class_of[u]];
    if (class_of[u] == 0 || block < 0 || width[block] == widest) {
      block = static_cast<int>(width.size());
      width.push_back(0);
    }
    block_of[u] = block;
    ++width[block];
  }
  const int count = static_cast<int>(width.size());
  blocks.begin = Sums(width), blocks.unknown.resize(size_);
  std::vector<int> next(blocks.begin.begin(), blocks.begin.end() - 1);
  for (int u = 0; u < size_; ++u) blocks.unknown[next[block_of[u]]++] = u;
  std::vector<int> group{0}, members, listed_for(count, -1);
  for (int g = 0; g + 1 < static_cast<int>(group_.size()); ++g) {
    for (int i = group_[g]; i < group_[g + 1]; ++i) {
      const int block = block_of[members_[i]];
      if (std::exchange(listed_for[block], g) != g) members.push_back(block);
    }
    group.push_back(static_cast<int>(members.size()));
  }
  blocks.lower = ListColumns(count, group, members);
  return blocks;
}

}  // namespace strand
