// The stop of a joint of a rod that folds.
//
//     E = W b(p),   b = p^3 / (1 - p),   p = (phi - phi_0) / (pi - phi_0)
// for turning angles phi > phi_0. It keeps phi below pi, where bending has a kink and twist is not
// defined, since the two links would pass through each other. Twice continuously differentiable.
// Beyond kMostFolded p is constant, so that everything is finite.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/stencil/joint.h"

namespace strand {

inline constexpr double kMostFolded = 1 - 1e-4;  ///< largest p

/// Energy (J) of a joint's stop with the scale W = `scale` (J) and phi_0 = `begin` (rad). Gradient
/// and Hessian are overwritten unless null.
inline double FoldStop(const JointGeometry& joint, double scale, double begin,
                       JointGradient* gradient = nullptr, JointHessian* hessian = nullptr) {
  const double c = joint.cosine, s = std::max(joint.axis.norm(), 1e-8);
  const double whole = std::numbers::pi - begin, per_whole = 1 / whole;
  const double p = std::clamp((std::atan2(s, c) - begin) * per_whole, 0.0, kMostFolded);
  const double left = 1 - p;
  // By phi; then d/dc = -(1 / s) d/dphi.
  const double first = scale * per_whole * p * p * (3 - 2 * p) / (left * left);
  const double second =
      scale * per_whole * per_whole * p * (6 - 6 * p + 2 * p * p) / (left * left * left);
  DerivativesByCosine<double>(joint, -first / s, (second - first * c / s) / (s * s), gradient,
                              hessian);
  return scale * p * p * p / left;
}

}  // namespace strand
