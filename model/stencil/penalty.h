// Smooth contact penalty over the gap g between two surfaces (m, negative in penetration).
//
//     E(g) = k [log(1 + exp(-K g)) / K]^2 for g < delta, 0 beyond,   K = 15 / delta
// Source: the Implicit Contact Model as used by A. Choi et al., "DisMech", 2024, eq. 10, with a
// stiffness. In deep contact E -> k g^2, the spring constant tends to 2 k.
//
// IMC switches to k g^2 at g = -delta, where the two differ by 4e-8 in E, 3e-7 in the force and
// 4e-6 in its slope. Here the logarithm is kept to any depth: no switch and no jump in contact,
// and no faster alternative is lost, for exp underflows to the same k g^2. At g = +delta what is
// cut off is 4e-16 k delta^2 of energy and 2e-14 k delta of force: below the round-off of a sum.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace strand {

/// Energy (J), its derivative by the gap (N; minus the repulsive force, so <= 0), the second (N/m).
struct Penalty {
  double energy = 0;
  double slope = 0;
  double curvature = 0;
};

/// `gap` (m), stiffness k > 0 (N/m), tolerance delta > 0 (m). Exact, and finite at any gap.
inline Penalty ContactPenalty(double gap, double stiffness, double tolerance) {
  if (gap >= tolerance) return {};
  const double rate = 15 / tolerance, x = -rate * gap;
  const double decay = std::exp(-std::abs(x));  // of -|x|, which cannot overflow
  const double depth = (std::max(x, 0.0) + std::log1p(decay)) / rate;
  const double part = (x > 0 ? 1 : decay) / (1 + decay);  // -d depth / dg
  const double bend = rate * decay / ((1 + decay) * (1 + decay));
  return {stiffness * depth * depth, -2 * stiffness * depth * part,
          2 * stiffness * (part * part + depth * bend)};
}

/// The same, hardening beyond a depth of p_0 = min(delta, R) / 2, so that no blow leads deeper than
/// the reach R (m):
///     E + 10 k p^2 log(D / (D - p)),   p = -g - p_0 > 0,   D = R - p_0
/// which is smooth to second order and has no memory: what it takes in it gives back.
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

}  // namespace strand
