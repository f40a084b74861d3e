// Smooth contact penalty over the gap g between two surfaces (m, negative in penetration).
//
//     E(g) = k [log(1 + exp(-K g)) / K]^2 for g < delta, 0 beyond,   K = 15 / delta
// Source: the Implicit Contact Model as used by A. Choi et al., "DisMech", 2024, eq. 10, with a
// stiffness. In deep contact E -> k g^2; the spring constant tends to 2 k.
//
// IMC switches to k g^2 at g = -delta, where the two differ by 4e-8 in E, 3e-7 in the force and
// 4e-6 in its slope. Here the logarithm is used at any depth, without a switch or a jump in
// contact. The switch would not be faster, since exp underflows to the same k g^2. The cut-off at g
// = delta drops 4e-16 k delta^2 of energy and 2e-14 k delta of force: below the round-off of a sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/stencil/lagged_direction.h"

namespace strand {

/// Energy (J) and its first (N; minus the repulsive force, <= 0) and second derivative (N/m) by the
/// gap.
struct Penalty {
  double energy = 0;
  double slope = 0;
  double curvature = 0;
};
inline Penalty operator*(double times, const Penalty& penalty) {
  return {times * penalty.energy, times * penalty.slope, times * penalty.curvature};
}

/// `gap` (m), stiffness k > 0 (N/m), tolerance delta > 0 (m). Exact, and finite at any gap.
inline Penalty ContactPenalty(double gap, double stiffness, double tolerance) {
  if (gap >= tolerance) return {};
  const double rate = 15 / tolerance, x = -rate * gap;
  const double decay = std::exp(-std::abs(x));  // cannot overflow
  const double depth = (std::max(x, 0.0) + std::log1p(decay)) / rate;
  const double part = (x > 0 ? 1 : decay) / (1 + decay);  // -d depth / dg
  const double bend = rate * decay / ((1 + decay) * (1 + decay));
  return {stiffness * depth * depth, -2 * stiffness * depth * part,
          2 * stiffness * (part * part + depth * bend)};
}

/// Penalty that hardens beyond the depth p_0 = min(delta, R) / 2, so that no impact penetrates
/// deeper than the reach R (m):
///     E + 10 k p^2 log(D / (D - p)),   p = -g - p_0 > 0,   D = R - p_0
/// It is twice continuously differentiable and conservative.
inline Penalty HardeningPenalty(double gap, double stiffness, double tolerance, double reach) {
  constexpr double kHardening = 10;
  Penalty penalty = ContactPenalty(gap, stiffness, tolerance);
  const double begin = 0.5 * std::min(tolerance, reach), depth = -gap - begin;
  if (!(depth > 0)) return penalty;
  const double left = reach - begin - depth, k = kHardening * stiffness;
  if (!(left > 0)) return {std::numeric_limits<double>::infinity(), penalty.slope, 0};
  const double log = std::log1p(depth / left), by_left = depth / left;
  penalty.energy += k * depth * depth * log;
  penalty.slope -= k * depth * (2 * log + by_left);
  penalty.curvature += k * (2 * log + by_left * (4 + by_left));
  return penalty;
}

/// Penalty with a coefficient of restitution e, 0 to 1. Where surfaces part at the rate g' > 0, the
/// force is reduced to e^2 of it,
///     F = N(g) h,   h = 1 - (1 - e^2) s(g' / v_r),   s(x) = 3 x^2 - 2 x^3 from 0 to 1
/// so that e^2 of the absorbed energy is returned, at any speed well above v_r and for any masses
/// and penalty. At rest, force and stiffness are those of the penalty; the force never pulls. The
/// two branches, loading and unloading, are those of O. R. Walton & R. L. Braun, J. Rheology 30,
/// 1986; their law depends on the history, this one on the rate. `rate` is g' (m/s), `rate_by_gap`
/// dg'/dg (1/s). Since g' is linear in g over a step, slope and curvature are those of a function
/// of g alone, whose force decreases with g: the matrix stays symmetric and becomes stiffer. The
/// energy is that of the penalty. The curvature is exact, or has the `lagged` direction of
/// g' / v_r - 1/2, about which h is odd: h decreases so fast that iterates swing across that range.
inline Penalty WithRestitution(const Penalty& penalty, double restitution, double rate,
                               double rate_by_gap, LaggedDirection* lagged = nullptr) {
  constexpr double kRestSpeed = 5e-3;  // v_r (m/s)
  const double lost = (1 - restitution) * (1 + restitution);
  const double y = rate / kRestSpeed - 0.5;  // s = 1/2 + secant y
  const bool within = std::abs(y) < 0.5;
  const double secant = within ? 1.5 - 2 * y * y : 0.5 / std::abs(y);
  double tangent = within ? 1.5 - 6 * y * y : 0;
  if (lagged) {
    const Vector3 w = lagged->At({y, 0, 0}, 1 - tangent / secant);
    tangent = secant - (secant - tangent) * (y > 0 ? w.x() : -w.x());
  }
  const double left = 1 - lost * (0.5 + secant * y);
  const double by_gap = -lost * tangent / kRestSpeed * rate_by_gap;
  return {penalty.energy, penalty.slope * left, penalty.curvature * left + penalty.slope * by_gap};
}

}  // namespace strand
