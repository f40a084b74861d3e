// Straight rods as systems, for tests with known solutions.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "model/energy/loads.h"
#include "model/geometry/curve.h"
#include "model/integrator/time_stepper.h"

namespace strand::testing {

/// Stiffnesses 1 N m^2 (GJ 0.7), nearly inextensible; 0.4 kg/m, 1e-3 kg m.
inline constexpr EdgeMaterial kPlainMaterial{1e5, {1, 1}, 0.7, 0.4, 1e-3};

inline void LockNode(System* system, int node, bool locked = true) {
  for (int c = 0; c < 3; ++c) system->Lock(system->dofs().node(node) + c, locked);
}

/// A straight rod of `length` (m) along x from the origin, m1 = z. `clamped`: none, its first or
/// both of its ends are fixed in position and direction.
inline std::unique_ptr<System> StraightRod(int edges, double length, const EdgeMaterial& of,
                                           int clamped) {
  Network network;
  network.AddRod(StraightNodes(length, edges), Vector3::UnitZ());
  for (int end = 0; end < clamped; ++end) network.Clamp(0, end);
  SystemParameters parameters;
  parameters.material.assign(network.edges(), of);
  auto system = std::make_unique<System>(network, parameters);
  for (int end = 0; end < clamped; ++end) LockNode(system.get(), end * edges);
  return system;
}

inline Vector3 Position(const System& system, int node) {
  return system.state().at.position(system.dofs().node(node));
}

inline Vector3 Velocity(const System& system, int node) {
  const double* v = &system.state().velocity[system.dofs().node(node)];
  return {v[0], v[1], v[2]};
}

inline void SetVelocity(System* system, int node, const Vector3& v) {
  for (int c = 0; c < 3; ++c) system->state().velocity[system->dofs().node(node) + c] = v[c];
}

/// Energy of a rod under its own weight and any added conservative forces.
inline double TotalEnergy(System* system) {
  return system->EvaluateState().energy.sum() + system->kinetic_energy();
}

inline TimeStepOptions Steps(Method method, double dt) {
  TimeStepOptions options;
  options.method = method, options.dt = dt;
  options.newton.tolerance = 1e-10;
  return options;
}

inline bool SameState(const State& a, const State& b) {
  return a.at.q == b.at.q && a.at.t == b.at.t && a.at.m1 == b.at.m1 && a.at.m2 == b.at.m2 &&
         a.at.length == b.at.length && a.at.twist == b.at.twist && a.velocity == b.velocity &&
         a.moved == b.moved && a.velocity_before == b.velocity_before &&
         a.dt_before == b.dt_before && a.time == b.time;
}

}  // namespace strand::testing
