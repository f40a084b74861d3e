// Assembles a system: rods, shells, bodies, their damping, ties and masses.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "model/compat/frozen_mid_edge.h"
#include "model/config/error.h"
#include "model/energy/body_directors.h"
#include "model/energy/loads.h"
#include "model/energy/material_damping.h"
#include "model/energy/shell_seam.h"
#include "model/energy/wide_energy.h"
#include "model/integrator/lumped.h"
#include "model/integrator/system.h"

namespace strand {
namespace {

constexpr double kSoftPart = 1e-6;  // fraction of a tie's stiffness in the weights of the shift
constexpr double kTied = 100;       // stiffness of the user's ties, relative to the edges there
constexpr double kHeld = 1000;      // stiffness of bodies, relative to what is attached to them

// What is attached to a body resists with at most.
struct Held {
  double turning = 0;     // N m, against a rotation of the body
  double stretching = 0;  // N/m
  double reach;           // m, from the body's centre
};

Held HeldBy(const BodyTopology& body, const Network& network, const NodeStiffness& at) {
  Held held{.reach = body.spread.maxCoeff()};
  for (const Tie& tied : body.tie) {
    const double axial = at.stretching[tied.node], turning = at.turning[tied.node];
    if (axial == 0 && turning == 0) continue;
    const double arm = (network.node()[tied.node] - body.centre).norm();
    held.reach = std::max(held.reach, arm);
    held.stretching = std::max(held.stretching, axial);
    held.turning = std::max({held.turning, turning, axial * arm * arm});
  }
  return held;
}

}  // namespace

System::System(const Network& network, const SystemParameters& parameters)
    : network_(network),
      dofs_(network),
      forces_(std::make_unique<ElasticEnergy>(
          network_, ElasticRest(network_, parameters.material, parameters.elastic), dofs_)) {
  mass_ = LumpedMass(network_, dofs_, parameters.material);
  stiffness_ = UnitStiffness(network_, dofs_, parameters.material);
  shortest_edge_ = std::numeric_limits<double>::infinity();
  for (const Edge& edge : network_.edge()) {
    if (edge.length > 0) shortest_edge_ = std::min(shortest_edge_, edge.length);
  }
  if (const int order = parameters.elastic.order; order > 2) {
    Add(std::make_unique<WideEnergy>(network_, dofs_, order, &elastic().rest()));
  }
  AddShells(parameters);
  AddBodies(parameters.body, parameters.elastic.twist);
  AddDamping(parameters);
  state_.at = elastic().Drawn(network_, dofs_);
  fold_stops_ = Add(std::make_unique<FoldStops>(elastic().rest(), dofs_, state_.at, mass_));
  for (auto* array : {&state_.velocity, &state_.moved, &state_.velocity_before}) {
    array->assign(dofs_.size(), 0.0);
  }
  driven_ = state_.at.q;
}

void System::AddShells(const SystemParameters& parameters) {
  ShellRest rest(network_, parameters.shell);
  if (network_.shells() == 0) return;
  AddShellMass(rest, dofs_, &mass_);
  AddShellStiffness(rest, dofs_, &stiffness_);
  for (double length : rest.rest_length) shortest_edge_ = std::min(shortest_edge_, length);
  if (parameters.frozen_mid_edge) {
    Add(std::make_unique<FrozenMidEdge>(network_, rest, dofs_));
    rest.DropMidEdgeBending();
  }
  auto seams = std::make_unique<ShellSeams>(network_, rest, dofs_);
  if (seams->pairs() > 0) Add(std::move(seams));
  shells_ = Add(std::make_unique<ShellEnergy>(network_, std::move(rest), dofs_));
}

void System::AddBodies(const std::vector<BodyMaterial>& material, bool twist) {
  if (static_cast<int>(material.size()) != network_.bodies()) {
    throw ConfigError("body material", std::to_string(material.size()),
                      std::to_string(network_.bodies()) + ", one per body");
  }
  if (material.empty()) return;
  const NodeStiffness at =
      StiffnessOfNodes(network_, elastic().rest(), shells_ ? &shells_->rest() : nullptr);
  std::vector<double> rigidity, tie;
  const auto add = [&](int node, double mass, double stiffness) {
    for (int c = 0; c < 3; ++c) {
      mass_[dofs_.node(node) + c] += mass;
      stiffness_[dofs_.node(node) + c] += kSoftPart * stiffness;
    }
  };
  for (int b = 0; b < network_.bodies(); ++b) {
    const BodyTopology& body = network_.body(b);
    const Held held = HeldBy(body, network_, at);
    rigidity.push_back(Rigidity(material[b], body, kHeld * held.turning));
    tie.push_back(std::max(rigidity.back() / (held.reach * held.reach), kHeld * held.stretching));
    for (int node : body.carrier) add(node, material[b].mass / 4, tie.back());
    for (int node : body.point) add(node, 0, tie.back());
    for (const auto& tied : body.tie) {
      if (stiffness_[dofs_.node(tied.node)] == 0) add(tied.node, 0, tie.back());
    }
    for (const TiedEdge& tied : body.edge) {
      stiffness_[dofs_.edge(tied.edge)] += kSoftPart * rigidity.back();
    }
    shortest_edge_ = std::min(shortest_edge_, 2 * body.spread.minCoeff());
  }
  Add(std::make_unique<AffineBodies>(network_, dofs_, rigidity));
  Add(std::make_unique<Ties>(BodyTies(network_, dofs_, tie)));
  if (twist) Add(std::make_unique<BodyDirectors>(network_, dofs_, rigidity));
}

void System::AddDamping(const SystemParameters& parameters) {
  std::vector<double> beta, of_shell;
  for (const EdgeMaterial& of : parameters.material) beta.push_back(of.damping.material);
  for (const ShellMaterial& of : parameters.shell) of_shell.push_back(of.damping.material);
  const auto any = [](const std::vector<double>& all) {
    return std::ranges::any_of(all, [](double value) { return value > 0; });
  };
  if (any(beta)) Add(std::make_unique<RodDamping>(network_, elastic().rest(), dofs_, beta));
  if (any(of_shell)) {
    Add(std::make_unique<ShellDamping>(network_, shells_->rest(), dofs_, of_shell));
  }
  std::vector<double> drag = MassDamping(network_, dofs_, parameters.material);
  if (shells_) AddMassDamping(shells_->rest(), dofs_, &drag);
  if (any(drag)) Add(std::make_unique<ViscousDrag>(std::move(drag)));
}

// Axial stiffness (N/m) of the stiffest edge at a node, or of the stiffest edge of all if the node
// has none.
double System::AxialStiffness(int node) {
  const NodeStiffness at =
      StiffnessOfNodes(network_, elastic().rest(), shells_ ? &shells_->rest() : nullptr);
  const double anywhere = std::ranges::max(at.stretching);
  return at.stretching[node] > 0 ? at.stretching[node] : anywhere > 0 ? anywhere : 1;
}

void System::SetJointStiffness(int joint, const std::array<double, 2>& EI, double GJ) {
  elastic().rest().SetJointStiffness(joint, EI, GJ);
  fold_stops_->Release(joint);
}

Ties* System::AddTie(LinearTie tie, int node) {
  tie.stiffness = kTied * AxialStiffness(node);
  AddToStiffness(tie, kSoftPart);
  ForgetLastStep();
  return Add(std::make_unique<Ties>(std::vector{std::move(tie)}));
}

Ties* System::Extend(int node, int end, int inner) {
  const std::array<int, 3> x{dofs_.node(node), dofs_.node(end), dofs_.node(inner)};
  const Configuration before = state_.at;
  std::vector<double> step(dofs_.size(), 0.0);
  for (int c = 0; c < 3; ++c) {
    const auto& q = before.q;
    step[x[0] + c] = 2 * q[x[1] + c] - q[x[2] + c] - q[x[0] + c];
    state_.at.q[x[0] + c] += step[x[0] + c];
  }
  elastic().Move(before, before, step, &state_.at);
  return AddTie(Extending(x[0], x[1], x[2]), end);
}

void System::ReleaseTie(Ties* tie) {
  for (const LinearTie& released : tie->ties()) AddToStiffness(released, -kSoftPart);
  tie->Release();
  forces_.Rebuild();
  ForgetLastStep();
}

void System::AddToStiffness(const LinearTie& tie, double part) {
  for (int c = 0; c < 3; ++c) stiffness_[tie.node.front() + c] += part * tie.stiffness;
}

void System::AddMass(int node, double mass) {
  if (node < 0 || node >= network_.nodes()) {
    throw ConfigError("node", std::to_string(node), "0 to " + std::to_string(network_.nodes() - 1));
  }
  if (!(mass >= 0) || !std::isfinite(mass)) {
    throw ConfigError("mass", std::to_string(mass), "finite, >= 0 (kg)");
  }
  for (int c = 0; c < 3; ++c) mass_[dofs_.node(node) + c] += mass;
}

}  // namespace strand
