#include "tests/support/force_checks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "model/energy/step_force.h"
#include "model/solver/make_linear_system.h"

namespace strand::testing {

const Dofs& Unlocked(Dofs* dofs) {
  for (int dof = 0; dof < dofs->size(); ++dof) dofs->Lock(dof, false);
  dofs->Number();
  return *dofs;
}

ForceCase::ForceCase(const Network& network, const Dofs& dofs, Force* force, double per_time,
                     double part)
    : dofs_(dofs), force_(force), per_time_(per_time), part_(part) {
  start_.Resize(dofs.size(), network.edges(), network.joints());
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) start_.q[dofs.node(n) + c] = network.node()[n][c];
  }
  const std::vector<double> still(dofs.size(), 0.0);
  if (auto* stepped = dynamic_cast<StepForce*>(force)) {
    stepped->Prepare(Motion{start_, start_, 0, 0}, still, 0);
  }
  Pattern pattern(dofs.unknowns());
  force->Couple(dofs, &pattern);
  system_ =
      MakeLinearSystem(pattern, force->conservative() ? Symmetry::kSymmetric : Symmetry::kGeneral);
  force->Bind(dofs, *system_);
}

double ForceCase::Energy(const Vector& q) { return Evaluate(q, nullptr, false); }

Vector ForceCase::Gradient(const Vector& q) {
  Vector gradient(size());
  Evaluate(q, &gradient, false);
  return gradient;
}

Matrix ForceCase::Hessian(const Vector& q) {
  Vector gradient(size());
  Evaluate(q, &gradient, true);
  Matrix hessian(size(), size());
  Vector column(size());
  for (int k = 0; k < size(); ++k) {
    const Vector unit = Vector::Unit(size(), k);
    system_->Multiply({unit.data(), size_t(size())}, {column.data(), size_t(size())});
    hessian.col(k) = column;
  }
  return hessian;
}

Motion ForceCase::At(const Vector& q) {
  at_ = start_;
  for (int k = 0; k < size(); ++k) at_.q[k] += q[k];
  return {at_, start_, per_time_, 0, per_time_, {}, part_};
}

double ForceCase::Evaluate(const Vector& q, Vector* gradient, bool with_matrix) {
  if (gradient) gradient->setZero();
  std::ranges::fill(system_->values(), 0.0);
  return force_
      ->Evaluate(At(q), {gradient ? gradient->data() : nullptr,
                         with_matrix ? system_->values().data() : nullptr})
      .energy;
}

void CheckForceDerivatives(ForceCase& force, const Vector& q, double first_step,
                           bool conservative) {
  const Vector gradient = force.Gradient(q);
  const Matrix hessian = force.Hessian(q);
  ASSERT_GT(gradient.norm(), 0) << "nothing is in contact";
  const auto by_gradient = [&](const Vector& x) { return force.Gradient(x); };
  ExpectSecondOrder(SweepSteps(first_step, 14,
                               [&](double h) {
                                 return (CentralJacobian(by_gradient, q, h) - hessian).norm() /
                                        hessian.norm();
                               }),
                    1e-7);
  if (!conservative) return;
  EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
  const auto by_energy = [&](const Vector& x) { return force.Energy(x); };
  ExpectSecondOrder(SweepSteps(first_step, 14,
                               [&](double h) {
                                 return (CentralGradient(by_energy, q, h) - gradient).norm() /
                                        gradient.norm();
                               }),
                    1e-8);
}

}  // namespace strand::testing
