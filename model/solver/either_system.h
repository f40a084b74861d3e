// A banded system that is symmetric at times, as with friction while normal forces are frozen. Then
// L D L^T takes a quarter of the time of L U, and gives the inertia of the matrix. (Sparse systems
// support both themselves.)
#pragma once

#include <utility>
#include <vector>

#include "model/solver/banded.h"

namespace strand {

class EitherSystem : public LinearSystem {
 public:
  explicit EitherSystem(const Pattern& pattern);

  /// Symmetric: from the next Factor on, only the lower triangle is used.
  void Treat(Symmetry symmetry) override { treated_ = symmetry; }

  Symmetry stored() const override { return Symmetry::kGeneral; }
  bool banded() const override { return true; }
  int size() const override { return general_.size(); }
  int Offset(int row, int column) const override { return general_.Offset(row, column); }
  int discard() const override { return general_.discard(); }
  std::span<double> values() override { return general_.values(); }
  void SetDiagonal(std::span<const double> diagonal) override { general_.SetDiagonal(diagonal); }
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  BandedGeneral general_;
  BandedSymmetric symmetric_;
  std::vector<std::pair<int, int>> place_;  ///< offsets of the lower triangle in both systems
  Symmetry treated_ = Symmetry::kGeneral;
};

}  // namespace strand
