#include "model/assembly/pattern.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strand {

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

Pattern::Columns Pattern::LowerColumns() const {
  const int groups = static_cast<int>(group_.size()) - 1;
  // The groups of each unknown: groups_of[of[u]] to groups_of[of[u + 1] - 1].
  std::vector<int> of(size_ + 1, 0), groups_of(members_.size());
  for (int unknown : members_) ++of[unknown + 1];
  for (int u = 0; u < size_; ++u) of[u + 1] += of[u];
  std::vector<int> next(of.begin(), of.end() - 1);
  for (int g = 0; g < groups; ++g) {
    for (int i = group_[g]; i < group_[g + 1]; ++i) groups_of[next[members_[i]]++] = g;
  }
  Columns columns;
  columns.begin.push_back(0);
  std::vector<int> listed_for(size_, -1);
  for (int column = 0; column < size_; ++column) {
    listed_for[column] = column;
    columns.rows.push_back(column);
    for (int k = of[column]; k < of[column + 1]; ++k) {
      for (int i = group_[groups_of[k]]; i < group_[groups_of[k] + 1]; ++i) {
        const int row = members_[i];
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

}  // namespace strand
