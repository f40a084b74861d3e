// The rods and shells of a network as what touches: edges are capsules, triangles are plates with
// round rims, nodes are balls.
#pragma once

#include <string>
#include <vector>

#include "model/contact/primitives.h"
#include "model/geometry/network.h"

namespace strand {

/// Two edges, or a node and a triangle: that is all there is to surfaces and lines that meet. Ribs
/// and clamps are no bodies. Edges: those of rods, then those of shells, then those of obstacle
/// meshes, which have no thickness. Points, where there are triangles at all: all nodes of these.
struct ContactBodies {
  Primitives primitives;
  std::vector<double> radius;  ///< m, per primitive; of shells half the thickness
  std::vector<int> index;      ///< in the network: of an edge, a mesh edge, a node or a triangle
  int rod_edges = 0;           ///< how many of the edges are rods'
  std::vector<bool> obstacle;  ///< per primitive: of an obstacle mesh; those do not meet each other

  /// Or on an obstacle mesh.
  bool OnShell(int primitive) const {
    return primitive >= primitives.first_triangle() ||
           (primitive >= rod_edges && primitive < primitives.first_point());
  }
  /// Distance (m) at which a pair touches.
  double Touching(const PrimitivePair& pair) const { return radius[pair.a] + radius[pair.b]; }
};

/// Edges of rods that are bodies: neither clamps nor ribs.
std::vector<int> BodyEdges(const Network& network);

/// `radius` (m) per edge, `thickness` (m) per shell. A node is as thick as the thickest at it.
/// `smooth`: rods meet each other as curves through their nodes (geometry/edge_curve.h), with a
/// corner where they are drawn with one. Throws ConfigError on counts that do not fit and on a
/// thickness that is not finite and > 0.
ContactBodies MakeContactBodies(const Network& network, const std::vector<double>& radius,
                                const std::vector<double>& thickness, bool smooth = false);

/// What users know a primitive by: "rod 1, edge 3", "shell 0, triangle 7".
std::string BodyName(const Network& network, const ContactBodies& bodies, int primitive);

}  // namespace strand
