#include "model/energy/slip_energy.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "model/assembly/block.h"
#include "model/config/error.h"
#include "model/stencil/edge.h"

namespace strand {
namespace {

RodSlip LawOf(const ElasticRest& elastic, const std::vector<int>& joints,
              std::span<const JointSlip> slips, const Hardening& hardening) {
  if (slips.size() != joints.size()) {
    throw ConfigError("slips", std::to_string(slips.size()),
                      "one per joint: " + std::to_string(joints.size()));
  }
  std::vector<RodStiffness> stiffness;
  std::vector<double> span;
  for (int i : joints) {
    if (i < 0 || i >= elastic.joints()) {
      throw ConfigError("joint", std::to_string(i), "0 to " + std::to_string(elastic.joints() - 1));
    }
    const double l = elastic.voronoi_length[i];
    stiffness.push_back({{l * elastic.bend_stiffness[0][i], l * elastic.bend_stiffness[1][i]},
                         elastic.given_twist_stiffness(i) * l});
    span.push_back(l);
  }
  return RodSlip(slips, stiffness, span, hardening);
}

}  // namespace

// Sums over the elements of a joint, in units of its stiffness.
template <int D>
struct SlipResponse {
  std::array<double, D> set{};
  double stored = 0, work = 0;
  Eigen::Matrix<double, D, D> slope = Eigen::Matrix<double, D, D>::Zero();

  void Add(const std::array<double, D>& x, const SlipElement& element, const Hardening& hardening,
           const SlipHistory<double, D>& from, const SlipHistory<double, D>& to) {
    for (int j = 0; j < D; ++j) set[j] += element.share * to.slipped[j];
    stored += LockedEnergy<double, D>(element.share, hardening, to);
    work += element.share * SlipWork<D>(element.threshold, hardening, from, to);
    slope += element.share * SlipSlope<D>(x, element.threshold, hardening, from);
  }
};

template <int D>
static SlipResponse<D> Respond(const RodSlip& law, const SlipElements<D>& elements, int k,
                               const std::array<double, D>& x, std::span<const double> history) {
  SlipResponse<D> response;
  law.Move<double, D>(elements, x, history, {}, OneJoint{k},
                      [&](double share, double threshold, const auto& from, const auto& to) {
                        response.Add(x, {share, threshold}, law.hardening(), from, to);
                      });
  return response;
}

/// A joint at a configuration: its strains and the response of its elements.
struct SlipEnergy::JointTerms {
  JointTerms(const ElasticRest& rest, int i, const Configuration& at)
      : a(Seen(at.frame(rest.joint[i].edge[0]), rest.joint[i].sign[0])),
        b(Seen(at.frame(rest.joint[i].edge[1]), rest.joint[i].sign[1])),
        geometry(a.col(0), b.col(0)),
        measure(EvaluateMeasure(rest.options.measure, geometry)),
        stiffness{rest.bend_stiffness[0][i], rest.bend_stiffness[1][i]},
        twist_stiffness(rest.twist_stiffness[i]),
        twist(at.twist[i] - rest.natural_twist[i]) {
    const Vector3 binormal = measure.g * geometry.axis;
    w[0] = MaterialCurvature(binormal, a), w[1] = MaterialCurvature(binormal, b);
    for (int j = 0; j < 2; ++j) {
      bend[j] = 0.5 * (w[0][j] - rest.natural[j][i] + w[1][j] - rest.natural[2 + j][i]);
    }
  }

  // Of the elements: about z, they are scaled.
  std::array<double, 2> Strains(double ratio) const { return {bend[0], ratio * bend[1]}; }

