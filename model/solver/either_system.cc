#include "model/solver/either_system.h"

namespace strand {

EitherSystem::EitherSystem(const Pattern& pattern)
    : pattern_(pattern), general_(MakeGeneralSystem(pattern)) {}

void EitherSystem::Treat(Symmetry symmetry) {
  treats_symmetric_ = symmetry == Symmetry::kSymmetric;
  if (!treats_symmetric_ || symmetric_) return;
  symmetric_ = MakeLinearSystem(pattern_, Symmetry::kSymmetric);
  const Pattern::Columns columns = pattern_.LowerColumns();
  for (int column = 0; column < pattern_.size(); ++column) {
    for (int k = columns.begin[column]; k < columns.begin[column + 1]; ++k) {
      const int row = columns.rows[k];
      place_.push_back({general_->Offset(row, column), symmetric_->Offset(row, column)});
    }
  }
}

Factorization EitherSystem::Factor(double shift, std::span<const double> weight) {
  if (!treats_symmetric_) return general_->Factor(shift, weight);
  const std::span<const double> from = general_->values();
  const std::span<double> to = symmetric_->values();
  for (const auto& [general, symmetric] : place_) to[symmetric] = from[general];
  return symmetric_->Factor(shift, weight);
}

void EitherSystem::Solve(std::span<double> x) const {
  (treats_symmetric_ ? symmetric_ : general_)->Solve(x);
}

void EitherSystem::Multiply(std::span<const double> x, std::span<double> y) const {
  general_->Multiply(x, y);
}

}  // namespace strand
