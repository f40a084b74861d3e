#include "model/energy/shell.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "model/assembly/dofs.h"
#include "tests/support/errors.h"
#include "tests/support/meshes.h"

namespace strand {
namespace shell_test {

using testing::AddShell;
using testing::FieldOf;
using testing::Mesh;

constexpr ShellMaterial kMaterial{2e6, 0.3, 2e-3, 1200};
constexpr double kSide = 0.05;
const double kInfinite = std::numeric_limits<double>::infinity();

Network Pair(bool mid_edge, double fold = 0) {
  Mesh mesh = testing::EquilateralPair(kSide);
  const double height = kSide * std::sqrt(0.75);
  mesh.vertices[2] = {0.5 * kSide, height * std::cos(fold), height * std::sin(fold)};
  Network network;
  AddShell(&network, mesh, mid_edge);
  return network;
}

ShellRest Rest(const Network& network, const ShellMaterial& material = kMaterial) {
  return ShellRest(network, std::vector{material});
}

TEST(ShellRest, RejectsMaterials) {
  const Network network = Pair(false);
  const auto field = [&](double young, double poisson, double thickness, double density) {
    return FieldOf([&] { Rest(network, {young, poisson, thickness, density}); });
  };
  EXPECT_EQ(field(0, 0.5, 1e-3, 0), "");
  EXPECT_EQ(field(1e6, -0.99, 1e-9, 1e4), "");
  for (double bad : {-1.0, kInfinite, std::nan("")}) {
    EXPECT_EQ(field(bad, 0.3, 1e-3, 1), "young");
    EXPECT_EQ(field(1, bad, 1e-3, 1), "poisson");
    EXPECT_EQ(field(1, 0.3, bad, 1), "thickness");
    EXPECT_EQ(field(1, 0.3, 1e-3, bad), "density");
  }
  EXPECT_EQ(field(1, 0.3, 0, 1), "thickness");
  EXPECT_EQ(field(1, 0.51, 1e-3, 1), "poisson");
}

TEST(ShellRest, TakesOneMaterialPerShell) {
  const Network network = Pair(false);
  for (size_t count : {0u, 2u}) {
    EXPECT_EQ(FieldOf([&] { ShellRest(network, std::vector(count, kMaterial)); }),
              "shell material");
  }
  EXPECT_EQ(FieldOf([] { ShellRest(Network(), std::vector{kMaterial}); }), "shell material");
}

TEST(ShellRest, RejectsNaturalValues) {
  ShellRest rest = Rest(Pair(true));
  for (int bad : {-1, 5}) {
    EXPECT_EQ(FieldOf([&] { rest.SetNaturalAngle(bad, 0); }), "edge");
    EXPECT_EQ(FieldOf([&] { rest.SetRestLength(bad, 1); }), "edge");
  }
  EXPECT_EQ(FieldOf([&] { rest.SetNaturalAngle(0, 0.1); }), "edge");  // at the rim
  for (double bad : {std::numbers::pi, -std::numbers::pi, 4.0, kInfinite, std::nan("")}) {
    EXPECT_EQ(FieldOf([&] { rest.SetNaturalAngle(2, bad); }), "natural_angle");
  }
  for (double bad : {0.0, -1.0, kInfinite, std::nan("")}) {
    EXPECT_EQ(FieldOf([&] { rest.SetRestLength(2, bad); }), "rest_length");
  }
  EXPECT_EQ(rest.natural_angle[2], 0);
  rest.SetNaturalAngle(2, -3.1), rest.SetRestLength(0, 2);
  EXPECT_EQ(rest.natural_angle[2], -3.1);
  EXPECT_EQ(rest.rest_length[0], 2);
}

TEST(ShellRest, ConstantsOfHinges) {
  const double E = kMaterial.young, h = kMaterial.thickness;
  Network network = Pair(false, 0.4);
  network.ClampShell(0, {3});
  const ShellRest rest = Rest(network);
  const double bending = 2 / std::sqrt(3) * E * h * h * h / 12;
  const double expected[] = {0, 0, bending, 2 * bending, 0};
  for (int e = 0; e < 5; ++e) {
    EXPECT_NEAR(rest.rest_length[e], kSide, 1e-16);
    EXPECT_NEAR(rest.axial_stiffness[e] / (std::sqrt(0.75) * E * h * kSide), 1, 1e-14);
    EXPECT_NEAR(rest.hinge_stiffness[e], expected[e], 1e-14 * bending);
    EXPECT_NEAR(rest.natural_angle[e], e == 2 ? 0.4 : 0, 1e-15);
  }
  for (int t : {0, 1}) {
    EXPECT_NEAR(rest.area[t], std::sqrt(3) / 4 * kSide * kSide, 1e-18);
    EXPECT_EQ(rest.facet_stiffness[t], (std::array<double, 6>{}));
  }
}

// M = 2 k_b l^2 / A on the diagonal; (1 - nu) / 4 + nu of that off the diagonal, as cos^2 60 = 1 /
// 4.
TEST(ShellRest, ConstantsOfMidEdgeNormals) {
  for (double nu : {0.0, 0.3, 0.5, -0.4}) {
    Network network = Pair(true, 0.4);
    network.ClampShell(0, {3});
    const double E = 2e6, h = 2e-3;
    const ShellRest rest = Rest(network, {E, nu, h, 0});
    const double k_b = E * h * h * h / (24 * (1 - nu * nu));
    const double diagonal = 2 * k_b * 4 / std::sqrt(3), beside = (0.25 * (1 - nu) + nu) * diagonal;
    for (int t : {0, 1}) {
      const double expected[] = {diagonal, beside, diagonal, beside, beside, diagonal};
      for (int k = 0; k < 6; ++k) {
        EXPECT_NEAR(rest.facet_stiffness[t][k], expected[k], 1e-13 * diagonal);
      }
    }
    EXPECT_EQ(rest.facet_weight[0], (std::array{0.0, 0.0, 0.5}));
    EXPECT_EQ(rest.facet_weight[1], (std::array{1.0, 0.0, 0.5}));
    EXPECT_NEAR(rest.natural_angle[2], 0.4, 1e-15);
    for (int e = 0; e < 5; ++e) {
      EXPECT_EQ(rest.hinge_stiffness[e], 0);
      EXPECT_NEAR(rest.axial_stiffness[e] / (2 / (1 - nu * nu) * E * h * kSide), 1, 1e-14);
    }
  }
}

TEST(ShellRest, EachShellHasItsMaterial) {
  Network network = Pair(false);
  AddShell(&network, testing::Fan(6, 1), true);
  const ShellRest rest(network, std::vector<ShellMaterial>{{1, 0.3, 1, 1}, {7, 0, 2, 3}});
  EXPECT_EQ(rest.shell_of_edge, [] {
    std::vector<int> of(5, 0);
    of.resize(5 + 12, 1);
    return of;
  }());
  EXPECT_EQ(rest.shell_of_triangle, (std::vector{0, 0, 1, 1, 1, 1, 1, 1}));
  EXPECT_NEAR(rest.axial_stiffness[0], std::sqrt(0.75) * kSide, 1e-15);
  EXPECT_NEAR(rest.axial_stiffness[16], 2 * 7 * 2.0, 1e-13);
}

// Mass rho h A of each triangle, a third at each of its corners.
TEST(ShellMass, IsLumpedByThirds) {
  Network network = Pair(true);
  network.AddRod({{1, 1, 1}, {2, 1, 1}}, Vector3::UnitZ());
  network.ClampShell(0, {3});
  const Dofs dofs(network);
  const ShellRest rest = Rest(network);
  const double third = 1200 * 2e-3 * std::sqrt(3) / 4 * kSide * kSide / 3;
  std::vector<double> mass(dofs.size(), 5);
  AddShellMass(rest, dofs, &mass);
  const double shares[] = {2, 2, 1, 1, 0, 0, 0};  // vertices, rod, clamp
  for (int n = 0; n < network.nodes(); ++n) {
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(mass[dofs.node(n) + c], 5 + shares[n] * third, 1e-14) << n;
    }
  }
  for (int e = 0; e < 5; ++e) EXPECT_EQ(mass[dofs.rotation(e)], 5);
  AddShellMass(rest, dofs, -1200, &mass);
  for (double one : mass) EXPECT_NEAR(one, 5, 1e-14);
  AddShellMass(rest, dofs, 600, &mass);
  EXPECT_NEAR(mass[dofs.node(0)], 5 + third, 1e-14);
}

}  // namespace shell_test
}  // namespace strand
