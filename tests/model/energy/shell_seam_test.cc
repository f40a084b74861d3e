#include "model/energy/shell_seam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"
#include "tests/support/shells.h"

namespace strand {
namespace shell_seam_test {

using testing::CheckForceDerivatives;
using testing::ForceCase;
using testing::kThick;
using testing::Mesh;
using testing::Random;
using testing::Unlocked;
using testing::Vector;

// Triangles about one edge, at these angles from the first, alternating in orientation.
Mesh Sheets(const std::vector<double>& angles) {
  Mesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.1, 1, 0.2}};
  for (double angle : angles) {
    const int wing = static_cast<int>(mesh.vertices.size());
    const double out = 0.8 + 0.1 * wing;
    mesh.vertices.push_back({out * std::cos(angle), 0.3 + 0.05 * wing, out * std::sin(angle)});
    if (wing % 2 == 0) mesh.triangles.push_back({0, 1, wing});
    if (wing % 2 == 1) mesh.triangles.push_back({1, 0, wing});
  }
  return mesh;
}

class EverySeam : public ::testing::TestWithParam<bool> {
 protected:
  struct Case {
    Case(const std::vector<double>& angles, bool mid_edge)
        : network(testing::ShellNetwork(Sheets(angles), mid_edge)),
          dofs(network),
          rest(network, std::vector{kThick}),
          seams(network, rest, Unlocked(&dofs)),
          force(network, dofs, &seams, 0) {}
    Network network;
    Dofs dofs;
    ShellRest rest;
    ShellSeams seams;
    ForceCase force;
  };
  static Vector Random12(const Case& of, double size) {
    Random random(4);
    Vector q(of.dofs.size());
    for (double& value : q) value = size * random.Uniform(-1, 1);
    return q;
  }
};
INSTANTIATE_TEST_SUITE_P(ShellSeams, EverySeam, ::testing::Bool(),
                         [](const auto& of) { return of.param ? "MidEdge" : "Hinge"; });

TEST_P(EverySeam, HasExactDerivatives) {
  for (const auto& angles : {std::vector{0.0, 2.1, 4.2}, {0.0, 1.5, 3.1}, {0.2, 0.5, 2.0, 5.0}}) {
    Case of(angles, GetParam());
    const int sheets = static_cast<int>(angles.size());
    EXPECT_EQ(of.seams.pairs(), sheets * (sheets - 1) / 2);
    EXPECT_LT(of.force.Energy(Vector::Zero(of.dofs.size())), 1e-25);
    CheckForceDerivatives(of.force, Random12(of, 0.05), 1e-2, true);
  }
}

TEST_P(EverySeam, LeavesRigidMotionAlone) {
  Case of({0.0, 2.1, 4.2}, GetParam());
  const Eigen::Matrix3d turn(Eigen::AngleAxisd(1.3, Vector3(1, -2, 0.5).normalized()));
  Vector q = Vector::Zero(of.dofs.size());
  for (int n = 0; n < of.network.nodes(); ++n) {
    const Vector3& x = of.network.node()[n];
    q.segment<3>(of.dofs.node(n)) = turn * x + Vector3(3, 1, -2) - x;
  }
  EXPECT_LT(of.force.Gradient(q).norm(), 1e-11);
}

// A triangle that turns about the seam by an angle has to turn its edge normal by the same angle
// (the sign follows from the direction of the edge). If all do so, the seam stores no energy.
TEST(ShellSeams, NormalsThatTurnWithTheSeamStoreNothing) {
  const Mesh mesh = Sheets({0.0, 2.1, 4.2});
  Network network;
  AddShell(&network, mesh, true);
  Dofs dofs(network);
  Unlocked(&dofs);
  const ShellRest rest(network, std::vector{kThick});
  ShellSeams seams(network, rest, dofs);
  ForceCase force(network, dofs, &seams, 0);
  const Vector3 along = (mesh.vertices[1] - mesh.vertices[0]).normalized();
  for (size_t sheet = 0; sheet < 3; ++sheet) {
    const int edge = network.shell(0).seam[0][sheet], wing = 2 + static_cast<int>(sheet);
    const double angle = 0.3, way = network.mesh_edge()[edge].node[0] == 0 ? 1 : -1;
    const Vector3 arm = mesh.vertices[wing];
    Vector q = Vector::Zero(dofs.size());
    q.segment<3>(dofs.node(wing)) = Eigen::AngleAxisd(angle, along) * arm - arm;
    const double bent = force.Energy(q);
    EXPECT_GT(bent, 1e-3);
    q[dofs.rotation(edge)] = way * angle;
    EXPECT_LT(force.Energy(q), 1e-20 * bent);
  }
}

}  // namespace shell_seam_test
}  // namespace strand
