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

  /// The shape that the network is drawn in.
  Configuration Drawn(const Network& network, const Dofs& dofs) const;

  /// Frames and twists of `to`, whose q stands already (theta: a guess), by transport from the
  /// configuration `from` nearby and `spin` (rad, per dof); theta is measured against `start`.
  void Move(const Configuration& from, const Configuration& start, std::span<const double> spin,
            Configuration* to) const;

  void Couple(const Dofs& dofs, Pattern* pattern) const override;
  void Bind(const Dofs& dofs, const LinearSystem& system) override;
  Evaluation Evaluate(const Motion& motion, const Derivatives& out) override;

 private:
  ElasticRest rest_;
  ElasticIndex index_;
  const ElasticLoops& loops_;
};

}  // namespace strand
