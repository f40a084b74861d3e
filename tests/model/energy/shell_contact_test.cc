#include <gtest/gtest.h>

#include <cmath>

#include "model/contact/piercing.h"
#include "model/energy/obstacle_contact.h"
#include "model/energy/surface_contact.h"
#include "tests/support/contact_cases.h"
#include "tests/support/sheets.h"

namespace strand {
namespace shell_contact_test {

using testing::AddSheet;
using testing::AnchoredOptions;
using testing::ExpectRejected;
using testing::ForceCase;
using testing::kPerTime;
using testing::kRadius;
using testing::kTolerance;
using testing::Options;
using testing::Placed;
using testing::Random;
using testing::RandomMove;
using testing::Vector;

constexpr double kClose = 2 * kRadius + 0.01;  // of middle surfaces: within the tolerance

void AddTriangle(const Vector3& a, const Vector3& b, const Vector3& c, Network* network) {
  network->AddShell({a, b, c}, {{0, 1, 2}});
}

// Two triangles, or a triangle and a rod, that touch in one way each.
std::vector<std::pair<const char*, Network>> Touching() {
  const auto over = [](const Vector3& a, const Vector3& b, const Vector3& c) {
    Network network;
    AddTriangle({0, 0, 0}, {1.5, 0, 0.1}, {0.2, 1.4, 0}, &network);
    AddTriangle(a, b, c, &network);
    return network;
  };
  const auto under = [](const std::vector<Vector3>& rod) {
    Network network;
    AddTriangle({0, 0, 0}, {1.5, 0, 0.1}, {0.2, 1.4, 0}, &network);
    network.AddRod(rod, Vector3(0.3, 0.2, 1));
    return network;
  };
  const double d = kClose;
  return {{"point and face", over({0.5, 0.45, d + 0.03}, {1.2, 0.8, 1.1}, {0.1, 0.9, 1.3})},
          {"point and edge", over({0.7, -d, 0.04}, {1.2, -1.1, 0.6}, {0.1, -1.4, -0.2})},
          {"point and point", over({-0.6 * d, -0.8 * d, 0}, {-1, -0.3, 0.5}, {-0.6, -1.2, -0.2})},
          {"edge and edge", over({0.7, 0.7, d + 0.42}, {0.75, -0.7, d - 0.28}, {0.7, -0.9, 1.2})},
          {"rod's end and face", under({{0.5, 0.45, d + 0.03}, {0.6, 0.5, 1.2}, {0.7, 0.3, 2}})},
          {"rod's node and face",
           under({{0.1, 0.4, d + 0.2}, {0.5, 0.45, d + 0.025}, {1.1, 0.6, d + 0.4}})},
          {"rod and edge", under({{0.7, 0.7, d + 0.42}, {0.75, -0.7, d - 0.28}})}};
}

std::vector<double> Thickness(const Network& network) {
  return std::vector<double>(network.shells(), 2 * kRadius);
}

std::vector<double> Radius(const Network& network) {
  return std::vector<double>(network.edges(), kRadius);
}

class ShellContactDerivatives : public ::testing::TestWithParam<double> {};

TEST_P(ShellContactDerivatives, MatchDifferences) {
  Random random(1);
  for (const auto& [name, network] : Touching()) {
    SCOPED_TRACE(name);
    const Dofs dofs(network);
    SurfaceContact contact(network, dofs, Radius(network), Options(GetParam()), Thickness(network));
    CheckContactDerivatives(network, dofs, &contact, GetParam() == 0, &random);
  }
}

INSTANTIATE_TEST_SUITE_P(Friction, ShellContactDerivatives, ::testing::Values(0.0, 0.4));

TEST(ShellContact, AnchoredFrictionMatchesDifferences) {
  Random random(1);
  for (const double stiffness : {20.0, 1e5}) {
    for (const auto& [name, network] : Touching()) {
      SCOPED_TRACE(name);
      const Dofs dofs(network);
      SurfaceContact contact(network, dofs, Radius(network), AnchoredOptions(0.4, stiffness),
                             Thickness(network));
      CheckContactDerivatives(network, dofs, &contact, false, &random);
    }
  }
}

// Friction on shells acts on their middle surface, on rods it acts on the surface.
TEST(ShellContact, NoNetWrench) {
  Random random(2);
  for (double friction : {0.0, 0.5}) {
    for (const auto& [name, network] : Touching()) {
      SCOPED_TRACE(name);
      const Dofs dofs(network);
      SurfaceContact contact(network, dofs, Radius(network), Options(friction), Thickness(network));
      const double arm = network.rods() > 0 ? 1.1 * kRadius : 2.2 * kRadius;
      CheckNoNetWrench(network, dofs, &contact, &random, arm);
    }
  }
}

// The force of one pair of a point and a face, with gap and weights computed by hand.
TEST(ShellContact, PointOnAFaceLoadsItsCornersByTheirWeights) {
  Network network;
  AddTriangle({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, &network);
  AddTriangle({0.2, 0.3, kClose}, {0.2, 1.3, 2}, {1.2, 0.3, 2}, &network);
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, {}, Options(0), Thickness(network));
  ForceCase force(network, dofs, &contact, kPerTime);
  const Vector gradient = force.Gradient(Vector::Zero(force.size()));
  const double push = -ContactPenalty(kClose - 2 * kRadius, 300, kTolerance).slope;
  const double share[] = {0.5, 0.2, 0.3, -1};
  for (int n = 0; n < 4; ++n) {
    const Vector3 expected(0, 0, push * share[n]);
    EXPECT_LT((gradient.segment<3>(dofs.node(n)) - expected).norm(), 1e-12 * push);
  }
  contact.Report();
  EXPECT_EQ(contact.summary().contacts, 1);
  EXPECT_NEAR(contact.summary().normal_force, push, 1e-12 * push);
}

TEST(ShellContact, FrictionOpposesSlipAndStaysInTheCone) {
  const Network network = Touching()[0].second;
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, {}, Options(0.5), Thickness(network));
  ForceCase force(network, dofs, &contact, kPerTime);
  Vector slide = Vector::Zero(force.size());
  for (int n = 3; n < 6; ++n) slide[dofs.node(n) + 1] = 0.02;  // the upper triangle moves along y
  const Vector gradient = force.Gradient(slide);
  contact.Report();
  double along = 0;
  for (int n = 3; n < 6; ++n) along -= gradient[dofs.node(n) + 1];
  EXPECT_GT(contact.summary().friction_force, 0.4 * contact.summary().normal_force);
  EXPECT_LE(contact.summary().friction_force, 0.5 * contact.summary().normal_force);
  EXPECT_NEAR(-along, contact.summary().friction_force, 0.1 * contact.summary().friction_force);
}

// A sheet is not in contact with itself, however thick it is compared to its edges, until it folds.
TEST(ShellContact, OneSheetAloneTouchesNothing) {
  Network network;
  AddSheet(8, 8, [](int i, int j) { return Vector3(0.1 * i, 0.1 * j, 0); }, &network);
  const Dofs dofs(network);
  for (double thickness : {0.05, 0.1, 0.3}) {
    SurfaceContact contact(network, dofs, {}, Options(0), {thickness});
    ForceCase force(network, dofs, &contact, kPerTime);
    EXPECT_EQ(force.Energy(Vector::Zero(force.size())), 0);
    Vector fold = Vector::Zero(force.size());  // the left half over the right one
    for (int n = 0; n < network.nodes(); ++n) {
      const double x = network.node()[n].x();
      if (x < 0.4) fold[dofs.node(n)] = 2 * (0.4 - x), fold[dofs.node(n) + 2] = thickness;
    }
    const std::vector<double> still(dofs.size(), 0.0);
    contact.Prepare(force.At(fold), {fold.data(), size_t(fold.size())}, 1);
    EXPECT_EQ(force.Energy(fold) > 0, thickness < 0.3);  // 0.9: all are neighbours
  }
}

// The number of pairs of two sheets of equilateral triangles that lie on each other: every vertex
// is over a triangle, and two sets of lines of lengths a and b on an area A cross a b / A <|sin|>
// times, averaged over the angles between them.
TEST(ShellContact, FlatContactIsCarriedByManyPairs) {
  constexpr double kSide = 0.1, kThickness = 1e-4, kTurn = 0.4;
  const auto place = [](int i, int j) {
    return Vector3(kSide * (i - 0.5 * j), kSide * std::sqrt(0.75) * j, 0);
  };
  const auto turned = [&](int i, int j) -> Vector3 {
    const Vector3 middle = place(40, 40), lift(0, 0, 1.0001 * kThickness);
    return Eigen::AngleAxisd(kTurn, Vector3::UnitZ()) * (place(i + 25, j + 25) - middle) + middle +
           lift;
  };
  Network network;
  AddSheet(80, 80, place, &network);
  AddSheet(30, 30, turned, &network);
  const Dofs dofs(network);
  ContactOptions options = Options(0);
  options.tolerance = 1e-7;
  SurfaceContact contact(network, dofs, {}, options, {kThickness, kThickness});
  ForceCase force(network, dofs, &contact, kPerTime);
  force.Gradient(Vector::Zero(force.size()));
  contact.Report();
  const int edges = 2 * 30 * 31 + 30 * 30, vertices = 31 * 31;
  const double squares = 30 * 30;  // also the number of vertices of the other sheet
  double sine = 0;
  for (int k : {-1, 0, 1}) sine += std::abs(std::sin(kTurn + k * kTwoPi / 6)) / 3;
  const double crossings = edges * 2 * std::sqrt(3.0) * sine;
  EXPECT_NEAR(contact.summary().contacts, vertices + squares + crossings, 0.02 * crossings);
  EXPECT_NEAR(crossings / squares, 7, 0.5);
}

// Sheets, rods and triangles are tossed about in long steps. In every step each pair keeps a tenth
// of its distance above the floor, so that none passes through.
TEST(ShellContact, NothingPassesThroughInAnyStep) {
  Random random(3);
  Network network;
  AddSheet(3, 2, [](int i, int j) { return Vector3(0.3 * i, 0.3 * j, 0); }, &network);
  AddSheet(
      2, 2, [](int i, int j) { return Vector3(0.3 * i, 0.2 + 0.1 * i, 0.25 + 0.3 * j); }, &network);
  network.AddRod({{0.1, 0.1, 0.2}, {0.4, 0.05, 0.22}, {0.7, 0.12, 0.25}}, Vector3::UnitZ());
  const Dofs dofs(network);
  const std::vector<double> thickness = {0.04, 0.03}, radius(2, 0.02);
  SurfaceContact contact(network, dofs, radius, Options(0), thickness);
  const Primitives bodies = MakeContactBodies(network, radius, thickness).primitives;
  std::vector<PrimitivePair> pairs;
  std::vector<Vector3> points = network.node();
  for (int a = 0; a < bodies.size(); ++a) {
    for (int b = a + 1; b < bodies.size(); ++b) {
      const bool far = bodies.Match({a, b}) && !bodies.ShareNode({a, b}) &&
                       bodies.Distance({a, b}, points) > 0.121;
      if (far) pairs.push_back({a, b});  // not neighbours
    }
  }
  Configuration at = Placed(network, dofs);
  int cut = 0;
  for (int step = 0; step < 150; ++step) {
    const Vector way = RandomMove(dofs.size(), step % 3 ? 0.05 : 2, &random);
    const std::span<const double> ways{way.data(), size_t(way.size())};
    contact.Prepare(Motion{at, at, 0, 0}, ways, 1);
    const double part = contact.Limit(at, ways, {});
    cut += part < 1;
    std::vector<double> before;
    for (const PrimitivePair& pair : pairs) before.push_back(bodies.Distance(pair, points));
    const Configuration from = at;
    for (int k = 1; k <= 20; ++k) {
      for (int dof = 0; dof < dofs.size(); ++dof) {
        at.q[dof] = from.q[dof] + k / 20.0 * part * way[dof];
      }
      for (int n = 0; n < network.nodes(); ++n) points[n] = at.position(dofs.node(n));
      for (size_t p = 0; p < pairs.size(); ++p) {
        const double floor = 0.2 * 0.03;  // a fraction of the smallest contact distance
        ASSERT_GT(bodies.Distance(pairs[p], points),
                  0.99 * std::min(before[p], floor + 0.1 * std::max(before[p] - floor, 0.0)));
      }
    }
    ASSERT_FALSE(FindPiercing(points, bodies)) << step;
  }
  EXPECT_GT(cut, 50);
}

// A fast sheet has short room, so that its candidates are few, until a whole step has to be free.
TEST(ShellContact, FastSheetsHaveFewCandidates) {
  Network network;
  for (double z : {0.0, 5.0}) {
    AddSheet(16, 16, [=](int i, int j) { return Vector3(0.1 * i, 0.1 * j, z); }, &network);
  }
  const Dofs dofs(network);
  SurfaceContact contact(network, dofs, {}, Options(0), {0.01, 0.01});
  const Configuration at = Placed(network, dofs);
  std::vector<double> way(dofs.size(), 0.0);
  const auto rise = [&](double height) {
    for (int n = 0; n < network.nodes() / 2; ++n) way[dofs.node(n) + 2] = height;
  };
  rise(0.3);
  contact.Prepare(Motion{at, at, 0, 0}, way, 1);
  EXPECT_LT(contact.candidates(), 16 * network.nodes());
  EXPECT_LT(contact.Limit(at, way, {}), 0.5);
  EXPECT_TRUE(contact.Clears(at, way, {}));
  EXPECT_EQ(contact.Limit(at, way, {}), 1);
  rise(10);
  EXPECT_FALSE(contact.Clears(at, way, {}));
  EXPECT_NEAR(contact.Limit(at, way, {}), 0.5, 0.06);
}

TEST(ShellContact, RejectsInitialOverlap) {
  Network network;
  AddTriangle({0, 0, 0}, {2, 0, 0}, {0, 2, 0}, &network);
  network.AddRod({{0.5, 0.5, 1}, {0.5, 0.5, 0.12}}, Vector3::UnitX());
  ExpectRejected<SurfaceContact>(
      "positions: got 'rod 0, node 1 and shell 0, triangle 0, 0.12 m apart', allowed: at least the "
      "sum of their radii, of shells half the thickness, 0.15 m, at the start",
      network, Dofs(network), std::vector<double>{0.1}, Options(0), std::vector<double>{0.1});
  network.AddRod({{0.7, 0.5, 2}, {0.7, 0.4, 1}, {0.8, 0.4, -1}}, Vector3::UnitX());
  ExpectRejected<SurfaceContact>(
      "positions: got 'rod 1, edge 1 passes through shell 0, triangle 0', allowed: parts that are "
      "apart at the start",
      network, Dofs(network), std::vector<double>{0.1, 0.1, 0.1}, Options(0),
      std::vector<double>{0.1});
  ExpectRejected<SurfaceContact>("thickness: got '0', allowed: one per shell: 1", network,
                                 Dofs(network), std::vector<double>(3, 0.1), Options(0));
}

TEST(ShellContact, RemembersPairsInCheckpoints) {
  for (const auto& [name, network] : Touching()) {
    SCOPED_TRACE(name);
    const Dofs dofs(network);
    const auto make = [&] {
      return SurfaceContact(network, dofs, Radius(network), Options(0), Thickness(network));
    };
    SurfaceContact contact = make(), other = make();
    ForceCase force(network, dofs, &contact, kPerTime);
    ASSERT_GT(contact.candidates(), 0);
    std::vector<double> bad = testing::CheckPairsAreRestored(&contact, &other);
    std::swap(bad[bad.size() - 1], bad[bad.size() - 2]);
    std::span<const double> memory = bad;
    EXPECT_THROW(other.Load(&memory), ConfigError);
  }
}

// Obstacles act on the vertices of shells as on the nodes of rods.
TEST(ObstacleContact, ActsOnShells) {
  Random random(4);
  Network network;
  AddSheet(2, 1, [](int i, int j) { return Vector3(0.3 * i, 0.3 * j, 0.11); }, &network);
  const Dofs dofs(network);
  const std::vector<Obstacle> floor = {MakeHalfSpace(Vector3::Zero(), Vector3::UnitZ())};
  const std::vector<double> radius(network.nodes(), kRadius);
  for (double friction : {0.0, 0.4}) {
    ObstacleContact contact(network, dofs, radius, floor, Options(friction));
    CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
  }
  ExpectRejected<ObstacleContact>(
      "positions: got 'shell 0, vertex 0 at -0.89 m from the surface of obstacle 0 (plane)', "
      "allowed: more than 0 m, at the start",
      network, dofs, radius, std::vector{MakeHalfSpace(Vector3::UnitZ(), Vector3::UnitZ())},
      Options(0));
}

}  // namespace shell_contact_test
}  // namespace strand
