#include "model/geometry/edge_curve.h"

#include <gtest/gtest.h>

#include "tests/support/random.h"

namespace strand {
namespace edge_curve_test {

using testing::Random;

constexpr int kNodes = 9;

// A winding polyline of uneven edges, closed or not.
struct Line {
  Line(bool closed, const std::vector<bool>& corner, Random* random) {
    std::vector<int> node;
    Vector3 along = random->Direction();
    for (int n = 0; n < kNodes; ++n) {
      node.push_back(n);
      x.push_back(n == 0 ? random->Vector() : x.back() + random->Uniform(0.5, 1.5) * along);
      along = (along + 0.4 * random->Vector()).normalized();
    }
    std::vector<double> length;
    for (int e = 0; e < (closed ? kNodes : kNodes - 1); ++e) {
      length.push_back((x[(e + 1) % kNodes] - x[e]).norm());
    }
    curve = CurvesThrough(node, length, corner, closed);
  }

  CurveNodes Nodes(const CurvedEdge& edge) const {
    CurveNodes nodes;
    for (int k = 0; k < 4; ++k) nodes.col(k) = x[edge.node[k]];
    return nodes;
  }
  Vector3 At(const CurvedEdge& edge, double s) const { return Nodes(edge) * edge.shape.At(s); }
  // The derivative with respect to arc length of the initial polyline.
  Vector3 Slope(const CurvedEdge& edge, double s) const {
    return Nodes(edge) * edge.shape.Slope(s) / edge.shape.length();
  }

  std::vector<Vector3> x;
  std::vector<CurvedEdge> curve;
};

const std::vector<bool> kSmooth(kNodes, false);

TEST(EdgeCurve, PassesThroughTheNodesWithContinuousTangent) {
  Random random(1);
  for (const bool closed : {false, true}) {
    const Line line(closed, kSmooth, &random);
    const int edges = static_cast<int>(line.curve.size());
    for (int e = 0; e < edges; ++e) {
      const CurvedEdge& edge = line.curve[e];
      EXPECT_LT((line.At(edge, 0) - line.x[e]).norm(), 1e-14);
      EXPECT_LT((line.At(edge, 1) - line.x[(e + 1) % kNodes]).norm(), 1e-14);
      if (e == edges - 1 && !closed) continue;
      EXPECT_LT((line.Slope(edge, 1) - line.Slope(line.curve[(e + 1) % edges], 0)).norm(), 1e-14);
    }
  }
}

// At a corner the tangent jumps: the edge is the parabola given by its other slope, as at an end. A
// single edge is straight.
TEST(EdgeCurve, HasCornersWhereTheyAreGiven) {
  Random random(2);
  std::vector<bool> corner = kSmooth;
  corner[3] = true;
  const Line line(false, corner, &random);
  const CurvedEdge &before = line.curve[2], &behind = line.curve[3];
  EXPECT_GT((line.Slope(before, 1) - line.Slope(behind, 0)).norm(), 1e-2);
  for (const auto& [edge, s] : {std::pair(before, 0.3), std::pair(behind, 0.8)}) {
    EXPECT_LT((edge.shape.Bend(s) - edge.shape.Bend(0)).norm(), 1e-13);
  }
  EXPECT_EQ(before.shape.high(), 1);
  EXPECT_EQ(behind.shape.low(), 0);
  const EdgeCurve alone(0, 2, 0);
  EXPECT_LT((alone.At(0.3) - EdgeCurve::Weights(0, 0.7, 0.3, 0)).norm(), 1e-15);
}

// For a circle the curve's slope error is of third order in the edge length, its position error of
// fourth.
TEST(EdgeCurve, IsOfHigherOrderThanThePolyline) {
  double last = 0;
  for (const int edges : {16, 32, 64}) {
    const double angle = kTwoPi / edges, chord = 2 * std::sin(0.5 * angle);
    const EdgeCurve shape(chord, chord, chord);
    CurveNodes x;
    for (int k = 0; k < 4; ++k) {
      x.col(k) = Vector3(std::cos(angle * (k - 1)), std::sin(angle * (k - 1)), 0);
    }
    double worst = 0;
    for (double s = 0; s <= 1; s += 0.05) {
      worst = std::max(worst, std::abs((x * shape.At(s)).norm() - 1));
    }
    EXPECT_LT(worst, 0.1 * (1 - std::cos(0.5 * angle)));
    if (last > 0) {
      EXPECT_GT(last / worst, 14);
    }
    last = worst;
  }
}

// The weights of adjacent edges add up to one where they overlap.
TEST(EdgeCurve, WeightsOfAdjacentEdgesSumToOne) {
  const EdgeCurve curve(1, 1, 1), first(0, 1, 1);
  for (double s = -kOverlap; s <= kOverlap; s += 0.01) {
    const EdgeCurve::Count behind = curve.CountAt(s), before = curve.CountAt(1 + s);
    EXPECT_NEAR(behind.value + before.value, 1, 1e-14);
    EXPECT_NEAR(behind.slope + before.slope, 0, 1e-12);
    EXPECT_NEAR(behind.curvature + before.curvature, 0, 1e-10);
  }
  EXPECT_EQ(curve.CountAt(0.5).value, 1);
  EXPECT_EQ(first.CountAt(0).value, 1);
  EXPECT_NEAR(curve.CountAt(-kOverlap).value, 0, 1e-15);
}

TEST(EdgeCurve, IsWithinItsHull) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Line line(false, kSmooth, &random);
    for (const CurvedEdge& edge : line.curve) {
      const CurveNodes hull = edge.shape.Hull(line.Nodes(edge));
      const Vector3 direction = random.Direction();
      const double most = (direction.transpose() * hull).maxCoeff();
      for (double s = edge.shape.low(); s <= edge.shape.high(); s += 0.05) {
        EXPECT_LE(direction.dot(line.At(edge, s)), most + 1e-13);
        EXPECT_LE(edge.shape.At(s).lpNorm<1>(), edge.stretch + 1e-14);
      }
    }
  }
}

}  // namespace edge_curve_test
}  // namespace strand
