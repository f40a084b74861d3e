#include "model/solver/sparse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
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

void SparseSystem::Fit(const Pattern& pattern) {
  const Pattern::Blocks blocks = pattern.LowerBlocks(Fronts::kWidest);
  factors_.Fit(Fronts(blocks));
  for (auto* array : {&least_, &work_, &product_}) array->resize(pattern.size());
  diagonal_.resize(pattern.size());
  ListBlocks(blocks);
  ListEntries();
  entries_.Fit(factors_.fronts(), [&](const auto& use) { ForEachEntry(use); });
  values_.assign(column_.size() + 1, 0.0);
  factored_.resize(column_.size());
}

// Calls `use` with the offset, the row and the column of all entries, in the order of elimination.
template <class Use>
void SparseSystem::ForEachEntry(const Use& use) const {
  for (int r = 0; r < size(); ++r) {
    for (int k = begin_[r]; k < begin_[r + 1]; ++k) use(k, r, column_[k]);
  }
}

void SparseSystem::ListBlocks(const Pattern::Blocks& blocks) {
  const int count = blocks.count();
  const auto start = [&](int b) { return place()[blocks.unknown[blocks.begin[b]]]; };
  std::vector<int> order(count), name(count);
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, start);
  blocks_.block_of.resize(size());
  blocks_.begin.clear();
  for (int k = 0; k < count; ++k) {
    name[order[k]] = k;
    blocks_.begin.push_back(start(order[k]));
    std::fill_n(blocks_.block_of.begin() + start(order[k]), blocks.width(order[k]), k);
  }
  blocks_.begin.push_back(size());
  const auto each_entry = [&](const auto& use) {
    for (int c = 0; c < count; ++c) {
      for (int k = blocks.lower.begin[c]; k < blocks.lower.begin[c + 1]; ++k) {
        const auto [first, last] = std::minmax(name[c], name[blocks.lower.rows[k]]);
        use(first, last);
        if (first != last && stored_ == Symmetry::kGeneral) use(last, first);
      }
    }
  };
  blocks_.row.assign(count + 1, 0);
  each_entry([&](int row, int) { ++blocks_.row[row + 1]; });
  std::partial_sum(blocks_.row.begin(), blocks_.row.end(), blocks_.row.begin());
  std::vector<int> next(blocks_.row.begin(), blocks_.row.end() - 1);
  found_.assign(blocks_.row.begin(), blocks_.row.end() - 1);
  blocks_.column.resize(blocks_.row.back());
  each_entry([&](int row, int column) { blocks_.column[next[row]++] = column; });
  for (int b = 0; b < count; ++b) {
    std::sort(&blocks_.column[blocks_.row[b]], blocks_.column.data() + blocks_.row[b + 1]);
  }
}

void SparseSystem::ListEntries() {
  blocks_.at.resize(blocks_.column.size());
  begin_.assign(1, 0);
  column_.clear();
  std::vector<int> whole;  // the columns of a row of blocks
  for (int b = 0; b + 1 < static_cast<int>(blocks_.row.size()); ++b) {
    whole.clear();
    for (int k = blocks_.row[b]; k < blocks_.row[b + 1]; ++k) {
      const int block = blocks_.column[k];
      blocks_.at[k] = static_cast<int>(whole.size());
      for (int c = blocks_.begin[block]; c < blocks_.begin[block + 1]; ++c) whole.push_back(c);
    }
    for (int r = blocks_.begin[b]; r < blocks_.begin[b + 1]; ++r) {
      column_.insert(column_.end(), whole.begin() + LeftOut(r), whole.end());
      begin_.push_back(static_cast<int>(column_.size()));
    }
  }
  for (int r = 0; r < size(); ++r) diagonal_[r] = Find(r, r);
}

// Number of entries of a row before the diagonal, in its own block, that are not stored.
int SparseSystem::LeftOut(int row) const {
  return stored_ == Symmetry::kSymmetric ? row - blocks_.begin[blocks_.block_of[row]] : 0;
}

// Entries are mostly looked up block by block: the block is often that of the last time, or the
// next.
int SparseSystem::Find(int row, int column) const {
  const int b = blocks_.block_of[row], c = blocks_.block_of[column];
  const int last = blocks_.row[b + 1] - 1;
  int& found = found_[b];
  if (found < last && blocks_.column[found + 1] == c) ++found;
  if (blocks_.column[found] != c) {
    const auto begin = blocks_.column.begin();
    const auto at = std::lower_bound(begin + blocks_.row[b], begin + last, c);
    if (*at != c) return -1;
    found = static_cast<int>(at - begin);
  }
  return begin_[row] - LeftOut(row) + blocks_.at[found] + column - blocks_.begin[c];
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

SparseSymmetric::SparseSymmetric(const Pattern& pattern) : SparseSystem(Symmetry::kSymmetric) {
  Fit(pattern);
}

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

SparseGeneral::SparseGeneral(const Pattern& pattern) : SparseSystem(Symmetry::kGeneral) {
  Fit(pattern);
}

void SparseGeneral::Fit(const Pattern& pattern) {
  SparseSystem::Fit(pattern);
  treated_ = factored_as_ = Symmetry::kGeneral;
  for (auto* array : {&right_, &residual_}) array->resize(size());
  std::vector<int> unknown(size());  // the unknowns in the order of elimination
  for (int i = 0; i < size(); ++i) unknown[place()[i]] = i;
  lower_.Fit(factors_.fronts(), [&](const auto& use) {
    ForEachEntry([&](int k, int r, int c) {
      if (unknown[r] >= unknown[c]) use(k, std::min(r, c), std::max(r, c));
    });
  });
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
