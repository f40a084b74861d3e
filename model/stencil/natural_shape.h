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

/// The same with the curvatures that the middle sees on both sides; frame b is turned back by
/// `back` (rad) before.
inline NaturalShape InTheMiddle(NaturalShape shape, double back = 0) {
  const double half = (shape.twist - back) / 2;
  auto& [a, b] = shape.curvature;
  a = b = TurnedPair(a, std::cos(half), std::sin(half));
  return shape;
}

}  // namespace strand
