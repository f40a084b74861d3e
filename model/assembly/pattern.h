// The sparsity pattern of a system matrix: which unknowns are coupled.
#pragma once

#include <span>
#include <vector>

namespace strand {

class Pattern {
 public:
  /// `size` unknowns, none coupled yet; the diagonal always belongs to the pattern.
  explicit Pattern(int size);

  /// Couples all pairs among `unknowns`, those of one stencil. Negative indices are eliminated
  /// unknowns and are ignored. Throws std::out_of_range if an index is not below size().
  void Couple(std::span<const int> unknowns);

  int size() const { return size_; }

  /// Largest |row - column|.
  int half_bandwidth() const { return half_bandwidth_; }

  /// The lower triangle by columns: rows[begin[c]] to rows[begin[c + 1] - 1], ascending, c first.
  struct Columns {
    std::vector<int> begin, rows;
  };
  Columns LowerColumns() const;

 private:
  int size_;
  int half_bandwidth_ = 0;
  // Group g: members_[group_[g]] to members_[group_[g + 1] - 1]. Its pairs, which are many more and
  // mostly shared with a neighbour, are listed only when a solver asks for them (LowerColumns).
  std::vector<int> group_, members_;
};

}  // namespace strand
