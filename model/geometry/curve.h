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
/// angle / n, so that the polygon has exactly this length and this turning.
std::vector<Vector3> ArcNodes(double length, double angle, int links);

/// Nodes of a ring of circumference 2 pi radius (m), closed to rounding, with its centre at the
/// origin, in the xy plane. `overlap` additional links repeat the first ones.
std::vector<Vector3> RingNodes(double radius, int links, int overlap);

/// Nodes of a helix about the z axis that starts near (radius, 0, 0) and rises by `pitch` (m) in
/// each of its `turns` (right-handed; negative: left-handed). Every link has the length of its
/// piece of the curve and the direction of the curve at the middle of that piece, so that the
/// polygon has the length and the rise of the curve.
std::vector<Vector3> HelixNodes(double radius, double pitch, double turns, int links);

/// Frames of the links between the nodes: the first one's y axis is `normal` made orthogonal,
/// the others follow by parallel transport, so that the drawn shape has no twist. Throws
/// ConfigError on fewer than 2 nodes, coinciding neighbours, or a normal along the first link.
std::vector<Frame> LinkFrames(const std::vector<Vector3>& nodes, const Vector3& normal);

/// Frame of the curve itself at its first (end 0) or last (end 1) node: that of the outermost link,
/// turned further by half the rotation of the outermost joint.
Frame EndFrame(const std::vector<Frame>& links, int end);

}  // namespace strand
