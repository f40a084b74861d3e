// Tendons: cables through rings on rods, nodes and fixed points.
#include "model/energy/tendon.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "model/config/error.h"
#include "model/energy/elastic_energy.h"
#include "model/solver/make_linear_system.h"
#include "tests/support/elastic_checks.h"
#include "tests/support/energy_probe.h"
#include "tests/support/networks.h"
#include "tests/support/random.h"

namespace strand {
namespace tendon_test {

using testing::CheckDerivatives;
using testing::MakeNetwork;
using testing::Matrix;
using testing::Random;
using testing::RandomStep;
using testing::Vector;

constexpr double kTension = 7;      // N
constexpr double kStiffness = 300;  // N

// A tendon in a network of rods with all degrees of freedom free.
class Probe : public testing::EnergyProbe {
 public:
  explicit Probe(const Network& network, const std::vector<TendonPoint>& path) : dofs_(network) {
    const std::vector<EdgeMaterial> material = testing::RandomMaterial(network.edges(), 1);
    elastic_ = std::make_unique<ElasticEnergy>(network, ElasticRest(network, material, {}), dofs_);
    drawn_ = elastic_->Drawn(network, dofs_);
    tendon_ = std::make_unique<Tendon>(network, dofs_, path);
    for (int dof = 0; dof < dofs_.size(); ++dof) dofs_.Lock(dof, false);
    dofs_.Number();
    Pattern pattern(dofs_.unknowns());
    tendon_->Couple(dofs_, &pattern);
    system_ = MakeLinearSystem(pattern, Symmetry::kSymmetric);
    tendon_->Bind(dofs_, *system_);
  }

  Tendon& tendon() { return *tendon_; }
  const Dofs& dofs() const override { return dofs_; }
  const Configuration& drawn() const override { return drawn_; }

  Configuration Moved(const Configuration& from, const Vector& step) const override {
    Configuration to = from;
    for (int dof = 0; dof < dofs_.size(); ++dof) to.q[dof] += step[dof];
    elastic_->Move(from, drawn_, {step.data(), static_cast<size_t>(step.size())}, &to);
    return to;
  }
  // Away from the rest shape by some centimetres and some tenths of a radian.
  Configuration Disturbed() const {
    Random random(5);
    Vector step = RandomStep(dofs_.size(), 0.02, &random);
    for (int edge : dofs_.edges()) step[edge] = random.Uniform(-0.5, 1);
    return Moved(drawn_, step);
  }

  Evaluation Evaluate(const Configuration& at, const Derivatives& out) {
    return tendon_->Evaluate({at, at, 0, 0}, out);
  }
  // At a fraction of a step, 0 to 1.
  Evaluation At(const Configuration& at, double part) {
    return tendon_->Evaluate({at, at, 0, 0, 0, {}, part}, {});
  }
  double Energy(const Configuration& at) override { return Evaluate(at, {}).energy; }
  Vector Gradient(const Configuration& at) override {
    Vector gradient = Vector::Zero(dofs_.size());
    Evaluate(at, {gradient.data(), nullptr});
    return gradient;
  }
  Matrix Hessian(const Configuration& at) override {
    std::ranges::fill(system_->values(), 0.0);
    Evaluate(at, {nullptr, system_->values().data()});
    const auto size = static_cast<size_t>(dofs_.size());
    Matrix hessian(size, size);
    for (size_t k = 0; k < size; ++k) {
      const Vector unit = Vector::Unit(dofs_.size(), static_cast<int>(k));
      system_->Multiply({unit.data(), size}, {hessian.col(static_cast<int>(k)).data(), size});
    }
    return hessian;
  }

