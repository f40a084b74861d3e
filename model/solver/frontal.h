// Numerical sparse factorisation, front by front.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "model/assembly/linear_system.h"
#include "model/simd/clones.h"
#include "model/solver/fronts.h"

namespace strand {

/// L U of a matrix of symmetric pattern, or L D L^T of a symmetric one. Pivots of L U are chosen
/// among the unknowns of their front, so that the symbolic factorisation stays valid: the diagonal,
/// unless it is negligible compared to another entry (as in PARDISO: O. Schenk, K. Gaertner,
/// Electron. Trans. Numer. Anal. 23, 2006). Factor and Solve allocate nothing, and take all sums in
/// a fixed order.
class FrontalFactors {
 public:
  /// Takes another pattern, in the same memory.
  void Fit(Fronts fronts);

  const Fronts& fronts() const { return fronts_; }

  bool wide = RunsWide();  ///< uses the widest registers available; results are the same

  /// The entries of a matrix; for a symmetric one, of the upper triangle only.
  class Entries {
   public:
    /// `each(use)` calls use(from, row, column) for all entries: values[from] of Factor is in `row`
    /// and `column`, in the order of elimination. It is called twice. Fast if rows are ascending,
    /// and columns are ascending in each row.
    template <class Each>
    void Fit(const Fronts& fronts, const Each& each);

    struct Placed {
      int from;
      std::size_t to;  ///< Fronts::Place
    };
    std::span<const Placed> of(std::size_t front) const {
      return {placed_.data() + begin_[front], placed_.data() + begin_[front + 1]};
    }

   private:
    std::vector<Placed> placed_;  // sorted by front
    std::vector<std::size_t> begin_;
  };

  /// `least` in the order of elimination, see GoodPivot.
  Factorization Factor(const Entries& entries, Symmetry symmetry, std::span<const double> values,
                       std::span<const double> least);

  /// x becomes the solution for right-hand side x, both in the order of elimination.
  void Solve(std::span<double> x) const;

 private:
  Fronts fronts_;
  std::vector<double> panels_, updates_;
  std::vector<double> square_;   // the assembled update before elimination
  std::vector<double> inverse_;  // of the pivots
  std::vector<int> exchange_;    // the unknown with whose row that of each unknown was exchanged
  mutable std::vector<double> below_;
};

template <class Each>
void FrontalFactors::Entries::Fit(const Fronts& fronts, const Each& each) {
  const auto front = [&](int row, int column) { return fronts.front_of[std::min(row, column)]; };
  begin_.assign(fronts.front.size() + 1, 0);
  each([&](int, int row, int column) { ++begin_[front(row, column) + 1]; });
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  placed_.resize(begin_.back());
  std::vector<std::size_t> next = begin_;
  std::vector<int> hint(fronts.front.size(), 0);
  each([&](int from, int row, int column) {
    const int f = front(row, column);
    placed_[next[f]++] = {from, fronts.Place(row, column, &hint[f])};
  });
}

}  // namespace strand
