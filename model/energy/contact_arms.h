// The edges whose spin moves a touching surface, and the arms from their axes to the surface
// (stencil/pair_friction.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/energy/force.h"
#include "model/geometry/network.h"
#include "model/stencil/pair_friction.h"

namespace strand {

/// A rod's edge: degrees of freedom of its spin and of its nodes' x. Spin -1: no edge.
struct TurningEdge {
  int spin = -1;
  std::array<int, 2> node{};

  bool exists() const { return spin >= 0; }
  Vector3 Along(const Configuration& at) const {
    return at.position(node[1]) - at.position(node[0]);
  }
  /// Arm in a stencil that contains both nodes of the edge, the first of them at index `first`.
  Arm OwnArm(int first, const Motion& motion) const {
    Arm arm;
    if (!exists()) return arm;
    const Vector3 along = Along(motion.at);
    arm.first = first, arm.length = along.norm();
    arm.axis = along / arm.length, arm.across = along - Along(motion.start);
    arm.spin = motion.at.q[spin] - motion.start.q[spin];
    return arm;
  }
  /// Arm of one of its nodes, which only spin turns, about the direction at the start of the step.
  Arm NodeArm(const Motion& motion) const {
    Arm arm;
    if (!exists()) return arm;
    arm.axis = Along(motion.start).normalized();
    arm.spin = motion.at.q[spin] - motion.start.q[spin];
    return arm;
  }
};

/// For an edge that takes part in contact: neither a clamp's edge nor a rib.
inline TurningEdge TurningEdgeOf(const Network& network, const Dofs& dofs, int edge) {
  const auto& [first, last] = network.edge()[edge].node;
  return {dofs.edge(edge), {dofs.node(first), dofs.node(last)}};
}

/// A configuration that has positions only (m, of all nodes), no frames.
Configuration PositionsAt(std::span<const Vector3> node, const Dofs& dofs);

/// Per node of the network: the one or two rod edges that meet there; both turn its surface
/// equally. Nodes where more than two edges meet and vertices of shells have none.
std::vector<std::array<TurningEdge, 2>> TurningEdgesAtNodes(const Network& network,
                                                            const Dofs& dofs);

/// Arms of a node between up to two edges: `reach` (m) along the normal, plus the fraction `part`
/// of the offset between the nearest points.
inline std::array<Arm, 2> NodeArms(const std::array<TurningEdge, 2>& edges, double reach,
                                   double part, const Motion& motion) {
  const double share = edges[1].exists() ? 0.5 : 1;
  std::array<Arm, 2> arms = {edges[0].NodeArm(motion), edges[1].NodeArm(motion)};
  for (int k = 0; k < 2; ++k) {
    if (edges[k].exists()) arms[k].reach = share * reach, arms[k].part = share * part;
  }
  return arms;
}
/// Arm of an edge whose first node has index `first` in the stencil.
inline Arm EdgeArm(const TurningEdge& edge, double reach, double part, int first,
                   const Motion& motion) {
  Arm arm = edge.OwnArm(first, motion);
  if (edge.exists()) arm.reach = reach, arm.part = part;
  return arm;
}

}  // namespace strand
