// Centrelines through given points.
#pragma once

#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Nodes on the cubic spline through the points (m): `links` links, every one as long as the
/// others. The spline's parameter is the chord length between points; at its ends the third
/// derivative is continuous across the first inner point ("not a knot"), two points give a straight
/// line. `closed`: the curve comes back to the first point, which is not repeated. (C. de Boor, A
/// Practical Guide to Splines, ch. IV.) Throws ConfigError on too few points, neighbours in one
/// place, fewer than 2 links.
std::vector<Vector3> SplineNodes(const std::vector<Vector3>& points, int links, bool closed);

}  // namespace strand
