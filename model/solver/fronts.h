// In which order a sparse matrix of symmetric pattern is eliminated, and in which dense pieces: the
// part of the multifrontal method (I. Duff, J. Reid, ACM Trans. Math. Softw. 9, 1983) that depends
// on the pattern alone.
#pragma once

#include <cstddef>
#include <vector>

#include "model/assembly/pattern.h"

namespace strand {

/// A dense matrix that eliminates `width` unknowns. What that does to the `rows` later ones they
/// are coupled to is a square matrix, the update, which its parent takes over.
struct Front {
  int first = 0, width = 0;      ///< its unknowns, in the order of elimination
  int begin = 0, rows = 0;       ///< row[begin] to row[begin + rows - 1]
  int inner = 0;                 ///< so many of the rows are unknowns of the parent
  int child = -1, sibling = -1;  ///< the last child, and the next one before it; -1: none
  bool goes_on = false;          ///< its update is what it leaves of its first child's
  int step = 0;                  ///< from line to line of its update
  std::size_t panel = 0;         ///< where its panel begins,
  std::size_t update = 0;        ///< and its update, in the place of others that are done with

  // Padded, so that loops take whole registers.
  static constexpr int kLanes = 4;
  static constexpr int Pad(int n) { return (n + kLanes - 1) / kLanes * kLanes; }
  int pivots() const { return Pad(width); }
  int below() const { return Pad(rows); }

  /// The panel, one line for each unknown: its row of the front, first the `width` columns, from
  /// pivots() on the others; and from pivots() + below() on its column, the rows below.
  int line() const { return pivots() + 2 * below(); }
};

struct Fronts {
  explicit Fronts(const Pattern::Columns& lower);

  /// Where a number of the matrix goes among those of all panels; its row and column by the order
  /// of elimination.
  std::size_t Place(int row, int column) const;

  std::vector<int> place;               ///< of each unknown in the order of elimination
  std::vector<int> front_of;            ///< the front that eliminates it, by that order
  std::vector<Front> front;             ///< children before parents
  std::vector<int> row;                 ///< ascending in every front
  std::vector<int> slot;                ///< of each of these in a line of the parent
  std::size_t panels = 0, updates = 0;  ///< numbers in all panels, and in updates at any time
  int widest = 0;                       ///< largest below()

 private:
  void FindRoom();
  void FindSlots();
};

}  // namespace strand
