// An unsymmetric system that is symmetric at times: as friction is while normal forces are held.
// Then L D L^T takes a quarter of the time of L U, and tells the inertia.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "model/solver/linear_system.h"

namespace strand {

class EitherSystem : public LinearSystem {
 public:
  explicit EitherSystem(const Pattern& pattern);

  /// Symmetric: only the lower triangle counts from the next Factor on. The first time it sets up
  /// the other solver.
  void Treat(Symmetry symmetry) override;

  int size() const override { return general_->size(); }
  int Offset(int row, int column) const override { return general_->Offset(row, column); }
  int discard() const override { return general_->discard(); }
  std::span<double> values() override { return general_->values(); }
  void SetDiagonal(std::span<const double> diagonal) override { general_->SetDiagonal(diagonal); }
  Factorization Factor(double shift, std::span<const double> weight) override;
  void Solve(std::span<double> x) const override;
  void Multiply(std::span<const double> x, std::span<double> y) const override;

 private:
  Pattern pattern_;
  std::unique_ptr<LinearSystem> general_, symmetric_;
  std::vector<std::pair<int, int>> place_;  ///< of the lower triangle, in either's values
  bool treats_symmetric_ = false;
};

}  // namespace strand
