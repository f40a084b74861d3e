// Natural shape of a joint whose given shape is its rest shape.
#pragma once

#include <cmath>

#include "model/stencil/bend.h"

namespace strand {

/// Tolerance below which joints count as straight and frames as untwisted, for rounded input.
inline constexpr double kDrawnStraight = 1e-9;  // rad

struct NaturalShape {
  std::array<std::array<double, 2>, 2> curvature{};  ///< wbar[side][j] (rad), as in BendRest
  double twist = 0;                                  ///< mbar (rad)

  bool straight() const {
    return std::hypot(curvature[0][0], curvature[0][1]) < kDrawnStraight &&
           std::hypot(curvature[1][0], curvature[1][1]) < kDrawnStraight;
  }
};

/// Natural shape of a joint with the material frames `a` and `b`.
inline NaturalShape DrawnShape(const Frame& a, const Frame& b, CurvatureMeasure measure) {
  const Vector3 binormal = CurvatureBinormal(measure, JointGeometry(a.col(0), b.col(0)));
  return {{MaterialCurvature(binormal, a), MaterialCurvature(binormal, b)}, TwistAngle(a, b)};
}

/// Curvatures in the middle of a joint with this twist (rad), from those that edge a sees.
inline std::array<double, 2> InTheMiddle(const std::array<double, 2>& at_a, double twist) {
  return TurnedPair(at_a, std::cos(twist / 2), std::sin(twist / 2));
}

}  // namespace strand
