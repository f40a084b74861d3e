#include "tests/support/shells.h"

#include <vector>

#include "tests/support/random.h"

namespace strand::testing {
namespace {

// The same force, declared unsymmetric.
class Unsymmetric : public Force {
 public:
  explicit Unsymmetric(Force* force) : force_(*force) {}
  void Couple(const Dofs& dofs, Pattern* pattern) const override { force_.Couple(dofs, pattern); }
  void Bind(const Dofs& dofs, const LinearSystem& system) override { force_.Bind(dofs, system); }
  bool conservative() const override { return false; }
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override {
    return force_.Evaluate(motion, out);
  }

 private:
  Force& force_;
};

}  // namespace

ShellProbe::ShellProbe(const Network& network, const ShellMaterial& material, bool symmetric,
                       const ShellLoops& loops)
    : network_(network),
      dofs_(network_),
      energy_(network_, ShellRest(network_, std::vector(network.shells(), material)),
              Unlocked(&dofs_), loops),
      unsymmetric_(std::make_unique<Unsymmetric>(&energy_)),
      force_(network_, dofs_, symmetric ? static_cast<Force*>(&energy_) : unsymmetric_.get(), 0) {}

Vector ShellProbe::RandomMove(double move, double turn, std::uint64_t seed) const {
  Random random(seed);
  Vector q(dofs_.size());
  for (int dof = 0; dof < dofs_.size(); ++dof) {
    q[dof] = random.Uniform(-1, 1) * (dofs_.angle(dof) ? turn : move);
  }
  return q;
}

Vector3 ShellProbe::Place(int node, const Vector& q) const {
  return network_.node()[node] + q.segment<3>(dofs_.node(node));
}

Network ShellNetwork(const Mesh& mesh, bool mid_edge, bool clamped) {
  Network network;
  AddShell(&network, mesh, mid_edge);
  std::vector<int> rim;
  for (size_t e = 0; e < network.mesh_edge().size(); ++e) {
    if (!network.mesh_edge()[e].folds()) rim.push_back(static_cast<int>(e));
  }
  if (clamped) network.ClampShell(0, rim);
  return network;
}

std::unique_ptr<System> ShellSystem(const Network& network, const ShellMaterial& material) {
  SystemParameters parameters;
  parameters.shell.assign(network.shells(), material);
  return std::make_unique<System>(network, parameters);
}

void ClampRim(Network* network, int shell, const std::function<bool(const Vector3&)>& held) {
  const std::vector<int>& edges = network->shell(shell).edge;
  std::vector<int> rim;
  for (size_t k = 0; k < edges.size(); ++k) {
    const MeshEdge& edge = network->mesh_edge()[edges[k]];
    const auto& x = network->node();
    const bool at_both = held(x[edge.node[0]]) && held(x[edge.node[1]]);
    if (!edge.folds() && at_both) rim.push_back(static_cast<int>(k));
  }
  network->ClampShell(shell, rim);
}

void LockNodes(System* system, const std::function<bool(const Vector3&)>& held) {
  const Network& network = system->network();
  for (int s = 0; s < network.shells(); ++s) {
    for (int n : network.shell(s).node) {
      for (int c = 0; c < 3 && held(network.node()[n]); ++c) {
        system->Lock(system->dofs().node(n) + c);
      }
    }
  }
}

}  // namespace strand::testing
