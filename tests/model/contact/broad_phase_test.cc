#include "model/contact/broad_phase.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "model/config/error.h"
#include "model/geometry/segment.h"
#include "tests/support/random.h"

namespace strand {
namespace broad_phase_test {

using testing::Random;

struct Scene {
  std::vector<Vector3> points;
  std::vector<EdgeNodes> edges;
  std::vector<double> radius;
  std::vector<RodEdges> rods;
};

void AddRod(const std::vector<Vector3>& nodes, bool closed, double radius, Scene* scene) {
  const int first = static_cast<int>(scene->points.size()), count = static_cast<int>(nodes.size());
  const int edges = closed ? count : count - 1;
  scene->rods.push_back({static_cast<int>(scene->edges.size()), edges, closed});
  scene->points.insert(scene->points.end(), nodes.begin(), nodes.end());
  for (int i = 0; i < edges; ++i) scene->edges.push_back({first + i, first + (i + 1) % count});
  scene->radius.resize(scene->edges.size(), radius);
}

// Winding rods of all sizes in a unit box, with edges of 0.02 to 0.5.
Scene Pile(int rods, std::uint64_t seed) {
  Random random(seed);
  Scene scene;
  for (int i = 0; i < rods; ++i) {
    const double length = i % 10 ? random.Uniform(0.02, 0.08) : 0.5;
    std::vector<Vector3> nodes = {random.Vector()};
    Vector3 t = random.Direction();
    for (int k = 0; k < 12; ++k) {
      t = (t + 0.5 * random.Vector()).normalized();
      nodes.push_back(nodes.back() + length * t);
    }
    AddRod(nodes, i % 4 == 0, random.Uniform(0.002, 0.02), &scene);
  }
  return scene;
}

Scene Rings() {
  Scene scene;
  for (int ring = 0; ring < 12; ++ring) {  // stacked closely: parallel edges
    std::vector<Vector3> nodes;
    for (int i = 0; i < 40; ++i) {
      const double angle = kTwoPi * i / 40;
      nodes.push_back({std::cos(angle), std::sin(angle), 0.11 * ring});
    }
    AddRod(nodes, true, 0.05, &scene);
  }
  return scene;
}

Scene Helices() {
  Scene scene;
  for (int helix = 0; helix < 4; ++helix) {
    std::vector<Vector3> nodes;
    for (int i = 0; i < 200; ++i) {
      const double angle = 0.3 * i, size = 1 + 0.1 * helix;
      nodes.push_back({size * std::cos(angle), size * std::sin(angle), 0.005 * i});
    }
    AddRod(nodes, false, 0.048, &scene);
  }
  return scene;
}

bool Adjacent(const Scene& scene, const PrimitivePair& pair) {
  for (int a : scene.edges[pair.a]) {
    for (int b : scene.edges[pair.b]) {
      if (a == b) return true;
    }
  }
  return false;
}

// Number of edges between two edges of one rod, along the rod; -1 if they are on two rods.
int Apart(const Scene& scene, const PrimitivePair& pair) {
  for (const RodEdges& rod : scene.rods) {
    const int a = pair.a - rod.begin, b = pair.b - rod.begin;
    if (a < 0 || b < 0 || a >= rod.count || b >= rod.count) continue;
    return rod.closed ? std::min(b - a, rod.count - b + a) : b - a;
  }
  return -1;
}

std::vector<PrimitivePair> BruteForce(const Scene& scene, double margin, int neighbours = 0,
                                      const std::vector<PrimitivePair>& excluded = {}) {
  std::vector<PrimitivePair> pairs;
  for (int a = 0; a < static_cast<int>(scene.edges.size()); ++a) {
    for (int b = a + 1; b < static_cast<int>(scene.edges.size()); ++b) {
      const PrimitivePair pair{a, b};
      const auto &p = scene.points, &q = scene.points;
      const auto [a0, a1] = scene.edges[a];
      const auto [b0, b1] = scene.edges[b];
      const double gap =
          SegmentDistance(p[a0], p[a1], q[b0], q[b1]) - scene.radius[a] - scene.radius[b];
      if (gap > margin || Adjacent(scene, pair)) continue;
      const int apart = Apart(scene, pair);
      if (apart >= 0 && apart <= neighbours) continue;
      if (std::find(excluded.begin(), excluded.end(), pair) == excluded.end()) {
        pairs.push_back(pair);
      }
    }
  }
  return pairs;
}

std::vector<PrimitivePair> Find(BroadPhase* phase, const Scene& scene, double margin,
                                const ContactFilter& filter = {}) {
  const auto found = phase->Find(scene.points, scene.edges, scene.radius, margin, filter);
  return {found.begin(), found.end()};
}

TEST(BroadPhase, EqualsBruteForce) {
  BroadPhase phase;  // one workspace for scenes of every size
  std::size_t pairs = 0;
  for (const Scene& scene : {Pile(60, 1), Rings(), Pile(3, 2), Helices(), Pile(1, 3)}) {
    for (double margin : {0.0, 0.012, 0.1}) {
      const auto expected = BruteForce(scene, margin);
      EXPECT_EQ(Find(&phase, scene, margin), expected);
      pairs += expected.size();
    }
  }
  EXPECT_GT(pairs, 5000u);
}

// The scene's rods as curves.
Primitives Curved(const Scene& scene) {
  Primitives curved(scene.edges);
  for (const RodEdges& rod : scene.rods) {
    std::vector<int> node;
    std::vector<double> length;
    for (int e = rod.begin; e < rod.begin + rod.count; ++e) {
      const auto [from, to] = scene.edges[e];
      node.push_back(from);
      length.push_back((scene.points[to] - scene.points[from]).norm());
    }
    if (!rod.closed) node.push_back(scene.edges[rod.begin + rod.count - 1][1]);
    const std::vector<bool> corner(node.size(), false);
    std::ranges::copy(CurvesThrough(node, length, corner, rod.closed),
                      std::back_inserter(curved.curve));
  }
  return curved;
}

// Finds every pair of curves that is close enough; the straight edges give a different set of
// pairs.
TEST(BroadPhase, CurvesEqualBruteForce) {
  constexpr double kMargin = 0.02, kErr = 0.02;  // m; relative error of brute force
  BroadPhase phase;
  int found_ones = 0, differing = 0;
  for (const Scene& scene : {Pile(40, 1), Rings(), Helices()}) {
    const Primitives curved = Curved(scene);
    const auto found = phase.Find(scene.points, curved, scene.radius, kMargin, {});
    const std::vector<PrimitivePair> pairs(found.begin(), found.end());
    const std::vector<PrimitivePair> straight = Find(&phase, scene, kMargin);
    EXPECT_TRUE(std::ranges::is_sorted(pairs));
    for (int a = 0; a < static_cast<int>(scene.edges.size()); ++a) {
      for (int b = a + 1; b < static_cast<int>(scene.edges.size()); ++b) {
        const PrimitivePair pair{a, b};
        if (curved.ShareNode(pair)) continue;
        const double reach = scene.radius[a] + scene.radius[b] + kMargin;
        const auto [x, y] =
            Primitives::Halves(curved.Hulls(pair, curved.CurvesOf(pair, scene.points)));
        const double apart = CurvesApart(x, y, 0).distance;
        const bool is_found = std::ranges::binary_search(pairs, pair);
        EXPECT_TRUE(is_found || apart > (1 - kErr) * reach) << a << " " << b;
        EXPECT_FALSE(is_found && apart > reach) << a << " " << b;
        found_ones += is_found;
        differing += is_found != std::ranges::binary_search(straight, pair);
      }
    }
  }
  EXPECT_GT(found_ones, 2000);
  EXPECT_GT(differing, 20);
}

TEST(BroadPhase, LeavesOutNeighboursAndPairsThatOverlapAtRest) {
  BroadPhase phase;
  for (Scene scene : {Pile(40, 4), Rings(), Helices()}) {
    const int edges = static_cast<int>(scene.edges.size());
    for (int neighbours : {0, 1, 2, 5, 1000}) {
      const ContactFilter filter(edges, scene.rods, neighbours);
      EXPECT_EQ(Find(&phase, scene, 0.05, filter), BruteForce(scene, 0.05, neighbours));
    }
    std::vector<PrimitivePair> rest = Find(&phase, scene, 0.015);
    ASSERT_GT(rest.size(), 10u);
    std::vector<PrimitivePair> shuffled(rest.rbegin(), rest.rend());
    for (PrimitivePair& pair : shuffled) std::swap(pair.a, pair.b);
    const ContactFilter filter(edges, scene.rods, 2, shuffled);
    EXPECT_TRUE(Find(&phase, scene, 0.015, filter).empty());
    Random random(5);
    for (Vector3& point : scene.points) point += 0.02 * random.Vector();
    const auto expected = BruteForce(scene, 0.05, 2, rest);
    EXPECT_FALSE(expected.empty());
    EXPECT_EQ(Find(&phase, scene, 0.05, filter), expected);
  }
}

TEST(BroadPhase, EdgesOfAllLengthsAndOneFarAway) {
  Scene scene = Pile(40, 6);
  AddRod({Vector3(-50, 0, 0), Vector3(50, 0.1, 0.2)}, false, 1e-3, &scene);
  AddRod({Vector3(1e9, 0, 0), Vector3(1e9, 1e-3, 0)}, false, 1e-3, &scene);
  AddRod({Vector3(0.1, 0.1, 0.1), Vector3(0.1, 0.1, 0.1)}, false, 0.3, &scene);
  BroadPhase phase;
  const auto found = Find(&phase, scene, 0.05);
  EXPECT_EQ(found, BruteForce(scene, 0.05));
}

// A heap of plates of all sizes with rods among them: edges, points and triangles.
TEST(BroadPhase, PointsAndTrianglesEqualBruteForce) {
  BroadPhase phase;
  std::size_t found_points = 0, excluded_points = 0;
  for (int plates : {0, 1, 300}) {
    Scene scene = Pile(20, 9);
    Random random(10);
    Primitives primitives(scene.edges);
    for (int i = 0; i < plates; ++i) {
      const int n = static_cast<int>(scene.points.size());
      const Vector3 at = random.Vector();
      for (int k = 0; k < 3; ++k) {
        scene.points.push_back(at + (i % 5 ? 0.2 : 0.6) * random.Vector());
        primitives.edge.push_back({n + k, n + (k + 1) % 3});
      }
      primitives.triangle.push_back({n, n + 1, n + 2});
    }
    for (int n = 0; n < static_cast<int>(scene.points.size()); n += 2) {
      primitives.point.push_back(n);
    }
    std::vector<double> radius;
    for (int p = 0; p < primitives.size(); ++p) radius.push_back(random.Uniform(0.002, 0.02));
    std::vector<PrimitivePair> all, excluded, expected;
    for (int a = 0; a < primitives.size(); ++a) {
      for (int b = a + 1; b < primitives.size(); ++b) {
        const PrimitivePair pair{a, b};
        if (!primitives.Match(pair) || primitives.ShareNode(pair)) continue;
        if (primitives.Distance(pair, scene.points) > radius[a] + radius[b] + 0.03) continue;
        all.push_back(pair);
        (all.size() % 3 ? expected : excluded).push_back(pair);
        const bool is_point = primitives.kind(pair) == PairKind::kPointTriangle;
        (all.size() % 3 ? found_points : excluded_points) += is_point;
      }
    }
    const auto find = [&](const ContactFilter& filter) {
      const auto found = phase.Find(scene.points, primitives, radius, 0.03, filter);
      return std::vector<PrimitivePair>(found.begin(), found.end());
    };
    EXPECT_EQ(find({}), all);
    EXPECT_EQ(find(ContactFilter(primitives.size(), {}, 0, excluded)), expected);
  }
  EXPECT_GT(found_points, 50u);
  EXPECT_GT(excluded_points, 20u);
}

// A pair is two edges, or a point and a triangle, smaller number first. Nothing else is a pair.
TEST(Primitives, MatchAndShareNodes) {
  const Primitives all({{0, 1}, {1, 2}}, {0, 3}, {{0, 1, 2}});
  EXPECT_EQ(all.size(), 5);
  for (int a = -1; a <= 5; ++a) {
    for (int b = -1; b <= 5; ++b) {
      EXPECT_EQ(all.Match({a, b}), (a == 0 && b == 1) || ((a == 2 || a == 3) && b == 4));
    }
  }
  EXPECT_TRUE(all.ShareNode({0, 1}));
  EXPECT_TRUE(all.ShareNode({2, 4}));
  EXPECT_FALSE(all.ShareNode({3, 4}));
}

TEST(BroadPhase, EverythingAtOnePointOrOnOneLine) {
  BroadPhase phase;
  Scene point, line;
  for (int i = 0; i < 20; ++i) {
    AddRod({Vector3::Zero(), Vector3::Zero()}, false, 0, &point);
    AddRod({Vector3(i, 0, 0), Vector3(i + 0.5, 0, 0)}, false, 0.25, &line);
  }
  EXPECT_EQ(Find(&phase, point, 0).size(), 190u);
  EXPECT_EQ(Find(&phase, line, 0).size(), 19u);
  EXPECT_TRUE(Find(&phase, Scene(), 1).empty());
}

TEST(BroadPhase, PrimitivesWithNonFiniteCoordinatesAreInNoPair) {
  Scene scene = Pile(20, 7);
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  scene.points[0][1] = nan;
  scene.points[100][2] = inf;
  scene.points[200] = {-inf, inf, 0};
  BroadPhase phase;
  std::vector<PrimitivePair> expected;
  for (const PrimitivePair& pair : BruteForce(scene, 0.1)) {
    bool finite = true;
    for (int edge : {pair.a, pair.b}) {
      for (int node : scene.edges[edge]) finite = finite && scene.points[node].allFinite();
    }
    if (finite) expected.push_back(pair);
  }
  EXPECT_GT(expected.size(), 100u);
  EXPECT_EQ(Find(&phase, scene, 0.1), expected);
}

TEST(BroadPhase, RejectsInputOfInconsistentSizes) {
  const Scene good = Pile(3, 8);
  const int edges = static_cast<int>(good.edges.size());
  BroadPhase phase;
  const auto rejects = [&](const Scene& scene, double margin, const ContactFilter& filter = {}) {
    EXPECT_THROW(Find(&phase, scene, margin, filter), ConfigError);
  };
  Scene scene = good;
  scene.radius.pop_back();
  rejects(scene, 0);
  scene = good, scene.radius[1] = -1;
  rejects(scene, 0);
  scene = good, scene.edges[1][1] = static_cast<int>(good.points.size());
  rejects(scene, 0);
  scene = good, scene.edges[1][1] = -1;
  rejects(scene, 0);
  rejects(good, -1e-9);
  rejects(good, std::numeric_limits<double>::quiet_NaN());
  rejects(good, 0, ContactFilter(edges + 1, {}, 0));
  const std::vector<RodEdges> twice = {{0, 3, false}, {2, 2, false}}, beyond = {{edges - 1, 2}};
  EXPECT_THROW(ContactFilter(edges, twice, 0), ConfigError);
  EXPECT_THROW(ContactFilter(edges, beyond, 0), ConfigError);
  EXPECT_THROW(ContactFilter(edges, {}, -1), ConfigError);
  EXPECT_THROW(ContactFilter(edges, {}, 0, std::vector<PrimitivePair>{{0, edges}}), ConfigError);
  EXPECT_THROW(ContactFilter(edges, {}, 0, std::vector<PrimitivePair>{{-1, 2}}), ConfigError);
  EXPECT_THROW(ContactFilter(edges, {}, 0, std::vector<PrimitivePair>{{2, 2}}), ConfigError);
}

}  // namespace broad_phase_test
}  // namespace strand
