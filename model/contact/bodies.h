// Contact primitives of a network's rods and shells: edges are capsules, triangles are plates with
// round rims, nodes are spheres.
#pragma once

#include <string>
#include <vector>

#include "model/contact/primitives.h"
#include "model/geometry/network.h"

namespace strand {

/// Contact of lines and surfaces consists of pairs of two edges or of a node and a triangle. Ribs
/// and clamps take no part in it. Order of the edges: those of rods, of shells, of obstacle meshes
/// (which have no thickness). Points: all nodes of these edges, if there are triangles at all.
struct ContactBodies {
  Primitives primitives;
  std::vector<double> radius;  ///< m, per primitive; shells: half the thickness
  std::vector<int> index;      ///< of its edge, mesh edge, node or triangle in the network
  int rod_edges = 0;           ///< number of edges that belong to rods
  std::vector<bool> obstacle;  ///< per primitive: part of an obstacle mesh; these never pair

  /// Whether an edge or triangle belongs to a shell or an obstacle mesh.
  bool OnShell(int primitive) const {
    return primitive >= primitives.first_triangle() ||
           (primitive >= rod_edges && primitive < primitives.first_point());
  }
  /// Distance (m) at which a pair touches.
  double Touching(const PrimitivePair& pair) const { return radius[pair.a] + radius[pair.b]; }
};

/// Edges of rods that take part in contact: neither clamps nor ribs.
std::vector<int> BodyEdges(const Network& network);

/// `radius` (m) per edge, `thickness` (m) per shell. A node has the largest radius of its edges.
/// `smooth`: rods touch each other as curves through their nodes (geometry/edge_curve.h), with
/// corners where the network's shape has them. Throws ConfigError if a count does not match or a
/// thickness is not finite and > 0.
ContactBodies MakeContactBodies(const Network& network, const std::vector<double>& radius,
                                const std::vector<double>& thickness, bool smooth = false);

/// Name of a primitive in messages: "rod 1, edge 3", "shell 0, triangle 7".
std::string BodyName(const Network& network, const ContactBodies& bodies, int primitive);

}  // namespace strand
