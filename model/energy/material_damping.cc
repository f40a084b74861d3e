#include "model/energy/material_damping.h"

#include "model/stencil/hinge.h"
#include "model/stencil/natural_shape.h"

namespace strand {
namespace {

// A dissipation function is quadratic: the dissipated energy is twice its value.
Evaluation Dissipated(Evaluation potential) {
  potential.dissipated = 2 * potential.energy;
  return potential;
}

}  // namespace

RodDamping::RodDamping(const Network& network, const ElasticRest& elastic, const Dofs& dofs,
                       const std::vector<double>& beta)
    : elastic_(elastic), edge_beta_(beta), viscous_(network, elastic, dofs) {
  for (const Joint& joint : elastic.joint) {
    const auto [a, b] = joint.edge;
    const double of_a = network.edge()[a].length, of_b = network.edge()[b].length;
    joint_beta_.push_back((of_a * beta[a] + of_b * beta[b]) / (of_a + of_b));
  }
  viscous_.rest().isotropic_straight = false;
}

bool RodDamping::Prepare(const Motion& still, std::span<const double>, double) {
  ElasticRest& rest = viscous_.rest();
  for (int e = 0; e < rest.edges(); ++e) rest.rest_length[e] = still.at.length[e];
  for (int i = 0; i < rest.joints(); ++i) {
    const auto& [edge, sign, node] = rest.joint[i];
    const NaturalShape now =
        DrawnShape(Seen(still.at.frame(edge[0]), sign[0]), Seen(still.at.frame(edge[1]), sign[1]),
                   rest.options.measure);
    rest.SetNatural(i, {now.curvature, still.at.twist[i]});
    rest.natural_twist[i] = still.at.twist[i];
  }
  per_time_ = 0;
  return false;
}

// Lengths at the start of the step are the natural lengths here. EA is scaled by their ratio to the
// elastic rest lengths, so that EA / l_0 is beta per_time times that of the elastic energy.
void RodDamping::Scale(double per_time) {
  ElasticRest& rest = viscous_.rest();
  for (int e = 0; e < rest.edges(); ++e) {
    rest.axial_stiffness[e] = edge_beta_[e] * per_time * elastic_.axial_stiffness[e] *
                              rest.rest_length[e] / elastic_.rest_length[e];
  }
  for (int i = 0; i < rest.joints(); ++i) {
    const double factor = joint_beta_[i] * per_time;
    for (int j : {0, 1}) rest.bend_stiffness[j][i] = factor * elastic_.bend_stiffness[j][i];
    rest.SetTwistStiffness(i, factor * elastic_.given_twist_stiffness(i));
  }
  per_time_ = per_time;
}

Evaluation RodDamping::Evaluate(const Motion& motion, const Derivatives& out) {
  if (motion.per_time == 0) return {};
  if (motion.per_time != per_time_) Scale(motion.per_time);
  return Dissipated(viscous_.Evaluate(motion, out));
}

ShellDamping::ShellDamping(const Network& network, const ShellRest& elastic, const Dofs& dofs,
                           std::vector<double> beta)
    : elastic_(elastic),
      beta_(std::move(beta)),
      node_(dofs.nodes().begin(), dofs.nodes().end()),
      viscous_(network, elastic, dofs) {
  for (int e = 0; e < elastic.edges(); ++e) rotation_.push_back(dofs.rotation(e));
}

bool ShellDamping::Prepare(const Motion& still, std::span<const double>, double) {
  ShellRest& rest = viscous_.rest();
  for (int e = 0; e < rest.edges(); ++e) {
    const MeshEdge& edge = rest.edge[e];
    const auto at = [&](int node) { return still.at.position(node_[node]); };
    const Vector3 x0 = at(edge.node[0]), x1 = at(edge.node[1]);
    rest.rest_length[e] = (x1 - x0).norm();
    if (edge.folds()) {
      rest.natural_angle[e] = rest.near_angle[e] =
          Hinge(x0, x1, at(edge.wing[0]), at(edge.wing[1])).Angle();
    }
    if (rotation_[e] >= 0) rest.natural_rotation[e] = still.at.q[rotation_[e]];
  }
  per_time_ = 0;
  return false;
}

void ShellDamping::Scale(double per_time) {
  ShellRest& rest = viscous_.rest();
  const auto scale = [](double factor, const std::array<double, 6>& from, auto* to) {
    for (int k = 0; k < 6; ++k) (*to)[k] = factor * from[k];
  };
  for (int e = 0; e < rest.edges(); ++e) {
    const double factor = beta_[rest.shell_of_edge[e]] * per_time;
    rest.axial_stiffness[e] =
        factor * elastic_.axial_stiffness[e] * rest.rest_length[e] / elastic_.rest_length[e];
    rest.hinge_stiffness[e] = factor * elastic_.hinge_stiffness[e];
  }
  for (size_t t = 0; t < rest.triangle.size(); ++t) {
    const double factor = beta_[rest.shell_of_triangle[t]] * per_time;
    scale(factor, elastic_.membrane_stiffness[t], &rest.membrane_stiffness[t]);
    scale(factor, elastic_.facet_stiffness[t], &rest.facet_stiffness[t]);
  }
  per_time_ = per_time;
}

Evaluation ShellDamping::Evaluate(const Motion& motion, const Derivatives& out) {
  if (motion.per_time == 0) return {};
  if (motion.per_time != per_time_) Scale(motion.per_time);
  return Dissipated(viscous_.Evaluate(motion, out));
}

}  // namespace strand
