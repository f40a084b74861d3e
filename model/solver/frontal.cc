#include "model/solver/frontal.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace strand {
namespace {

using Index = std::ptrdiff_t;

// The diagonal is the pivot unless another entry of its column is this many times larger. Elastic
// energy and inertia make up the diagonal, so these pivots lose the least accuracy: with contacts a
// million times stiffer than rods and mu = 1.5, the first residual is 3 to 1000 times smaller than
// with a factor of 1.
constexpr double kSmaller = 1e3;

constexpr int kLanes = Front::kLanes;

// A register of kNumbers doubles.
template <int kNumbers>
struct Packed {
  typedef double Lanes __attribute__((vector_size(8 * kNumbers), aligned(8), may_alias));
};
template <int kNumbers>
using LanesOf = typename Packed<kNumbers>::Lanes;
using Lanes = LanesOf<kLanes>;

template <int kNumbers = kLanes>
STRAND_INLINE const LanesOf<kNumbers>& At(const double* x) {
  return *reinterpret_cast<const LanesOf<kNumbers>*>(x);
}
template <int kNumbers = kLanes>
STRAND_INLINE LanesOf<kNumbers>& At(double* x) {
  return *reinterpret_cast<LanesOf<kNumbers>*>(x);
}

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

// A square matrix.
struct Square {
  double* begin;
  Index step;
};

// Adds the runs of a child's line, from its row `begin` on, to a line of its parent.
STRAND_INLINE void AddRuns(std::span<const Run> runs, int begin, const double* from, double* to) {
  for (const auto& [row, slot, length] : runs) {
    int j = std::max(begin - row, 0);
    const double* run = from + row;
    for (; j + kLanes <= length; j += kLanes) At(to + slot + j) += At(run + j);
    for (; j < length; ++j) to[slot + j] += run[j];
  }
}

// Adds the update of a child to the panel of its parent and, unless it stays in place, to the
// square.
template <bool kSymmetric>
STRAND_INLINE void TakeOver(const Numbers& of, const Front& child, bool stays, const Front& front,
                            const Square& square) {
  const int below = front.below(), pivots = front.pivots(), line = front.line();
  const int rows = child.rows, inner = child.inner;
  const Index step = child.step;
  const int* slot = of.fronts.slot.data() + child.begin;
  const Run* run = of.fronts.run.data();
  const std::span all(run + child.first_run, run + child.last_run);
  const std::span outer(run + child.outer_run, run + child.last_run);
  const double* from = of.updates + child.update;
  double* panel = of.panels + front.panel;
  for (int a = 0; a < inner; ++a, from += step) {
    AddRuns(all, kSymmetric ? a : 0, from, panel + Index{line} * slot[a]);
  }
  for (int a = inner; a < rows; ++a, from += step) {
    if (!stays) {
      double* to = square.begin + square.step * (slot[a] - pivots) - pivots;
      AddRuns(outer, kSymmetric ? a : 0, from, to);
    }
    if constexpr (!kSymmetric) {
      double* column = panel + below + slot[a];
      for (int b = 0; b < inner; ++b) column[Index{line} * slot[b]] += from[b];
    }
  }
}

// Assembles a front from the matrix and its children. Returns the square that becomes its update:
// in its final place, or, if children still occupy that place, in a separate array.
template <bool kSymmetric>
STRAND_INLINE Square Assemble(const Numbers& of,
                              std::span<const FrontalFactors::Entries::Placed> entries,
                              const double* values, const Front& front) {
  const Square square = front.goes_on ? Square{of.updates + front.update, front.step}
                                      : Square{of.square, front.below()};
  std::fill_n(of.panels + front.panel, Index{front.line()} * front.width, 0.0);
  if (!front.goes_on) std::fill_n(square.begin, square.step * square.step, 0.0);
  for (const auto& [from, to] : entries) of.panels[to] = values[from];
  for (int c = front.child; c >= 0; c = of.fronts.front[c].sibling) {
    const Front& child = of.fronts.front[c];
    TakeOver<kSymmetric>(of, child, front.goes_on && child.sibling < 0, front, square);
  }
  return square;
}

// Exchanges line k of a front with the line of the pivot. Returns the index of the latter.
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

// Eliminates the front's unknowns from its panel. Returns false if a pivot is not good (GoodPivot).
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
  Index line, from, to;  // strides
};

