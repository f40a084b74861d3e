// Centrelines through given points.
#pragma once

#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Nodes on the cubic spline through the points (m), with `links` links of equal length. The
/// spline's parameter is the chord length between points. At its ends the third derivative is
/// continuous across the first inner point ("not a knot"). Two points give a straight line.
/// `closed`: the curve returns to the first point, which is not repeated. (C. de Boor, A Practical
/// Guide to Splines, ch. IV.) Throws ConfigError if there are too few points, neighbours coincide,
/// or there are fewer than 2 links.
std::vector<Vector3> SplineNodes(const std::vector<Vector3>& points, int links, bool closed);

}  // namespace strand
