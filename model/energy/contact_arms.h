// Which edges turn what touches, and the arms from their axes to its surface (pair_friction.h).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "model/energy/force.h"
#include "model/geometry/network.h"
#include "model/stencil/pair_friction.h"

namespace strand {

/// A rod's edge: degrees of freedom of its spin and of the x of its nodes. Spin -1: there is none.
struct TurningEdge {
  int spin = -1;
  std::array<int, 2> node{};

  bool exists() const { return spin >= 0; }
  Vector3 Along(const Configuration& at) const {
    return at.position(node[1]) - at.position(node[0]);
  }
  /// Of a stencil that both its nodes are part of, the first of them as its `first`.
  Arm OwnArm(int first, const Motion& motion) const {
    Arm arm;
    if (!exists()) return arm;
    const Vector3 along = Along(motion.at);
    arm.first = first, arm.length = along.norm();
    arm.axis = along / arm.length, arm.across = along - Along(motion.start);
    arm.spin = motion.at.q[spin] - motion.start.q[spin];
    return arm;
  }
  /// Of one of its nodes: only spin turns that, about the direction at the start of the step.
  Arm NodeArm(const Motion& motion) const {
    Arm arm;
    if (!exists()) return arm;
    arm.axis = Along(motion.start).normalized();
    arm.spin = motion.at.q[spin] - motion.start.q[spin];
    return arm;
  }
};

/// Of an edge that is a body: neither a clamp's nor a rib.
inline TurningEdge TurningEdgeOf(const Network& network, const Dofs& dofs, int edge) {
  const auto& [first, last] = network.edge()[edge].node;
  return {dofs.edge(edge), {dofs.node(first), dofs.node(last)}};
}

/// A configuration of positions (m, of all nodes), and nothing else.
Configuration PositionsAt(std::span<const Vector3> node, const Dofs& dofs);

/// Of every node of a network, where one or two edges of rods meet: they turn it in equal parts.
/// Junctions and vertices of shells are not turned by any.
std::vector<std::array<TurningEdge, 2>> TurningEdgesAtNodes(const Network& network,
                                                            const Dofs& dofs);

/// Arms of a given length (m) along the normal, or part of the offset between the nearest points:
/// of a node between up to two edges.
inline std::array<Arm, 2> NodeArms(const std::array<TurningEdge, 2>& edges, double reach,
                                   double part, const Motion& motion) {
  const double share = edges[1].exists() ? 0.5 : 1;
  std::array<Arm, 2> arms = {edges[0].NodeArm(motion), edges[1].NodeArm(motion)};
  for (int k = 0; k < 2; ++k) {
    if (edges[k].exists()) arms[k].reach = share * reach, arms[k].part = share * part;
  }
  return arms;
}
/// Of an edge whose first node is `first` of the stencil.
inline Arm EdgeArm(const TurningEdge& edge, double reach, double part, int first,
                   const Motion& motion) {
  Arm arm = edge.OwnArm(first, motion);
  if (edge.exists()) arm.reach = reach, arm.part = part;
  return arm;
}

}  // namespace strand
