// The elastic energy of a network and a force that adds to it, with all degrees of freedom free.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>

#include "model/energy/elastic_energy.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/finite_difference.h"

namespace strand::testing {

class AddedEnergy {
 public:
  /// `make(dofs, rest)` returns the force, or null: the elastic energy alone.
  template <class Make>
  AddedEnergy(const Network& network, ElasticRest rest, const Make& make)
      : dofs_(network), elastic_(network, std::move(rest), dofs_) {
    added_ = make(std::as_const(dofs_), &elastic_.rest());
    for (int dof = 0; dof < dofs_.size(); ++dof) dofs_.Lock(dof, false);
    dofs_.Number();
    Pattern pattern(dofs_.unknowns());
    elastic_.Couple(dofs_, &pattern);
    if (added_) added_->Couple(dofs_, &pattern);
    system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    elastic_.Bind(dofs_, *system_);
    if (added_) added_->Bind(dofs_, *system_);
    drawn_ = elastic_.Drawn(network, dofs_);
  }

  const Dofs& dofs() const { return dofs_; }
  const Configuration& drawn() const { return drawn_; }
  ElasticRest& rest() { return elastic_.rest(); }
  Force* added() { return added_.get(); }
  Configuration Moved(const Configuration& from, const Vector& step) const {
    Configuration to = from;
    std::vector<double> spin(step.size(), 0.0);
    for (int dof = 0; dof < dofs_.size(); ++dof) to.q[dof] += step[dof], spin[dof] = step[dof];
    elastic_.Move(from, from, spin, &to);
    return to;
  }
  double Energy(const Configuration& at) { return Evaluate(at, nullptr, false); }
  Vector Gradient(const Configuration& at) {
    Vector gradient(dofs_.size());
    Evaluate(at, &gradient, false);
    return gradient;
  }
  Matrix Hessian(const Configuration& at) {
    Vector gradient(dofs_.size());
    Evaluate(at, &gradient, true);
    const size_t size = dofs_.size();
    Matrix hessian(size, size);
    Vector column(size);
    for (size_t k = 0; k < size; ++k) {
      const Vector unit = Vector::Unit(size, k);
      system_->Multiply({unit.data(), size}, {column.data(), size});
      hessian.col(k) = column;
    }
    return hessian;
  }

 private:
  double Evaluate(const Configuration& at, Vector* gradient, bool with_matrix) {
    if (gradient) gradient->setZero();
    std::ranges::fill(system_->values(), 0.0);
    const Derivatives out{gradient ? gradient->data() : nullptr,
                          with_matrix ? system_->values().data() : nullptr};
    const Motion still{at, at, 0, 0};
    return elastic_.Evaluate(still, out).energy +
           (added_ ? added_->Evaluate(still, out).energy : 0);
  }

  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<Force> added_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

}  // namespace strand::testing
