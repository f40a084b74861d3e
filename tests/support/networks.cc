#include "tests/support/networks.h"

#include <cmath>

#include "model/solver/make_linear_system.h"

namespace strand::testing {

std::vector<Vector3> RandomNodes(const Vector3& start, int count, Random* random) {
  std::vector<Vector3> nodes{start};
  Frame frame = random->Rotation();
  for (int k = 1; k < count; ++k) {
    nodes.push_back(nodes.back() + random->Uniform(0.08, 0.15) * frame.col(0));
    frame = NextFrame(frame, random->Uniform(0.1, 0.7), 0, random);
  }
  return nodes;
}

Network MakeNetwork(std::uint64_t seed) {
  Random random(seed);
  Network network;
  const auto normal = [&] { return random.Direction(); };
  const auto place = [&](int rod, int node) { return network.node()[network.rod(rod).node[node]]; };
  network.AddRod(RandomNodes({0, 0, 0}, 6, &random), normal());
  std::vector<Vector3> nodes = RandomNodes(place(0, 2), 5, &random);
  network.AddRod({nodes.rbegin(), nodes.rend()}, normal());
  network.Connect(0, 2, 1, -1);
  network.AddRod(RandomNodes(place(1, 0), 4, &random), normal());
  network.Connect(1, 0, 2, 0);
  std::vector<Vector3> ring;
  for (int k = 0; k < 5; ++k) {
    const double s = kTwoPi * k / 5;
    ring.push_back(place(0, 5) +
                   0.1 * Vector3(1 - std::cos(s), std::sin(s), 0.3 * std::sin(2 * s)));
  }
  network.AddRod(ring, normal(), true);
  network.Connect(3, 0, 0, -1);
  network.Clamp(0, 0);
  network.Clamp(2, 1);
  return network;
}

std::vector<EdgeMaterial> RandomMaterial(int edges, std::uint64_t seed) {
  Random random(seed);
  std::vector<EdgeMaterial> material;
  for (int e = 0; e < edges; ++e) {
    const auto around = [&](double mean) { return mean * random.Uniform(0.6, 1.5); };
    material.push_back(
        {around(200), {around(1.2), around(0.5)}, around(0.8), around(0.3), around(1e-4)});
  }
  return material;
}

ElasticProbe::ElasticProbe(const Network& network, const ElasticRest& rest, bool locked,
                           const ElasticLoops& loops)
    : dofs_(network), elastic_(network, rest, dofs_, loops) {
  for (int dof = 0; dof < dofs_.size() && !locked; ++dof) dofs_.Lock(dof, false);
  dofs_.Number();
  Pattern pattern(dofs_.unknowns());
  elastic_.Couple(dofs_, &pattern);
  system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
  elastic_.Bind(dofs_, *system_);
  drawn_ = elastic_.Drawn(network, dofs_);
}

Configuration ElasticProbe::Moved(const Configuration& from, const Vector& step) const {
  Configuration to = from;
  for (int dof = 0; dof < dofs_.size(); ++dof) to.q[dof] += step[dof];
  elastic_.Move(from, drawn_, {step.data(), static_cast<size_t>(step.size())}, &to);
  return to;
}

Evaluation ElasticProbe::Evaluate(const Configuration& at, const Derivatives& out) {
  return elastic_.Evaluate({at, at, 0, 0}, out);
}

double ElasticProbe::Energy(const Configuration& at) { return Evaluate(at).energy; }

Vector ElasticProbe::Gradient(const Configuration& at) {
  Vector gradient = Vector::Zero(dofs_.size());
  Evaluate(at, {gradient.data(), nullptr});
  return gradient;
}

Matrix ElasticProbe::Hessian(const Configuration& at) {
  Vector gradient = Vector::Zero(dofs_.size());
  for (double& value : system_->values()) value = 0;
  Evaluate(at, {gradient.data(), system_->values().data()});
  const int size = dofs_.unknowns();
  Matrix hessian(size, size);
  for (int column = 0; column < size; ++column) {
    const Vector unit = Vector::Unit(size, column);
    system_->Multiply({unit.data(), static_cast<size_t>(size)},
                      {hessian.col(column).data(), static_cast<size_t>(size)});
  }
  return hessian;
}

Vector RandomStep(int size, double length, Random* random) {
  Vector step(size);
  for (double& one : step) one = length * random->Uniform(-1, 1);
  return step;
}

}  // namespace strand::testing
