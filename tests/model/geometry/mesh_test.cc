#include "model/geometry/mesh.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "model/config/error.h"
#include "tests/support/meshes.h"

namespace strand {
namespace mesh_test {

using testing::Mesh;

TriangleMesh Made(const Mesh& mesh) { return MakeMesh(mesh.vertices, mesh.triangles); }

// The message of the error for the mesh, or "".
std::string Complaint(const Mesh& mesh) {
  try {
    Made(mesh);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

void ExpectComplaint(const Mesh& mesh, const std::string& of, const std::string& about) {
  const std::string message = Complaint(mesh);
  EXPECT_EQ(message.rfind(of, 0), 0u) << message;
  EXPECT_NE(message.find(about), std::string::npos) << message;
}

// Checks what the header promises about signs, sides and wings.
void ExpectConsistent(const TriangleMesh& mesh) {
  std::vector<int> sides(mesh.edge.size(), 0);
  for (size_t t = 0; t < mesh.triangle.size(); ++t) {
    const Triangle& triangle = mesh.triangle[t];
    for (int k = 0; k < 3; ++k) {
      const MeshEdge& edge = mesh.edge[triangle.edge[k]];
      const std::array<int, 2> run{triangle.node[(k + 1) % 3], triangle.node[(k + 2) % 3]};
      const int side = triangle.sign[k] > 0 ? 0 : 1;
      EXPECT_EQ(run, side ? (std::array{edge.node[1], edge.node[0]}) : edge.node);
      EXPECT_EQ(edge.triangle[side], static_cast<int>(t));
      EXPECT_EQ(edge.wing[side], triangle.node[k]);
      ++sides[triangle.edge[k]];
    }
  }
  for (size_t e = 0; e < mesh.edge.size(); ++e) {
    const MeshEdge& edge = mesh.edge[e];
    EXPECT_EQ(sides[e], edge.folds() ? 2 : 1);
    EXPECT_GE(edge.triangle[0], 0);
    EXPECT_EQ(edge.triangle[1] >= 0, edge.folds());
    EXPECT_FALSE(edge.clamped());
  }
}

TEST(Mesh, EdgesAreNumberedAsTheyAppear) {
  const TriangleMesh mesh = Made(testing::EquilateralPair(1));
  ASSERT_EQ(mesh.edge.size(), 5u);
  const std::array<int, 2> nodes[] = {{1, 2}, {2, 0}, {0, 1}, {0, 3}, {3, 1}};
  for (int e = 0; e < 5; ++e) EXPECT_EQ(mesh.edge[e].node, nodes[e]) << e;
  EXPECT_EQ(mesh.triangle[0].edge, (std::array{0, 1, 2}));
  EXPECT_EQ(mesh.triangle[0].sign, (std::array{1, 1, 1}));
  EXPECT_EQ(mesh.triangle[1].edge, (std::array{3, 4, 2}));
  EXPECT_EQ(mesh.triangle[1].sign, (std::array{1, 1, -1}));
  EXPECT_EQ(mesh.edge[2].triangle, (std::array{0, 1}));
  EXPECT_EQ(mesh.edge[2].wing, (std::array{2, 3}));
  EXPECT_EQ(mesh.edge[4].triangle, (std::array{1, -1}));
  EXPECT_EQ(mesh.edge[4].wing, (std::array{0, -1}));
  EXPECT_TRUE(mesh.edge[2].folds());
  EXPECT_FALSE(mesh.edge[0].folds());
}

TEST(Mesh, SignsSidesAndWings) {
  for (const Mesh& mesh : {testing::Grid(4, 3, 1, 1), testing::EquilateralStrip(3, 4, 1),
                           testing::Fan(3, 1), testing::Fan(6, 1), testing::Tetrahedron(1),
                           Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{2, 0, 1}}}}) {
    const TriangleMesh made = Made(mesh);
    ExpectConsistent(made);
    ASSERT_EQ(made.triangle.size(), mesh.triangles.size());
    for (size_t t = 0; t < mesh.triangles.size(); ++t) {
      EXPECT_EQ(made.triangle[t].node, mesh.triangles[t]);
    }
  }
  EXPECT_EQ(Made(testing::Grid(4, 3, 1, 1)).edge.size(), 4u * 4 + 5 * 3 + 12);
  EXPECT_EQ(Made(testing::Tetrahedron(1)).edge.size(), 6u);
}

TEST(Mesh, AreaVectorsPointUp) {
  const Mesh mesh = testing::Grid(2, 2, 3, 0.5);
  Vector3 sum = Vector3::Zero();
  for (const auto& [a, b, c] : mesh.triangles) {
    sum += 0.5 * AreaVector(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]);
  }
  EXPECT_LT((sum - Vector3(0, 0, 1.5)).norm(), 1e-15);
}

// Each sheet gets its own edge there, whichever way its triangle is oriented.
TEST(Mesh, EdgesOfThreeTrianglesAreSeams) {
  Mesh mesh = testing::EquilateralPair(1);
  mesh.vertices.push_back({0.5, 0, 1});
  for (const std::array<int, 3>& third : {std::array{0, 1, 4}, {1, 0, 4}, {4, 0, 1}}) {
    Mesh sewn = mesh;
    sewn.triangles.push_back(third);
    const TriangleMesh made = MakeMesh(sewn.vertices, sewn.triangles);
    ASSERT_EQ(made.seam.size(), 1u);
    ASSERT_EQ(made.seam[0].size(), 3u);
    EXPECT_EQ(made.edge.size(), 9u);
    for (int t = 0; t < 3; ++t) {
      const MeshEdge& edge = made.edge[made.seam[0][t]];
      EXPECT_FALSE(edge.folds());
      EXPECT_EQ(edge.triangle[0], t);
      EXPECT_EQ(std::minmax(edge.node[0], edge.node[1]), std::minmax(0, 1));
      int own = 0;
      for (int k = 0; k < 3; ++k) {
        own += made.triangle[t].edge[k] == made.seam[0][t] && made.triangle[t].sign[k] == 1;
      }
      EXPECT_EQ(own, 1);
    }
  }
}

TEST(Mesh, RejectsATriangleTwice) {
  for (const std::array<int, 3>& again :
       {std::array{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}, {2, 1, 0}}) {
    Mesh mesh = testing::EquilateralPair(1);
    mesh.triangles.push_back(again);
    ExpectComplaint(mesh, "triangle 2: ", "triangle 0");
  }
}

TEST(Mesh, RejectsAFlippedTriangle) {
  Mesh mesh = testing::EquilateralPair(1);
  mesh.triangles[1] = {0, 1, 3};
  ExpectComplaint(mesh, "triangle 1: ", "flipped");
  ExpectComplaint(mesh, "triangle 1: ", "triangle 0");
  mesh = testing::Grid(3, 3, 1, 1);
  std::swap(mesh.triangles[7][0], mesh.triangles[7][1]);
  ExpectComplaint(mesh, "triangle ", "flipped");
}

// A strip with a half twist cannot be oriented.
TEST(Mesh, RejectsAMoebiusStrip) {
  const auto strip = [](bool twisted) {
    Mesh mesh;
    const int count = 12;
    for (int k = 0; k < count; ++k) {
      const double s = kTwoPi * k / count, half = twisted ? 0.5 * s : 0;
      const Vector3 out(std::cos(s), std::sin(s), 0);
      const Vector3 across = 0.2 * (std::cos(half) * Vector3::UnitZ() + std::sin(half) * out);
      mesh.vertices.push_back(out + across), mesh.vertices.push_back(out - across);
    }
    for (int k = 0; k < count; ++k) {
      const int a = 2 * k, b = a + 1;
      const bool turned = twisted && k == count - 1;
      const int next = (a + 2) % (2 * count), c = turned ? next + 1 : next,
                d = turned ? next : next + 1;
      mesh.triangles.push_back({a, b, c}), mesh.triangles.push_back({b, d, c});
    }
    return mesh;
  };
  EXPECT_EQ(Complaint(strip(false)), "");
  ExpectComplaint(strip(true), "triangle 23: ", "flipped");
}

TEST(Mesh, RejectsTrianglesWithoutArea) {
  for (double size : {1e-6, 1.0, 1e4}) {
    Mesh mesh{{{0, 0, 0}, {size, 0, 0}, {0.5 * size, size, 0}, {2 * size, 0, 0}},
              {{0, 1, 2}, {0, 3, 1}}};
    ExpectComplaint(mesh, "triangle 1: ", "on a line");
    mesh.vertices[3] = mesh.vertices[0];
    ExpectComplaint(mesh, "triangle 1: ", "on a line");
  }
}

TEST(Mesh, AreaIsJudgedRelativeToTheEdges) {
  for (double size : {1e-9, 1e-6, 1e6}) {
    EXPECT_EQ(Complaint(testing::Grid(3, 3, size, size)), "") << size;
  }
  const auto needle = [](double height) {
    return Mesh{{{0, 0, 0}, {1, 0, 0}, {0.5, height, 0}}, {{0, 1, 2}}};
  };
  EXPECT_EQ(Complaint(needle(1e-9)), "");
  EXPECT_NE(Complaint(needle(1e-11)), "");
}

TEST(Mesh, RejectsIndicesOutOfRange) {
  for (int bad : {-1, 4, std::numeric_limits<int>::max(), std::numeric_limits<int>::min()}) {
    Mesh mesh = testing::EquilateralPair(1);
    mesh.triangles[1][2] = bad;
    ExpectComplaint(mesh, "triangle 1: ", "vertex " + std::to_string(bad));
    ExpectComplaint(mesh, "triangle 1: ", "0 to 3");
  }
}

TEST(Mesh, RejectsRepeatedVertices) {
  for (const std::array<int, 3>& bad : {std::array{1, 1, 3}, {1, 3, 3}, {3, 1, 3}, {3, 3, 3}}) {
    Mesh mesh = testing::EquilateralPair(1);
    mesh.triangles[1] = bad;
    ExpectComplaint(mesh, "triangle 1: ", "three vertices");
  }
}

TEST(Mesh, RejectsNumbersThatAreNotFinite) {
  for (double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    for (int c = 0; c < 3; ++c) {
      Mesh mesh = testing::EquilateralPair(1);
      mesh.vertices[3][c] = bad;
      ExpectComplaint(mesh, "triangle 1, vertex 3: ", "finite");
    }
  }
}

TEST(Mesh, RejectsUnusedVerticesAndEmptyMeshes) {
  Mesh mesh = testing::EquilateralPair(1);
  mesh.vertices.push_back({5, 5, 5});
  ExpectComplaint(mesh, "vertex 4: ", "in no triangle");
  mesh.vertices.back().x() = std::nan("");
  ExpectComplaint(mesh, "vertex 4: ", "in no triangle");
  mesh.triangles.clear();
  ExpectComplaint(mesh, "triangles: ", "at least one");
  ExpectComplaint({}, "triangles: ", "at least one");
  EXPECT_NE(Complaint({{}, {{0, 1, 2}}}), "");
}

// Two triangles that share only a vertex: a valid mesh, whose parts hinge there.
TEST(Mesh, PartsMayMeetInAVertex) {
  const Mesh mesh{{{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}, {-1, -1, 0}, {1, -1, 0}},
                  {{0, 1, 2}, {0, 3, 4}}};
  ExpectConsistent(Made(mesh));
  EXPECT_EQ(Made(mesh).edge.size(), 6u);
}

}  // namespace mesh_test
}  // namespace strand
