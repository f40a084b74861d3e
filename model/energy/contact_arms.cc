#include "model/energy/contact_arms.h"

#include "model/contact/bodies.h"

namespace strand {

Configuration DrawnPositions(const Network& network, const Dofs& dofs) {
  Configuration at;
  at.q.resize(dofs.size());
  for (int n = 0; n < network.nodes(); ++n) Vector3::Map(&at.q[dofs.node(n)]) = network.node()[n];
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
