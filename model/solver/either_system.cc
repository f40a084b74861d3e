#include "model/solver/either_system.h"

namespace strand {

EitherSystem::EitherSystem(const Pattern& pattern) : general_(pattern), symmetric_(pattern) {
  const Pattern::Columns lower = pattern.LowerColumns();
  for (int column = 0; column < pattern.size(); ++column) {
    for (int k = lower.begin[column]; k < lower.begin[column + 1]; ++k) {
      const int row = lower.rows[k];
      place_.push_back({general_.Offset(row, column), symmetric_.Offset(row, column)});
    }
  }
}

Factorization EitherSystem::Factor(double shift, std::span<const double> weight) {
  if (treated_ == Symmetry::kGeneral) return general_.Factor(shift, weight);
  const std::span<const double> from = general_.values();
  const std::span<double> to = symmetric_.values();
  for (const auto& [general, symmetric] : place_) to[symmetric] = from[general];
  return symmetric_.Factor(shift, weight);
}

void EitherSystem::Solve(std::span<double> x) const {
  treated_ == Symmetry::kGeneral ? general_.Solve(x) : symmetric_.Solve(x);
}

void EitherSystem::Multiply(std::span<const double> x, std::span<double> y) const {
  general_.Multiply(x, y);
}

}  // namespace strand
