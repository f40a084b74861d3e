#include "model/assembly/dofs.h"

namespace strand {

Dofs::Dofs(const Network& network)
    : node_(network.nodes(), -1),
      edge_(network.edges(), -1),
      rotation_(network.mesh_edge().size(), -1) {
  int next = 0;
  const auto add_node = [&](int n) {
    if (node_[n] < 0) node_[n] = next, next += 3;
  };
  for (int r = 0; r < network.rods(); ++r) {
    const RodTopology& rod = network.rod(r);
    for (size_t k = 0; k < rod.node.size(); ++k) {
      add_node(rod.node[k]);
      if (k < rod.edge.size()) edge_[rod.edge[k]] = next++;
    }
  }
  for (int s = 0; s < network.shells(); ++s) {
    for (int n : network.shell(s).node) add_node(n);
  }
  for (int b = 0; b < network.bodies(); ++b) {
    for (int n : network.body(b).carrier) add_node(n);
    for (int n : network.body(b).point) add_node(n);
  }
  for (const ObstacleMesh& mesh : network.obstacle_mesh()) {
    for (int n : mesh.node) add_node(n);
  }
  for (int n : network.clamp_nodes()) add_node(n);
  for (int e : network.clamp_edges()) edge_[e] = next++;
  for (int e : network.ribs()) edge_[e] = next++;
  for (int s = 0; s < network.shells(); ++s) {
    if (!network.shell(s).mid_edge) continue;
    for (int e : network.shell(s).edge) rotation_[e] = next++;
  }
  unknown_.assign(next, 0);
  angle_.assign(next, false);
  for (int dof : edge_) angle_[dof] = true;
  for (int dof : rotation_) {
    if (dof >= 0) angle_[dof] = true;
  }
  const auto lock_node = [&](int n) {
    for (int c = 0; c < 3; ++c) Lock(node_[n] + c);
  };
  for (int n : network.clamp_nodes()) lock_node(n);
  for (const ObstacleMesh& mesh : network.obstacle_mesh()) {
    for (int n : mesh.node) lock_node(n);
  }
  for (int e : network.clamp_edges()) Lock(edge_[e]);
  for (size_t e = 0; e < rotation_.size(); ++e) {
    if (rotation_[e] >= 0 && network.mesh_edge()[e].clamped()) Lock(rotation_[e]);
  }
  Number();
}

void Dofs::Number() {
  dof_of_unknown_.clear();
  for (int dof = 0; dof < size(); ++dof) {
    if (locked(dof)) continue;
    unknown_[dof] = unknowns();
    dof_of_unknown_.push_back(dof);
  }
}

void AddToNodes(const Network& network, const Dofs& dofs, int edge, double amount,
                std::vector<double>* per_dof) {
  for (int node : network.edge()[edge].node) {
    for (int c = 0; c < 3; ++c) (*per_dof)[dofs.node(node) + c] += 0.5 * amount;
  }
}

}  // namespace strand
