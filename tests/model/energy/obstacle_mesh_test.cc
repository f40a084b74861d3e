// Obstacle meshes in contact with rods and shells: which of their edges and triangles count.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/energy/contact_arms.h"
#include "model/energy/contact_candidates.h"
#include "model/energy/surface_contact.h"
#include "tests/support/contact_cases.h"

namespace strand {
namespace obstacle_mesh_test {

constexpr double kHalf = 1;

// A cube about the origin, two triangles per side, oriented outwards.
void AddCube(Network* network) {
  std::vector<Vector3> vertices;
  for (int v = 0; v < 8; ++v) {
    vertices.push_back(kHalf * Vector3(v & 1 ? 1 : -1, v & 2 ? 1 : -1, v & 4 ? 1 : -1));
  }
  network->AddObstacleMesh(vertices, {{0, 2, 1},
                                      {1, 2, 3},
                                      {4, 5, 6},
                                      {5, 7, 6},
                                      {0, 1, 4},
                                      {1, 5, 4},
                                      {2, 6, 3},
                                      {3, 6, 7},
                                      {0, 4, 2},
                                      {2, 4, 6},
                                      {1, 3, 5},
                                      {3, 7, 5}});
}

Network RodOverCube(const Vector3& from, const Vector3& to) {
  Network network;
  network.AddRod(std::vector<Vector3>{from, to}, Vector3(0.1, 0.2, 1));
  AddCube(&network);
  return network;
}

TEST(ObstacleMesh, FlatEdgesAreNotContactEdges) {
  const Network network = RodOverCube({2, 0, 0}, {3, 0, 0});
  EXPECT_EQ(network.obstacle_mesh().front().edge.size(), 12);  // without the six diagonals
}

TEST(ObstacleMesh, VerticesAreLocked) {
  const Network network = RodOverCube({2, 0, 0}, {3, 0, 0});
  const Dofs dofs(network);
  for (int node : network.obstacle_mesh().front().node) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_TRUE(dofs.locked(dofs.node(node) + axis));
  }
}

// A rod's node above a side, and its middle above an edge.
TEST(ObstacleMesh, DerivativesMatchDifferences) {
  testing::Random random(4);
  const double d = kHalf + testing::kRadius + 0.01;
  for (const std::vector<Vector3>& rod :
       {std::vector<Vector3>{{-0.4, 0.3, d + 0.2}, {0.3, 0.2, d}, {0.9, 0.4, d + 0.3}},
        std::vector<Vector3>{{0.8, 0.1, d + 0.2}, {d + 0.3, 0.2, 0.8}}}) {
    for (const double friction : {0.0, 0.4}) {
      Network network;
      network.AddRod(rod, Vector3(0.3, 0.2, 1));
      AddCube(&network);
      Dofs dofs(network);
      testing::Unlocked(&dofs);
      SurfaceContact contact(network, dofs, std::vector<double>(network.edges(), testing::kRadius),
                             testing::Options(friction));
      CheckContactDerivatives(network, dofs, &contact, friction == 0, &random);
    }
  }
}

TEST(ObstacleMesh, MeshesDoNotTouchEachOther) {
  Network network = RodOverCube({2, 0, 0}, {3, 0, 0});
  AddCube(&network);  // at the same place
  const Dofs dofs(network);
  ContactCandidates candidates(network, dofs, {0.1}, {}, 0.01, network.node());
  const Configuration at = PositionsAt(network.node(), dofs);
  const std::vector<double> still(dofs.size(), 0.0);
  EXPECT_TRUE(candidates.Prepare(at, still, 0.01));
  for (const PrimitivePair& pair : candidates.pairs()) {
    EXPECT_TRUE(candidates.MeetsObstacle(pair));
    EXPECT_NE(pair.a, pair.b);
    const auto of_rod = [&](int primitive) {
      const std::span<const int> nodes = candidates.primitives().nodes(primitive);
      return std::ranges::any_of(nodes, [](int n) { return n < 2; });
    };
    EXPECT_TRUE(of_rod(pair.a) || of_rod(pair.b));
  }
}

// Wherever the end of a rod is, over a face, a diagonal, an edge or a corner, it touches exactly
// one triangle: the nearest.
TEST(ObstacleMesh, APointTouchesOneTriangle) {
  testing::Random random(3);
  const double places[] = {-2, -1, -0.4, 0, 0.3, 1, 2};  // also on edges and diagonals
  int faces = 0;
  for (double y : places) {
    for (double z : places) {
      const Vector3 end(1.2, y, z), away(3, y + 0.01 * random.Uniform(-1, 1), z);
      const Network network = RodOverCube(end, away);
      const Dofs dofs(network);
      // A margin so large that all triangles are candidates; the rod is thin enough to start apart.
      ContactCandidates candidates(network, dofs, {0.05}, {}, 10, network.node());
      const Configuration at = PositionsAt(network.node(), dofs);
      candidates.Prepare(at, std::vector<double>(dofs.size(), 0.0), 0.01);
      int foremost = 0, all = 0;
      double least = std::numeric_limits<double>::infinity(), mine = 0;
      const Vector3 nearest = end.cwiseMax(-kHalf).cwiseMin(kHalf);
      for (const PrimitivePair& pair : candidates.pairs()) {
        const Primitives& primitives = candidates.primitives();
        if (pair.b < primitives.first_triangle()) continue;
        if (primitives.nodes(pair.a).front() != 0) continue;
        const double distance = primitives.Distance(pair, network.node());
        ++all, least = std::min(least, distance);
        if (!candidates.Foremost(pair, at)) continue;
        if (distance > (end - nearest).norm() * (1 + 1e-6)) continue;  // a face of a far side
        ++foremost, mine = distance;
      }
      EXPECT_EQ(all, 12);
      EXPECT_EQ(foremost, 1) << end.transpose();
      EXPECT_NEAR(mine, least, 1e-12);
      EXPECT_NEAR(mine, (end - nearest).norm(), 1e-12);
      ++faces;
    }
  }
  EXPECT_EQ(faces, 49);
}

}  // namespace obstacle_mesh_test
}  // namespace strand
