// Least distance of two cubic curves, by halving them until their chords determine it.
#pragma once

#include <array>

#include "model/geometry/frame.h"

namespace strand {

/// Bezier control points (m) of a cubic, as columns. The cubic is within their convex hull.
using ControlPoints = Eigen::Matrix<double, 3, 4>;

/// Distance of two objects (m), and the unit direction from the second to the first.
struct Apart {
  double distance;
  Vector3 direction;
};

/// Lower bound of the least distance of two cubics, at most 1 % below it. If they come as near as
/// `enough` (m), it may be any number from 0 to the least distance.
Apart CurvesApart(const ControlPoints& a, const ControlPoints& b, double enough);

}  // namespace strand
