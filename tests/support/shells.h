// Shells as forces and as systems, for tests.
#pragma once

#include <memory>
#include <vector>

#include "model/energy/shell_energy.h"
#include "model/integrator/system.h"
#include "tests/support/force_checks.h"
#include "tests/support/meshes.h"

namespace strand::testing {

/// As stiff in bending as in stretching, for edges of about 1 m, so that all derivatives are of
/// similar size.
inline constexpr ShellMaterial kThick{1, 0.3, 0.8, 1};

/// The same force, declared unsymmetric so that it uses a general matrix.
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

/// The elastic energy of the shells in a network, over all degrees of freedom, none of them locked.
class ShellProbe {
 public:
  ShellProbe(const Network& network, const ShellMaterial& material, bool symmetric = true,
             const ShellLoops& loops = *AvailableShellLoops().back())
      : network_(network),
        dofs_(network_),
        energy_(network_, ShellRest(network_, std::vector(network.shells(), material)),
                Unlocked(&dofs_), loops),
        unsymmetric_(&energy_),
        force_(network_, dofs_, symmetric ? static_cast<Force*>(&energy_) : &unsymmetric_, 0) {}

  const Network& network() const { return network_; }
  const Dofs& dofs() const { return dofs_; }
  ShellEnergy& energy() { return energy_; }
  ForceCase& force() { return force_; }

  /// Moves nodes by up to `move` (m) along each axis, rotations by up to `turn` (rad).
  Vector RandomMove(double move, double turn, std::uint64_t seed) const {
    Random random(seed);
    Vector q(dofs_.size());
    for (int dof = 0; dof < dofs_.size(); ++dof) {
      q[dof] = random.Uniform(-1, 1) * (dofs_.angle(dof) ? turn : move);
    }
    return q;
  }
  /// The position of a node moved by `q` (m).
  Vector3 Place(int node, const Vector& q) const {
    return network_.node()[node] + q.segment<3>(dofs_.node(node));
  }

 private:
  Network network_;
  Dofs dofs_;
  ShellEnergy energy_;
  Unsymmetric unsymmetric_;
  ForceCase force_;
};

/// A network of one shell; its whole rim is clamped on request.
inline Network ShellNetwork(const Mesh& mesh, bool mid_edge, bool clamped = false) {
  Network network;
  AddShell(&network, mesh, mid_edge);
  std::vector<int> rim;
  for (size_t e = 0; e < network.mesh_edge().size(); ++e) {
    if (!network.mesh_edge()[e].folds()) rim.push_back(static_cast<int>(e));
  }
  if (clamped) network.ClampShell(0, rim);
  return network;
}

/// A network of shells of one material, and no rods.
inline std::unique_ptr<System> ShellSystem(const Network& network, const ShellMaterial& material) {
  SystemParameters parameters;
  parameters.shell.assign(network.shells(), material);
  return std::make_unique<System>(network, parameters);
}

/// Clamps the rim edges of the shell for which `held` is true at both ends.
template <class Held>
void ClampRim(Network* network, int shell, const Held& held) {
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

/// Locks the nodes of shells for which `held` is true.
template <class Held>
void LockNodes(System* system, const Held& held) {
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
