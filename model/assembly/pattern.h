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

  /// Unknowns of the same stencils, which are coupled to the same unknowns: mostly the coordinates
  /// of a node. Block b: unknown[begin[b]] to unknown[begin[b + 1] - 1], ascending.
  struct Blocks {
    std::vector<int> begin, unknown;
    Columns lower;  ///< the pattern between blocks
    int count() const { return static_cast<int>(begin.size()) - 1; }
    int width(int b) const { return begin[b + 1] - begin[b]; }
  };
  /// Blocks of at most `widest` unknowns, numbered in the order of their first one.
  Blocks LowerBlocks(int widest) const;

 private:
  /// For each unknown a number that it shares with the unknowns of the same groups; 0: no group.
  std::vector<int> Classes() const;

  int size_;
  int half_bandwidth_ = 0;
  // Group g: members_[group_[g]] to members_[group_[g + 1] - 1]. Its pairs, which are many more and
  // mostly shared with a neighbour, are listed only when a solver asks for them.
  std::vector<int> group_, members_;
};

}  // namespace strand
