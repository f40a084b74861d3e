// Initial placement of a motion that does not start from the drawn shape. The natural shape does
// not change.
//
// Frames follow the nodes. Along a rod they are those of a rod drawn in the new place: the first
// edge's director is the drawn one, carried over by the smallest rotation, and the others follow by
// parallel transport from edge to edge. The nodes alone do not determine how a rod is turned about
// its own axis. A naturally curved rod is therefore turned as a whole about its edges to where its
// natural curvature fits best, so that a rigid motion costs no energy.
#pragma once

#include <optional>
#include <vector>

#include "model/integrator/system.h"

namespace strand {

struct RodPlacement {
  std::vector<Vector3> node;      ///< m, in order along the rod
  std::vector<double> twist;      ///< rad, of each edge against parallel transport; empty: zero
  std::optional<Vector3> normal;  ///< m1 of the first edge, made orthogonal; empty: as above
};

/// Places a rod. Other parts that share its nodes move with them. Clamps turn with the rod's ends;
/// without `turn_clamps` they move with their nodes and keep their directions. Throws ConfigError
/// on a wrong count, a number that is not finite, or an edge or triangle that collapses.
void PlaceRod(System& system, int rod, const RodPlacement& where, bool turn_clamps = true);

/// Places the nodes of a shell (m, in the order of its vertices) as PlaceRod does. Mid-edge normals
/// are set half-way between those of their triangles.
void PlaceShell(System& system, int shell, const std::vector<Vector3>& node,
                bool turn_clamps = true);

}  // namespace strand
