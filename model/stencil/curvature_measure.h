// The curvature measure: how the turning angle phi of a joint enters the bending energy.
//
// Integrated curvature binormal  K = f(phi) n = g(c) (t_a x t_b),  c = cos(phi),  n = axis of
// turning, with
//     angle:    f = phi            (arc through the joint; the default)
//     tangent:  f = 2 tan(phi / 2) (Bergou et al. 2008, eq. 1: K = 2 t_a x t_b / (1 + c))
// g = f / sin(phi), and F(c) = |K|^2 = f^2, which suffices for an isotropic, naturally straight
// rod. Curvature is K / l, l the Voronoi length of the node.
//
// Singular set: phi = pi. `angle` keeps a finite energy pi^2 there, with a kink (the torque is
// zero exactly at the fold). `tangent` would be infinite: beyond kTangentLimit f is
// continued linearly (continuously differentiable), so that a fold stays finite and can reopen.
#pragma once

#include <array>
#include <cmath>
#include <numbers>

#include "model/stencil/joint.h"

namespace strand {

enum class CurvatureMeasure { kAngle, kTangent };

/// g(c), F(c) and their first two derivatives by c.
template <class T>
struct MeasureValueOf {
  T g, dg, ddg;
  T F, dF, ddF;
};
using MeasureValue = MeasureValueOf<double>;

/// phi (rad) beyond which `tangent` is continued linearly: 0.8 degrees short of a fold.
inline constexpr double kTangentLimit = std::numbers::pi - 0.014;

namespace internal {

/// Coefficients of phi / sin(phi) as a series in x = 1 - c: a_{k+1} = a_k (k + 1) / (2 k + 3), the
/// hypergeometric series of arcsin(z) / sqrt(1 - z^2) at z^2 = x / 2.
inline constexpr int kSeriesTerms = 9;
inline constexpr std::array<double, kSeriesTerms> kSeries = [] {
  std::array<double, kSeriesTerms> a{1.0};
  for (int k = 0; k + 1 < kSeriesTerms; ++k) a[k + 1] = a[k] * (k + 1) / (2 * k + 3);
  return a;
}();
/// x below which the truncation error of the nine terms is less than 1e-18 of the value.
inline constexpr double kSeriesLimit = 1e-2;

/// `angle` near phi = 0: phi / sin(phi) and its derivatives by c = 1 - x, by Horner's rule.
template <class T>
MeasureValueOf<T> AngleSeries(const T& x) {
  T value(0), slope(0), bend(0);
  for (int k = kSeriesTerms - 1; k >= 0; --k) {
    value = value * x + T(kSeries[k]);
    if (k > 0) slope = slope * x + T(k * kSeries[k]);
    if (k > 1) bend = bend * x + T(k * (k - 1) * kSeries[k]);
  }
  // phi^2 = g^2 sin^2(phi), sin^2 = x (2 - x); dF/dc = -2 phi / sin(phi) = -2 g.
  return {value, -slope, bend, value * value * x * (T(2) - x), T(-2) * value, T(2) * slope};
}

/// `tangent` away from the fold, y = 1 + c: |2 tan(phi / 2)|^2 = 4 (1 - c) / (1 + c).
template <class T>
MeasureValueOf<T> Tangent(const T& x, const T& y) {
  const T r = T(1) / y, rr = r * r;
  return {T(2) * r, T(-2) * rr, T(4) * rr * r, T(4) * x * r, T(-8) * rr, T(16) * rr * r};
}

/// For any f, given its value and derivatives by phi, at s = sin(phi), c = cos(phi).
template <class T>
MeasureValueOf<T> FromAngle(const T& f, const T& df, const T& ddf, const T& sine, const T& c) {
  // At the fold the floor keeps r finite; it is multiplied by an axis that vanishes there.
  const T r = T(1) / Max(sine, T(1e-8)), rr = r * r;
  const T slope = (f * c - df * sine) * rr * r;
  // d/dc = -(1/s) d/dphi of (f c - df s) / s^3
  return {f * r,
          slope,
          (ddf + f) * sine * rr * rr + T(3) * c * slope * rr,
          f * f,
          T(-2) * f * df * r,
          T(2) * (df * df + f * ddf) * rr - T(2) * f * df * c * rr * r};
}

/// `tangent` beyond kTangentLimit, continued linearly in phi.
template <class T>
MeasureValueOf<T> TangentNearFold(const T& sine, const T& c) {
  static const double tangent = std::tan(kTangentLimit / 2), slope = 1 + tangent * tangent;
  const T phi = Atan2(sine, c);
  return FromAngle(T(2 * tangent) + T(slope) * (phi - T(kTangentLimit)), T(slope), T(0), sine, c);
}

template <class T, class Mask>
MeasureValueOf<T> Blend(const Mask& mask, const MeasureValueOf<T>& a, const MeasureValueOf<T>& b) {
  return {Select(mask, a.g, b.g), Select(mask, a.dg, b.dg), Select(mask, a.ddg, b.ddg),
          Select(mask, a.F, b.F), Select(mask, a.dF, b.dF), Select(mask, a.ddF, b.ddF)};
}

}  // namespace internal

template <class T>
MeasureValueOf<T> EvaluateMeasure(CurvatureMeasure measure, const JointGeometryOf<T>& joint) {
  const T& c = joint.cosine;
  const T& x = joint.one_minus_cosine;
  if (measure == CurvatureMeasure::kTangent) {
    static const double smallest = 1 + std::cos(kTangentLimit);
    const T y = T(1) + c;
    const auto usual = T(smallest) < y;
    const MeasureValueOf<T> value = internal::Tangent<T>(x, Max(y, T(smallest)));
    if (All(usual)) return value;
    return internal::Blend(usual, value, internal::TangentNearFold<T>(Norm(joint.axis), c));
  }
  const auto small = x < T(internal::kSeriesLimit);
  if (All(small)) return internal::AngleSeries(x);
  const T sine = Norm(joint.axis);
  const MeasureValueOf<T> far = internal::FromAngle<T>(Atan2(sine, c), T(1), T(0), sine, c);
  return internal::Blend(small, internal::AngleSeries(x), far);
}

/// Integrated curvature binormal K = f(phi) n (rad) of the joint.
template <class T>
Vector3Of<T> CurvatureBinormal(CurvatureMeasure measure, const JointGeometryOf<T>& joint) {
  return EvaluateMeasure(measure, joint).g * joint.axis;
}

}  // namespace strand
