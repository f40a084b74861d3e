// The elastic energy of a network and a force that adds to it, with all degrees of freedom free.
#pragma once

#include <functional>
#include <memory>

#include "model/energy/elastic_energy.h"
#include "tests/support/energy_probe.h"

namespace strand::testing {

class AddedEnergy : public EnergyProbe {
 public:
  using Make = std::function<std::unique_ptr<Force>(const Dofs&, ElasticRest*)>;

  /// `make(dofs, rest)` returns the force, or null: the elastic energy alone.
  AddedEnergy(const Network& network, ElasticRest rest, const Make& make);

  const Dofs& dofs() const override { return dofs_; }
  const Configuration& drawn() const override { return drawn_; }
  ElasticRest& rest() { return elastic_.rest(); }
  Force* added() { return added_.get(); }
  Configuration Moved(const Configuration& from, const Vector& step) const override;
  double Energy(const Configuration& at) override;
  Vector Gradient(const Configuration& at) override;
  Matrix Hessian(const Configuration& at) override;

 private:
  double Evaluate(const Configuration& at, Vector* gradient, bool with_matrix);

  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<Force> added_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

}  // namespace strand::testing
