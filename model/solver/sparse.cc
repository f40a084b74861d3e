#include "model/solver/sparse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace strand {
namespace {

// A residual below this fraction of its terms' magnitudes is round-off.
constexpr double kRelativeRoundOff = 64 * std::numeric_limits<double>::epsilon();
// One refinement is typical, and two have always been enough, even with pivots down to kTinyPivot,
// as long as these are few.
constexpr int kRefinements = 5;

double Square(double x) { return x * x; }

}  // namespace

SparseSystem::SparseSystem(const Pattern::Columns& lower, Symmetry stored)
    : factors_(Fronts(lower)),
      begin_(lower.begin.size(), 0),
      diagonal_(place().size()),
      least_(place().size()),
      work_(place().size()),
      product_(place().size()) {
  const int size = static_cast<int>(place().size());
  std::vector<std::vector<int>> columns(size);
  for (int c = 0; c < size; ++c) {
    for (int k = lower.begin[c]; k < lower.begin[c + 1]; ++k) {
      const auto [first, last] = std::minmax(place()[c], place()[lower.rows[k]]);
      columns[last].push_back(first);
      if (first != last && stored == Symmetry::kGeneral) columns[first].push_back(last);
    }
  }
  std::vector<std::vector<int>> rows(size);
  for (int c = 0; c < size; ++c) {  // column by column, so that rows are ascending
    for (int r : columns[c]) rows[r].push_back(c);
  }
  std::vector<FrontalFactors::Entry> entries;
  for (int r = 0; r < size; ++r) {
    for (int c : rows[r]) {
      const int offset = static_cast<int>(column_.size());
      if (c == r) diagonal_[r] = offset;
      column_.push_back(c);
      entries.push_back({offset, r, c});
    }
    begin_[r + 1] = static_cast<int>(column_.size());
  }
  entries_ = {factors_.fronts(), entries};
  values_.assign(column_.size() + 1, 0.0);
  factored_.assign(column_.size(), 0.0);
}

int SparseSystem::Find(int row, int column) const {
  const auto begin = column_.begin() + begin_[row], end = column_.begin() + begin_[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column ? static_cast<int>(found - column_.begin()) : -1;
}

int SparseSystem::Checked(int row, int column) const {
  int found = -1;
  if (std::max(row, column) < size()) found = Find(place()[row], place()[column]);
  if (found >= 0) return found;
  throw std::out_of_range("entry (" + std::to_string(row) + ", " + std::to_string(column) +
                          ") of a sparse matrix");
}

void SparseSystem::SetDiagonal(std::span<const double> diagonal) {
  std::ranges::fill(values_, 0.0);
  for (int i = 0; i < size(); ++i) values_[diagonal_[place()[i]]] = diagonal[i];
}

void SparseSystem::Load(double shift, std::span<const double> weight) {
  std::copy(values_.begin(), values_.end() - 1, factored_.begin());
  std::ranges::fill(least_, 0.0);
  if (shift == 0) return;
  for (int i = 0; i < size(); ++i) factored_[diagonal_[place()[i]]] += shift * weight[i];
}

void SparseSystem::Solve(std::span<double> x) const {
  for (int i = 0; i < size(); ++i) work_[place()[i]] = x[i];
  factors_.Solve(work_);
  for (int i = 0; i < size(); ++i) x[i] = work_[place()[i]];
}

SparseSymmetric::SparseSymmetric(const Pattern& pattern)
    : SparseSystem(pattern.LowerColumns(), Symmetry::kSymmetric) {}

int SparseSymmetric::Offset(int row, int column) const {
  if (row < 0 || column < 0) return discard();
  const bool turned = std::max(row, column) < size() && place()[row] > place()[column];
  return turned ? Checked(column, row) : Checked(row, column);
}

// A row of the upper triangle is a column of the lower one.
Factorization SparseSymmetric::Factor(double shift, std::span<const double> weight) {
  Load(shift, weight);
  for (int r = 0; r < size(); ++r) {
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) least_[r] += Square(kTinyPivot * factored_[k]);
  }
  return factors_.Factor(entries_, Symmetry::kSymmetric, factored_, least_);
}

