#include "model/energy/shell_pressure.h"

#include <gtest/gtest.h>

#include "model/config/error.h"
#include "model/energy/contact_arms.h"
#include "tests/support/force_checks.h"
#include "tests/support/random.h"

namespace strand {
namespace shell_pressure_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::Random;
using testing::Vector;

constexpr double kPressure = 30;  // Pa

// An irregular octahedron away from the origin, beside an open shell.
Network Octahedron(bool inwards = false) {
  const Vector3 away(3, -2, 5);
  std::vector<Vector3> vertices = {{1, 0, 0.1},  {-1.2, 0.1, 0}, {0, 0.9, 0},
                                   {0.2, -1, 0}, {0, 0.1, 1.1},  {0.1, 0, -0.8}};
  for (Vector3& vertex : vertices) vertex += away;
  std::vector<std::array<int, 3>> triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                               {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
  if (inwards) {
    for (auto& triangle : triangles) std::swap(triangle[0], triangle[1]);
  }
  Network network;
  network.AddShell({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  network.AddShell(vertices, triangles);
  return network;
}

Vector Moved(int size) {
  Random random(1);
  Vector q(size);
  for (double& x : q) x = random.Uniform(-0.2, 0.2);
  return q;
}

TEST(ShellPressure, DerivativesMatchDifferences) {
  for (bool inwards : {false, true}) {
    const Network network = Octahedron(inwards);
    const Dofs dofs(network);
    ShellPressure pressure(network, dofs, 1);
    pressure.Set(kPressure);
    ForceCase force(network, dofs, &pressure, 0);
    CheckForceDerivatives(force, Moved(force.size()), 1e-2, true);
  }
}

TEST(ShellPressure, NoNetForceAndNoNetMoment) {
  const Network network = Octahedron();
  const Dofs dofs(network);
  ShellPressure pressure(network, dofs, 1);
  pressure.Set(kPressure);
  ForceCase force(network, dofs, &pressure, 0);
  const Vector q = Moved(force.size()), gradient = force.Gradient(q);
  const Motion motion = force.At(q);
  Vector3 sum = Vector3::Zero(), moment = Vector3::Zero();
  for (int n : dofs.nodes()) {
    const Vector3 f = gradient.segment<3>(n);
    sum += f, moment += motion.at.position(n).cross(f);
  }
  ASSERT_GT(gradient.norm(), 1);
  EXPECT_LT(sum.norm(), 1e-13 * gradient.norm());
  EXPECT_LT(moment.norm(), 1e-12 * gradient.norm());
}

TEST(ShellPressure, InflatesForEitherOrientation) {
  for (bool inwards : {false, true}) {
    const Network network = Octahedron(inwards);
    const Dofs dofs(network);
    ShellPressure pressure(network, dofs, 1);
    pressure.Set(kPressure);
    // The equator, a quadrangle with diagonals of about 2.2 and 1.9 m, times the height 1.9 m over
    // 3.
    EXPECT_NEAR(pressure.Volume(PositionsAt(network.node(), dofs)), 1.35, 0.1);
    ForceCase force(network, dofs, &pressure, 0);
    const Vector gradient = force.Gradient(Vector::Zero(force.size()));
    EXPECT_LT(gradient[dofs.node(3)], -1);  // shell 1's first vertex, at +x: pushed outwards
  }
}

TEST(ShellPressure, BadInputIsRejected) {
  const Network network = Octahedron();
  const Dofs dofs(network);
  EXPECT_THROW(ShellPressure(network, dofs, 0), ConfigError);  // open
  EXPECT_THROW(ShellPressure(network, dofs, 2), ConfigError);
  EXPECT_THROW(ShellPressure(network, dofs, -1), ConfigError);
  ShellPressure pressure(network, dofs, 1);
  EXPECT_THROW(pressure.Set(std::numeric_limits<double>::quiet_NaN()), ConfigError);
}

}  // namespace shell_pressure_test
}  // namespace strand
