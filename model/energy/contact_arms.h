// The edges whose rotation moves a touching surface, and the arms from their axes to the surface
// (stencil/pair_friction.h).
#pragma once

#include <array>
#include <span>
#include <utility>
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
  /// The other of its nodes (dof of x); -1 if there is no edge.
  int Beyond(int dof) const { return !exists() ? -1 : node[node[0] == dof ? 1 : 0]; }
  /// Arm in a stencil that contains both nodes of the edge, at these indices.
  Arm OwnArm(const std::array<int, 2>& index, const Motion& motion) const {
    Arm arm;
    if (!exists()) return arm;
    const Vector3 along = Along(motion.at);
    arm.node = index, arm.length = along.norm();
    arm.axis = along / arm.length, arm.across = along - Along(motion.start);
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

/// Arm of an edge: `reach` (m) along the normal, plus the fraction `part` of the offset between the
/// nearest points. `index` of its nodes in the stencil.
inline Arm EdgeArm(const TurningEdge& edge, double reach, double part,
                   const std::array<int, 2>& index, const Motion& motion) {
  Arm arm = edge.OwnArm(index, motion);
  if (edge.exists()) arm.reach = reach, arm.part = part;
  return arm;
}
/// Arms of a node (dof of its x) between up to two edges, which turn its surface by the mean of
/// their rotations. It is the first node of the stencil; the nodes beyond the edges are at `beyond`
/// and `beyond` + 1.
inline std::array<Arm, 2> NodeArms(const std::array<TurningEdge, 2>& edges, int dof, double reach,
                                   double part, int beyond, const Motion& motion) {
  const double share = edges[1].exists() ? 0.5 : 1;
  std::array<Arm, 2> arms;
  for (int k = 0; k < 2; ++k) {
    std::array<int, 2> index{0, beyond + k};
    if (edges[k].node[0] != dof) std::swap(index[0], index[1]);
    arms[k] = EdgeArm(edges[k], share * reach, share * part, index, motion);
  }
  return arms;
}

}  // namespace strand
