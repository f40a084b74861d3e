// The terms of higher order in the core: derivatives, and the energy of the plugin's rods.
#include "model/energy/wide_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/energy/wide_terms.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/finite_difference.h"
#include "tests/support/networks.h"

namespace strand {
namespace {

using testing::Matrix;
using testing::Vector;

constexpr double kLength = 0.1;

// A straight rod or a ring with edges of equal length, the open rod with a clamp at its start.
Network MakeRod(int edges, bool closed) {
  Network network;
  std::vector<Vector3> nodes;
  for (int k = 0; k < edges + (closed ? 0 : 1); ++k) {
    const double angle = kTwoPi * k / edges, radius = kLength / (2 * std::sin(kTwoPi / 2 / edges));
    nodes.push_back(closed ? Vector3(radius * std::cos(angle), radius * std::sin(angle), 0)
                           : Vector3(kLength * k, 0, 0));
  }
  network.AddRod(nodes, Vector3::UnitZ(), closed);
  if (!closed) network.Clamp(0, 0);
  return network;
}

// The elastic energy and its terms of higher order, with all degrees of freedom free.
class Probe {
 public:
  Probe(const Network& network, int order, double natural_twist)
      : dofs_(network), elastic_(network, Rest(network, natural_twist), dofs_) {
    if (order > 2) wide_ = std::make_unique<WideEnergy>(network, dofs_, order, &elastic_.rest());
    for (int dof = 0; dof < dofs_.size(); ++dof) dofs_.Lock(dof, false);
    dofs_.Number();
    Pattern pattern(dofs_.unknowns());
    elastic_.Couple(dofs_, &pattern);
    if (wide_) wide_->Couple(dofs_, &pattern);
    system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    elastic_.Bind(dofs_, *system_);
    if (wide_) wide_->Bind(dofs_, *system_);
    drawn_ = elastic_.Drawn(network, dofs_);
  }

  const Dofs& dofs() const { return dofs_; }
  const Configuration& drawn() const { return drawn_; }
  ElasticRest& rest() { return elastic_.rest(); }
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
  static ElasticRest Rest(const Network& network, double natural_twist) {
    EdgeMaterial material;
    material.EA = 100, material.EI = {1.2, 1.2}, material.GJ = 0.8;
    ElasticOptions options;
    options.rest_straight = true;
    ElasticRest rest(network, std::vector<EdgeMaterial>(network.edges(), material), options);
    for (int i = 0; i < rest.joints(); ++i) rest.SetNaturalTwist(i, natural_twist);
    return rest;
  }
  double Evaluate(const Configuration& at, Vector* gradient, bool with_matrix) {
    if (gradient) gradient->setZero();
    std::ranges::fill(system_->values(), 0.0);
    const Derivatives out{gradient ? gradient->data() : nullptr,
                          with_matrix ? system_->values().data() : nullptr};
    const Motion still{at, at, 0, 0};
    return elastic_.Evaluate(still, out).energy + (wide_ ? wide_->Evaluate(still, out).energy : 0);
  }

  Dofs dofs_;
  ElasticEnergy elastic_;
  std::unique_ptr<WideEnergy> wide_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

class WideEnergyOf : public ::testing::TestWithParam<std::tuple<int, bool, int>> {};

TEST_P(WideEnergyOf, GradientAndHessianAreDerivatives) {
  const auto [edges, closed, order] = GetParam();
  const Network network = MakeRod(edges, closed);
  Probe probe(network, order, 0.3);
  testing::CheckDerivatives(&probe, testing::Disturbed(probe, 3));
}

// The energy of a rod of the plugin in the same shape, without that of stretching.
TEST_P(WideEnergyOf, EqualsThatOfTheRod) {
  const auto [edges, closed, order] = GetParam();
  const Network network = MakeRod(edges, closed);
  Probe probe(network, order, 0);
  const Configuration at = testing::Disturbed(probe, 4);
  RodParameters parameters;
  std::vector<Frame> frames;
  if (!closed) parameters.length.push_back(0), frames.push_back(at.frame(edges));
  for (int e = 0; e < edges; ++e)
    parameters.length.push_back(kLength), frames.push_back(at.frame(e));
  parameters.stiffness.assign(frames.size() - (closed ? 0 : 1), {{1.2, 1.2}, 0.8});
  parameters.closed = closed, parameters.rest_straight = true, parameters.order = order;
  const RodRest rest = MakeRodRest(parameters, frames);
  std::vector<double> twists(rest.joints());
  const int first = closed ? 0 : 1;
  for (int i = 0; i < rest.joints(); ++i) {
    twists[i] = at.twist[i < first ? edges - 1 : i - first];  // the clamp's joint is the last
  }
  CorrectTwists(rest, frames, twists);
  const RodEnergy expected = EvaluateRod(rest, frames, twists, {});
  std::ranges::fill(probe.rest().axial_stiffness, 0.0);
  EXPECT_NEAR(probe.Energy(at), expected.bend + expected.twist,
              1e-11 * (expected.bend + expected.twist));
  EXPECT_GT(expected.twist, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(All, WideEnergyOf,
                         ::testing::Combine(::testing::Values(3, 4, 9), ::testing::Values(false),
                                            ::testing::Values(2, 4, 6)));
INSTANTIATE_TEST_SUITE_P(Rings, WideEnergyOf,
                         ::testing::Combine(::testing::Values(5, 6, 9), ::testing::Values(true),
                                            ::testing::Values(2, 4, 6)));

}  // namespace
}  // namespace strand
