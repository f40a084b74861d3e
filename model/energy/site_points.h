// How the points of a contact site follow from its nodes.
#pragma once

#include <array>

#include "model/stencil/carried_touch.h"

namespace strand {

/// N points that are fixed in a rigid body: the S = 4 nodes are its carriers.
template <int N, int S>
struct SitePoints {
  BodyWeights<N> weights;
  CarrierSlopes slope;

  std::array<Vector3, N> At(const std::array<Vector3, S>& nodes) const {
    return BodyPoints<N>(weights, nodes);
  }
};

/// Points that are the nodes themselves.
template <int N>
struct SitePoints<N, N> {
  const std::array<Vector3, N>& At(const std::array<Vector3, N>& nodes) const { return nodes; }
};

}  // namespace strand
