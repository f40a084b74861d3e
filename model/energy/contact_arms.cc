#include "model/energy/contact_arms.h"

#include "model/contact/bodies.h"

namespace strand {

Configuration PositionsAt(std::span<const Vector3> node, const Dofs& dofs) {
  Configuration at;
  at.q.resize(dofs.size());
  for (size_t n = 0; n < node.size(); ++n) at.SetPosition(dofs.node(static_cast<int>(n)), node[n]);
  return at;
}

std::vector<std::array<TurningEdge, 2>> TurningEdgesAtNodes(const Network& network,
                                                            const Dofs& dofs) {
  std::vector<std::array<TurningEdge, 2>> at_node(network.nodes());
  std::vector<int> count(network.nodes(), 0);
  for (const Triangle& triangle : network.triangle()) {
    for (int n : triangle.node) count[n] = 3;
  }
  for (int e : BodyEdges(network)) {
    for (int n : network.edge()[e].node) {
      if (count[n] < 2) at_node[n][count[n]] = TurningEdgeOf(network, dofs, e);
      if (++count[n] > 2) at_node[n] = {};
    }
  }
  return at_node;
}

}  // namespace strand
