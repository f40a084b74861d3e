// Several doubles that a kernel processes at once: SIMD without intrinsics.
//
// A kernel is a template over its scalar T. With T = double it evaluates one stencil, with
// T = Pack<W> W of them at once, by the same source. Branches become Select, or a test (All) of
// whether all lanes agree. The functions below exist for both kinds of T.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstring>
#include <numbers>

namespace strand {

namespace internal {

template <int W>
struct LanesOf;
template <>
struct LanesOf<2> {
  typedef double Type __attribute__((vector_size(16)));
};
template <>
struct LanesOf<4> {
  typedef double Type __attribute__((vector_size(32)));
};
template <>
struct LanesOf<8> {
  typedef double Type __attribute__((vector_size(64)));
};

}  // namespace internal

template <int W>
struct Pack {
  using Lanes = typename internal::LanesOf<W>::Type;
  using Mask = decltype(Lanes{} < Lanes{});
  static constexpr int kWidth = W;

  Pack() = default;
  Pack(double x) : lanes(x - Lanes{}) {}  // NOLINT: implicit, as a literal in a formula
  explicit Pack(const Lanes& x) : lanes(x) {}
  explicit Pack(const double (&x)[W]) { std::memcpy(&lanes, x, sizeof(lanes)); }

  double operator[](int lane) const { return lanes[lane]; }

  Pack operator-() const { return Pack(-lanes); }
  Pack& operator+=(const Pack& o) { return lanes += o.lanes, *this; }
  Pack& operator-=(const Pack& o) { return lanes -= o.lanes, *this; }
  Pack& operator*=(const Pack& o) { return lanes *= o.lanes, *this; }
  Pack& operator/=(const Pack& o) { return lanes /= o.lanes, *this; }
  friend Pack operator+(const Pack& a, const Pack& b) { return Pack(a.lanes + b.lanes); }
  friend Pack operator-(const Pack& a, const Pack& b) { return Pack(a.lanes - b.lanes); }
  friend Pack operator*(const Pack& a, const Pack& b) { return Pack(a.lanes * b.lanes); }
  friend Pack operator/(const Pack& a, const Pack& b) { return Pack(a.lanes / b.lanes); }
  friend Mask operator<(const Pack& a, const Pack& b) { return a.lanes < b.lanes; }

  Lanes lanes;
};

inline double Select(bool mask, double yes, double no) { return mask ? yes : no; }
inline bool All(bool mask) { return mask; }
inline double Sqrt(double x) { return std::sqrt(x); }
inline double Atan2(double y, double x) { return std::atan2(y, x); }
inline double Round(double x) { return std::round(x); }

template <int W>
Pack<W> Select(const typename Pack<W>::Mask& mask, const Pack<W>& yes, const Pack<W>& no) {
  return Pack<W>(mask ? yes.lanes : no.lanes);
}

/// Whether the mask of a Pack<W> is set in every lane.
template <class Mask>
bool All(const Mask& mask) {
  bool all = true;
  for (unsigned lane = 0; lane < sizeof(Mask) / sizeof(mask[0]); ++lane) all &= mask[lane] != 0;
  return all;
}

template <int W>
Pack<W> Sqrt(const Pack<W>& x) {
  Pack<W> root(0);
  for (int lane = 0; lane < W; ++lane) root.lanes[lane] = std::sqrt(x.lanes[lane]);
  return root;
}

/// Nearest integer, for |x| < 2^51 (the addition shifts the fraction out of the mantissa).
template <int W>
Pack<W> Round(const Pack<W>& x) {
  typename Pack<W>::Lanes shifted = x.lanes + 0x1.8p52;
  asm("" : "+m"(shifted));  // keeps the compiler from folding the two sums
  return Pack<W>(shifted - 0x1.8p52);
}

template <class T>
T Max(const T& a, const T& b) {
  return Select(a < b, b, a);
}

template <class T>
T Abs(const T& x) {
  return Select(x < T(0), -x, x);
}

/// atan2(y, x) to a relative error of 3e-16, in (-pi, pi]; signs of zeros are ignored. The argument
/// is reduced to |z| <= 0.66, where the odd series is replaced by the rational minimax
/// approximation of S. Moshier's Cephes (atan.c, public coefficients; relative error 1.8e-16).
template <int W>
Pack<W> Atan2(const Pack<W>& y, const Pack<W>& x) {
  using T = Pack<W>;
  const T ax = Abs(x), ay = Abs(y);
  const auto steep = ax < ay;
  const T low = Select(steep, ax, ay), high = Max(Select(steep, ay, ax), T(1e-300));
  const auto middle = T(0.66) * high < low;
  const T z = Select(middle, low - high, low) / Select(middle, low + high, high);
  const T s = z * z;
  const T p = (((T(-8.750608600031904122785e-1) * s - T(1.615753718733365076637e1)) * s -
                T(7.500855792314704667340e1)) *
                   s -
               T(1.228866684490136173410e2)) *
                  s -
              T(6.485021904942025371773e1);
  const T r = ((((s + T(2.485846490142306297962e1)) * s + T(1.650270098316988542046e2)) * s +
                T(4.328810604912902668951e2)) *
                   s +
               T(4.853903996359136964868e2)) *
                  s +
              T(1.945506571482613964425e2);
  T angle = z + z * s * p / r;
  angle = Select(middle, angle + T(std::numbers::pi / 4), angle);
  angle = Select(steep, T(std::numbers::pi / 2) - angle, angle);
  angle = Select(x < T(0), T(std::numbers::pi) - angle, angle);
  return Select(y < T(0), -angle, angle);
}

}  // namespace strand

template <int W>
struct Eigen::NumTraits<strand::Pack<W>> : Eigen::NumTraits<double> {
  using Real = strand::Pack<W>;
  using NonInteger = strand::Pack<W>;
  using Literal = strand::Pack<W>;
  using Nested = strand::Pack<W>;
  enum { RequireInitialization = 0 };
};

namespace strand {

/// The numbers get(0) to get(W - 1), one in each lane. (An array in between would make the
/// processor wait until it is written.)
template <int W, class Get>
Pack<W> GatherNumbers(const Get& get) {
  Pack<W> pack(0);
  for (int lane = 0; lane < W; ++lane) pack.lanes[lane] = get(lane);
  return pack;
}

/// The vectors get(0) to get(W - 1), one in each lane.
template <int W, class Get>
Eigen::Matrix<Pack<W>, 3, 1> Gather(const Get& get) {
  Eigen::Matrix<Pack<W>, 3, 1> packs;
  for (int j = 0; j < 3; ++j) {
    packs[j] = GatherNumbers<W>([&](int lane) { return get(lane)[j]; });
  }
  return packs;
}

/// The vector in one lane.
template <int W>
Eigen::Vector3d VectorOf(const Eigen::Matrix<Pack<W>, 3, 1>& v, int lane) {
  return {v[0][lane], v[1][lane], v[2][lane]};
}

template <int W>
double Sum(const Pack<W>& x) {
  double sum = 0;
  for (int lane = 0; lane < W; ++lane) sum += x[lane];
  return sum;
}

}  // namespace strand
