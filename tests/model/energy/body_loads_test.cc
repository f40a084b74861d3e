// Loads that turn rigid bodies: couples, and rods that are attached rigidly.
#include <gtest/gtest.h>

#include "model/config/error.h"
#include "model/energy/body_directors.h"
#include "model/energy/body_torque.h"
#include "model/energy/elastic_energy.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace body_loads_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Matrix;
using testing::Random;
using testing::Vector;

Frame Turned() { return Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix(); }

Vector Step(int size, double length, Random* random) {
  Vector step(size);
  for (double& each : step) each = random->Uniform(-length, length);
  return step;
}

TEST(BodyTorque, DerivativesMatchDifferencesAndTheCoupleIsExact) {
  Network network;
  network.AddBody({1, 2, 3}, Turned(), {0.3, 0.5, 0.9});
  network.AddBody({-1, 0, 0}, Turned().transpose(), {0.4, 0.2, 0.6});
  const Dofs dofs(network);
  BodyTorque torque(network, dofs);
  const Vector3 fixed(0.3, -2, 1), along(1, 0.5, -0.7);
  torque.Set(0, fixed, Vector3::Zero());
  torque.Set(1, Vector3::Zero(), along);
  ForceCase force(network, dofs, &torque, 0);
  Random random(4);
  CheckForceDerivatives(force, Step(force.size(), 0.1, &random), 1e-2, false);

  const Vector gradient = force.Gradient(Vector::Zero(force.size()));
  for (int b = 0; b < 2; ++b) {
    Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
    for (int n : network.body(b).carrier) {
      const Vector3 f = -gradient.segment<3>(dofs.node(n));
      sum += f, moment += network.node()[n].cross(f);
    }
    EXPECT_LT(sum.norm(), 1e-14);
    EXPECT_LT((moment - (b ? Vector3(Turned().transpose() * along) : fixed)).norm(), 1e-14);
  }
  EXPECT_THROW(torque.Set(2, fixed, along), ConfigError);
  EXPECT_THROW(torque.Set(0, fixed, {0, std::nan(""), 0}), ConfigError);
}

// A rod attached rigidly to a body, displaced from the place and direction that the body
// prescribes.
class BodyDirectorsCase : public ::testing::Test {
 protected:
  BodyDirectorsCase() {
    network_.AddBody({0, 0, 0}, Turned(), {0.3, 0.5, 0.9});
    network_.AddRod({{0.1, 0.2, 0.3}, {0.5, 0.3, 0.5}, {0.9, 0.3, 0.6}}, Vector3::UnitZ());
    network_.AttachToBodyRigidly(0, 0, 0);
    dofs_.emplace(network_);
    const std::vector<EdgeMaterial> material(network_.edges(), {1, {1, 1}, 1, 1, 1});
    elastic_.emplace(network_, ElasticRest(network_, material, {}), *dofs_);
    directors_.emplace(network_, *dofs_, std::vector<double>{3});
    drawn_ = elastic_->Drawn(network_, *dofs_);
    Pattern pattern(dofs_->unknowns());
    directors_->Couple(*dofs_, &pattern);
    system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    directors_->Bind(*dofs_, *system_);
  }
  int size() const { return dofs_->size(); }
  Configuration Moved(const Configuration& from, const Vector& step) const {
    Configuration to = from;
    for (int k = 0; k < size(); ++k) to.q[k] += step[k];
    elastic_->Move(from, from, {step.data(), static_cast<size_t>(size())}, &to);
    return to;
  }
  double Energy(const Configuration& at) { return directors_->Evaluate({at, at, 0, 0}, {}).energy; }
  Vector Gradient(const Configuration& at) {
    Vector gradient = Vector::Zero(size());
    directors_->Evaluate({at, at, 0, 0}, {gradient.data(), nullptr});
    return gradient;
  }
  Matrix Hessian(const Configuration& at) {
    std::ranges::fill(system_->values(), 0.0);
    directors_->Evaluate({at, at, 0, 0}, {nullptr, system_->values().data()});
    Matrix hessian(size(), size());
    Vector column(size());
    for (int k = 0; k < size(); ++k) {
      const Vector unit = Vector::Unit(size(), k);
      system_->Multiply({unit.data(), size_t(size())}, {column.data(), size_t(size())});
      hessian.col(k) = column;
    }
    return hessian;
  }

