// Pairs that are near each other because they are parts of one body.
#pragma once

#include <vector>

#include "model/contact/bodies.h"

namespace strand {

/// Pairs that are no pairs in contact, for they are neighbours in the shape drawn: nearer than
/// three times the distance at which they would touch,
///   along it, of two edges of one rod;
///   through the air and along the edges between them but for the last, of what is on a shell or
///   one of them is: across the last, long edge a triangle may lie nearer than its corners.
/// Sorted. Pairs that share a node may be left out.
std::vector<PrimitivePair> Neighbours(const Network& network, const ContactBodies& bodies);

}  // namespace strand
