// How near two cubic curves come, wherever on them, by halving them until their chords tell it.
#pragma once

#include <array>

#include "model/geometry/frame.h"

namespace strand {

/// A cubic's Bezier control points (m), as columns: it is within their convex hull.
using ControlPoints = Eigen::Matrix<double, 3, 4>;

/// How far two things are apart (m), and which way the first is from the second, unit.
struct Apart {
  double distance;
  Vector3 direction;
};

/// Of two cubics: at most 1 % less than the least distance there is, never more; of those that come
/// as near as `enough` (m), anything from 0 to that.
Apart CurvesApart(const ControlPoints& a, const ControlPoints& b, double enough);

}  // namespace strand
