#include "model/energy/fluid_drag.h"

#include <gtest/gtest.h>

#include "model/config/error.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace fluid_drag_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Matrix;
using testing::Random;
using testing::Vector;

constexpr double kRate = 20;  // 1/s

// Two triangles and a rod beside them, all bent.
Network Bent() {
  Network network;
  network.AddRod({{0, 0, 1}, {0.2, 0.1, 1}, {0.4, 0, 1.1}}, {0, 0, 1});
  network.AddShell({{0, 0, 0}, {1, 0.1, 0.1}, {0.2, 0.8, -0.1}, {1.1, 0.9, 0.3}},
                   {{0, 1, 2}, {3, 2, 1}});
  return network;
}

ShellRest Rest(const Network& network) {
  const ShellMaterial sheet{1e6, 0.3, 1e-3, 1000};
  return ShellRest(network, std::vector{sheet});
}

Vector Moved(int size, std::uint64_t seed) {
  Random random(seed);
  Vector q(size);
  for (double& x : q) x = random.Uniform(-0.1, 0.1);
  return q;
}

TEST(FluidDrag, TriangleDerivativesMatchDifferences) {
  const Network network = Bent();
  const Dofs dofs(network);
  AerodynamicDrag drag(Rest(network), dofs, 1.2, 1.5, {0.4, -0.2, 1});
  ForceCase force(network, dofs, &drag, kRate);
  CheckForceDerivatives(force, Moved(force.size(), 1), 1e-3, false);
}

TEST(FluidDrag, EdgeDerivativesMatchDifferences) {
  const Network network = Bent();
  const Dofs dofs(network);
  ResistiveDrag drag(network, dofs, {0.01, 0.1}, {0.4, -0.2, 1});
  ForceCase force(network, dofs, &drag, kRate);
  CheckForceDerivatives(force, Moved(force.size(), 2), 1e-3, false);
}

TEST(FluidDrag, PublishedDerivativeIsTwiceAsLarge) {
  const Network network = Bent();
  const Dofs dofs(network);
  AerodynamicDrag exact(Rest(network), dofs, 1.2, 1.5, {0, 0, 0});
  AerodynamicDrag published(Rest(network), dofs, 1.2, 1.5, {0, 0, 0}, true);
  ForceCase a(network, dofs, &exact, kRate), b(network, dofs, &published, kRate);
  const Vector q = Moved(a.size(), 3);
  EXPECT_EQ(a.Gradient(q), b.Gradient(q));
  EXPECT_LT((2 * a.Hessian(q) - b.Hessian(q)).norm(), 1e-15 * b.Hessian(q).norm());
}

// A flat plate that moves along its normal: drag rho C_D A v^2 / 2 opposes the motion in both
// directions.
TEST(FluidDrag, PlateIsDraggedAlongItsNormal) {
  Network network;
  network.AddShell({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 3}});
  const Dofs dofs(network);
  AerodynamicDrag drag(Rest(network), dofs, 1.2, 1.5, {0, 0, 0});
  ForceCase force(network, dofs, &drag, kRate);
  for (double speed : {3.0, -3.0}) {
    Vector q = Vector::Zero(force.size());
    for (int n = 0; n < 4; ++n) q[dofs.node(n) + 2] = speed / kRate, q[dofs.node(n)] = 7;
    const Vector gradient = force.Gradient(q);
    double along = 0, aside = 0;
    for (int n = 0; n < 4; ++n)
      along -= gradient[dofs.node(n) + 2], aside += gradient[dofs.node(n)];
    EXPECT_NEAR(along, -0.5 * 1.2 * 1.5 * 2 * speed * std::abs(speed), 1e-12);
    EXPECT_EQ(aside, 0);
  }
}

// A straight rod along x, moving along and across its axis.
TEST(FluidDrag, RodDragIsProportionalToLength) {
  Network network;
  network.AddRod({{0, 0, 0}, {0.1, 0, 0}, {0.4, 0, 0}}, {0, 0, 1});
  const Dofs dofs(network);
  ResistiveDrag drag(network, dofs, {0.01, 0.1}, {1, 0, 0});
  ForceCase force(network, dofs, &drag, kRate);
  Vector q = Vector::Zero(force.size());
  for (int n = 0; n < 3; ++n) q[dofs.node(n)] = 3 / kRate, q[dofs.node(n) + 1] = 2 / kRate;
  const Vector gradient = force.Gradient(q);
  double x = 0, y = 0;
  for (int n = 0; n < 3; ++n) x -= gradient[dofs.node(n)], y -= gradient[dofs.node(n) + 1];
  EXPECT_NEAR(x, -0.01 * 0.4 * (3 - 1), 1e-15);
  EXPECT_NEAR(y, -0.1 * 0.4 * 2, 1e-15);
}

TEST(FluidDrag, FlowPushesARestingRod) {
  const Network network = Bent();
  const Dofs dofs(network);
  ResistiveDrag rest(network, dofs, {0.01, 0.1}, {1, 2, 0}),
      moves(network, dofs, {0.01, 0.1}, {0, 0, 0});
  ForceCase still(network, dofs, &rest, 0), steady(network, dofs, &moves, kRate);
  Vector q = Vector::Zero(still.size());
  const Vector gradient = still.Gradient(q);
  for (int n = 0; n < 3; ++n) q[dofs.node(n)] = -1 / kRate, q[dofs.node(n) + 1] = -2 / kRate;
  EXPECT_LT((steady.Gradient(q) - gradient).norm(), 1e-15);
}

TEST(FluidDrag, RejectsBadNumbers) {
  const Network network = Bent();
  const Dofs dofs(network);
  const double nan = std::nan("");
  EXPECT_THROW(AerodynamicDrag(Rest(network), dofs, -1, 1, {0, 0, 0}), ConfigError);
  EXPECT_THROW(AerodynamicDrag(Rest(network), dofs, 1, nan, {0, 0, 0}), ConfigError);
  EXPECT_THROW(AerodynamicDrag(Rest(network), dofs, 1, 1, {0, nan, 0}), ConfigError);
  EXPECT_THROW(ResistiveDrag(network, dofs, {-1, 1}, {0, 0, 0}), ConfigError);
  EXPECT_THROW(ResistiveDrag(network, dofs, {1, -1}, {0, 0, 0}), ConfigError);
}

}  // namespace fluid_drag_test
}  // namespace strand
