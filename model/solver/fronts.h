// Symbolic factorisation of a sparse matrix of symmetric pattern: the order of elimination and the
// dense pieces (fronts) of the multifrontal method (I. Duff, J. Reid, ACM Trans. Math. Softw. 9,
// 1983). It depends on the pattern alone.
#pragma once

#include <cstddef>
#include <vector>

#include "model/assembly/pattern.h"

namespace strand {

/// A dense matrix in which `width` unknowns are eliminated. They are coupled to `rows` later
/// unknowns; the Schur complement for these is a square matrix, the update, which is added to the
/// parent front.
struct Front {
  int first = 0, width = 0;  ///< its unknowns, in the order of elimination
  int begin = 0, rows = 0;   ///< row[begin] to row[begin + rows - 1]
  int inner = 0;             ///< number of its rows that are unknowns of the parent
  int first_run = 0, outer_run = 0, last_run = 0;  ///< its runs; from outer_run on, of other rows
  int child = -1, sibling = -1;  ///< its last child; the parent's previous child; -1: none
  bool goes_on = false;          ///< its update is computed in place of its first child's
  int step = 0;                  ///< stride between the lines of its update
  std::size_t panel = 0;         ///< start of its panel
  std::size_t update = 0;        ///< start of its update; reuses space of updates already added

  // Padded to whole registers.
  static constexpr int kLanes = 4;
  static constexpr int Pad(int n) { return (n + kLanes - 1) / kLanes * kLanes; }
  int pivots() const { return Pad(width); }
  int below() const { return Pad(rows); }

  /// Length of a line of the panel, which has one line per unknown. First comes the unknown's row
  /// of the front: the `width` columns, and from pivots() on the others. From pivots() + below() on
  /// comes its column: the rows below the unknowns of the front.
  int line() const { return pivots() + 2 * below(); }
};

/// Consecutive rows of a front whose slots are consecutive, too.
struct Run {
  int row, slot, length;  ///< place of the first row among those of the front, and its slot
};

struct Fronts {
  /// Wider fronts are cut into pieces, so that their updates are computed by the fastest loop.
  static constexpr int kWidest = 32;

  Fronts() = default;
  /// Blocks of at most kWidest unknowns; those of a block are eliminated one after the other.
  explicit Fronts(const Pattern::Blocks& blocks);

  /// Offset of a matrix entry in the array of all panels; row and column in the order of
  /// elimination. `hint`: from the last call for the same front, 0 at first; fast where rows
  /// or columns are ascending.
  std::size_t Place(int row, int column, int* hint) const;

  std::vector<int> place;               ///< place of each unknown in the order of elimination
  std::vector<int> front_of;            ///< front of each unknown, in the order of elimination
  std::vector<Front> front;             ///< children before parents
  std::vector<int> row;                 ///< rows of all fronts, ascending in each
  std::vector<int> slot;                ///< place of each of these rows in a line of the parent
  std::vector<Run> run;                 ///< of all fronts
  std::size_t panels = 0, updates = 0;  ///< size of all panels, and largest size of the updates
  int widest = 0;                       ///< largest below()

 private:
  void FindRoom();
  void FindSlots();
  void FindRuns(Front* of);
};

}  // namespace strand
