// Where a motion starts from, if not from the shape drawn: the natural shape stays that.
//
// Frames follow. Along a rod they are those of a rod drawn so: the first edge's director, carried
// over from the one drawn by the smallest turn, and parallel transport from edge to edge. That a
// rod is moved as it is does not tell how it is turned about itself: where it is naturally curved,
// all of it is turned to where that curvature fits best, and a rigid motion costs no energy.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/integrator/system.h"

namespace strand {

struct RodPlacement {
  std::vector<Vector3> node;      ///< m, in order along the rod
  std::vector<double> twist;      ///< rad, of each edge against parallel transport; empty: none
  std::optional<Vector3> normal;  ///< m1 of the first edge, made orthogonal; else as above
};

/// Puts a rod there. What else its nodes belong to goes along with them; clamps turn with the rod's
/// ends, or, without `turn_clamps`, go with their nodes and keep their directions. Throws
/// ConfigError on a wrong count, on what is not finite, and where an edge or triangle collapses.
void PlaceRod(System& system, int rod, const RodPlacement& where, bool turn_clamps = true);

/// Puts the nodes of a shell there (m, in the order of its vertices), as PlaceRod does. Mid-edge
/// normals stand half-way between those of their triangles.
void PlaceShell(System& system, int shell, const std::vector<Vector3>& node,
                bool turn_clamps = true);

/// The first edge without a length or triangle without an area there, in words; empty: none.
std::string CollapsedPart(const Network& network, const Dofs& dofs, const Configuration& at);

}  // namespace strand
