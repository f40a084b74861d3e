// The shapes of rigid bodies as what touches: solid obstacles in the body's own axes, about its
// centre of mass, and the points, edges and triangles of their cores.
#pragma once

#include <string>
#include <vector>

#include "model/contact/obstacle.h"
#include "model/geometry/network.h"

namespace strand {

/// N points of a rigid body, with a rim.
template <int N>
struct BodySite {
  int body;                      ///< in the network
  std::array<Vector3, N> point;  ///< m, in its own axes about its centre
  double radius;                 ///< m, of the rim
  bool has_face;                 ///< a point that others stand for, but where points suffice
};

/// What stands for a body: its corners (a ball's centre, a capsule's ends), and its axis or faces.
struct BodySites {
  std::vector<BodySite<1>> corner;
  std::vector<BodySite<2>> axis;
  std::vector<BodySite<3>> face;
};

/// A box whose edges are rounded: one of the body's shapes, as are balls, capsules and cylinders.
/// Throws ConfigError unless 0 < rounding (m) < the least of the half-extents (m).
Obstacle MakeRoundedBox(const Vector3& half_extents, double rounding);

/// Of solid rounded boxes in the body's axes; a cylinder has none. A body is round by the
/// obstacle's radius about its core.
BodySites SitesOf(int body, const Obstacle& shape);

/// Throws ConfigError unless there is one shape per body.
void CheckShapes(const Network& network, const std::vector<Obstacle>& shape);

}  // namespace strand
