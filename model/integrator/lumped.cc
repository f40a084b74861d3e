#include "model/integrator/lumped.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {
namespace {

// Bending stiffness of a strip whose width equals its length (N m).
double StripStiffness(const ShellMaterial& of) { return of.young * std::pow(of.thickness, 3) / 12; }

}  // namespace

std::vector<double> LumpedMass(const Network& network, const Dofs& dofs,
                               const std::vector<EdgeMaterial>& material) {
  std::vector<double> mass(dofs.size(), 0.0);
  for (int e = 0; e < network.edges(); ++e) {
    const double length = network.edge()[e].length;
    for (double value : {material[e].mass_per_length, material[e].spin_inertia_per_length}) {
      if (!(value >= 0) || !std::isfinite(value)) {
        throw ConfigError("mass", std::to_string(value), "finite, >= 0 (kg/m, kg m)");
      }
    }
    AddToNodes(network, dofs, e, material[e].mass_per_length * length, &mass);
    mass[dofs.edge(e)] += material[e].spin_inertia_per_length * length;
  }
  return mass;
}

std::vector<double> MassDamping(const Network& network, const Dofs& dofs,
                                std::vector<EdgeMaterial> material) {
  for (EdgeMaterial& of : material) {
    of.mass_per_length *= of.damping.mass, of.spin_inertia_per_length *= of.damping.mass;
  }
  return LumpedMass(network, dofs, material);
}

std::vector<double> UnitStiffness(const Network& network, const Dofs& dofs,
                                  const std::vector<EdgeMaterial>& material) {
  std::vector<double> stiffness(dofs.size(), 0.0);
  for (int e = 0; e < network.edges(); ++e) {
    const Edge& edge = network.edge()[e];
    if (edge.length == 0) continue;
    const EdgeMaterial& of = material[e];
    const double EI = std::max(of.EI[0], of.EI[1]), l = edge.length;
    const double node = EI / (l * l * l) + 1e-6 * of.EA / l;
    for (int n : edge.node) {
      for (int c = 0; c < 3; ++c) stiffness[dofs.node(n) + c] += node;
    }
    stiffness[dofs.edge(e)] += (of.GJ + EI) / l;
  }
  return stiffness;
}

void AddShellStiffness(const ShellRest& rest, const Dofs& dofs, std::vector<double>* stiffness) {
  for (int e = 0; e < rest.edges(); ++e) {
    const ShellMaterial& of = rest.material[rest.shell_of_edge[e]];
    const double bending = StripStiffness(of), l = rest.rest_length[e];
    for (int n : rest.edge[e].node) {
      for (int c = 0; c < 3; ++c) {
        (*stiffness)[dofs.node(n) + c] += bending / (l * l) + 1e-6 * rest.axial_stiffness[e] / l;
      }
    }
    if (dofs.rotation(e) >= 0) (*stiffness)[dofs.rotation(e)] += bending;
  }
}

NodeStiffness StiffnessOfNodes(const Network& network, const ElasticRest& rods,
                               const ShellRest* shells) {
  NodeStiffness at{std::vector<double>(network.nodes()), std::vector<double>(network.nodes())};
  const auto raise = [](std::vector<double>* of, const auto& nodes, double stiffness) {
    for (int node : nodes) (*of)[node] = std::max((*of)[node], stiffness);
  };
  for (int e = 0; e < rods.edges(); ++e) {
    raise(&at.stretching, rods.edge_node[e], rods.axial_stiffness[e] / rods.rest_length[e]);
  }
  for (int i = 0; i < rods.joints(); ++i) {
    raise(&at.turning, rods.joint[i].node,
          std::max({rods.bend_stiffness[0][i], rods.bend_stiffness[1][i],
                    rods.given_twist_stiffness(i)}));
  }
  for (int e = 0; shells && e < shells->edges(); ++e) {
    const auto& nodes = shells->edge[e].node;
    raise(&at.stretching, nodes, shells->axial_stiffness[e] / shells->rest_length[e]);
    raise(&at.turning, nodes, StripStiffness(shells->material[shells->shell_of_edge[e]]));
  }
  return at;
}

}  // namespace strand
