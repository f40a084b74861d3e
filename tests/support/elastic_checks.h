// Checks that a network's gradient and Hessian are the derivatives of its energy.
#pragma once

#include <cstdint>

#include "tests/support/energy_probe.h"

namespace strand::testing {

/// A configuration away from rest: nodes moved by centimetres, edges spun by radians in several
/// moves.
Configuration Disturbed(const EnergyProbe& probe, std::uint64_t seed);

/// All moves start from one base configuration, so that second differences are those of a function.
/// `first_step` (m, rad): the longest, within which the energy is smooth.
void CheckDerivatives(EnergyProbe* probe, const Configuration& at, double first_step = 0.02);

}  // namespace strand::testing
