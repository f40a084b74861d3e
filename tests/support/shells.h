// Shells as forces and as systems, for tests.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "model/energy/shell_energy.h"
#include "model/integrator/system.h"
#include "tests/support/force_checks.h"
#include "tests/support/meshes.h"

namespace strand::testing {

/// As stiff in bending as in stretching, for edges of about 1 m, so that all derivatives are of
/// similar size.
inline constexpr ShellMaterial kThick{1, 0.3, 0.8, 1};

/// The elastic energy of the shells in a network, over all degrees of freedom, none of them locked.
class ShellProbe {
 public:
  /// Unless `symmetric`, the energy is declared unsymmetric so that it uses a general matrix.
  ShellProbe(const Network& network, const ShellMaterial& material, bool symmetric = true,
             const ShellLoops& loops = *AvailableShellLoops().back());

  const Network& network() const { return network_; }
  const Dofs& dofs() const { return dofs_; }
  ShellEnergy& energy() { return energy_; }
  ForceCase& force() { return force_; }

  /// Moves nodes by up to `move` (m) along each axis, rotations by up to `turn` (rad).
  Vector RandomMove(double move, double turn, std::uint64_t seed) const;
  /// The position of a node moved by `q` (m).
  Vector3 Place(int node, const Vector& q) const;

 private:
  Network network_;
  Dofs dofs_;
  ShellEnergy energy_;
  std::unique_ptr<Force> unsymmetric_;
  ForceCase force_;
};

/// A network of one shell; its whole rim is clamped on request.
Network ShellNetwork(const Mesh& mesh, bool mid_edge, bool clamped = false);

/// A network of shells of one material, and no rods.
std::unique_ptr<System> ShellSystem(const Network& network, const ShellMaterial& material);

/// Clamps the rim edges of the shell for which `held` is true at both ends.
void ClampRim(Network* network, int shell, const std::function<bool(const Vector3&)>& held);

/// Locks the nodes of shells for which `held` is true.
void LockNodes(System* system, const std::function<bool(const Vector3&)>& held);

}  // namespace strand::testing
