// The shape of a joint that is at rest as it is drawn.
#pragma once

#include <cmath>

#include "model/stencil/bend.h"

namespace strand {

/// Joints drawn with rounded numbers still count as straight, and frames as untwisted.
inline constexpr double kDrawnStraight = 1e-9;  // rad

struct NaturalShape {
  std::array<std::array<double, 2>, 2> curvature{};  ///< wbar[side][j] (rad), as in BendRest
  double twist = 0;                                  ///< mbar (rad)

  bool straight() const {
    return std::hypot(curvature[0][0], curvature[0][1]) < kDrawnStraight &&
           std::hypot(curvature[1][0], curvature[1][1]) < kDrawnStraight;
  }
};

/// Of a joint drawn with the material frames `a` and `b`.
inline NaturalShape DrawnShape(const Frame& a, const Frame& b, CurvatureMeasure measure) {
  const Vector3 binormal = CurvatureBinormal(measure, JointGeometry(a.col(0), b.col(0)));
  return {{MaterialCurvature(binormal, a), MaterialCurvature(binormal, b)}, TwistAngle(a, b)};
}

}  // namespace strand
