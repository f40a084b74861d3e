// Centrelines of cables as nodes: n links of equal length need n + 1 nodes.
#pragma once

#include <vector>

#include "model/geometry/frame.h"

namespace strand {

/// Throws ConfigError on fewer than 2 links or more than 10 million.
void CheckLinkCount(int links);

/// Nodes along x, from the origin.
std::vector<Vector3> StraightNodes(double length, int links);

/// Nodes of a planar arc in the xy plane that starts at the origin along x and turns by `angle`
/// (rad, towards y) over `length` (m). Every link is length / n long and every joint turns by
/// angle / n, so that neither length nor turning is lost to the polygon.
std::vector<Vector3> ArcNodes(double length, double angle, int links);

/// Nodes of a ring of circumference 2 pi radius (m), closed to rounding, with its centre at the
/// origin, in the xy plane. `overlap` further links lie over the first ones.
std::vector<Vector3> RingNodes(double radius, int links, int overlap);

/// Nodes of a helix about the z axis, from near (radius, 0, 0), `pitch` (m) up each of `turns`
/// (right-handed; negative: left-handed). Every link has the direction of the curve at the middle
/// of its piece and that piece's length, so that neither length nor rise is lost to the polygon.
std::vector<Vector3> HelixNodes(double radius, double pitch, double turns, int links);

/// Frames of the links between the nodes: the first one's y axis is `normal` made orthogonal,
/// the others follow by parallel transport, so that the drawn shape has no twist. Throws
/// ConfigError on fewer than 2 nodes, coinciding neighbours, or a normal along the first link.
std::vector<Frame> LinkFrames(const std::vector<Vector3>& nodes, const Vector3& normal);

/// Frame of the curve itself at its first (end 0) or last (end 1) node: half a joint's turn on from
/// the outermost link's.
Frame EndFrame(const std::vector<Frame>& links, int end);

}  // namespace strand
