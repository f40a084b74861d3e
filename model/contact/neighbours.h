// Pairs that are close to each other because they are adjacent parts of one body.
#pragma once

#include <vector>

#include "model/contact/bodies.h"

namespace strand {

/// Pairs excluded from contact because they are neighbours in the rest shape: closer than three
/// contact distances, measured
/// - along the rods, for two edges of one rod, or of two rods that end at the same place of a body;
///   of the latter, edges that overlap from there on are neighbours, too;
/// - both in a straight line and along the mesh edges except the last, if either is on a shell:
///   across the last, long edge a triangle can be closer than its corners.
/// Sorted. Pairs that share a node may be left out.
std::vector<PrimitivePair> Neighbours(const Network& network, const ContactBodies& bodies);

}  // namespace strand
