#include "tests/support/added_energy.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "model/solver/make_linear_system.h"

namespace strand::testing {

AddedEnergy::AddedEnergy(const Network& network, ElasticRest rest, const Make& make)
    : dofs_(network), elastic_(network, std::move(rest), dofs_) {
  added_ = make(dofs_, &elastic_.rest());
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

Configuration AddedEnergy::Moved(const Configuration& from, const Vector& step) const {
  Configuration to = from;
  std::vector<double> spin(step.size(), 0.0);
  for (int dof = 0; dof < dofs_.size(); ++dof) to.q[dof] += step[dof], spin[dof] = step[dof];
  elastic_.Move(from, from, spin, &to);
  return to;
}

double AddedEnergy::Energy(const Configuration& at) { return Evaluate(at, nullptr, false); }

Vector AddedEnergy::Gradient(const Configuration& at) {
  Vector gradient(dofs_.size());
  Evaluate(at, &gradient, false);
  return gradient;
}

Matrix AddedEnergy::Hessian(const Configuration& at) {
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

double AddedEnergy::Evaluate(const Configuration& at, Vector* gradient, bool with_matrix) {
  if (gradient) gradient->setZero();
  std::ranges::fill(system_->values(), 0.0);
  const Derivatives out{gradient ? gradient->data() : nullptr,
                        with_matrix ? system_->values().data() : nullptr};
  const Motion still{at, at, 0, 0};
  return elastic_.Evaluate(still, out).energy + (added_ ? added_->Evaluate(still, out).energy : 0);
}

}  // namespace strand::testing