void SparseSymmetric::Multiply(std::span<const double> x, std::span<double> y) const {
  for (int i = 0; i < size(); ++i) work_[place()[i]] = x[i];
  std::ranges::fill(product_, 0.0);
  for (int r = 0; r < size(); ++r) {
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) {
      product_[r] += values_[k] * work_[column_[k]];
      if (column_[k] != r) product_[column_[k]] += values_[k] * work_[r];
    }
  }
  for (int i = 0; i < size(); ++i) y[i] = product_[place()[i]];
}

SparseGeneral::SparseGeneral(const Pattern& pattern)
    : SparseSystem(pattern.LowerColumns(), Symmetry::kGeneral),
      right_(pattern.size()),
      residual_(pattern.size()) {
  std::vector<int> unknown(size());  // the unknowns in the order of elimination
  for (int i = 0; i < size(); ++i) unknown[place()[i]] = i;
  std::vector<FrontalFactors::Entry> entries;
  for (int r = 0; r < size(); ++r) {
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) {
      if (unknown[r] < unknown[column_[k]]) continue;
      const auto [first, last] = std::minmax(r, column_[k]);
      entries.push_back({k, first, last});
    }
  }
  lower_ = {factors_.fronts(), entries};
}

int SparseGeneral::Offset(int row, int column) const {
  return row < 0 || column < 0 ? discard() : Checked(row, column);
}

Factorization SparseGeneral::Factor(double shift, std::span<const double> weight) {
  Load(shift, weight);
  for (int k = 0; k < discard(); ++k) least_[column_[k]] += Square(kTinyPivot * factored_[k]);
  factored_as_ = treated_;
  const bool symmetric = treated_ == Symmetry::kSymmetric;
  return factors_.Factor(symmetric ? lower_ : entries_, treated_, factored_, least_);
}

// Fills residual_. Returns the componentwise backward error: the largest residual of a row as a
// fraction of the sum of its terms' magnitudes (M. Arioli, J. Demmel, I. Duff, SIAM J. Matrix Anal.
// Appl. 10, 1989).
double SparseGeneral::Residual(std::span<const double> x) const {
  double error = 0;
  for (int r = 0; r < size(); ++r) {
    double sum = right_[r], of = std::abs(sum);
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) {
      const double product = factored_[k] * x[column_[k]];
      sum -= product;
      of += std::abs(product);
    }
    residual_[r] = sum;
    if (sum != 0) error = std::max(error, std::abs(sum) / of);
  }
  return error;
}

// Refines until the residual is round-off or no longer halved. The result is then as accurate as
// possible; the line search decides whether it is good enough.
void SparseGeneral::Solve(std::span<double> x) const {
  if (factored_as_ == Symmetry::kSymmetric) return SparseSystem::Solve(x);
  for (int i = 0; i < size(); ++i) right_[place()[i]] = x[i];
  std::ranges::copy(right_, product_.begin());
  factors_.Solve(product_);
  double error = Residual(product_);
  for (int k = 0; error > kRelativeRoundOff && k < kRefinements; ++k) {
    std::ranges::copy(residual_, work_.begin());
    factors_.Solve(work_);
    for (int i = 0; i < size(); ++i) work_[i] += product_[i];
    const double before = std::exchange(error, Residual(work_));
    if (!(error < before)) break;
    product_.swap(work_);
    if (error > 0.5 * before) break;
  }
  for (int i = 0; i < size(); ++i) x[i] = product_[place()[i]];
}

void SparseGeneral::Multiply(std::span<const double> x, std::span<double> y) const {
  for (int i = 0; i < size(); ++i) work_[place()[i]] = x[i];
  for (int i = 0; i < size(); ++i) {
    double sum = 0;
    const int r = place()[i];
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) sum += values_[k] * work_[column_[k]];
    y[i] = sum;
  }
}

}  // namespace strand
