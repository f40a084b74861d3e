#include "model/vine/planar_obstacle.h"

#include <gtest/gtest.h>

#include "model/config/error.h"
#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand {
namespace planar_obstacle_test {

std::vector<PlanarObstacle> Shapes() {
  return {MakeCircle({0.3, -0.1}, 0.2), MakePlanarBox({-0.2, 0.1}, {0.5, 0.3}),
          MakeRotatedBox({0.1, 0.2}, 0.7, 0.6, 0.2),
          MakePolygon({{0, 0}, {0.5, 0.1}, {0.4, 0.5}, {0.1, 0.4}})};
}

// The distance to sampled points of the boundary.
double SampledDistance(const PlanarObstacle& polygon, const Vector2& p) {
  double least = INFINITY;
  const size_t count = polygon.vertex.size();
  for (size_t k = 0; k < count; ++k) {
    for (int i = 0; i <= 20000; ++i) {
      const double part = i / 20000.0;
      const Vector2 at = (1 - part) * polygon.vertex[k] + part * polygon.vertex[(k + 1) % count];
      least = std::min(least, (p - at).norm());
    }
  }
  return least;
}

TEST(PlanarObstacle, GapIsTheDistanceToTheBoundary) {
  testing::Random random(1);
  for (const PlanarObstacle& shape : Shapes()) {
    if (shape.shape == PlanarObstacle::Shape::kCircle) continue;
    for (int k = 0; k < 20; ++k) {
      const Vector2 p(random.Uniform(-0.6, 0.9), random.Uniform(-0.6, 0.9));
      EXPECT_NEAR(std::abs(EvaluateGap(shape, p).gap), SampledDistance(shape, p), 1e-4);
    }
    Vector2 inside = Vector2::Zero();
    for (const Vector2& v : shape.vertex) inside += v / static_cast<double>(shape.vertex.size());
    EXPECT_LT(EvaluateGap(shape, inside).gap, 0);
  }
}

TEST(PlanarObstacle, NormalAndCurvatureAreDerivativesOfTheGap) {
  testing::Random random(2);
  for (const PlanarObstacle& shape : Shapes()) {
    for (int k = 0; k < 25; ++k) {
      const Vector2 p(random.Uniform(-0.6, 0.9), random.Uniform(-0.6, 0.9));
      const PlanarGap at = EvaluateGap(shape, p);
      const auto value = [&](const testing::Vector& x) { return EvaluateGap(shape, x).gap; };
      const auto error = [&](double h) {
        return (testing::CentralGradient(value, p, h) - at.normal).norm();
      };
      testing::ExpectSecondOrder(testing::SweepSteps(1e-3, 14, error), 1e-8);
      const auto normal = [&](const testing::Vector& x) -> testing::Vector {
        return EvaluateGap(shape, x).normal;
      };
      const Vector2 t(-at.normal.y(), at.normal.x());
      const Eigen::Matrix2d turning = at.curvature * t * t.transpose();
      EXPECT_LT((testing::CentralJacobian(normal, p, 1e-6) - turning).norm(), 1e-7 / 1e-2);
    }
  }
}

TEST(PlanarObstacle, PublishedNormalsAtCornersAreFaceNormals) {
  const PlanarObstacle box = MakePlanarBox({0, 0}, {2, 1});
  const Vector2 right = Vector2::UnitX(), up = Vector2::UnitY();
  const auto published = [&](double x, double y) {
    return EvaluateGap(box, {x, y}, CornerNormal::kPublished);
  };
  // The edges are left, top, right, bottom: the first one that ends in the nearest corner counts.
  EXPECT_EQ(published(-1, 2).normal, -right);
  EXPECT_EQ(published(3, 2).normal, up);
  EXPECT_EQ(published(3, -1).normal, right);
  EXPECT_EQ(published(-1, -1).normal, -right);
  EXPECT_DOUBLE_EQ(published(3, 2).gap, std::sqrt(2));
  EXPECT_LT((EvaluateGap(box, {3, 2}).normal - Vector2(1, 1).normalized()).norm(), 1e-15);
  EXPECT_EQ(published(1, 3).normal, EvaluateGap(box, {1, 3}).normal);
}

TEST(PlanarObstacle, InsidePointsUseTheNearestFace) {
  const PlanarObstacle box = MakePlanarBox({0, 0}, {2, 1});
  const PlanarGap at = EvaluateGap(box, {0.1, 0.5});
  EXPECT_DOUBLE_EQ(at.gap, -0.1);
  EXPECT_EQ(at.normal, Vector2(-1, 0));
}

std::string ErrorMessage(const std::vector<Vector2>& vertices) {
  try {
    MakePolygon(vertices);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(PlanarObstacle, BadShapesAreNamed) {
  EXPECT_EQ(ErrorMessage({{0, 0}, {1, 0}}), "vertices: got '2', allowed: three or more");
  EXPECT_EQ(ErrorMessage({{0, 0}, {2, 0}, {1, 0.2}, {1, 1}}),
            "vertices, 2: got '1 0.2', allowed: corners of a convex polygon");
  EXPECT_EQ(ErrorMessage({{0, 0}, {0, 0}, {1, 1}}),
            "vertices, 0: got '0 0', allowed: other than the next");
  EXPECT_EQ(ErrorMessage({{0, 0}, {1, NAN}, {1, 1}}),
            "vertices, 1: got '1 nan', allowed: finite numbers (m)");
  EXPECT_THROW(MakeCircle({0, 0}, 0), ConfigError);
  EXPECT_THROW(MakePlanarBox({0, 0}, {1, -1}), ConfigError);
}

}  // namespace planar_obstacle_test
}  // namespace strand