// A tile of the update, kRows rows by kRegisters registers of kNumbers: `to` = `from` - l u.
template <int kRows, int kNumbers, int kRegisters>
STRAND_INLINE void Tile(const Product& by, const double* l, const double* u, const double* from,
                        double* to) {
  using Register = LanesOf<kNumbers>;
  Register sum[kRows][kRegisters];
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kRegisters; ++c)
      sum[r][c] = At<kNumbers>(from + r * by.from + kNumbers * c);
  }
  for (int k = 0; k < by.width; ++k, l += by.line, u += by.line) {
    for (int r = 0; r < kRows; ++r) {
      for (int c = 0; c < kRegisters; ++c) sum[r][c] -= l[r] * At<kNumbers>(u + kNumbers * c);
    }
  }
  for (int r = 0; r < kRows; ++r) {
    for (int c = 0; c < kRegisters; ++c) At<kNumbers>(to + r * by.to + kNumbers * c) = sum[r][c];
  }
}

// kRows rows of the update, from their column `c` on to `end`.
template <int kRows, int kNumbers>
STRAND_INLINE void Strip(const Product& by, Index c, Index end, const double* l, const double* u,
                         const double* from, double* to) {
  constexpr int kTwo = 2 * kNumbers;
  for (; c + kTwo <= end; c += kTwo) Tile<kRows, kNumbers, 2>(by, l, u + c, from + c, to + c);
  for (; c < end; c += kLanes) Tile<kRows, kLanes, 1>(by, l, u + c, from + c, to + c);
}

template <bool kSymmetric, int kNumbers>
STRAND_INLINE void Update(const Numbers& of, const Front& front, const Square& square) {
  const Index below = front.below();
  const Product by{front.width, front.line(), square.step, front.step};
  const double* u = of.panels + front.panel + front.pivots();
  const double* l = u + below;
  double* update = of.updates + front.update;
  Index r = 0;
  for (; r + kNumbers <= below; r += kNumbers) {
    Strip<kNumbers, kNumbers>(by, kSymmetric ? r : 0, below, l + r, u,
                              square.begin + square.step * r, update + front.step * r);
  }
  for (; r < below; r += kLanes) {
    Strip<kLanes, kNumbers>(by, kSymmetric ? r : 0, below, l + r, u, square.begin + square.step * r,
                            update + front.step * r);
  }
}

struct Given {
  const FrontalFactors::Entries& entries;
  const double* values;
  const double* least;
};

template <bool kSymmetric, int kNumbers>
STRAND_INLINE Factorization FactorFronts(const Numbers& of, const Given& given) {
  int negative = 0;
  for (std::size_t f = 0; f < of.fronts.front.size(); ++f) {
    const Front& front = of.fronts.front[f];
    const Square square = Assemble<kSymmetric>(of, given.entries.of(f), given.values, front);
    if (!Eliminate<kSymmetric>(of, front, given.least, &negative)) return {false, 0};
    Update<kSymmetric, kNumbers>(of, front, square);
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

STRAND_CLONES Factorization FactorSymmetric(const Numbers& of, const Given& given) {
  return FactorFronts<true, kLanes>(of, given);
}

STRAND_CLONES Factorization FactorGeneral(const Numbers& of, const Given& given) {
  return FactorFronts<false, kLanes>(of, given);
}

STRAND_WIDE Factorization FactorSymmetricWide(const Numbers& of, const Given& given) {
  return FactorFronts<true, kWideLanes>(of, given);
}

STRAND_WIDE Factorization FactorGeneralWide(const Numbers& of, const Given& given) {
  return FactorFronts<false, kWideLanes>(of, given);
}

STRAND_CLONES void SolveFronts(const Factored& of, double* x) {
  const std::vector<Front>& front = of.fronts.front;
  for (std::size_t f = 0; f < front.size(); ++f) Forward(of, front[f], x);
  for (std::size_t f = front.size(); f-- > 0;) Backward(of, front[f], x);
}

}  // namespace

void FrontalFactors::Fit(Fronts fronts) {
  fronts_ = std::move(fronts);
  panels_.resize(fronts_.panels);
  updates_.resize(fronts_.updates);
  square_.resize(static_cast<std::size_t>(fronts_.widest) * fronts_.widest);
  inverse_.resize(fronts_.place.size());
  exchange_.resize(fronts_.place.size());
  below_.resize(fronts_.widest);
}

Factorization FrontalFactors::Factor(const Entries& entries, Symmetry symmetry,
                                     std::span<const double> values,
                                     std::span<const double> least) {
  const Numbers numbers{fronts_,        panels_.data(),  updates_.data(),
                        square_.data(), inverse_.data(), exchange_.data()};
  const Given given{entries, values.data(), least.data()};
  if (symmetry == Symmetry::kSymmetric) {
    return wide ? FactorSymmetricWide(numbers, given) : FactorSymmetric(numbers, given);
  }
  return wide ? FactorGeneralWide(numbers, given) : FactorGeneral(numbers, given);
}

void FrontalFactors::Solve(std::span<double> x) const {
  SolveFronts({fronts_, panels_.data(), inverse_.data(), exchange_.data(), below_.data()},
              x.data());
}

}  // namespace strand
