// Masses and typical stiffnesses of a network, per degree of freedom.
#pragma once

#include <vector>

#include "model/assembly/dofs.h"
#include "model/energy/elastic.h"
#include "model/energy/shell.h"
#include "model/geometry/network.h"

namespace strand {

/// Masses (kg, kg m^2) per dof: each edge adds half its mass to each of its nodes, and its spin
/// inertia to its angle. Throws ConfigError if a mass is not finite and >= 0.
std::vector<double> LumpedMass(const Network& network, const Dofs& dofs,
                               const std::vector<EdgeMaterial>& material);

/// Coefficients alpha m of the rods' mass damping, per dof (N s/m, N m s/rad).
std::vector<double> MassDamping(const Network& network, const Dofs& dofs,
                                std::vector<EdgeMaterial> material);

/// Stiffness (N/m, N m) per dof against moving it alone, when rods bend or twist: the weights of
/// the solver's shift.
std::vector<double> UnitStiffness(const Network& network, const Dofs& dofs,
                                  const std::vector<EdgeMaterial>& material);

/// Adds the same for shells, which bend over the length of a mesh edge.
void AddShellStiffness(const ShellRest& rest, const Dofs& dofs, std::vector<double>* stiffness);

/// What the elastic parts at each node resist with at most.
struct NodeStiffness {
  std::vector<double> stretching;  ///< N/m, of the stiffest edge
  std::vector<double> turning;     ///< N m, of the stiffest joint, in bending or twisting
};

/// `shells`: may be null.
NodeStiffness StiffnessOfNodes(const Network& network, const ElasticRest& rods,
                               const ShellRest* shells);

}  // namespace strand
