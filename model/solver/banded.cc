#include "model/solver/banded.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/simd/clones.h"

namespace strand {
namespace {

using Index = std::ptrdiff_t;

constexpr int kLanes = 4;  // doubles of an AVX register

constexpr int RoundUp(int n) { return (n + kLanes - 1) / kLanes * kLanes; }

// Doubles per column of values(): the diagonal and the band below it, padded with zeros.
constexpr int Stored(int width) { return RoundUp(width + 1); }

// Entry (r, c) of the factor is stored at Step c + r from its origin. Step is a multiple of kLanes,
// so that rows fall into the same groups of kLanes in every column: a register that one elimination
// stores is loaded whole by the next, without a store-forwarding stall. A column takes Step + 1
// doubles from row c - kLanes + 1 on, the lowest that may share a group with c; those past the band
// stay zero.
constexpr int Step(int width) { return RoundUp(width + 2 * (kLanes - 1)); }

// Zero columns before the first and after the last column make checks for the ends of the band
// unnecessary.
Index Origin(int width) { return Index{Step(width)} * width + kLanes; }
Index FactorSize(int size, int width) {
  return Index{Step(width) + 1} * (size + width + 1) + Origin(width);
}

struct Band {
  int size, width;
  const double* values;
  double shift;
  const double* weight;
  double* factor;  // at its origin
  double* inverse;
  double* least;  // lower bounds of the squares of the pivots
};

struct FactoredBand {
  int size, width;
  const double* factor;
  const double* inverse;
};

std::string Entry(int row, int column) {
  return "entry (" + std::to_string(row) + ", " + std::to_string(column) + ") of a banded matrix";
}

// Copies a column of A into the factor; returns `least` of its pivot (GoodPivot).
template <int kWidth>
STRAND_INLINE double LoadColumn(const Band& band, int column) {
  const int width = kWidth > 0 ? kWidth : band.width;
  const int stored = Stored(width);
  const double* from = band.values + Index{stored} * column;
  double* to = band.factor + Index{Step(width) + 1} * column;
  for (int i = 1 - kLanes; i < 0; ++i) to[i] = 0;
  for (int i = 0; i < stored; ++i) to[i] = from[i];
  for (int i = stored; i <= Step(width) + 1 - kLanes; ++i) to[i] = 0;
  if (band.shift != 0) to[0] += band.shift * band.weight[column];
  double sum[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    sum[lane] = 0;
    for (int i = lane; i < stored; i += kLanes) sum[lane] += to[i] * to[i];
  }
  return kTinyPivot * kTinyPivot * ((sum[0] + sum[1]) + (sum[2] + sum[3]));
}

// Eliminates pivot column k = 4 m + phase from the columns to its right and scales it to a column
// of L. `group`: the column's first group, at row 4 m. Lanes above the diagonal are never read.
template <int kWidth, int kPhase>
STRAND_INLINE void Eliminate(double* group, double inverse) {
  constexpr int kEnd = RoundUp(kPhase + kWidth + 1);
  double pivot[kEnd];
  for (int r = 0; r < kEnd; ++r) pivot[r] = group[r];
  const auto column = [&]<int j>(std::integral_constant<int, j>) {
    const double l = pivot[kPhase + j] * inverse;
    double* to = group + j * Step(kWidth);
    for (int r = (kPhase + j) / kLanes * kLanes; r < kEnd; ++r) to[r] -= l * pivot[r];
  };
  [&]<int... j>(std::integer_sequence<int, j...>) {
    (column(std::integral_constant<int, j + 1>()), ...);
  }(std::make_integer_sequence<int, kWidth>());
  for (int r = 0; r < kEnd; ++r) group[r] = pivot[r] * inverse;
}

// The same for any width.
STRAND_INLINE void Eliminate(double* group, int phase, int width, double inverse) {
  const int end = RoundUp(phase + width + 1);
  for (int j = 1; j <= width; ++j) {
    const double l = group[phase + j] * inverse;
    double* to = group + Index{j} * Step(width);
    for (int r = (phase + j) / kLanes * kLanes; r < end; ++r) to[r] -= l * group[r];
  }
  for (int r = 0; r < end; ++r) group[r] *= inverse;
}

// Eliminates column k, if there is one. Returns false if its pivot is not good (GoodPivot).
template <int kWidth, int kPhase>
STRAND_INLINE bool FactorColumn(const Band& band, int k, int* negative) {
  if (k >= band.size) return true;
  const int width = kWidth > 0 ? kWidth : band.width;
  if (k + width < band.size) band.least[k + width] = LoadColumn<kWidth>(band, k + width);
  double* diagonal = band.factor + Index{Step(width) + 1} * k;
  const double pivot = *diagonal, inverse = 1 / pivot;
  if (!GoodPivot(pivot, band.least[k])) return false;
  *negative += pivot < 0;
  band.inverse[k] = inverse;
  if constexpr (kWidth > 0) {
    Eliminate<kWidth, kPhase>(diagonal - kPhase, inverse);
  } else {
    Eliminate(diagonal - k % kLanes, k % kLanes, width, inverse);
  }
  return true;
}

// kWidth: the band's width, or 0 for any.
template <int kWidth>
STRAND_INLINE Factorization FactorBand(const Band& band) {
  const int width = kWidth > 0 ? kWidth : band.width;
  for (int k = 0; k < std::min(width, band.size); ++k) band.least[k] = LoadColumn<kWidth>(band, k);
  int negative = 0;
  bool ok = true;
  for (int k = 0; ok && k < band.size; k += kLanes) {
    ok = FactorColumn<kWidth, 0>(band, k, &negative) &&
         FactorColumn<kWidth, 1>(band, k + 1, &negative) &&
         FactorColumn<kWidth, 2>(band, k + 2, &negative) &&
         FactorColumn<kWidth, 3>(band, k + 3, &negative);
  }
  return {ok, ok ? negative : 0};
}

// `start` minus the sum of the products of `width` entries of l and x. The nearest one is
// subtracted last, because `near`, its entry of x, has only just been computed.
STRAND_INLINE double Substitute(const double* l, Index stride, const double* x, int side, int width,
                                double start, double near) {
  double even = 0, odd = 0;
  int j = width;
  for (; j > 2; j -= 2) {
    even += l[stride * j] * x[side * j];
    odd += l[stride * (j - 1)] * x[side * (j - 1)];
  }
  if (j == 2) even += l[stride * 2] * x[side * 2];
  return ((start - even) - odd) - l[stride] * near;
}

// x has `width` zeros before and after it.
template <int kWidth>
STRAND_INLINE void SolveBand(const FactoredBand& band, double* x) {
  const int width = kWidth > 0 ? kWidth : band.width;
  const Index step = Step(width);
  double near = 0;
  for (int k = 0; k < band.size; ++k) {
    const double* diagonal = band.factor + (step + 1) * k;
    x[k] = near = Substitute(diagonal, -step, x + k, -1, width, x[k], near);
  }
  near = 0;
  for (int k = band.size - 1; k >= 0; --k) {
    const double* diagonal = band.factor + (step + 1) * k;
    x[k] = near = Substitute(diagonal, 1, x + k, 1, width, x[k] * band.inverse[k], near);
  }
}

// Compiled for two kinds of processors (simd/clones.h), which saves a fifth of the time of a chain.
// Its half-bandwidth is 5 without twist and bending, 8 without twist, 10 with both.
STRAND_CLONES Factorization Factor5(const Band& band) { return FactorBand<5>(band); }
STRAND_CLONES Factorization Factor8(const Band& band) { return FactorBand<8>(band); }
STRAND_CLONES Factorization Factor10(const Band& band) { return FactorBand<10>(band); }
STRAND_CLONES Factorization FactorAny(const Band& band) { return FactorBand<0>(band); }
STRAND_CLONES void Solve5(const FactoredBand& band, double* x) { SolveBand<5>(band, x); }
STRAND_CLONES void Solve8(const FactoredBand& band, double* x) { SolveBand<8>(band, x); }
STRAND_CLONES void Solve10(const FactoredBand& band, double* x) { SolveBand<10>(band, x); }
STRAND_CLONES void SolveAny(const FactoredBand& band, double* x) { SolveBand<0>(band, x); }

}  // namespace

BandedSymmetric::BandedSymmetric(const Pattern& pattern)
    : size_(pattern.size()),
      width_(std::max(pattern.half_bandwidth(), 1)),
      values_(std::size_t(size_) * Stored(width_) + 1),
      factor_(FactorSize(size_, width_) / 8 + 1),
      inverse_(size_),
      least_(size_),
      work_(size_ + 2 * width_) {}

int BandedSymmetric::Offset(int row, int column) const {
  if (row < 0 || column < 0) return discard();
  const int first = std::min(row, column), last = std::max(row, column);
  if (last >= size_ || last - first > width_) throw std::out_of_range(Entry(row, column));
  return Stored(width_) * first + last - first;
}

void BandedSymmetric::SetDiagonal(std::span<const double> diagonal) {
  const int stored = Stored(width_);
  for (int c = 0; c < size_; ++c) {
    double* column = values_.data() + Index{stored} * c;
    std::fill(column, column + stored, 0.0);
    column[0] = diagonal[c];
  }
}

Factorization BandedSymmetric::Factor(double shift, std::span<const double> weight) {
  const Band band{.size = size_,
                  .width = width_,
                  .values = values_.data(),
                  .shift = shift,
                  .weight = weight.data(),
                  .factor = factor_.front().value + Origin(width_),
                  .inverse = inverse_.data(),
                  .least = least_.data()};
  if (width_ == 5) return Factor5(band);
  if (width_ == 8) return Factor8(band);
  if (width_ == 10) return Factor10(band);
  return FactorAny(band);
}

void BandedSymmetric::Solve(std::span<double> x) const {
  const FactoredBand band{size_, width_, factor_.front().value + Origin(width_), inverse_.data()};
  double* work = work_.data() + width_;
  std::copy(x.begin(), x.end(), work);
  if (width_ == 5) {
    Solve5(band, work);
  } else if (width_ == 8) {
    Solve8(band, work);
  } else if (width_ == 10) {
    Solve10(band, work);
  } else {
    SolveAny(band, work);
  }
  std::copy(work, work + size_, x.begin());
}

void BandedSymmetric::Multiply(std::span<const double> x, std::span<double> y) const {
  std::fill(y.begin(), y.end(), 0.0);
  for (int c = 0; c < size_; ++c) {
    const double* column = values_.data() + Index{Stored(width_)} * c;
    double sum = column[0] * x[c];
    for (int i = 1; i <= std::min(width_, size_ - 1 - c); ++i) {
      sum += column[i] * x[c + i];
      y[c + i] += column[i] * x[c];
    }
    y[c] += sum;
  }
}

BandedGeneral::BandedGeneral(const Pattern& pattern)
    : size_(pattern.size()),
      width_(pattern.half_bandwidth()),
      values_(std::size_t(size_) * (2 * width_ + 1) + 1),
      factor_(std::size_t(size_) * (3 * width_ + 1)),
      inverse_(size_),
      least_(size_),
      exchange_(size_) {}

int BandedGeneral::Offset(int row, int column) const {
  if (row < 0 || column < 0) return discard();
  if (std::max(row, column) >= size_ || std::abs(row - column) > width_) {
    throw std::out_of_range(Entry(row, column));
  }
  return (2 * width_ + 1) * row + column - row + width_;
}

void BandedGeneral::SetDiagonal(std::span<const double> diagonal) {
  std::ranges::fill(values_, 0.0);
  for (int r = 0; r < size_; ++r) values_[Offset(r, r)] = diagonal[r];
}

// Entry (r, c) of the factor is stored at 3 width r + c from `width`.
void BandedGeneral::Load(double shift, std::span<const double> weight) {
  std::fill(least_.begin(), least_.end(), 0.0);
  const int stored = 2 * width_ + 1;
  for (int r = 0; r < size_; ++r) {
    const double* from = values_.data() + Index{stored} * r;
    double* to = factor_.data() + Index{3 * width_ + 1} * r;
    std::copy(from, from + stored, to);
    std::fill(to + stored, to + stored + width_, 0.0);
    if (shift != 0) to[width_] += shift * weight[r];
    const int begin = std::max(r - width_, 0), end = std::min(r + width_ + 1, size_);
    for (int c = begin; c < end; ++c) {
      const double entry = to[c - r + width_];
      least_[c] += kTinyPivot * kTinyPivot * entry * entry;
    }
  }
}

Factorization BandedGeneral::Factor(double shift, std::span<const double> weight) {
  Load(shift, weight);
  const Index step = 3 * width_;
  double* origin = factor_.data() + width_;
  int reach = 0;  // last column in which a pivot row so far has entries
  for (int k = 0; k < size_; ++k) {
    const int last = std::min(k + width_, size_ - 1);
    int best = k;
    for (int r = k + 1; r <= last; ++r) {
      if (std::abs(origin[step * r + k]) > std::abs(origin[step * best + k])) best = r;
    }
    double* row = origin + step * k;
    double* other = origin + step * best;
    if (!GoodPivot(other[k], least_[k])) return {false, 0};
    reach = std::max(reach, std::min(best + width_, size_ - 1));
    if (best != k) std::swap_ranges(row + k, row + reach + 1, other + k);
    exchange_[k] = best;
    inverse_[k] = 1 / row[k];
    for (int r = k + 1; r <= last; ++r) {
      double* below = origin + step * r;
      below[k] *= inverse_[k];
      const double l = below[k];
      for (int c = k + 1; c <= reach; ++c) below[c] -= l * row[c];
    }
  }
  return {true, 0};
}

void BandedGeneral::Solve(std::span<double> x) const {
  const Index step = 3 * width_;
  const double* origin = factor_.data() + width_;
  for (int k = 0; k < size_; ++k) {
    std::swap(x[k], x[exchange_[k]]);
    const int last = std::min(k + width_, size_ - 1);
    for (int r = k + 1; r <= last; ++r) x[r] -= origin[step * r + k] * x[k];
  }
  for (int k = size_ - 1; k >= 0; --k) {
    const double* row = origin + step * k;
    const int last = std::min(k + 2 * width_, size_ - 1);
    double sum = x[k];
    for (int c = last; c > k; --c) sum -= row[c] * x[c];
    x[k] = sum * inverse_[k];
  }
}

void BandedGeneral::Multiply(std::span<const double> x, std::span<double> y) const {
  for (int r = 0; r < size_; ++r) {
    const double* row = values_.data() + Index{2 * width_} * r + width_;  // entry c at row[c]
    double sum = 0;
    const int begin = std::max(r - width_, 0), end = std::min(r + width_ + 1, size_);
    for (int c = begin; c < end; ++c) sum += row[c] * x[c];
    y[r] = sum;
  }
}

}  // namespace strand
