// Edges that pass through triangles. Such shapes overlap even if all corners and rims are far
// apart.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/contact/primitives.h"

namespace strand {

struct Piercing {
  int edge, triangle;  ///< indices of primitives
};

/// The first edge that passes through a triangle with which it shares no node, if there is one.
/// `among`: flags of the primitives that may pass through each other, or empty.
std::optional<Piercing> FindPiercing(std::span<const Vector3> points, const Primitives& primitives,
                                     const std::vector<bool>& among = {});

}  // namespace strand
