// Contact shapes of rigid bodies: solid obstacles in the body's own axes about its centre of mass,
// and the points, edges and triangles of their cores.
#pragma once

#include <string>
#include <vector>

#include "model/contact/obstacle.h"
#include "model/geometry/network.h"

namespace strand {

/// N points of a rigid body, with a round rim.
template <int N>
struct BodySite {
  int body;                      ///< in the network
  std::array<Vector3, N> point;  ///< m, in its own axes about its centre
  double radius;                 ///< m, of the rim
  bool has_face;                 ///< a point that axis or faces represent, unless nodes suffice
};

/// Sites of a body: its corners (a sphere's centre, a capsule's ends), and its axis or faces.
struct BodySites {
  std::vector<BodySite<1>> corner;
  std::vector<BodySite<2>> axis;
  std::vector<BodySite<3>> face;
};

/// A box with rounded edges; other shapes of bodies are spheres, capsules and cylinders. Throws
/// ConfigError unless 0 < rounding (m) < the smallest half-extent (m).
Obstacle MakeRoundedBox(const Vector3& half_extents, double rounding);

/// Sites of a solid rounded box (sphere, capsule, box) in the body's axes; a cylinder has none. The
/// radius of the rim is that of the obstacle about its core.
BodySites SitesOf(int body, const Obstacle& shape);

/// Throws ConfigError unless there is one shape per body.
void CheckShapes(const Network& network, const std::vector<Obstacle>& shape);

}  // namespace strand