  Network network_;
  std::optional<Dofs> dofs_;
  std::optional<ElasticEnergy> elastic_;
  std::optional<BodyDirectors> directors_;
  Configuration drawn_;
  std::unique_ptr<LinearSystem> system_;
};

TEST_F(BodyDirectorsCase, DerivativesMatchDifferences) {
  Random random(6);
  EXPECT_LT(Energy(drawn_), 1e-28);
  const Configuration at = Moved(drawn_, Step(size(), 0.1, &random));
  const Vector gradient = Gradient(at);
  const Matrix hessian = Hessian(at);
  ASSERT_GT(gradient.norm(), 1e-2);
  const auto errors = [&](double h) {
    Vector by_energy(size());
    Matrix by_gradient(size(), size());
    for (int k = 0; k < size(); ++k) {
      const Vector unit = h * Vector::Unit(size(), k);
      const Configuration plus = Moved(at, unit), minus = Moved(at, -unit);
      by_energy[k] = (Energy(plus) - Energy(minus)) / (2 * h);
      by_gradient.col(k) = (Gradient(plus) - Gradient(minus)) / (2 * h);
    }
    const Matrix symmetric = 0.5 * (by_gradient + by_gradient.transpose());
    return (by_energy - gradient).norm() / gradient.norm() +
           (symmetric - hessian).norm() / hessian.norm();
  };
  testing::ExpectSecondOrder(testing::SweepSteps(1e-2, 14, errors), 1e-7);
}

// Body and rod together get neither a net force nor a net moment.
TEST_F(BodyDirectorsCase, NoNetWrench) {
  Random random(7);
  const Configuration at = Moved(drawn_, Step(size(), 0.1, &random));
  const Vector gradient = Gradient(at);
  Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
  for (int n : dofs_->nodes()) {
    const Vector3 f = gradient.segment<3>(n);
    sum += f, moment += at.position(n).cross(f);
  }
  for (int e = 0; e < network_.edges(); ++e) {
    moment += gradient[dofs_->edge(e)] * at.frame(e).col(0);
  }
  EXPECT_LT(sum.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-13);
}

TEST(BodyDirectors, BadAttachmentsAreRejected) {
  Network network;
  network.AddBody({0, 0, 0}, Turned(), {0.3, 0.5, 0.9});
  network.AddRod({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}, Vector3::UnitZ(), true);
  EXPECT_THROW(network.AttachToBodyRigidly(0, 0, 0), ConfigError);
  EXPECT_THROW(network.AttachToBodyRigidly(0, 2, 0), ConfigError);
  EXPECT_THROW(network.AttachToBodyRigidly(0, 0, 1), ConfigError);
}

// Connect renumbers the nodes, including those of bodies, because two nodes become one.
TEST(BodyDirectors, ConnectingRodsKeepsTheNodesOfBodies) {
  Network network;
  network.AddRod({{0, 0, 0}, {1, 0, 0}}, Vector3::UnitZ());
  network.AddRod({{1, 0, 0}, {2, 0, 0}}, Vector3::UnitZ());
  network.AddBody({5, 0, 0}, Frame::Identity(), {0.3, 0.5, 0.9});
  network.AddBodyPoint(0, {5, 1, 0});
  network.Connect(0, 1, 1, 0);
  const BodyTopology& body = network.body(0);
  EXPECT_EQ(body.carrier, (std::array{3, 4, 5, 6}));
  EXPECT_EQ(body.point, std::vector{7});
  EXPECT_EQ(body.tie[0].node, 7);
}

}  // namespace body_loads_test
}  // namespace strand
