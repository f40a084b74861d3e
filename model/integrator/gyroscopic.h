// Gyroscopic forces of spinning edges on their nodes.
//
// An edge of unit direction t that spins at w with the moment of inertia I has the angular momentum
// I w t in addition to that of its nodes. Changing its direction takes the couple I w dt/dt, which
// acts as a pair of forces on its nodes:
//     F_1 = -F_0 = (I w / l) t x dt/dt
// They do no work. The spin itself, measured against parallel transport, is not affected: I dw/dt
// is the moment about t alone.
#pragma once

#include <span>

#include "model/assembly/dofs.h"
#include "model/geometry/network.h"

namespace strand {

/// Adds `scale` times these forces (N) at the positions q (m) and velocities (m/s, rad/s), per dof;
/// `mass` holds the edges' moments of inertia (kg m^2) at their angles.
void AddGyroscopicForces(const Network& network, const Dofs& dofs, std::span<const double> mass,
                         std::span<const double> q, std::span<const double> velocity, double scale,
                         std::span<double> force);

}  // namespace strand
