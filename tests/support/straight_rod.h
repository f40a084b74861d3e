// Straight rods as systems, for tests with known solutions.
#pragma once

#include <memory>

#include "model/energy/loads.h"
#include "model/integrator/time_stepper.h"

namespace strand::testing {

/// Stiffnesses 1 N m^2 (GJ 0.7), nearly inextensible; 0.4 kg/m, 1e-3 kg m.
inline constexpr EdgeMaterial kPlainMaterial{1e5, {1, 1}, 0.7, 0.4, 1e-3};

void LockNode(System* system, int node, bool locked = true);

/// A straight rod of `length` (m) along x from the origin, m1 = z. `clamped`: none, its first or
/// both of its ends are fixed in position and direction.
std::unique_ptr<System> StraightRod(int edges, double length, const EdgeMaterial& of, int clamped);

Vector3 Position(const System& system, int node);

Vector3 Velocity(const System& system, int node);

void SetVelocity(System* system, int node, const Vector3& v);

/// Energy of a rod under its own weight and any added conservative forces.
double TotalEnergy(System* system);

TimeStepOptions Steps(Method method, double dt);

bool SameState(const State& a, const State& b);

}  // namespace strand::testing
