// Finds the links of a cable in a MuJoCo model and puts them in order.
//
// A link is a body that carries the plugin instance. Its frame: origin at node k, x axis towards
// node k + 1, whichever way the kinematic tree grows. Order: a link and its nearest ancestor that
// is a link are neighbours. The pieces found that way (one per tree, or per branch of a body that
// is not a link) are joined by matching ends to origins at qpos0.
//
// A link may consist of two halves: bodies with the same frame at qpos0 that a weld between these
// bodies holds together. The near half is the last of its piece and has the link's geom, the far
// half is the first of the next piece.
//
// A clamp is a site that holds the rod's direction at its first or last node, a junction one that
// has the rod's direction at another node, for branches to start from. In the chain they are links
// of length zero, so that a joint next to them spans half a link: stiffness 2 EI / l.
#pragma once

#include <mujoco/mujoco.h>

#include <array>
#include <string>
#include <vector>

#include "model/geometry/frame.h"

namespace strand::mujoco {

/// Pose of a body at qpos0, in world axes.
struct ReferencePose {
  Vector3 origin;  ///< m
  Eigen::Quaterniond rotation;
};

/// Poses of all bodies at qpos0.
std::vector<ReferencePose> ReferencePoses(const mjModel* m);

struct Chain {
  std::vector<int> body;        ///< of link k = 0 .. n-1; its near half
  std::vector<int> far_body;    ///< its far half; the same body if the link is not split
  std::vector<int> site;        ///< of link k if it is a clamp or a junction, else -1
  std::vector<double> length;   ///< of link k (m); 0 if it is a clamp or a junction
  std::vector<Frame> frame;     ///< of link k at qpos0; of these: following the shape at qpos0
  std::vector<int> joint_body;  ///< bodies whose nearest ancestor link is a neighbour

  int links() const { return static_cast<int>(body.size()); }
  /// True for a clamp or a junction.
  bool is_point(int k) const { return site[k] >= 0; }
  bool is_split(int k) const { return far_body[k] != body[k]; }
  int points() const;
  /// The number of link k, which is not a point, if points are not counted.
  int Number(int k) const;
};

/// Ids of sites that the rod's direction follows.
struct ChainSites {
  std::array<int, 2> clamps{-1, -1};  ///< at the start and at the end; -1: none
  std::vector<int> junctions;         ///< at inner nodes
};

/// Throws ConfigError that names the bodies if they do not form one rod.
Chain FindChain(const mjModel* m, int instance, bool closed, const ChainSites& sites);

/// The id of the object with that name, or -1. An object is also found if an mjSpec attachment has
/// put the same prefix before its name and the instance's.
int FindName(const mjModel* m, mjtObj type, const std::string& name, int instance);

/// The plugin instance's name, or its number if it has none.
std::string InstanceName(const mjModel* m, int instance);

/// The body's name, or "body " and its number if it has none.
std::string BodyName(const mjModel* m, int body);

/// The geom that represents a link: a capsule, cylinder, ellipsoid or box along the link's x axis
/// that starts at its origin; -1 if there is none. `half_size` is set to the half-sizes along the
/// link frame's axes, without caps.
int LinkGeom(const mjModel* m, int body, double half_size[3]);

}  // namespace strand::mujoco
