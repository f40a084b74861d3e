// The linear systems of Newton's method: a square matrix of fixed pattern and its factorisation.
#pragma once

#include <limits>
#include <span>

#include "model/assembly/pattern.h"

namespace strand {

enum class Symmetry { kSymmetric, kGeneral };

struct Factorization {
  bool ok;              ///< false: a pivot is zero (below kTinyPivot) or not finite
  int negative_pivots;  ///< if ok and symmetric: number of negative eigenvalues; otherwise 0
};

/// A pivot counts as zero below this fraction of its column (before elimination): it has so few
/// digits left that not even its sign is certain.
inline constexpr double kTinyPivot = 1e-14;

/// `least`: kTinyPivot^2 times the sum of squares of the column.
inline bool GoodPivot(double pivot, double least) {
  const double square = pivot * pivot;
  return square > least && square <= std::numeric_limits<double>::max();
}

/// The matrix A is initialised by SetDiagonal and filled by values()[Offset(row, column)] += h.
/// Offset is slow and meant for set-up: look offsets up once. Only one thread at a time may use an
/// object, const functions included.
class LinearSystem {
 public:
  virtual ~LinearSystem() = default;

  virtual int size() const = 0;

  /// kSymmetric: (row, column) and (column, row) share one place in values().
  virtual Symmetry stored() const = 0;

  /// Whether factorising is as cheap as in a chain: in proportion to the size.
  virtual bool banded() const { return false; }

  /// Place of an entry in values(). discard() if either is negative (an eliminated unknown). Throws
  /// std::out_of_range if the entry is not stored, i.e. outside the pattern or the band around it.
  virtual int Offset(int row, int column) const = 0;

  /// The last place of values(). It takes entries of eliminated unknowns and is never read.
  virtual int discard() const = 0;

  /// Entries of A, initially 0. Factor does not change them.
  virtual std::span<double> values() = 0;

  /// Sets A = diag(diagonal).
  virtual void SetDiagonal(std::span<const double> diagonal) = 0;

  /// Treats A as symmetric or general from now on, if the system supports both; ignored otherwise.
  virtual void Treat(Symmetry) {}

  /// Factorises A + shift diag(weight); weight: one per unknown, or empty if shift is 0.
  virtual Factorization Factor(double shift, std::span<const double> weight) = 0;

  /// x becomes the solution for right-hand side x, by the last Factor (which must have been ok).
  virtual void Solve(std::span<double> x) const = 0;

  /// y = A x, without a shift.
  virtual void Multiply(std::span<const double> x, std::span<double> y) const = 0;
};

}  // namespace strand
