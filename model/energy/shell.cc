#include "model/energy/shell.h"

#include <cmath>
#include <numbers>
#include <string>

#include "model/assembly/dofs.h"
#include "model/config/error.h"
#include "model/stencil/membrane.h"
#include "model/stencil/mid_edge.h"

namespace strand {
namespace {

void Check(const char* field, double value, bool good, const char* allowed) {
  if (!good || !std::isfinite(value)) throw ConfigError(field, Text(value), allowed);
}

void CheckEdge(int index, int edges) {
  if (index >= 0 && index < edges) return;
  throw ConfigError("edge", std::to_string(index), "0 to " + std::to_string(edges - 1));
}

void CheckMaterial(const ShellMaterial& of) {
  Check("young", of.young, of.young >= 0, "finite, >= 0 (Pa)");
  Check("poisson", of.poisson, of.poisson > -1 && of.poisson <= 0.5, "> -1, <= 0.5");
  Check("thickness", of.thickness, of.thickness > 0, "finite, > 0 (m)");
  Check("density", of.density, of.density >= 0, "finite, >= 0 (kg/m^3)");
  CheckDamping(of.damping);
}

double DrawnAngle(const Network& network, const MeshEdge& edge) {
  const auto& x = network.node();
  return Hinge(x[edge.node[0]], x[edge.node[1]], x[edge.wing[0]], x[edge.wing[1]]).Angle();
}

double AxialStiffness(const ShellMaterial& of, bool mid_edge, double length) {
  const double calibration = mid_edge ? 2 / (1 - of.poisson * of.poisson) : std::numbers::sqrt3 / 2;
  return calibration * of.young * of.thickness * length;
}

std::array<double, 6> LowerTriangle(const Eigen::Matrix3d& m) {
  return {m(0, 0), m(1, 0), m(1, 1), m(2, 0), m(2, 1), m(2, 2)};
}

template <class Density>
void AddVolumes(const ShellRest& rest, const Dofs& dofs, const Density& density,
                std::vector<double>* mass) {
  for (size_t t = 0; t < rest.triangle.size(); ++t) {
    const int shell = rest.shell_of_triangle[t];
    const double third = density(shell) * rest.material[shell].thickness * rest.area[t] / 3;
    for (int node : rest.triangle[t].node) {
      for (int c = 0; c < 3; ++c) (*mass)[dofs.node(node) + c] += third;
    }
  }
}

}  // namespace

double HingeStiffness(const ShellMaterial& of, bool clamped) {
  const double calibration = 2 / std::numbers::sqrt3 * (clamped ? 2 : 1);
  return calibration * of.young * std::pow(of.thickness, 3) / 12;
}

double MidEdgeFactor(const ShellMaterial& of) {
  return of.young * std::pow(of.thickness, 3) / (24 * (1 - of.poisson * of.poisson));
}

ShellRest::ShellRest(const Network& network, std::span<const ShellMaterial> given)
    : material(given.begin(), given.end()),
      edge(network.mesh_edge()),
      shell_of_edge(edge.size()),
      axial_stiffness(edge.size()),
      rest_length(edge.size()),
      hinge_stiffness(edge.size()),
      natural_angle(edge.size()),
      near_angle(edge.size()),
      natural_rotation(edge.size()),
      triangle(network.triangle()),
      area(triangle.size()),
      shell_of_triangle(triangle.size()),
      membrane_stiffness(triangle.size()),
      facet_stiffness(triangle.size()),
      facet_weight(triangle.size()) {
  if (static_cast<int>(given.size()) != network.shells()) {
    throw ConfigError("shell material", std::to_string(given.size()),
                      "one per shell: " + std::to_string(network.shells()));
  }
  for (int s = 0; s < network.shells(); ++s) {
    CheckMaterial(material[s]);
    for (int e : network.shell(s).edge) AddEdge(network, s, e);
    for (int t : network.shell(s).triangle) AddTriangle(network, s, t);
  }
}

void ShellRest::AddEdge(const Network& network, int shell, int index) {
  const MeshEdge& of = edge[index];
  const bool mid_edge = network.shell(shell).mid_edge;
  shell_of_edge[index] = shell;
  rest_length[index] = (network.node()[of.node[1]] - network.node()[of.node[0]]).norm();
  axial_stiffness[index] = AxialStiffness(material[shell], mid_edge, rest_length[index]);
  if (!of.folds()) return;
  natural_angle[index] = near_angle[index] = DrawnAngle(network, of);
  hinge_stiffness[index] = mid_edge ? 0 : HingeStiffness(material[shell], of.clamped());
}

void ShellRest::AddTriangle(const Network& network, int shell, int index) {
  const Triangle& of = triangle[index];
  std::array<Vector3, 3> x;
  for (int k = 0; k < 3; ++k) x[k] = network.node()[of.node[k]];
  shell_of_triangle[index] = shell;
  area[index] = 0.5 * AreaVector(x[0], x[1], x[2]).norm();
  const ShellMaterial& made_of = material[shell];
  if (made_of.membrane == Membrane::kContinuum) {
    membrane_stiffness[index] =
        LowerTriangle(MembraneStiffness(x, made_of.young * made_of.thickness, made_of.poisson));
  }
  if (!network.shell(shell).mid_edge) return;
  facet_stiffness[index] =
      LowerTriangle(MidEdgeStiffness(x, MidEdgeFactor(made_of), made_of.poisson));
  for (int k = 0; k < 3; ++k) {
    const MeshEdge& across = edge[of.edge[k]];
    facet_weight[index][k] = across.clamped() ? 1 : across.folds() ? 0.5 : 0;
  }
}

void ShellRest::SetNaturalAngle(int index, double angle) {
  CheckEdge(index, edges());
  if (!edge[index].folds())
    throw ConfigError("edge", std::to_string(index), "an inner or clamped edge");
  const double most = std::numbers::pi;
  Check("natural_angle", angle, std::abs(angle) < most, "between -pi and pi (rad)");
  natural_angle[index] = angle;
}

void ShellRest::SetRestLength(int index, double length) {
  CheckEdge(index, edges());
  Check("rest_length", length, length > 0, "finite, > 0 (m)");
  rest_length[index] = length;
}

void ShellRest::DropMidEdgeBending() { facet_stiffness.assign(triangle.size(), {}); }

void AddShellMass(const ShellRest& rest, const Dofs& dofs, std::vector<double>* mass) {
  AddVolumes(rest, dofs, [&](int shell) { return rest.material[shell].density; }, mass);
}

void AddShellMass(const ShellRest& rest, const Dofs& dofs, double density,
                  std::vector<double>* mass) {
  AddVolumes(rest, dofs, [&](int) { return density; }, mass);
}

void AddMassDamping(const ShellRest& rest, const Dofs& dofs, std::vector<double>* drag) {
  const auto per_volume = [&](int shell) {
    return rest.material[shell].damping.mass * rest.material[shell].density;
  };
  AddVolumes(rest, dofs, per_volume, drag);
}

}  // namespace strand
