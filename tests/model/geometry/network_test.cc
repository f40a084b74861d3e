#include "model/geometry/network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/errors.h"

namespace strand {
namespace network_test {

using testing::FieldOf;

const Vector3 kUp = Vector3::UnitZ();

// `count` nodes from `start` on, `step` apart.
std::vector<Vector3> Line(const Vector3& start, const Vector3& step, int count) {
  std::vector<Vector3> nodes;
  for (int k = 0; k < count; ++k) nodes.push_back(start + k * step);
  return nodes;
}

std::vector<Vector3> Square() { return {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}; }

// Checks that every joint runs from edge a through the shared node to edge b, and that its signs
// say whether the edges point that way.
void ExpectConsistent(const Network& network, double tolerance = 1e-12) {
  for (int e = 0; e < network.edges(); ++e) {
    const Edge& edge = network.edge()[e];
    for (int node : edge.node) {
      ASSERT_GE(node, 0);
      ASSERT_LT(node, network.nodes());
    }
    const Vector3 along = network.node()[edge.node[1]] - network.node()[edge.node[0]];
    if (edge.length > 0) {
      EXPECT_NEAR(along.norm(), edge.length, tolerance);
    }
    EXPECT_LT((network.frame()[e].col(0) - along.normalized()).norm(), std::max(1e-14, tolerance));
    EXPECT_LT((network.frame()[e] * network.frame()[e].transpose() - Frame::Identity()).norm(),
              1e-14);
  }
  for (const Joint& joint : network.joint()) {
    const auto &a = network.edge()[joint.edge[0]].node, &b = network.edge()[joint.edge[1]].node;
    const auto run = [](const std::array<int, 2>& ends, int sign) {
      return sign > 0 ? ends : std::array{ends[1], ends[0]};
    };
    EXPECT_EQ(run(a, joint.sign[0]), (std::array{joint.node[0], joint.node[1]}));
    EXPECT_EQ(run(b, joint.sign[1]), (std::array{joint.node[1], joint.node[2]}));
  }
  for (int r = 0; r < network.rods(); ++r) {
    const RodTopology& rod = network.rod(r);
    for (size_t k = 0; k < rod.edge.size(); ++k) {
      EXPECT_EQ(network.edge()[rod.edge[k]].node,
                (std::array{rod.node[k], rod.node[(k + 1) % rod.node.size()]}));
    }
  }
}

TEST(Network, OpenRods) {
  Network network;
  EXPECT_EQ(network.AddRod(Line({0, 0, 0}, {0.5, 0, 0}, 4), kUp), 0);
  EXPECT_EQ(network.AddRod(Line({0, 2, 0}, {0, 0.2, 0}, 2), kUp), 1);
  EXPECT_EQ(network.nodes(), 6);
  EXPECT_EQ(network.edges(), 4);
  EXPECT_EQ(network.joints(), 2);
  EXPECT_EQ(network.rods(), 2);
  EXPECT_EQ(network.rod(0).node, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(network.rod(0).edge, (std::vector{0, 1, 2}));
  EXPECT_EQ(network.rod(0).joint, (std::vector{0, 1}));
  EXPECT_EQ(network.rod(1).node, (std::vector{4, 5}));
  EXPECT_EQ(network.rod(1).edge, (std::vector{3}));
  EXPECT_TRUE(network.rod(1).joint.empty());
  EXPECT_EQ(network.joint()[1], (Joint{{1, 2}, {1, 1}, {1, 2, 3}}));
  EXPECT_EQ(network.frame()[0].col(1), kUp);
  EXPECT_FALSE(network.rod(0).closed);
  ExpectConsistent(network);
}

// Users do not see indices of the whole network, which Connect changes.
TEST(Network, NamesCountPerRod) {
  Network network;
  network.AddRod(Line({0, 0, 0}, {0.5, 0, 0}, 4), kUp);
  network.AddRod(Line({0.5, 0, 0}, {0, 0.2, 0}, 3), kUp);
  network.Clamp(1, 1);
  network.Clamp(0, 0);
  network.Connect(0, 1, 1, 0);
  EXPECT_EQ(network.NodeName(3), "rod 0, node 3");
  EXPECT_EQ(network.NodeName(1), "rod 0, node 1");  // shared by both rods
  EXPECT_EQ(network.NodeName(5), "rod 1, node 2");
  EXPECT_EQ(network.EdgeName(4), "rod 1, edge 1");
  EXPECT_EQ(network.NodeName(network.clamp_nodes()[1]), "clamp 1");
  EXPECT_EQ(network.EdgeName(network.clamp_edges()[0]), "clamp 0");
}

TEST(Network, ClosedRods) {
  Network network;
  network.AddRod(Line({5, 0, 0}, {1, 0, 0}, 2), kUp);
  EXPECT_EQ(network.AddRod(Square(), kUp, true), 1);
  EXPECT_EQ(network.nodes(), 6);
  EXPECT_TRUE(network.rod(1).closed);
  EXPECT_EQ(network.rod(1).edge, (std::vector{1, 2, 3, 4}));
  EXPECT_EQ(network.rod(1).joint, (std::vector{0, 1, 2, 3}));
  EXPECT_EQ(network.edge()[4].node, (std::array{5, 2}));
  EXPECT_EQ(network.joint()[3], (Joint{{4, 1}, {1, 1}, {5, 2, 3}}));
  ExpectConsistent(network);
}

// Rod a ends where rod b ends: the last edge of b is the one that points the wrong way.
TEST(Network, EndsMeet) {
  Network network;
  network.AddRod(Line({-2, 0, 0}, {1, 0, 0}, 3), kUp);
  network.AddRod(Line({0, 3, 0}, {0, -1, 0}, 4), kUp);
  EXPECT_EQ(network.Connect(0, -1, 1, -1), (std::vector{3}));
  EXPECT_EQ(network.nodes(), 6);
  EXPECT_EQ(network.rod(1).node, (std::vector{3, 4, 5, 2}));
  EXPECT_EQ(network.joint()[3], (Joint{{1, 4}, {1, -1}, {1, 2, 5}}));
  ExpectConsistent(network);
}

// First node to first node: now the edge of a points the wrong way. Negative indices count from the
// end.
TEST(Network, StartsMeet) {
  for (int node_b : {0, -3}) {
    Network network;
    network.AddRod(Line({0, 0, 0}, {1, 0, 0}, 3), kUp);
    network.AddRod(Line({0, 0, 0}, {0, 1, 0}, 3), kUp);
    EXPECT_EQ(network.Connect(0, 0, 1, node_b), (std::vector{2}));
    EXPECT_EQ(network.joint()[2], (Joint{{0, 2}, {-1, 1}, {1, 0, 3}}));
    EXPECT_EQ(network.rod(1).node, (std::vector{0, 3, 4}));
    ExpectConsistent(network);
  }
}

// The node that is kept may come after the one that is dropped; then its index shifts, too.
TEST(Network, MiddlesMeetAndNodesAreRenumbered) {
  Network network;
  network.AddRod(Line({-1, 0, 0}, {1, 0, 0}, 3), kUp);
  network.AddRod(Line({0, -1, 0}, {0, 1, 0}, 3), kUp);
  network.AddRod(Line({7, 0, 0}, {1, 0, 0}, 2), kUp);
  network.Clamp(2, 1);
  EXPECT_EQ(network.Connect(1, 1, 0, 1), (std::vector{3, 4, 5, 6}));
  EXPECT_EQ(network.nodes(), 8);
  EXPECT_EQ(network.rod(0).node, (std::vector{0, 3, 1}));
  EXPECT_EQ(network.rod(1).node, (std::vector{2, 3, 4}));
  EXPECT_EQ(network.rod(2).node, (std::vector{5, 6}));
  EXPECT_EQ(network.clamp_nodes(), (std::vector{7}));
  EXPECT_EQ(network.joint()[3], (Joint{{2, 0}, {1, -1}, {2, 3, 0}}));
  EXPECT_EQ(network.joint()[4], (Joint{{2, 1}, {1, 1}, {2, 3, 1}}));
  EXPECT_EQ(network.joint()[5], (Joint{{3, 0}, {-1, -1}, {4, 3, 0}}));
  EXPECT_EQ(network.joint()[6], (Joint{{3, 1}, {-1, 1}, {4, 3, 1}}));
  EXPECT_LT((network.node()[3]).norm(), 1e-15);
  EXPECT_LT((network.node()[5] - Vector3(7, 0, 0)).norm(), 1e-15);
  ExpectConsistent(network);
}

// Of n edges at a node, every pair is joined once, in any order of connection.
TEST(Network, SeveralRodsAtOneNode) {
  Network network;
  for (int k = 0; k < 5; ++k) {
    const Vector3 along(std::cos(1.1 * k), std::sin(1.1 * k), 0.3);
    network.AddRod(k % 2 ? Line(-2 * along, along, 3) : Line({0, 0, 0}, along, 3),
                   Vector3::UnitZ());
  }
  for (int k = 1; k < 5; ++k) {
    EXPECT_EQ(network.Connect(0, 0, k, k % 2 ? -1 : 0).size(), static_cast<size_t>(k));
  }
  EXPECT_EQ(network.nodes(), 15 - 4);
  EXPECT_EQ(network.joints(), 5 + 5 * 4 / 2);
  int pairs[10][10] = {};
  for (const Joint& joint : network.joint()) {
    ++pairs[joint.edge[0]][joint.edge[1]], ++pairs[joint.edge[1]][joint.edge[0]];
  }
  for (int a = 0; a < 10; ++a) {
    for (int b = 0; b < 10; ++b) EXPECT_LE(pairs[a][b], 1) << a << " " << b;
  }
  ExpectConsistent(network);
}

TEST(Network, EndsOfOneRodMeet) {
  Network network;
  std::vector<Vector3> nodes = Square();
  nodes.push_back(nodes.front());
  network.AddRod(nodes, kUp);
  network.Connect(0, -1, 0, 0);
  EXPECT_EQ(network.nodes(), 4);
  EXPECT_EQ(network.joints(), 4);
  EXPECT_EQ(network.joint()[3], (Joint{{3, 0}, {1, 1}, {2, 3, 0}}));
  ExpectConsistent(network);
}

// On the scale of micrometres as on that of metres.
TEST(Network, EndsMustBeCloseAgainstTheirEdges) {
  for (const double size : {1e-6, 1e-3, 1.0, 1e3}) {
    const double close = std::min(1e-6, 1e-2 * size);
    for (const double share : {0.9, 1.1}) {
      Network network;
      network.AddRod(Line({0, 0, 0}, {size, 0, 0}, 3), kUp);
      network.AddRod(Line({-share * close, 0, 0}, {-size, 0, 0}, 3), kUp);
      if (share < 1) {
        EXPECT_NO_THROW(network.Connect(0, 0, 1, 0)) << size;
      } else {
        EXPECT_THROW(network.Connect(0, 0, 1, 0), ConfigError) << size;
      }
    }
  }
}

TEST(Network, Clamps) {
  Network network;
  network.AddRod(Line({0, 0, 0}, {0.5, 0, 0}, 3), kUp);
  EXPECT_EQ(network.Clamp(0, 0), 1);
  EXPECT_EQ(network.Clamp(0, 1), 2);
  EXPECT_EQ(network.clamp_nodes(), (std::vector{3, 4}));
  EXPECT_EQ(network.clamp_edges(), (std::vector{2, 3}));
  EXPECT_EQ(network.joint()[1], (Joint{{2, 0}, {1, 1}, {3, 0, 1}}));
  EXPECT_EQ(network.joint()[2], (Joint{{1, 3}, {1, 1}, {1, 2, 4}}));
  EXPECT_EQ(network.node()[3], Vector3(-0.5, 0, 0));
  EXPECT_EQ(network.node()[4], Vector3(1.5, 0, 0));
  for (int e : {2, 3}) EXPECT_EQ(network.edge()[e].length, 0);
  EXPECT_EQ(network.frame()[3], network.frame()[1]);
  EXPECT_EQ(network.rod(0).node.size(), 3u);
  ExpectConsistent(network);
}

// Two rods clamped where they meet: there is no joint between two clamps.
TEST(Network, ClampsMeet) {
  Network network;
  network.AddRod(Line({0, 0, 0}, {1, 0, 0}, 2), kUp);
  network.AddRod(Line({0, 0, 0}, {0, 1, 0}, 2), kUp);
  network.Clamp(0, 0), network.Clamp(1, 0);
  EXPECT_EQ(network.Connect(0, 0, 1, 0).size(), 3u);
  EXPECT_EQ(network.joints(), 5);
  for (const Joint& joint : network.joint()) EXPECT_NE(joint.edge, (std::array{2, 3}));
  ExpectConsistent(network);
}

TEST(Network, BadRods) {
  Network network;
  const auto add = [&](const std::vector<Vector3>& nodes, const Vector3& normal, bool closed) {
    return FieldOf([&] { network.AddRod(nodes, normal, closed); });
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(add({}, kUp, false), "nodes");
  EXPECT_EQ(add({{0, 0, 0}}, kUp, false), "nodes");
  EXPECT_EQ(add(Line({0, 0, 0}, {1, 0, 0}, 2), kUp, true), "nodes");
  EXPECT_EQ(add({{0, 0, 0}, {1, 0, 0}, {1, 0, 0}}, kUp, false), "nodes");
  EXPECT_EQ(add({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, kUp, true), "nodes");
  EXPECT_EQ(add({{0, 0, 0}, {nan, 0, 0}}, kUp, false), "nodes");
  EXPECT_EQ(add({{0, 0, 0}, {INFINITY, 0, 0}}, kUp, false), "nodes");
  EXPECT_EQ(add(Line({0, 0, 0}, {0, 0, 1}, 3), kUp, false), "normal");
  EXPECT_EQ(add(Line({0, 0, 0}, {1, 0, 0}, 3), {nan, 0, 0}, false), "normal");
  EXPECT_EQ(network.nodes(), 0);  // a rejected rod leaves nothing behind
  EXPECT_EQ(network.edges(), 0);
  EXPECT_EQ(network.rods(), 0);
}

TEST(Network, BadConnectionsAndClamps) {
  Network network;
  network.AddRod(Line({0, 0, 0}, {1, 0, 0}, 3), kUp);
  network.AddRod(Line({0, 2e-6, 0}, {0, 1, 0}, 3), kUp);
  network.AddRod(Square(), kUp, true);
  network.AddRod(Line({0, 0, 5e-7}, {0, 0, 1}, 3), Vector3::UnitX());
  const auto connect = [&](int a, int node_a, int b, int node_b) {
    return FieldOf([&] { network.Connect(a, node_a, b, node_b); });
  };
  EXPECT_EQ(connect(4, 0, 1, 0), "rod");
  EXPECT_EQ(connect(0, 0, -1, 0), "rod");
  EXPECT_EQ(connect(0, 3, 1, 0), "node_a");
  EXPECT_EQ(connect(0, 0, 1, -4), "node_b");
  EXPECT_EQ(connect(0, 0, 1, 0), "node_b");   // 2 um apart
  EXPECT_EQ(connect(0, 1, 0, -2), "node_b");  // the same node
  EXPECT_EQ(FieldOf([&] { network.Clamp(2, 0); }), "clamp");
  EXPECT_EQ(FieldOf([&] { network.Clamp(0, 2); }), "end");
  EXPECT_EQ(FieldOf([&] { network.Clamp(7, 0); }), "rod");
  EXPECT_EQ(network.joints(), 1 + 1 + 4 + 1);
  EXPECT_EQ(connect(0, 0, 3, 0), "");
  EXPECT_EQ(connect(0, 0, 3, 0), "node_b");  // already the same node
  ExpectConsistent(network, 1e-6);
}

}  // namespace network_test
}  // namespace strand
