#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/assembly/dofs.h"
#include "tests/support/errors.h"
#include "tests/support/meshes.h"

namespace strand {
namespace network_shells_test {

using testing::AddShell;
using testing::FieldOf;
using testing::Mesh;

const Vector3 kSide = Vector3::UnitY();

// A rod of `count` nodes from `start` upwards, 0.2 m apart.
int AddMast(Network* network, const Vector3& start, int count = 3) {
  std::vector<Vector3> nodes;
  for (int k = 0; k < count; ++k) nodes.push_back(start + 0.2 * k * Vector3::UnitZ());
  return network->AddRod(nodes, kSide);
}

// Checks that every index points to the right element after any merges.
void ExpectConsistent(const Network& network) {
  for (int s = 0; s < network.shells(); ++s) {
    const ShellTopology& shell = network.shell(s);
    const auto in_shell = [&](int node) { return std::ranges::count(shell.node, node) == 1; };
    for (int t : shell.triangle) {
      const Triangle& triangle = network.triangle()[t];
      for (int k = 0; k < 3; ++k) {
        EXPECT_TRUE(in_shell(triangle.node[k]));
        EXPECT_EQ(std::ranges::count(shell.edge, triangle.edge[k]), 1);
        const MeshEdge& edge = network.mesh_edge()[triangle.edge[k]];
        const int side = triangle.sign[k] > 0 ? 0 : 1;
        EXPECT_EQ(edge.node[side], triangle.node[(k + 1) % 3]);
        EXPECT_EQ(edge.node[1 - side], triangle.node[(k + 2) % 3]);
        EXPECT_EQ(edge.triangle[side], t);
        EXPECT_EQ(edge.wing[side], triangle.node[k]);
      }
    }
    for (int e : shell.edge) {
      const MeshEdge& edge = network.mesh_edge()[e];
      if (!edge.clamped()) continue;
      EXPECT_EQ(std::ranges::count(network.clamp_nodes(), edge.wing[1]), 1);
    }
  }
  for (const Joint& joint : network.joint()) {
    for (int side : {0, 1}) {
      const std::array<int, 2> node = network.edge()[joint.edge[side]].node;
      const std::array<int, 2> run{joint.node[side], joint.node[side + 1]};
      EXPECT_EQ(run, joint.sign[side] > 0 ? node : (std::array{node[1], node[0]}));
    }
  }
  for (int e = 0; e < network.edges(); ++e) {
    const Edge& edge = network.edge()[e];
    const Vector3 along = network.node()[edge.node[1]] - network.node()[edge.node[0]];
    EXPECT_LT((network.frame()[e].col(0) - along.normalized()).norm(), 1e-13);
    EXPECT_LT((network.frame()[e].transpose() * network.frame()[e] - Frame::Identity()).norm(),
              1e-14);
    if (edge.length > 0) {
      EXPECT_NEAR(along.norm(), edge.length, 1e-14);
    }
  }
}

TEST(NetworkShells, IndicesShiftFromShellToShell) {
  Network network;
  AddMast(&network, {9, 9, 9});
  const Mesh first = testing::EquilateralPair(1), second = testing::Tetrahedron(2);
  EXPECT_EQ(AddShell(&network, first, false), 0);
  AddMast(&network, {8, 8, 8}, 2);
  EXPECT_EQ(AddShell(&network, second, true), 1);
  EXPECT_EQ(network.shells(), 2);
  EXPECT_EQ(network.nodes(), 3 + 4 + 2 + 4);
  EXPECT_EQ(network.edges(), 2 + 1);
  EXPECT_EQ(network.shell(0).node, (std::vector{3, 4, 5, 6}));
  EXPECT_EQ(network.shell(1).node, (std::vector{9, 10, 11, 12}));
  EXPECT_EQ(network.shell(0).edge, (std::vector{0, 1, 2, 3, 4}));
  EXPECT_EQ(network.shell(1).edge, (std::vector{5, 6, 7, 8, 9, 10}));
  EXPECT_EQ(network.shell(1).triangle, (std::vector{2, 3, 4, 5}));
  EXPECT_FALSE(network.shell(0).mid_edge);
  EXPECT_TRUE(network.shell(1).mid_edge);
  ExpectConsistent(network);
  const TriangleMesh alone = MakeMesh(second.vertices, second.triangles);
  for (int t = 0; t < 4; ++t) {
    for (int k = 0; k < 3; ++k) {
      EXPECT_EQ(network.triangle()[2 + t].node[k], alone.triangle[t].node[k] + 9);
      EXPECT_EQ(network.triangle()[2 + t].edge[k], alone.triangle[t].edge[k] + 5);
      EXPECT_EQ(network.triangle()[2 + t].sign[k], alone.triangle[t].sign[k]);
    }
  }
  EXPECT_EQ(network.mesh_edge()[4].wing[1], -1);  // the rim remains the rim
  EXPECT_EQ(network.mesh_edge()[4].triangle[1], -1);
}

TEST(NetworkShells, DegreesOfFreedom) {
  Network network;
  AddShell(&network, testing::EquilateralPair(1), false);
  AddMast(&network, {0, 0, 5});
  AddShell(&network, testing::Fan(4, 1), true);
  network.ClampShell(1, {0});
  const Dofs dofs(network);
  EXPECT_EQ(dofs.size(), 3 * network.nodes() + 2 + 8);
  std::set<int> numbers;
  for (int n : dofs.nodes()) {
    for (int c = 0; c < 3; ++c) EXPECT_TRUE(numbers.insert(n + c).second);
  }
  for (int e : dofs.edges()) EXPECT_TRUE(numbers.insert(e).second && dofs.angle(e));
  for (int e = 0; e < 5; ++e) EXPECT_EQ(dofs.rotation(e), -1);
  for (int e : network.shell(1).edge) {
    EXPECT_TRUE(numbers.insert(dofs.rotation(e)).second);
    EXPECT_TRUE(dofs.angle(dofs.rotation(e)));
    EXPECT_EQ(dofs.locked(dofs.rotation(e)), network.mesh_edge()[e].clamped());
  }
  EXPECT_EQ(static_cast<int>(numbers.size()), dofs.size());
  EXPECT_EQ(dofs.unknowns(), dofs.size() - 3 - 1);  // all but the clamp's wing and its rotation
}

struct Counts {
  size_t joints;
  int ribs;
  bool operator==(const Counts&) const = default;
};

void PrintTo(const Counts& counts, std::ostream* to) {
  *to << counts.joints << " joints, " << counts.ribs << " ribs";
}

// Attaches a mast of two edges to a vertex of a hexagon: 0 is the centre, 1 and up are corners.
Counts Attached(int vertex, Attachment how, int node = 0) {
  Network network;
  const Mesh hexagon = testing::Fan(6, 0.3);
  AddShell(&network, hexagon, true);
  const Vector3 at = hexagon.vertices[vertex];
  AddMast(&network, at - 0.2 * node * Vector3::UnitZ());
  const size_t before = network.joint().size();
  const std::vector<int> added = network.Attach(0, node, 0, vertex, how);
  EXPECT_EQ(network.nodes(), 7 + 2);
  EXPECT_EQ(network.rod(0).node[node], vertex);
  EXPECT_EQ(network.joint().size(), before + added.size());
  std::set<std::array<int, 2>> pairs;
  for (const Joint& joint : network.joint()) {
    EXPECT_TRUE(pairs
                    .insert(std::minmax({joint.edge[0], joint.edge[1]}).first < joint.edge[1]
                                ? std::array{joint.edge[0], joint.edge[1]}
                                : std::array{joint.edge[1], joint.edge[0]})
                    .second);
  }
  ExpectConsistent(network);
  return {added.size(), static_cast<int>(network.ribs().size())};
}

TEST(NetworkShells, RibsAndJointsOfAttachments) {
  for (int vertex : {0, 1, 4}) {
    EXPECT_EQ(Attached(vertex, Attachment::kHinged), (Counts{0, 0}));
  }
  // Six spokes, joined with each other and with the rod.
  EXPECT_EQ(Attached(0, Attachment::kRigid), (Counts{15 + 6, 6}));
  EXPECT_EQ(Attached(3, Attachment::kRigid), (Counts{3 + 3, 3}));
  EXPECT_EQ(Attached(0, Attachment::kRigid, 1), (Counts{15 + 2 * 6, 6}));  // at its middle
  // With the rim as well: two rim edges and a spoke at every corner.
  EXPECT_EQ(Attached(0, Attachment::kPublished), (Counts{21 + 6 * 3, 12}));
  // Two triangles: three ribs at the corner and at the centre, two at each neighbouring corner.
  EXPECT_EQ(Attached(3, Attachment::kPublished), (Counts{6 + 3 + 1 + 1, 5}));
}

TEST(NetworkShells, RibsAreShared) {
  Network network;
  const Mesh hexagon = testing::Fan(6, 0.3);
  AddShell(&network, hexagon, false);
  for (int vertex : {0, 1, 0}) AddMast(&network, hexagon.vertices[vertex]);
  network.Attach(0, 0, 0, 0, Attachment::kRigid);
  EXPECT_EQ(network.ribs().size(), 6u);
  // At the corner two rim edges become new ribs; the spoke already has one and gets no joint here.
  EXPECT_EQ(network.Attach(1, 0, 0, 1, Attachment::kRigid).size(), 3u + 3);
  EXPECT_EQ(network.ribs().size(), 8u);
  // A second rod on the same vertex gets joints with the ribs only.
  EXPECT_EQ(network.Attach(2, 0, 0, 0, Attachment::kRigid).size(), 6u);
  EXPECT_EQ(network.ribs().size(), 8u);
  ExpectConsistent(network);
  EXPECT_EQ(network.NodeName(0), "rod 0, node 0");
  EXPECT_EQ(network.EdgeName(network.ribs()[7]), "rib 7");
}

TEST(NetworkShells, RibFramesUseTheTriangleNormals) {
  Network network;
  const Mesh bent = testing::Fan(5, 0.4).Shaken(0.1, 3);
  AddShell(&network, bent, true);
  AddMast(&network, bent.vertices[0]);
  network.Attach(0, 0, 0, 0, Attachment::kPublished);
  for (int rib : network.ribs()) {
    const Edge& edge = network.edge()[rib];
    const auto along = std::ranges::find(network.mesh_edge(), edge.node, &MeshEdge::node);
    ASSERT_NE(along, network.mesh_edge().end());
    const auto& corner = network.triangle()[along->triangle[0]].node;
    const Vector3 normal =
        AreaVector(bent.vertices[corner[0]], bent.vertices[corner[1]], bent.vertices[corner[2]]);
    EXPECT_LT((network.frame()[rib].col(1) - normal.normalized()).norm(), 1e-14);
    EXPECT_NEAR(network.frame()[rib].determinant(), 1, 1e-14);
  }
}

// Indices shift wherever a node is dropped: of rods before and after the shells, and of clamps.
TEST(NetworkShells, MergesRenumberEverything) {
  Network network;
  const Mesh mesh = testing::Fan(6, 0.3);
  const auto place = [&](const Vector3& by) {
    return mesh.Mapped([&](const Vector3& x) { return Vector3(x + by); });
  };
  AddMast(&network, {7, 0, 0});
  AddMast(&network, {7, 0, 0.4});
  AddMast(&network, {0, 0, 0});
  AddShell(&network, mesh, true);
  AddShell(&network, place({5, 0, 0}), false);
  AddMast(&network, {5, 0, 0});
  network.ClampShell(0, {network.mesh_edge()[0].folds() ? 2 : 0});
  network.Clamp(3, 1);
  network.ClampShell(1, {0});
  const std::vector<int> wings = network.clamp_nodes();
  ASSERT_EQ(wings.size(), 3u);
  std::vector<Vector3> held;
  for (int node : wings) held.push_back(network.node()[node]);
  network.Attach(2, 0, 0, 0, Attachment::kRigid);
  network.Connect(0, -1, 1, 0);
  network.Attach(3, 0, 1, 0, Attachment::kPublished);
  ExpectConsistent(network);
  EXPECT_EQ(network.nodes(), 4 * 3 + 2 * 7 - 3 + 3);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(network.node()[network.clamp_nodes()[k]], held[k]);
  for (int s : {0, 1}) {
    for (int v = 0; v < 7; ++v) {
      const Vector3 expected = mesh.vertices[v] + Vector3(5.0 * s, 0, 0);
      EXPECT_LT((network.node()[network.shell(s).node[v]] - expected).norm(), 1e-15);
    }
  }
  EXPECT_EQ(network.rod(2).node[0], network.shell(0).node[0]);
  EXPECT_EQ(network.rod(3).node[0], network.shell(1).node[0]);
  EXPECT_EQ(network.rod(0).node[2], network.rod(1).node[0]);
}

// A rod that carries two shells, and a rod from vertex to vertex of one shell.
TEST(NetworkShells, RodsBetweenShells) {
  Network network;
  const Mesh mesh = testing::Fan(6, 0.3);
  AddShell(&network, mesh, true);
  AddShell(&network, mesh.Mapped([](const Vector3& x) { return Vector3(x.x(), x.y(), 0.4); }),
           false);
  AddMast(&network, {0, 0, 0});
  network.AddRod({mesh.vertices[1], {0.3, 0.1, 0.2}, mesh.vertices[2]}, Vector3::UnitZ());
  for (int end : {0, 1}) network.Attach(0, -end, end, 0, Attachment::kRigid);
  network.Attach(1, 0, 0, 1, Attachment::kRigid);
  network.Attach(1, -1, 0, 2, Attachment::kRigid);
  ExpectConsistent(network);
  EXPECT_EQ(network.nodes(), 14 + 1 + 1);
}

TEST(NetworkShells, AttachRejects) {
  Network network;
  const Mesh mesh = testing::Fan(6, 0.3);
  AddShell(&network, mesh, true);
  AddMast(&network, {0, 0, 0});
  const auto attach = [&](int rod, int node, int shell, int vertex) {
    return FieldOf([&] { network.Attach(rod, node, shell, vertex, Attachment::kRigid); });
  };
  EXPECT_EQ(attach(1, 0, 0, 0), "rod");
  EXPECT_EQ(attach(-1, 0, 0, 0), "rod");
  EXPECT_EQ(attach(0, 3, 0, 0), "node");
  EXPECT_EQ(attach(0, -4, 0, 0), "node");
  EXPECT_EQ(attach(0, 0, 1, 0), "shell");
  EXPECT_EQ(attach(0, 0, 0, 7), "vertex");
  EXPECT_EQ(attach(0, 0, 0, -1), "vertex");
  EXPECT_EQ(attach(0, 0, 0, 1), "node");  // too far away
  EXPECT_EQ(network.nodes(), 10);
  EXPECT_TRUE(network.ribs().empty());
  EXPECT_EQ(attach(0, 0, 0, 0), "");
  EXPECT_EQ(attach(0, 0, 0, 0), "node");  // a second time
  ExpectConsistent(network);
}

TEST(NetworkShells, VerticesOfAShellDoNotMerge) {
  Network network;
  AddShell(&network, testing::Fan(6, 3e-7), true);
  AddMast(&network, {0, 0, 0});
  network.Attach(0, 0, 0, 0, Attachment::kHinged);
  EXPECT_EQ(FieldOf([&] { network.Attach(0, 0, 0, 1, Attachment::kHinged); }), "node");
  ExpectConsistent(network);
}

TEST(NetworkShells, ClampWingsMirrorTheRimTriangles) {
  for (const Mesh& mesh : {testing::Fan(6, 0.3), testing::Fan(5, 0.3).Shaken(0.05, 1)}) {
    Network network;
    AddShell(&network, testing::EquilateralPair(1), false);
    AddShell(&network, mesh, true);
    std::vector<int> rim;
    for (size_t k = 0; k < network.shell(1).edge.size(); ++k) {
      if (!network.mesh_edge()[network.shell(1).edge[k]].folds()) rim.push_back(k);
    }
    const int before = network.nodes();
    network.ClampShell(1, rim);
    EXPECT_EQ(network.nodes(), before + static_cast<int>(rim.size()));
    ExpectConsistent(network);
    for (size_t k = 0; k < rim.size(); ++k) {
      const MeshEdge& edge = network.mesh_edge()[network.shell(1).edge[rim[k]]];
      EXPECT_TRUE(edge.clamped());
      EXPECT_EQ(edge.triangle[1], -1);
      const auto x = [&](int node) { return network.node()[node]; };
      // The mirror image of the wing, in its plane.
      const Vector3 e = x(edge.node[1]) - x(edge.node[0]);
      const Vector3 near = AreaVector(x(edge.node[0]), x(edge.node[1]), x(edge.wing[0]));
      const Vector3 far = AreaVector(x(edge.node[1]), x(edge.node[0]), x(edge.wing[1]));
      EXPECT_LT((near - far).norm(), 1e-15);
      EXPECT_NEAR(e.dot(x(edge.wing[1]) - x(edge.wing[0])), 0, 1e-15);
      EXPECT_EQ(network.NodeName(edge.wing[1]), "clamp " + std::to_string(k));
    }
    for (const MeshEdge& edge : network.mesh_edge()) {
      EXPECT_EQ(edge.clamped(), edge.folds() && edge.triangle[1] < 0);
    }
  }
}

TEST(NetworkShells, ClampShellRejects) {
  Network network;
  AddShell(&network, testing::EquilateralPair(1), false);
  const auto clamp = [&](int shell, std::vector<int> edges) {
    return FieldOf([&] { network.ClampShell(shell, edges); });
  };
  EXPECT_EQ(clamp(1, {0}), "shell");
  EXPECT_EQ(clamp(0, {5}), "edge");
  EXPECT_EQ(clamp(0, {-1}), "edge");
  EXPECT_EQ(clamp(0, {2}), "edge");  // not on the rim
  EXPECT_EQ(clamp(0, {0}), "");
  EXPECT_EQ(clamp(0, {0}), "edge");  // already clamped
  EXPECT_EQ(clamp(0, {}), "");
  EXPECT_EQ(network.clamp_nodes().size(), 1u);
}

// A rejected call changes nothing.
TEST(NetworkShells, ARejectedClampShellChangesNothing) {
  Network network;
  AddShell(&network, testing::EquilateralPair(1), false);
  for (const std::vector<int>& edges :
       {std::vector{0, 2}, std::vector{0, 9}, std::vector{0, 1, 0}}) {
    EXPECT_EQ(FieldOf([&] { network.ClampShell(0, edges); }), "edge");
    EXPECT_TRUE(network.clamp_nodes().empty());
    EXPECT_FALSE(network.mesh_edge()[0].clamped());
  }
}

TEST(NetworkShells, Names) {
  Network network;
  AddShell(&network, testing::EquilateralPair(1), false);
  AddShell(&network, testing::Fan(6, 0.3), true);
  AddMast(&network, {0, 0, 0});
  network.ClampShell(0, {0});
  network.Clamp(0, 1);
  EXPECT_EQ(network.NodeName(2), "shell 0, vertex 2");
  EXPECT_EQ(network.NodeName(4), "shell 1, vertex 0");
  EXPECT_EQ(network.NodeName(network.rod(0).node[1]), "rod 0, node 1");
  EXPECT_EQ(network.NodeName(network.clamp_nodes()[0]), "clamp 0");
  EXPECT_EQ(network.NodeName(network.clamp_nodes()[1]), "clamp 1");
  network.Attach(0, 0, 1, 0, Attachment::kRigid);
  EXPECT_EQ(network.NodeName(4), "rod 0, node 0");
  EXPECT_EQ(network.EdgeName(network.ribs()[0]), "rib 0");
  EXPECT_EQ(network.EdgeName(network.rod(0).edge[1]), "rod 0, edge 1");
  EXPECT_EQ(network.EdgeName(network.clamp_edges()[0]), "clamp 1");  // named like its node
}

TEST(NetworkShells, ErrorsLeaveTheNetworkUnchanged) {
  Network network;
  Mesh broken = testing::EquilateralPair(1);
  broken.triangles[1] = {0, 1, 3};
  EXPECT_EQ(FieldOf([&] { AddShell(&network, broken, true); }), "triangle 1");
  EXPECT_EQ(network.nodes(), 0);
  EXPECT_EQ(network.shells(), 0);
  EXPECT_EQ(FieldOf([&] { network.shell(0); }), "shell");
}

}  // namespace network_shells_test
}  // namespace strand
