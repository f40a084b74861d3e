// Edges that pass through triangles: what is drawn so overlaps, however far apart corners and rims.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/contact/primitives.h"

namespace strand {

struct Piercing {
  int edge, triangle;  ///< numbers of primitives
};

/// The first edge that passes through a triangle which it shares no node with, if there is one.
/// `among`: a flag per primitive, of those that may pass through each other; or none.
std::optional<Piercing> FindPiercing(std::span<const Vector3> points, const Primitives& primitives,
                                     const std::vector<bool>& among = {});

}  // namespace strand
