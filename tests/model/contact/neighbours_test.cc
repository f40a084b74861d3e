#include "model/contact/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "model/config/error.h"
#include "tests/support/sheets.h"

namespace strand {
namespace neighbours_test {

using testing::AddSheet;

// A network, its contact bodies and the pairs that are neighbours in its rest shape.
struct Drawn {
  Drawn(const Network& of, double radius, std::vector<double> thickness)
      : network(of),
        bodies(MakeContactBodies(of, std::vector<double>(of.edges(), radius), thickness)),
        neighbours(Neighbours(of, bodies)) {}

  bool Are(const PrimitivePair& pair) const { return std::ranges::binary_search(neighbours, pair); }

  /// visit(pair, distance) for all pairs that share no node.
  template <class Visit>
  void ForEachPair(const Visit& visit) const {
    const Primitives& primitives = bodies.primitives;
    for (int a = 0; a < primitives.size(); ++a) {
      for (int b = a + 1; b < primitives.size(); ++b) {
        const PrimitivePair pair{a, b};
        if (!primitives.Match(pair) || primitives.ShareNode(pair)) continue;
        visit(pair, primitives.Distance(pair, network.node()));
      }
    }
  }

  /// The middle of a primitive.
  Vector3 Middle(int primitive) const {
    Vector3 sum = Vector3::Zero();
    const auto nodes = bodies.primitives.nodes(primitive);
    for (int n : nodes) sum += network.node()[n];
    return sum / static_cast<double>(nodes.size());
  }

