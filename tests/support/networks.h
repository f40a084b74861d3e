// Networks with every kind of joint and clamp, and their elastic energy over all degrees of
// freedom.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "model/energy/elastic_energy.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/random.h"

namespace strand::testing {

/// A random open chain of `count` nodes starting at `start`, with edges of 0.08 to 0.15 m.
inline std::vector<Vector3> RandomNodes(const Vector3& start, int count, Random* random) {
  std::vector<Vector3> nodes{start};
  Frame frame = random->Rotation();
  for (int k = 1; k < count; ++k) {
    nodes.push_back(nodes.back() + random->Uniform(0.08, 0.15) * frame.col(0));
    frame = NextFrame(frame, random->Uniform(0.1, 0.7), 0, random);
  }
  return nodes;
}

/// Rods joined end to middle, start to start and to a ring, with edges that point the wrong way at
/// every kind of joint, and clamps at a first and at a last edge.
inline Network MakeNetwork(std::uint64_t seed) {
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

/// Different stiffnesses of about 1 N m^2 for each edge.
inline std::vector<EdgeMaterial> RandomMaterial(int edges, std::uint64_t seed) {
  Random random(seed);
  std::vector<EdgeMaterial> material;
  for (int e = 0; e < edges; ++e) {
    const auto around = [&](double mean) { return mean * random.Uniform(0.6, 1.5); };
    material.push_back(
        {around(200), {around(1.2), around(0.5)}, around(0.8), around(0.3), around(1e-4)});
  }
  return material;
}

/// Energy, gradient and Hessian per degree of freedom; clamps are free unless `locked`.
class ElasticProbe {
 public:
  ElasticProbe(const Network& network, const ElasticRest& rest, bool locked = false,
               const ElasticLoops& loops = ChooseElasticLoops())
      : dofs_(network), elastic_(network, rest, dofs_, loops) {
    for (int dof = 0; dof < dofs_.size() && !locked; ++dof) dofs_.Lock(dof, false);
    dofs_.Number();
    Pattern pattern(dofs_.unknowns());
    elastic_.Couple(dofs_, &pattern);
    system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    elastic_.Bind(dofs_, *system_);
    drawn_ = elastic_.Drawn(network, dofs_);
  }

  const Dofs& dofs() const { return dofs_; }
  ElasticRest& rest() { return elastic_.rest(); }
  const Configuration& drawn() const { return drawn_; }

  /// `from` moved by `step`: positions shifted, frames of edges transported and spun.
  Configuration Moved(const Configuration& from, const Eigen::VectorXd& step) const {
    Configuration to = from;
    for (int dof = 0; dof < dofs_.size(); ++dof) to.q[dof] += step[dof];
    elastic_.Move(from, drawn_, {step.data(), static_cast<size_t>(step.size())}, &to);
    return to;
  }

  Evaluation Evaluate(const Configuration& at, const Derivatives& out = {}) {
    return elastic_.Evaluate({at, at, 0, 0}, out);
  }
  double Energy(const Configuration& at) { return Evaluate(at).energy; }
  Eigen::VectorXd Gradient(const Configuration& at) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(dofs_.size());
    Evaluate(at, {gradient.data(), nullptr});
    return gradient;
  }
  /// Over the unknowns.
  Eigen::MatrixXd Hessian(const Configuration& at) {
    Eigen::VectorXd gradient = Eigen::VectorXd::Zero(dofs_.size());
    for (double& value : system_->values()) value = 0;
    Evaluate(at, {gradient.data(), system_->values().data()});
    const int size = dofs_.unknowns();
    Eigen::MatrixXd hessian(size, size);
    for (int column = 0; column < size; ++column) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(size, column);
      system_->Multiply({unit.data(), static_cast<size_t>(size)},
                        {hessian.col(column).data(), static_cast<size_t>(size)});
    }
    return hessian;
  }

 private:
  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

/// Components between -length and length.
inline Eigen::VectorXd RandomStep(int size, double length, Random* random) {
  Eigen::VectorXd step(size);
  for (double& one : step) one = length * random->Uniform(-1, 1);
  return step;
}

}  // namespace strand::testing
