// Banded systems: chains of rods whose unknowns are numbered along them. Both kinds are O(n) and
// allocate nothing after construction.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/assembly/linear_system.h"
#include "model/assembly/pattern.h"

namespace strand {

/// L D L^T without pivoting: D has the inertia of the matrix (Sylvester's law), so Newton's method
/// knows when to raise the shift.
class BandedSymmetric : public LinearSystem {
 public:
  explicit BandedSymmetric(const Pattern& pattern);

  Symmetry stored() const override { return Symmetry::kSymmetric; }
  bool banded() const override { return true; }
  int size() const override { return size_; }
  int Offset(int row, int column) const override;
  int discard() const override { return static_cast<int>(values_.size()) - 1; }
  std::span<double> values() override { return values_; }
  void SetDiagonal(std::span<const double> diagonal) override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  struct alignas(64) Line {
    double value[8];
  };

  int size_, width_;
  std::vector<double> values_;
  std::vector<Line> factor_;
  std::vector<double> inverse_;  // of the pivots
  std::vector<double> least_;    // lower bounds of their squares
  mutable std::vector<double> work_;
};

/// L U with partial pivoting: the unblocked algorithm of LAPACK's gbtrf, by rows, so that both
/// exchanges and eliminations run over consecutive numbers.
class BandedGeneral : public LinearSystem {
 public:
  explicit BandedGeneral(const Pattern& pattern);

  Symmetry stored() const override { return Symmetry::kGeneral; }
  bool banded() const override { return true; }
  int size() const override { return size_; }
  int Offset(int row, int column) const override;
  int discard() const override { return static_cast<int>(values_.size()) - 1; }
  std::span<double> values() override { return values_; }
  void SetDiagonal(std::span<const double> diagonal) override;
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  void Load(double shift, std::span<const double> weight);

  int size_, width_;
  std::vector<double> values_;   // row r: columns r - width to r + width
  std::vector<double> factor_;   // row r: columns r - width to r + 2 width
  std::vector<double> inverse_;  // of the pivots
  std::vector<double> least_;    // lower bounds of their squares
  std::vector<int> exchange_;    // the row that step k has exchanged with row k
};

}  // namespace strand
