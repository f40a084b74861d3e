#include "model/energy/loads.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/config/error.h"

namespace strand {

Gravity::Gravity(const Dofs& dofs, std::vector<double> weight_mass, const Vector3& g)
    : node_(dofs.nodes().begin(), dofs.nodes().end()),
      mass_(std::move(weight_mass)),
      share_(mass_.size(), -1.0),
      g_(g) {
  if (static_cast<int>(mass_.size()) != dofs.size()) {
    throw ConfigError("weight_mass", std::to_string(mass_.size()) + " numbers",
                      "one per degree of freedom: " + std::to_string(dofs.size()));
  }
  for (int node : node_) share_[node] = 1;
  if (!g.allFinite()) throw ConfigError("gravity", "not a finite vector", "finite (m/s^2)");
}

void Gravity::CheckNode(int node) const {
  if (node < 0 || node >= static_cast<int>(share_.size()) || share_[node] < 0) {
    throw ConfigError("node", std::to_string(node), "the degree of freedom of a node's x");
  }
}

void Gravity::AddMass(int node, double mass) {
  CheckNode(node);
  for (int c = 0; c < 3; ++c) mass_[node + c] += mass;
}

void Gravity::SetShare(int node, double share) {
  CheckNode(node);
  if (!(share >= 0 && share <= 1)) throw ConfigError("share", std::to_string(share), "0 to 1");
  share_[node] = share;
}

Evaluation Gravity::Evaluate(const Motion& motion, const Derivatives& out) {
  if (g_.isZero(0)) return {};
  double energy = 0, largest = 0;
  for (int node : node_) {
    for (int c = 0; c < 3; ++c) {
      const double force = share_[node] * mass_[node + c] * g_[c];
      energy -= force * motion.at.q[node + c];
      largest = std::max(largest, std::abs(force));
      if (out.gradient) out.gradient[node + c] -= force;
    }
  }
  return {energy, largest, 0};
}

void ViscousDrag::Bind(const Dofs& dofs, const LinearSystem& system) {
  diagonal_.assign(dofs.size(), -1);
  for (int dof = 0; dof < dofs.size(); ++dof) {
    if (!dofs.locked(dof)) diagonal_[dof] = system.Offset(dofs.unknown(dof), dofs.unknown(dof));
  }
}

Evaluation ViscousDrag::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t dof = 0; dof < coefficient_.size(); ++dof) {
    const double v = motion.velocity(dof), drag = coefficient_[dof] * v;
    if (motion.rate > 0) result.energy += 0.5 * drag * v / motion.rate;
    result.dissipated += drag * (motion.at.q[dof] - motion.start.q[dof]);
    result.force = std::max(result.force, std::abs(drag));
    if (out.gradient) out.gradient[dof] += drag;
    if (out.values && diagonal_[dof] >= 0) {
      out.values[diagonal_[dof]] += coefficient_[dof] * motion.rate;
    }
  }
  return result;
}

NodalLoad::NodalLoad(const Dofs& dofs) : value_(dofs.size(), 0.0), angle_(dofs.size()) {
  for (int dof = 0; dof < dofs.size(); ++dof) angle_[dof] = dofs.angle(dof);
}

Evaluation NodalLoad::Evaluate(const Motion& motion, const Derivatives& out) {
  double energy = 0, force = 0, moment = 0;
  for (size_t dof = 0; dof < value_.size(); ++dof) {
    const double value = value_[dof];
    energy -= value * motion.at.q[dof];
    if (angle_[dof]) {
      moment = std::max(moment, std::abs(value));
    } else {
      force = std::max(force, std::abs(value));
    }
    if (out.gradient) out.gradient[dof] -= value;
  }
  return {energy, force, moment};
}

std::vector<double> LineDrag(const Network& network, const Dofs& dofs, double eta) {
  if (!(eta >= 0) || !std::isfinite(eta)) {
    throw ConfigError("viscosity", std::to_string(eta), "finite, >= 0 (Pa s)");
  }
  std::vector<double> drag(dofs.size(), 0.0);
  std::vector<bool> of_rod(network.edges(), true);
  for (int rib : network.ribs()) of_rod[rib] = false;
  for (int e = 0; e < network.edges(); ++e) {
    if (of_rod[e]) AddToNodes(network, dofs, e, eta * network.edge()[e].length, &drag);
  }
  return drag;
}

std::vector<double> BuoyantMass(const Network& network, const Dofs& dofs,
                                const std::vector<double>& mass, std::span<const double> area,
                                double medium_density) {
  if (!(medium_density >= 0) || !std::isfinite(medium_density)) {
    throw ConfigError("medium_density", std::to_string(medium_density), "finite, >= 0 (kg/m^3)");
  }
  std::vector<double> weighing = mass;
  for (int e = 0; e < network.edges(); ++e) {
    AddToNodes(network, dofs, e, -medium_density * area[e] * network.edge()[e].length, &weighing);
  }
  return weighing;
}

}  // namespace strand
