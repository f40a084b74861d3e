#include "model/integrator/distorted.h"

#include <cmath>
#include <numbers>

#include "model/config/error.h"
#include "model/geometry/mesh.h"
#include "model/stencil/hinge.h"

namespace strand {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
constexpr double kSharp = 165;  // degrees: smallest fold that is described

}  // namespace

std::string CollapsedPart(const Network& network, const Dofs& dofs, const Configuration& at) {
  const auto x = [&](int node) { return at.position(dofs.node(node)); };
  for (int e = 0; e < network.edges(); ++e) {
    const auto& [first, last] = network.edge()[e].node;
    if ((x(last) - x(first)).norm() > 0) continue;
    return network.EdgeName(e) + " without a length: its nodes coincide";
  }
  for (const Triangle& triangle : network.triangle()) {
    const auto& [a, b, c] = triangle.node;
    if (HasArea(x(a), x(b), x(c))) continue;
    return "a triangle without an area: " + network.NodeName(a) + ", " + network.NodeName(b) +
           " and " + network.NodeName(c);
  }
  return "";
}

std::string CrushedPart(const Network& network, const Dofs& dofs, const Configuration& at) {
  constexpr double kCrushed = 0.05;
  double least = kCrushed;
  std::string part;
  for (int e = 0; e < network.edges(); ++e) {
    const auto& [node, length] = network.edge()[e];
    const Vector3 along = at.position(dofs.node(node[1])) - at.position(dofs.node(node[0]));
    if (!(along.norm() < least * length)) continue;
    least = along.norm() / length;
    part = network.EdgeName(e) + " crushed to " + Text(least) +
           " of its length: it is hit faster than waves travel in it; use a stiffer rod or a "
           "shorter dt";
  }
  return part;
}

std::string FoldedPart(const Network& network, const Dofs& dofs, const Configuration& at) {
  const auto x = [&](int node) { return at.position(dofs.node(node)); };
  double most = kSharp;
  std::string part;
  for (const Joint& joint : network.joint()) {
    const Vector3 a = x(joint.node[1]) - x(joint.node[0]), b = x(joint.node[2]) - x(joint.node[1]);
    const double fold = kDegrees * AngleBetween(a, b);
    if (!(fold > most)) continue;
    most = fold;
    part = network.NodeName(joint.node[1]) + ", is folded by " + std::to_string(std::lround(fold)) +
           " degrees; use shorter links there";
  }
  for (const MeshEdge& edge : network.mesh_edge()) {
    if (!edge.folds()) continue;
    const Hinge hinge(x(edge.node[0]), x(edge.node[1]), x(edge.wing[0]), x(edge.wing[1]));
    const double fold = kDegrees * std::abs(hinge.Angle());
    if (!(fold > most)) continue;
    most = fold;
    part = "the edge from " + network.NodeName(edge.node[0]) + ", to " +
           network.NodeName(edge.node[1]) + ", is folded by " + std::to_string(std::lround(fold)) +
           " degrees; without contact (add_contact) sheets fold through themselves";
  }
  return part;
}

}  // namespace strand