  Network network;
  ContactBodies bodies;
  std::vector<PrimitivePair> neighbours;
};

std::vector<Vector3> Line(const Vector3& start, const Vector3& step, int edges) {
  std::vector<Vector3> nodes;
  for (int k = 0; k <= edges; ++k) nodes.push_back(start + k * step);
  return nodes;
}

// Neighbours by arclength, and only along one rod.
TEST(Neighbours, AlongRods) {
  Network network;
  network.AddRod(Line({0, 0, 0}, {0.1, 0, 0}, 12), Vector3::UnitZ());
  network.AddRod(Line({0, 0.3, 0}, {0.1, 0, 0}, 12), Vector3::UnitZ());
  const Drawn drawn(network, 0.05, {});
  EXPECT_TRUE(drawn.bodies.primitives.point.empty());
  drawn.ForEachPair([&](const PrimitivePair& pair, double) {
    const bool one_rod = pair.a / 12 == pair.b / 12;
    const double apart = 0.1 * (pair.b - pair.a - 1);
    EXPECT_EQ(drawn.Are(pair), one_rod && apart < 0.3 + 1e-9) << pair.a << " " << pair.b;
  });
}

// On a flat sheet only the distance counts, to the accuracy with which paths along edges measure
// it.
TEST(Neighbours, OnASheetByDistance) {
  Network network;
  AddSheet(12, 9, [](int i, int j) { return Vector3(0.05 * i, 0.05 * j, 0); }, &network);
  AddSheet(4, 4, [](int i, int j) { return Vector3(0.05 * i, 0.05 * j, 0.06); }, &network);
  const Drawn drawn(network, 0, {0.04, 0.04});
  const int other_edges = 4 * 5 * 2 + 16;
  const int first_other = drawn.bodies.primitives.first_point() - other_edges;
  int near = 0, across = 0;
  drawn.ForEachPair([&](const PrimitivePair& pair, double distance) {
    const bool is_edges = drawn.bodies.primitives.kind(pair) == PairKind::kEdges;
    const bool one_sheet = std::abs(drawn.Middle(pair.a).z() - drawn.Middle(pair.b).z()) < 0.01;
    if (is_edges) {
      EXPECT_EQ(one_sheet, (pair.a < first_other) == (pair.b < first_other));
    }
    if (distance > 0.12 + 1e-9 || !one_sheet) {
      EXPECT_FALSE(drawn.Are(pair));
    } else if (distance < 0.12 / std::sqrt(2.0)) {
      EXPECT_TRUE(drawn.Are(pair)) << distance;
      ++near;
    }
    across += !one_sheet && distance < 0.12;
  });
  EXPECT_GT(near, 2000);
  EXPECT_GT(across, 2000);  // there are close pairs of two sheets
}

// A rest shape folded to a U whose legs nearly touch: pairs of the two legs are in contact, except
// at the bend. A thick rod elsewhere adds no neighbours.
TEST(Neighbours, AFoldedSheetTouchesItself) {
  constexpr double kThickness = 0.01, kStep = 0.02, kApart = 0.015;
  Network network;
  const auto fold = [&](int i, int j) {
    return i <= 10 ? Vector3(kStep * i, kStep * j, 0)
                   : Vector3(kStep * (21 - i), kStep * j, kApart);
  };
  AddSheet(21, 3, fold, &network);
  network.AddRod({{0, 0, 9}, {1, 0, 9}}, Vector3::UnitZ());
  const Drawn drawn(network, 0.5, {kThickness});
  int at_bend = 0, legs = 0;
  drawn.ForEachPair([&](const PrimitivePair& pair, double distance) {
    const Vector3 a = drawn.Middle(pair.a), b = drawn.Middle(pair.b);
    if (distance > 3 * kThickness || std::abs(a.z() - b.z()) < 0.9 * kApart) return;
    ASSERT_FALSE(pair.a < drawn.bodies.rod_edges);
    const double way = std::min(a.x(), b.x());  // the bend is at 0.2
    if (way < 0.2 - 3 * kThickness - 2 * kStep) {
      EXPECT_FALSE(drawn.Are(pair)) << way;
      ++legs;
    } else if (way > 0.2 - 0.5 * kThickness) {
      EXPECT_TRUE(drawn.Are(pair)) << way;
      ++at_bend;
    }
  });
  EXPECT_GT(legs, 200);
  EXPECT_GT(at_bend, 5);
}

// The corner across a long edge is nearer to that edge than to any other corner.
TEST(Neighbours, AcrossALongEdge) {
  Network network;
  network.AddShell({{0, 0, 0}, {1, 0, 0}, {0.5, 0.8, 0}, {0.5, -0.02, 0}}, {{0, 1, 2}, {1, 0, 3}});
  for (double thickness : {0.01, 0.005}) {
    const Drawn drawn(network, 0, {thickness});
    int seen = 0;
    drawn.ForEachPair([&](const PrimitivePair& pair, double distance) {
      if (distance > 0.021) return;
      EXPECT_EQ(drawn.Are(pair), thickness == 0.01);
      ++seen;
    });
    EXPECT_EQ(seen, 1);
  }
}

// A rod and the sheet are neighbours near their attachment, but not where the rod comes back.
TEST(Neighbours, OfARodAttachedToASheet) {
  for (Attachment how : {Attachment::kHinged, Attachment::kRigid}) {
    Network network;
    AddSheet(10, 4, [](int i, int j) { return Vector3(0.05 * i, 0.05 * j, 0); }, &network);
    std::vector<Vector3> nodes = Line({0.1, 0.1, 0}, {0, 0, 0.02}, 10);
    for (int k = 1; k <= 5; ++k) nodes.push_back({0.1 + 0.05 * k, 0.11, 0.2});
    for (int k = 1; k <= 8; ++k) nodes.push_back({0.35, 0.11, 0.2 - 0.022 * k});
    network.AddRod(nodes, Vector3::UnitX());
    network.Attach(0, 0, 0, 2 + 2 * 11, how);
    network.Clamp(0, 1);
    const Drawn drawn(network, 0.01, {0.01});
    EXPECT_EQ(drawn.bodies.rod_edges, 23);  // neither ribs nor the clamp
    EXPECT_EQ(drawn.bodies.primitives.point.size(), 55u + 23u);
    EXPECT_EQ(drawn.bodies.radius[drawn.bodies.primitives.first_point() + 24], 0.01);
    int near = 0, back = 0;
    drawn.ForEachPair([&](const PrimitivePair& pair, double distance) {
      const Vector3 a = drawn.Middle(pair.a), b = drawn.Middle(pair.b);
      const bool both = a.z() > 1e-9 && b.z() < 1e-9;  // a is the rod's
      if (!both || distance > 3 * 0.015) return;
      const bool at_foot = a.x() < 0.11;
      EXPECT_EQ(drawn.Are(pair), at_foot) << a.transpose() << ", " << distance;
      ++(at_foot ? near : back);
    });
    EXPECT_GT(near, 10);
    EXPECT_GT(back, 3);
  }
}

TEST(ContactBodies, AreNamedAsUsersKnowThem) {
  Network network;
  network.AddRod({{0, 0, 1}, {1, 0, 1}}, Vector3::UnitZ());
  network.AddShell({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  network.AddShell({{0, 0, 2}, {1, 0, 2}, {0, 1, 2}, {1, 1, 2}}, {{0, 1, 2}, {1, 3, 2}});
  const Drawn drawn(network, 0.1, {0.04, 0.06});
  const auto name = [&](int primitive) { return BodyName(network, drawn.bodies, primitive); };
  EXPECT_EQ(name(0), "rod 0, edge 0");
  EXPECT_EQ(name(1), "shell 0, edge 0");
  EXPECT_EQ(name(8), "shell 1, edge 4");
  EXPECT_EQ(name(9), "rod 0, node 0");
  EXPECT_EQ(name(11), "shell 0, vertex 0");
  EXPECT_EQ(name(20), "shell 1, triangle 1");
  EXPECT_EQ(drawn.bodies.radius[8], 0.03);
  EXPECT_EQ(drawn.bodies.radius[18], 0.02);
  const std::vector<double> one(1, 0.1);
  EXPECT_THROW(MakeContactBodies(network, {}, {0.04, 0.06}), ConfigError);
  EXPECT_THROW(MakeContactBodies(network, one, {}), ConfigError);
  for (double bad : {0.0, -1.0, double(INFINITY), double(NAN)}) {
    EXPECT_THROW(MakeContactBodies(network, one, {0.04, bad}), ConfigError);
  }
}

}  // namespace neighbours_test
}  // namespace strand
