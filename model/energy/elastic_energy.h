// The elastic energy as a force, and the frames that belong to it.
#pragma once

#include "model/energy/elastic_loops.h"
#include "model/energy/force.h"

namespace strand {

class ElasticEnergy : public Force {
 public:
  ElasticEnergy(const Network& network, ElasticRest rest, const Dofs& dofs,
                const ElasticLoops& loops = ChooseElasticLoops());

  ElasticRest& rest() { return rest_; }
  const ElasticRest& rest() const { return rest_; }

  /// The configuration of the network as defined, before any motion.
  Configuration Drawn(const Network& network, const Dofs& dofs) const;

  /// Computes frames and twists of `to` by parallel transport from the nearby configuration `from`
  /// and by `spin` (rad, per dof). The q of `to` must be set, with a guess for theta; theta is then
  /// measured from `start`.
  void Move(const Configuration& from, const Configuration& start, std::span<const double> spin,
            Configuration* to) const;

  /// Energy (J) of bending and twisting of one joint.
  double JointEnergy(int joint, const Configuration& at) const;
  /// Energy (J) of stretching of one edge.
  double EdgeEnergy(int edge, const Configuration& at) const;

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  ElasticRest rest_;
  ElasticIndex index_;
  const ElasticLoops& loops_;
};

}  // namespace strand
