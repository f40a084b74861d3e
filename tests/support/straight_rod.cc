#include "tests/support/straight_rod.h"

#include "model/geometry/curve.h"

namespace strand::testing {

void LockNode(System* system, int node, bool locked) {
  for (int c = 0; c < 3; ++c) system->Lock(system->dofs().node(node) + c, locked);
}

std::unique_ptr<System> StraightRod(int edges, double length, const EdgeMaterial& of, int clamped) {
  Network network;
  network.AddRod(StraightNodes(length, edges), Vector3::UnitZ());
  for (int end = 0; end < clamped; ++end) network.Clamp(0, end);
  SystemParameters parameters;
  parameters.material.assign(network.edges(), of);
  auto system = std::make_unique<System>(network, parameters);
  for (int end = 0; end < clamped; ++end) LockNode(system.get(), end * edges);
  return system;
}

Vector3 Position(const System& system, int node) {
  return system.state().at.position(system.dofs().node(node));
}

Vector3 Velocity(const System& system, int node) {
  const double* v = &system.state().velocity[system.dofs().node(node)];
  return {v[0], v[1], v[2]};
}

void SetVelocity(System* system, int node, const Vector3& v) {
  for (int c = 0; c < 3; ++c) system->state().velocity[system->dofs().node(node) + c] = v[c];
}

double TotalEnergy(System* system) {
  return system->EvaluateState().energy.sum() + system->kinetic_energy();
}

TimeStepOptions Steps(Method method, double dt) {
  TimeStepOptions options;
  options.method = method, options.dt = dt;
  options.newton.tolerance = 1e-10;
  return options;
}

bool SameState(const State& a, const State& b) {
  return a.at.q == b.at.q && a.at.t == b.at.t && a.at.m1 == b.at.m1 && a.at.m2 == b.at.m2 &&
         a.at.length == b.at.length && a.at.twist == b.at.twist && a.velocity == b.velocity &&
         a.moved == b.moved && a.velocity_before == b.velocity_before &&
         a.dt_before == b.dt_before && a.time == b.time;
}

}  // namespace strand::testing
