// Numerical sparse factorisation, front by front.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/assembly/linear_system.h"
#include "model/simd/clones.h"
#include "model/solver/fronts.h"

namespace strand {

/// L U of a matrix of symmetric pattern, or L D L^T of a symmetric one. Pivots of L U are chosen
/// among the unknowns of their front, so that the symbolic factorisation stays valid: the diagonal,
/// unless it is negligible compared to another entry (as in PARDISO: O. Schenk, K. Gaertner,
/// Electron. Trans. Numer. Anal. 23, 2006). Nothing is allocated after construction, and all sums
/// are taken in a fixed order.
class FrontalFactors {
 public:
  explicit FrontalFactors(Fronts fronts);

  const Fronts& fronts() const { return fronts_; }

  bool wide = RunsWide();  ///< uses the widest registers available; results are the same

  /// An entry of the matrix, values[from] of Factor. Row and column in the order of elimination.
  struct Entry {
    int from, row, column;
  };
  /// The entries of a matrix; for a symmetric one, of the upper triangle only.
  class Entries {
   public:
    Entries() = default;
    Entries(const Fronts& fronts, const std::vector<Entry>& entries);

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

}  // namespace strand
