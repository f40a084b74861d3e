#include "model/solver/frontal.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "model/solver/clones.h"

namespace strand {
namespace {

using Index = std::ptrdiff_t;

// A diagonal so many times smaller than another number of its column is exchanged for it. Elastic
// energy and inertia make the diagonal, and those pivots lose least: with contacts a million times
// stiffer than rods, mu = 1.5, the first residual is 3 to 1000 times smaller than at 1.
constexpr double kSmaller = 1e3;

constexpr int kLanes = Front::kLanes;
typedef double Lanes __attribute__((vector_size(8 * kLanes), aligned(8), may_alias));

STRAND_INLINE const Lanes& At(const double* x) { return *reinterpret_cast<const Lanes*>(x); }
STRAND_INLINE Lanes& At(double* x) { return *reinterpret_cast<Lanes*>(x); }

struct Numbers {
  const Fronts& fronts;
  double* panels;
  double* updates;
  double* square;
  double* inverse;
  int* exchange;
};

struct Factored {
  const Fronts& fronts;
  const double* panels;
  const double* inverse;
  const int* exchange;
  double* below;
};

// to[j] -= l from[j] from `begin` on; `end` is a whole number of registers.
STRAND_INLINE void Subtract(double l, const double* from, int begin, int end, double* to) {
  int j = begin;
  for (; j % kLanes; ++j) to[j] -= l * from[j];
  for (; j < end; j += kLanes) At(to + j) -= l * At(from + j);
}

// What a child leaves of the matrix, into the panel and the square of its parent.
template <bool kSymmetric>
STRAND_INLINE void TakeOver(const Numbers& of, const Front& child, const Front& front) {
  const int below = front.below(), pivots = front.pivots(), line = front.line();
  const int rows = child.rows, inner = child.inner, step = child.below();
  const int* slot = of.fronts.slot.data() + child.begin;
  const double* from = of.updates + child.update;
  double* panel = of.panels + front.panel;
  for (int a = 0; a < inner; ++a, from += step) {
    double* to = panel + Index{line} * slot[a];
    for (int b = kSymmetric ? a : 0; b < rows; ++b) to[slot[b]] += from[b];
  }
  for (int a = inner; a < rows; ++a, from += step) {
    double* to = of.square + Index{below} * (slot[a] - pivots) - pivots;
    for (int b = kSymmetric ? a : inner; b < rows; ++b) to[slot[b]] += from[b];
    if constexpr (!kSymmetric) {
      double* column = panel + below + slot[a];
      for (int b = 0; b < inner; ++b) column[Index{line} * slot[b]] += from[b];
    }
  }
}

template <bool kSymmetric>
STRAND_INLINE void Assemble(const Numbers& of,
                            std::span<const FrontalFactors::Entries::Placed> entries,
                            const double* values, const Front& front) {
  std::fill_n(of.panels + front.panel, Index{front.line()} * front.width, 0.0);
  std::fill_n(of.square, Index{front.below()} * front.below(), 0.0);
  for (const auto& [from, to] : entries) of.panels[to] = values[from];
  for (int child = front.child; child >= 0; child = of.fronts.front[child].sibling) {
    TakeOver<kSymmetric>(of, of.fronts.front[child], front);
  }
}

// Line k of a front changes places with that of the pivot, which it returns.
STRAND_INLINE int Exchange(const Front& front, double* panel, int k) {
  const int line = front.line();
  double* row = panel + Index{line} * k;
  double largest = kSmaller * std::abs(row[k]);
  int best = k;
  for (int i = k + 1; i < front.width; ++i) {
    const double candidate = std::abs(panel[Index{line} * i + k]);
    if (candidate > largest) largest = candidate, best = i;
  }
  if (best != k) {
    std::swap_ranges(row, row + front.pivots() + front.below(), panel + Index{line} * best);
  }
  return best;
}

// Eliminates the front's unknowns from its panel. False if a pivot is no good.
template <bool kSymmetric>
STRAND_INLINE bool Eliminate(const Numbers& of, const Front& front, const double* least,
                             int* negative) {
  const int width = front.width, line = front.line(), below = front.below();
  const int left = front.pivots() + below;  // where the columns begin
  double* panel = of.panels + front.panel;
  for (int k = 0; k < width; ++k) {
    double* row = panel + Index{line} * k;
    const int best = kSymmetric ? k : Exchange(front, panel, k);
    const double pivot = row[k], inverse = 1 / pivot;
    if (!GoodPivot(pivot, least[front.first + k])) return false;
    of.exchange[front.first + k] = front.first + best;
    of.inverse[front.first + k] = inverse;
    *negative += pivot < 0;
    for (int i = k + 1; i < width; ++i) {
      double* other = panel + Index{line} * i;
      other[k] = (kSymmetric ? row[i] : other[k]) * inverse;
      Subtract(other[k], row, kSymmetric ? i : k + 1, left, other);
    }
    double* column = row + left;
    const double* whole = kSymmetric ? row + front.pivots() : column;
    for (int r = 0; r < below; r += kLanes) At(column + r) = At(whole + r) * inverse;
    for (int j = k + 1; !kSymmetric && j < width; ++j) {
      Subtract(row[j], column, 0, below, panel + Index{line} * j + left);
    }
  }
  return true;
}

struct Product {
  int width;
  Index line, below;
};

// kLanes rows and kWidth registers of the update: `from` less the products of l and u.
template <int kWidth>
STRAND_INLINE void Tile(const Product& size, const double* l, const double* u, const double* from,
                        double* to) {
  Lanes sum[kLanes][kWidth];
  for (int r = 0; r < kLanes; ++r) {
    for (int c = 0; c < kWidth; ++c) sum[r][c] = At(from + r * size.below + kLanes * c);
  }
  for (int k = 0; k < size.width; ++k, l += size.line, u += size.line) {
    for (int r = 0; r < kLanes; ++r) {
      for (int c = 0; c < kWidth; ++c) sum[r][c] -= l[r] * At(u + kLanes * c);
    }
  }
  for (int r = 0; r < kLanes; ++r) {
    for (int c = 0; c < kWidth; ++c) At(to + r * size.below + kLanes * c) = sum[r][c];
  }
}

// Its place is that of the children's, which have been taken over.
template <bool kSymmetric>
STRAND_INLINE void Update(const Numbers& of, const Front& front) {
  const Product size{front.width, front.line(), front.below()};
  const double* u = of.panels + front.panel + front.pivots();
  const double* l = u + size.below;
  for (Index r = 0; r < size.below; r += kLanes) {
    const double* from = of.square + size.below * r;
    double* to = of.updates + front.update + size.below * r;
    Index c = kSymmetric ? r : 0;
    for (; c + 2 * kLanes <= size.below; c += 2 * kLanes) {
      Tile<2>(size, l + r, u + c, from + c, to + c);
    }
    if (c < size.below) Tile<1>(size, l + r, u + c, from + c, to + c);
  }
}

template <bool kSymmetric>
STRAND_INLINE Factorization FactorFronts(const Numbers& of, const FrontalFactors::Entries& entries,
                                         const double* values, const double* least) {
  int negative = 0;
  for (std::size_t f = 0; f < of.fronts.front.size(); ++f) {
    const Front& front = of.fronts.front[f];
    Assemble<kSymmetric>(of, entries.of(f), values, front);
    if (!Eliminate<kSymmetric>(of, front, least, &negative)) return {false, 0};
    Update<kSymmetric>(of, front);
  }
  return {true, kSymmetric ? negative : 0};
}

STRAND_INLINE void Forward(const Factored& of, const Front& front, double* x) {
  const int width = front.width, line = front.line(), below = front.below();
  const double* panel = of.panels + front.panel;
  const double* left = panel + front.pivots() + below;
  const int* row = of.fronts.row.data() + front.begin;
  double* own = x + front.first;
  for (int k = 0; k < width; ++k) std::swap(own[k], x[of.exchange[front.first + k]]);
  for (int k = 1; k < width; ++k) {
    for (int j = 0; j < k; ++j) own[k] -= panel[Index{line} * k + j] * own[j];
  }
  for (int r = 0; r < below; r += kLanes) {
    Lanes sum = {};
    for (int k = 0; k < width; ++k) sum += own[k] * At(left + Index{line} * k + r);
    At(of.below + r) = sum;
  }
  for (int r = 0; r < front.rows; ++r) x[row[r]] -= of.below[r];
}

STRAND_INLINE void Backward(const Factored& of, const Front& front, double* x) {
  const int width = front.width, pivots = front.pivots(), below = front.below();
  const int* row = of.fronts.row.data() + front.begin;
  for (int r = 0; r < front.rows; ++r) of.below[r] = x[row[r]];
  for (int r = front.rows; r < below; ++r) of.below[r] = 0;
  double* own = x + front.first;
  for (int k = width - 1; k >= 0; --k) {
    const double* u = of.panels + front.panel + Index{front.line()} * k;
    Lanes sum = {};
    for (int r = 0; r < below; r += kLanes) sum += At(u + pivots + r) * At(of.below + r);
    double rest = own[k] - ((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (int j = width - 1; j > k; --j) rest -= u[j] * own[j];
    own[k] = rest * of.inverse[front.first + k];
  }
}

STRAND_CLONES Factorization FactorSymmetric(const Numbers& of,
                                            const FrontalFactors::Entries& entries,
                                            const double* values, const double* least) {
  return FactorFronts<true>(of, entries, values, least);
}

STRAND_CLONES Factorization FactorGeneral(const Numbers& of, const FrontalFactors::Entries& entries,
                                          const double* values, const double* least) {
  return FactorFronts<false>(of, entries, values, least);
}

STRAND_CLONES void SolveFronts(const Factored& of, double* x) {
  const std::vector<Front>& front = of.fronts.front;
  for (std::size_t f = 0; f < front.size(); ++f) Forward(of, front[f], x);
  for (std::size_t f = front.size(); f-- > 0;) Backward(of, front[f], x);
}

}  // namespace

FrontalFactors::Entries::Entries(const Fronts& fronts, const std::vector<Entry>& entries)
    : placed_(entries.size()), begin_(fronts.front.size() + 1, 0) {
  const auto front = [&](const Entry& e) { return fronts.front_of[std::min(e.row, e.column)]; };
  for (const Entry& e : entries) ++begin_[front(e) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next = begin_;
  for (const Entry& e : entries) {
    placed_[next[front(e)]++] = {e.from, fronts.Place(e.row, e.column)};
  }
}

FrontalFactors::FrontalFactors(Fronts fronts)
    : fronts_(std::move(fronts)),
      panels_(fronts_.panels),
      updates_(fronts_.updates),
      square_(static_cast<std::size_t>(fronts_.widest) * fronts_.widest),
      inverse_(fronts_.place.size()),
      exchange_(fronts_.place.size()),
      below_(fronts_.widest) {}

Factorization FrontalFactors::Factor(const Entries& entries, Symmetry symmetry,
                                     std::span<const double> values,
                                     std::span<const double> least) {
  const Numbers numbers{fronts_,        panels_.data(),  updates_.data(),
                        square_.data(), inverse_.data(), exchange_.data()};
  const bool symmetric = symmetry == Symmetry::kSymmetric;
  return (symmetric ? FactorSymmetric : FactorGeneral)(numbers, entries, values.data(),
                                                       least.data());
}

void FrontalFactors::Solve(std::span<double> x) const {
  SolveFronts({fronts_, panels_.data(), inverse_.data(), exchange_.data(), below_.data()},
              x.data());
}

}  // namespace strand