  Frame a, b;
  JointGeometry geometry;
  MeasureValue measure;
  std::array<double, 2> stiffness;
  double twist_stiffness;
  std::array<double, 2> w[2];  ///< material curvatures of both sides
  std::array<double, 2> bend;  ///< mean of what they exceed the natural ones by
  double twist;                ///< the same of the twist
  SlipResponse<2> by_bend;
  SlipResponse<1> by_twist;
};

SlipEnergy::SlipEnergy(const Network& network, const Dofs& dofs, const ElasticRest& elastic,
                       const std::vector<int>& joints, std::span<const JointSlip> slips,
                       const Hardening& hardening)
    : elastic_(elastic), joint_(joints), law_(LawOf(elastic, joints, slips, hardening)) {
  if (elastic.options.order > 2 || elastic.options.average != BendAverage::kEnergies) {
    throw ConfigError("curvature", elastic.options.order > 2 ? "smooth" : "averaged curvatures",
                      "angle or tangent of averaged energies, since joints slip");
  }
  history_.assign(law_.history_size(), 0.0);
  for (int i : joints) {
    const Joint& joint = network.joint()[i];
    std::array<int, kSize> all;
    for (int n = 0; n < 3; ++n) {
      for (int c = 0; c < 3; ++c) all[4 * n + c] = dofs.node(joint.node[n]) + c;
    }
    all[3] = dofs.edge(joint.edge[0]), all[7] = dofs.edge(joint.edge[1]);
    dofs_.push_back(all);
  }
}

void SlipEnergy::Couple(const Dofs& dofs, Pattern* pattern) const {
  for (const auto& group : dofs_) CoupleBlock(dofs, group, pattern);
}

void SlipEnergy::Bind(const Dofs& dofs, const LinearSystem& system) {
  entry_.resize(dofs_.size());
  for (size_t k = 0; k < dofs_.size(); ++k) BlockOffsets(dofs, system, dofs_[k], entry_[k]);
}

SlipEnergy::JointTerms SlipEnergy::Terms(int k, const Configuration& at) const {
  JointTerms terms(elastic_, joint_[k], at);
  terms.by_bend = Respond<2>(law_, law_.bend(), k, terms.Strains(law_.ratio(k)), history_);
  if (elastic_.options.twist) {
    terms.by_twist = Respond<1>(law_, law_.twist(), k, {terms.twist}, history_);
  }
  return terms;
}

Evaluation SlipEnergy::Evaluate(const Motion& motion, const Derivatives& out) {
  Evaluation result;
  for (size_t k = 0; k < joint_.size(); ++k) {
    const JointTerms terms = Terms(static_cast<int>(k), motion.at);
    const auto& [bend, twist] = std::tie(terms.by_bend, terms.by_twist);
    const double B = terms.stiffness[0], C = terms.twist_stiffness;
    const double across = terms.Strains(law_.ratio(static_cast<int>(k)))[1];
    const double work = B * bend.work + C * twist.work;
    result.energy += B * (bend.stored - bend.set[0] * terms.bend[0] - bend.set[1] * across) +
                     C * (twist.stored - twist.set[0] * terms.twist) + work;
    result.dissipated += work;
    if (out.gradient) AddDerivatives(static_cast<int>(k), motion.at, terms, out, &result);
  }
  return result;
}

void SlipEnergy::AddDerivatives(int k, const Configuration& at, const JointTerms& terms,
                                const Derivatives& out, Evaluation* result) const {
  const double B = terms.stiffness[0], C = terms.twist_stiffness;
  const double scale[2] = {1, law_.ratio(k)};
  const JointGeometry& geometry = terms.geometry;
  // Slopes of the mean curvatures, and the forces along the directors as in BendMaterial.
  JointGradient slope[2];
  Vector3 force[2] = {Vector3::Zero(), Vector3::Zero()}, turned[2] = {force[0], force[1]};
  double moment[2];
  for (int j = 0; j < 2; ++j) {
    slope[j].setZero();
    moment[j] = -B * scale[j] * terms.by_bend.set[j];
    for (int s = 0; s < 2; ++s) {
      const Frame& frame = s ? terms.b : terms.a;
      internal::AddCurvatureGradient<double>(geometry, terms.measure, 0.5 * frame.col(1 + j),
                                             &slope[j]);
      slope[j][s ? kAngleB : kAngleA] += 0.5 * (j == 0 ? terms.w[s][1] : -terms.w[s][0]);
      force[s] += 0.5 * moment[j] * frame.col(1 + j);
      turned[s] += 0.5 * moment[j] * (j == 0 ? 1 : -1) * frame.col(2 - j);
    }
  }
  JointGradient twist_slope;
  const Vector3 half_binormal = TwistSlope(geometry);
  twist_slope << half_binormal, -1, half_binormal, 1;
  const double torque = -C * terms.by_twist.set[0];
  JointGradient gradient = moment[0] * slope[0] + moment[1] * slope[1] + torque * twist_slope;
  JointHessian hessian;
  if (out.values) {
    hessian.SetZero();
    internal::AddBendCurvature<double>(geometry, terms.measure, force, turned, &hessian);
    AddTwistCurvature(geometry, torque, &hessian);
    const Eigen::Matrix2d& by_x = terms.by_bend.slope;
    const double yy = -B * by_x(0, 0), zz = -B * scale[1] * scale[1] * by_x(1, 1);
    const double yz = -B * scale[1] * by_x(0, 1);
    hessian.AddOuter(yy - yz, slope[0]);
    hessian.AddOuter(zz - yz, slope[1]);
    hessian.AddOuter(yz, slope[0] + slope[1]);
    hessian.AddOuter(-C * terms.by_twist.slope(0, 0), twist_slope);
  }
  const Joint& joint = elastic_.joint[joint_[k]];
  const double per_length[2] = {1 / at.length[joint.edge[0]], 1 / at.length[joint.edge[1]]};
  DirectionsToEdges<double>(geometry, per_length, &gradient, out.values ? &hessian : nullptr);
  NodeGradient by_node;
  EdgesToNodes<double>(gradient, &by_node);
  by_node[3] *= joint.sign[0], by_node[7] *= joint.sign[1];
  for (int n = 0; n < kSize; ++n) {
    out.gradient[dofs_[k][n]] += by_node[n];
    double& largest = n == 3 || n == 7 ? result->moment : result->force;
    largest = std::max(largest, std::abs(by_node[n]));
  }
  if (!out.values) return;
  NodeHessian full;
  EdgesToNodes<double>(hessian, &full);
  full.triangularView<Eigen::StrictlyUpper>() = full.transpose();
  full.row(3) *= joint.sign[0], full.col(3) *= joint.sign[0];
  full.row(7) *= joint.sign[1], full.col(7) *= joint.sign[1];
  for (int n = 0; n < kSize * kSize; ++n) out.values[entry_[k][n]] += full.data()[n];
}

void SlipEnergy::Accept(const Motion& motion) {
  const auto ignored = [](double, double, const auto&, const auto&) {};
  for (size_t i = 0; i < joint_.size(); ++i) {
    const int k = static_cast<int>(i);
    const JointTerms terms(elastic_, joint_[i], motion.at);
    // Every element reads its own history alone, before it is written.
    law_.Move<double, 2>(law_.bend(), terms.Strains(law_.ratio(k)), history_, history_, OneJoint{k},
                         ignored);
    if (!elastic_.options.twist) continue;
    law_.Move<double, 1>(law_.twist(), {terms.twist}, history_, history_, OneJoint{k}, ignored);
  }
}

void SlipEnergy::Save(std::vector<double>* memory) const {
  memory->insert(memory->end(), history_.begin(), history_.end());
}

void SlipEnergy::Load(std::span<const double>* memory) {
  const std::span<const double> saved = TakeMemory(memory, history_.size());
  history_.assign(saved.begin(), saved.end());
}

std::vector<std::array<double, 3>> SlipEnergy::Set() const {
  std::vector<std::array<double, 3>> all;
  for (size_t i = 0; i < joint_.size(); ++i) {
    const int k = static_cast<int>(i);
    const double span = elastic_.voronoi_length[joint_[i]];
    const std::array<double, 2> bend = law_.BendSet(history_, k);
    all.push_back({bend[0] / span, bend[1] / span, law_.TwistSet(history_, k) / span});
  }
  return all;
}

}  // namespace strand
