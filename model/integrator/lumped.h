// What a network weighs and resists by, per degree of freedom.
#pragma once

#include <vector>

#include "model/assembly/dofs.h"
#include "model/energy/elastic.h"
#include "model/energy/shell.h"
#include "model/geometry/network.h"

namespace strand {

/// Masses (kg, kg m^2) per dof: half an edge to each of its nodes, the spin inertia to its angle.
/// Throws ConfigError on a material whose mass is not finite and >= 0.
std::vector<double> LumpedMass(const Network& network, const Dofs& dofs,
                               const std::vector<EdgeMaterial>& material);

/// alpha m per dof (N s/m, N m s/rad) of the rods' mass damping.
std::vector<double> MassDamping(const Network& network, const Dofs& dofs,
                                std::vector<EdgeMaterial> material);

/// What resists a single degree of freedom (N/m, N m) when a rod bends or twists: the unit of the
/// solver's shift.
std::vector<double> UnitStiffness(const Network& network, const Dofs& dofs,
                                  const std::vector<EdgeMaterial>& material);

/// Adds the same of a shell, which bends over the length of a mesh edge.
void AddShellStiffness(const ShellRest& rest, const Dofs& dofs, std::vector<double>* stiffness);

}  // namespace strand
