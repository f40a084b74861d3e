// The curvature measure: how the turning angle phi of a joint enters the bending energy.
//
// Integrated curvature binormal  K = f(phi) n = g(c) (t_a x t_b),  c = cos(phi),  n = axis of
// turning, with
//     angle:    f = phi            (arc through the joint; the default)
//     tangent:  f = 2 tan(phi / 2) (Bergou et al. 2008, eq. 1: K = 2 t_a x t_b / (1 + c))
// g = f / sin(phi), and F(c) = |K|^2 = f^2, which is all an isotropic, naturally straight rod
// needs. Curvature is K / l, l the Voronoi length of the node.
//
// Singular set: phi = pi. `angle` keeps a finite energy pi^2 there, with a kink (the torque is
// zero exactly at the fold). `tangent` would be infinite: beyond kTangentLimit f goes on
// linearly (once continuously differentiable), so that a fold stays finite and can open again.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "model/stencil/joint.h"

namespace strand {

enum class CurvatureMeasure { kAngle, kTangent };

/// g(c), F(c) and their first two derivatives by c.
struct MeasureValue {
  double g, dg, ddg;
  double F, dF, ddF;
};

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

/// phi / sin(phi) and its derivatives by c = 1 - x, by Horner's rule.
inline void AngleSeries(double x, double* g, double* dg, double* ddg) {
  double value = 0, slope = 0, bend = 0;
  for (int k = kSeriesTerms - 1; k >= 0; --k) {
    value = value * x + kSeries[k];
    if (k > 0) slope = slope * x + k * kSeries[k];
    if (k > 1) bend = bend * x + k * (k - 1) * kSeries[k];
  }
  *g = value, *dg = -slope, *ddg = bend;
}

/// g = f / sin(phi) and derivatives by c, from f and its derivatives by phi.
inline void FromAngle(double f, double df, double ddf, double s, double c, MeasureValue* m) {
  s = std::max(s, 1e-8);  // the kink at the fold: finite, and multiplied by a vanishing axis
  m->g = f / s;
  m->dg = (f * c - df * s) / (s * s * s);
  // d/dc = -(1/s) d/dphi of (f c - df s) / s^3
  m->ddg = (ddf * s + f * s) / (s * s * s * s) + 3 * c * (f * c - df * s) / std::pow(s, 5);
  m->F = f * f;
  m->dF = -2 * f * df / s;
  m->ddF = 2 * (df * df + f * ddf) / (s * s) - 2 * f * df * c / (s * s * s);
}

}  // namespace internal

inline MeasureValue EvaluateMeasure(CurvatureMeasure measure, const JointGeometry& joint) {
  MeasureValue m;
  const double c = joint.cosine, x = joint.one_minus_cosine;
  if (measure == CurvatureMeasure::kTangent) {
    const double y = 1 + c;
    static const double kSmallestY = 1 + std::cos(kTangentLimit);
    if (y > kSmallestY) {
      m.g = 2 / y, m.dg = -2 / (y * y), m.ddg = 4 / (y * y * y);
      m.F = 4 * x / y, m.dF = -8 / (y * y), m.ddF = 16 / (y * y * y);
      return m;
    }
    const double s = joint.axis.norm(), phi = std::atan2(s, c);
    const double tangent = std::tan(kTangentLimit / 2), slope = 1 + tangent * tangent;
    internal::FromAngle(2 * tangent + slope * (phi - kTangentLimit), slope, 0, s, c, &m);
    return m;
  }
  constexpr double kSeriesLimit = 1e-2;  // nine terms leave less than 1e-18 of the value
  if (x < kSeriesLimit) {
    internal::AngleSeries(x, &m.g, &m.dg, &m.ddg);
    // phi^2 = g^2 sin^2(phi), sin^2 = x (2 - x); dF/dc = -2 phi / sin(phi) = -2 g.
    m.F = m.g * m.g * x * (2 - x), m.dF = -2 * m.g, m.ddF = -2 * m.dg;
  } else {
    const double s = joint.axis.norm();
    internal::FromAngle(std::atan2(s, c), 1, 0, s, c, &m);
  }
  return m;
}

/// Integrated curvature binormal K = f(phi) n (rad) of the joint.
inline Vector3 CurvatureBinormal(CurvatureMeasure measure, const JointGeometry& joint) {
  return EvaluateMeasure(measure, joint).g * joint.axis;
}

}  // namespace strand