 private:
  Dofs dofs_;
  std::unique_ptr<ElasticEnergy> elastic_;
  std::unique_ptr<Tendon> tendon_;
  std::unique_ptr<LinearSystem> system_;
  Configuration drawn_;
};

// Through rings that are close together and far apart, twice through one edge, and through nodes;
// with `held` the path starts at a fixed point in space.
std::vector<TendonPoint> Path(const Network& network, bool held) {
  const std::vector<int>&one = network.rod(0).edge, &other = network.rod(2).edge;
  std::vector<TendonPoint> path = {
      TendonRing{one[0], {0.02, 0.01}},   TendonRing{one[1], {-0.03, 0.02}},
      TendonRing{one[2], {0, 0}},         TendonNode{network.rod(0).node[4]},
      TendonRing{other[1], {0.01, 0.04}}, TendonNode{network.rod(3).node[2]},
      TendonRing{one[1], {0.03, 0.03}}};
  if (held) path.insert(path.begin(), Vector3(0.3, -0.2, 0.1));
  return path;
}

TEST(Tendon, DerivativesMatchDifferences) {
  const Network network = MakeNetwork(2);
  for (bool held : {false, true}) {
    Probe probe(network, Path(network, held));
    const Configuration at = probe.Disturbed();
    probe.tendon().SetTension(kTension);
    CheckDerivatives(&probe, at);
    const double length = probe.tendon().Length(at);
    probe.tendon().SetLength(0.8 * length, kStiffness);
    CheckDerivatives(&probe, at);
  }
}

TEST(Tendon, EnergyIsThatOfItsLength) {
  const Network network = MakeNetwork(2);
  Probe probe(network, Path(network, true));
  const Configuration at = probe.Disturbed();
  const double length = probe.tendon().Length(at);
  EXPECT_EQ(probe.tendon().Tension(at), 0);
  probe.tendon().SetTension(kTension);
  EXPECT_EQ(probe.tendon().kind(), EnergyKind::kExternal);
  EXPECT_NEAR(probe.Energy(at), kTension * length, 1e-12);
  EXPECT_EQ(probe.tendon().Tension(at), kTension);
  probe.tendon().SetLength(0.8 * length, kStiffness);
  EXPECT_EQ(probe.tendon().kind(), EnergyKind::kInternal);
  EXPECT_NEAR(probe.tendon().Tension(at), 0.25 * kStiffness, 1e-9);
  EXPECT_NEAR(probe.Energy(at), 0.5 * kStiffness * 0.25 * 0.2 * length, 1e-9);
}

// The work of shortening the tendon in a step is dE/dL0 at the tendon's position, at any fraction
// of it.
TEST(Tendon, ShorteningDoesTheWork) {
  const Network network = MakeNetwork(2);
  Probe probe(network, Path(network, true));
  const Configuration at = probe.Disturbed();
  const double length = probe.tendon().Length(at);
  probe.tendon().SetLength(0.8 * length, kStiffness);
  EXPECT_FALSE(probe.tendon().drives());
  probe.tendon().SetLength(0.7 * length, kStiffness);
  EXPECT_TRUE(probe.tendon().drives());
  EXPECT_NEAR(probe.tendon().Tension(at), 0.25 * kStiffness, 1e-9);
  const auto energy = [&](const Vector& part) { return probe.At(at, part[0]).energy; };
  for (double part : {0.2, 0.5, 0.8}) {
    const Vector here = Vector::Constant(1, part);
    const double driven = probe.At(at, part).driven;
    EXPECT_GT(driven, 0);
    testing::ExpectSecondOrder(
        testing::SweepSteps(0.1, 14,
                            [&](double h) {
                              return std::abs(
                                  testing::CentralGradient(energy, here, h)[0] / driven - 1);
                            }),
        1e-9);
  }
  probe.tendon().Accept({at, at, 0, 0});
  EXPECT_FALSE(probe.tendon().drives());
  EXPECT_NEAR(probe.tendon().Tension(at), 0.3 / 0.7 * kStiffness, 1e-9);
}

TEST(Tendon, ASlackTendonDoesNothing) {
  const Network network = MakeNetwork(2);
  Probe probe(network, Path(network, true));
  const Configuration at = probe.Disturbed();
  probe.tendon().SetLength(1.001 * probe.tendon().Length(at), kStiffness);
  EXPECT_EQ(probe.Energy(at), 0);
  EXPECT_EQ(probe.Gradient(at).norm(), 0);
  EXPECT_EQ(probe.Hessian(at).norm(), 0);
}

// A tendon without a fixed point exerts neither a net force nor a net moment.
TEST(Tendon, NoNetWrench) {
  const Network network = MakeNetwork(2);
  Probe probe(network, Path(network, false));
  const Configuration at = probe.Disturbed();
  for (bool elastic : {false, true}) {
    probe.tendon().SetTension(kTension);
    if (elastic) probe.tendon().SetLength(0.8 * probe.tendon().Length(at), kStiffness);
    const Vector gradient = probe.Gradient(at);
    Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
    for (int n : probe.dofs().nodes()) {
      const Vector3 f = gradient.segment<3>(n);
      sum += f, moment += at.position(n).cross(f);
    }
    for (int e = 0; e < network.edges(); ++e) {
      moment += gradient[probe.dofs().edge(e)] * at.frame(e).col(0);
    }
    ASSERT_GT(gradient.norm(), 1);
    EXPECT_LT(sum.norm(), 1e-14 * gradient.norm());
    EXPECT_LT(moment.norm(), 1e-14 * gradient.norm());
  }
}

// Adjacent points of the path coincide: forces are finite and are still the derivatives of the
// energy.
TEST(Tendon, CoincidingNeighboursAreHarmless) {
  Network network;
  network.AddRod({{0, 0, 0}, {0.1, 0, 0}, {0.2, 0, 0}}, Vector3::UnitZ());
  const int edge = network.rod(0).edge[0];
  Probe probe(network, {Vector3(0, 0, 0), TendonNode{0}, TendonRing{edge, {0.01, 0}},
                        TendonRing{edge, {0.01, 0}}, TendonNode{2}});
  probe.tendon().SetTension(kTension);
  const Configuration& at = probe.drawn();
  const Vector gradient = probe.Gradient(at);
  EXPECT_TRUE(gradient.allFinite());
  EXPECT_TRUE(probe.Hessian(at).allFinite());
  EXPECT_NEAR(probe.tendon().Length(at), std::hypot(0.05, 0.01) + std::hypot(0.15, 0.01), 1e-6);
  // The fixed point coincides with the node, so that it takes up no force.
  Vector3 sum = Vector3::Zero();
  for (int n : probe.dofs().nodes()) sum += gradient.segment<3>(n);
  EXPECT_LT(sum.norm(), 1e-12);
  const Vector3 last = gradient.segment<3>(probe.dofs().node(2));
  EXPECT_LT((last - kTension * Vector3(0.15, 0, -0.01).normalized()).norm(), 1e-9);
}

TEST(Tendon, RestoresItsDriveFromCheckpoints) {
  const Network network = MakeNetwork(2);
  Probe probe(network, Path(network, true)), other(network, Path(network, true));
  const Configuration at = probe.Disturbed();
  for (bool elastic : {false, true}) {
    probe.tendon().SetTension(kTension);
    if (elastic) probe.tendon().SetLength(0.8 * probe.tendon().Length(at), kStiffness);
    std::vector<double> memory;
    probe.tendon().Save(&memory);
    std::span<const double> left = memory;
    other.tendon().Load(&left);
    EXPECT_TRUE(left.empty());
    EXPECT_EQ(other.Energy(at), probe.Energy(at));
    EXPECT_EQ(other.tendon().kind(), probe.tendon().kind());
    EXPECT_THROW(other.tendon().Load(&left), ConfigError);
  }
}

TEST(Tendon, BadInputIsRejected) {
  const Network network = MakeNetwork(2);
  const Dofs dofs(network);
  const auto field = [&](const std::vector<TendonPoint>& path) -> std::string {
    try {
      Tendon(network, dofs, path);
    } catch (const ConfigError& error) {
      return error.field();
    }
    return "";
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Vector3 place(1, 2, 3);
  EXPECT_EQ(field({TendonNode{0}}), "points");
  EXPECT_EQ(field({place, Vector3(place + place)}), "points");
  EXPECT_EQ(field({TendonNode{0}, TendonNode{0}}), "points");
  EXPECT_EQ(field({place, TendonNode{network.nodes()}}), "points[1].node");
  EXPECT_EQ(field({place, TendonNode{-1}}), "points[1].node");
  EXPECT_EQ(field({TendonRing{network.edges(), {0, 0}}, place}), "points[0].edge");
  EXPECT_EQ(field({TendonRing{network.clamp_edges()[0], {0, 0}}, place}), "points[0].edge");
  EXPECT_EQ(field({TendonRing{0, {0, nan}}, place}), "points[0].offset");
  EXPECT_EQ(field({TendonNode{0}, Vector3(nan, 0, 0)}), "points[1]");
  Tendon tendon(network, dofs, {place, TendonNode{0}});
  for (double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
    EXPECT_THROW(tendon.SetTension(bad), ConfigError);
    EXPECT_THROW(tendon.SetLength(bad, kStiffness), ConfigError);
    EXPECT_THROW(tendon.SetLength(1, bad), ConfigError);
  }
  EXPECT_THROW(tendon.SetLength(0, kStiffness), ConfigError);
  EXPECT_THROW(tendon.SetLength(1, 0), ConfigError);
}

}  // namespace tendon_test
}  // namespace strand
