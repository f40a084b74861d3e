// Networks with every kind of joint and clamp, and their elastic energy over all degrees of
// freedom.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/energy/elastic_energy.h"
#include "tests/support/energy_probe.h"
#include "tests/support/random.h"

namespace strand::testing {

/// A random open chain of `count` nodes starting at `start`, with edges of 0.08 to 0.15 m.
std::vector<Vector3> RandomNodes(const Vector3& start, int count, Random* random);

/// Rods joined end to middle, start to start and to a ring, with edges that point the wrong way at
/// every kind of joint, and clamps at a first and at a last edge.
Network MakeNetwork(std::uint64_t seed);

/// Different stiffnesses of about 1 N m^2 for each edge.
std::vector<EdgeMaterial> RandomMaterial(int edges, std::uint64_t seed);

/// The elastic energy, with clamps free unless `locked`.
class ElasticProbe : public EnergyProbe {
 public:
  ElasticProbe(const Network& network, const ElasticRest& rest, bool locked = false,
               const ElasticLoops& loops = ChooseElasticLoops());

  const Dofs& dofs() const override { return dofs_; }
  ElasticRest& rest() { return elastic_.rest(); }
  const Configuration& drawn() const override { return drawn_; }
  Configuration Moved(const Configuration& from, const Vector& step) const override;
  Evaluation Evaluate(const Configuration& at, const Derivatives& out = {});
  double Energy(const Configuration& at) override;
  Vector Gradient(const Configuration& at) override;
  Matrix Hessian(const Configuration& at) override;

 private:
  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

/// Components between -length and length.
Vector RandomStep(int size, double length, Random* random);

}  // namespace strand::testing
