#include "model/stencil/point_triangle.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/pair_checks.h"

namespace strand {
namespace point_triangle_test {

using testing::CheckPairDerivatives;
using testing::CheckPairInvariance;
using testing::Random;
using testing::Vector;

PointTrianglePair At(const Vector& q) {
  return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6), q.segment<3>(9)};
}

// The corners that the nearest point depends on, as bits: 7 over the face, 3, 5, 6 at an edge, 1,
// 2, 4 at a corner.
int Region(const PointTrianglePair& pair) {
  int region = 0;
  for (int i = 0; i < 3; ++i) region += pair.weight[i + 1] < 0 ? 1 << i : 0;
  return region;
}

// A point well inside a region, at this distance along one of the normals that the region allows.
Vector Make(int region, double distance, Random* random) {
  std::array<Vector3, 3> x;
  Vector3 normal;
  do {
    for (Vector3& corner : x) corner = random->Vector();
    normal = (x[1] - x[0]).cross(x[2] - x[0]);
  } while (normal.norm() < 0.5);
  normal.normalize();
  double sum = 0;
  Vector3 foot = Vector3::Zero(), out = random->Uniform(-1, 1) * normal;
  for (int i = 0; i < 3; ++i) {
    const Vector3 opposite = x[(i + 2) % 3] - x[(i + 1) % 3];
    const Vector3 away = opposite.cross(normal).normalized();  // away from corner i, outwards
    if (region >> i & 1) {
      const double weight = random->Uniform(0.5, 1);
      foot += weight * x[i], sum += weight;
    } else {
      out += random->Uniform(0.5, 1) * away;
    }
  }
  foot /= sum;
  Vector q(12);
  q << foot + distance * out.normalized(), x[0], x[1], x[2];
  return q;
}

const std::vector<int> kRegions = {1, 2, 3, 4, 5, 6, 7};

TEST(PointTriangleStencil, DerivativesMatchDifferencesInAllRegions) {
  Random random(1);
  for (double distance : {0.02, 0.3, 2.0}) {
    for (int region : kRegions) {
      SCOPED_TRACE(::testing::Message() << "distance " << distance << " region " << region);
      const Vector q = Make(region, distance, &random);
      ASSERT_EQ(Region(At(q)), region);
      EXPECT_NEAR(At(q).distance, distance, 1e-14);
      const double h0 =
          region == 7 ? 0.1 * std::min(distance, 0.2) : 0.02 * std::min(distance, 0.5);
      CheckPairDerivatives(At, q, h0, distance);
    }
  }
}

// Friction needs the derivatives of the weights with respect to the nodes.
TEST(PointTriangleStencil, WeightDerivativesMatchDifferences) {
  Random random(2);
  for (int region : kRegions) {
    const Vector q = Make(region, 0.3, &random);
    const auto weights = [](const Vector& x) -> Vector {
      return Eigen::Map<const Eigen::Vector4d>(At(x).weight.data());
    };
    const testing::Matrix exact = At(q).weight_by * At(q).ParametersByNodes();
    testing::ExpectSecondOrder(
        testing::SweepSteps(
            5e-3, 14,
            [&](double h) { return (testing::CentralJacobian(weights, q, h) - exact).norm(); }),
        1e-8);
  }
}

TEST(PointTriangleStencil, IsTheMinimum) {
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Vector q = Make(kRegions[i % 7], random.Uniform(0.01, 1), &random);
    const PointTrianglePair at = At(q);
    double least = 1e9;
    constexpr int kGrid = 60;
    for (int j = 0; j <= kGrid; ++j) {
      for (int k = 0; j + k <= kGrid; ++k) {
        const double s = double(j) / kGrid, t = double(k) / kGrid;
        const Vector3 y = (1 - s - t) * q.segment<3>(3) + s * q.segment<3>(6) + t * q.segment<3>(9);
        least = std::min(least, (q.segment<3>(0) - y).norm());
      }
    }
    EXPECT_LE(at.distance, least + 1e-15);
    EXPECT_GT(at.distance, least - 4.0 / kGrid);
    const double sum = at.weight[0] + at.weight[1] + at.weight[2] + at.weight[3];
    EXPECT_NEAR(sum, 0, 1e-15);
  }
}

// Over the face of a long thin triangle, compared in long double with the foot on its plane. (Sums
// of dot products lose all digits there.)
TEST(PointTriangleStencil, SliversKeepTheirDigits) {
  using Long = Eigen::Matrix<long double, 3, 1>;
  Random random(4);
  for (double height : {1e-2, 1e-5, 1e-7}) {
    int over_face = 0;
    for (int i = 0; i < 500; ++i) {
      const Vector3 a = random.Vector(), along = random.Direction(), side = along.unitOrthogonal();
      const Vector3 b = a + along, c = a + random.Uniform(-0.5, 1.5) * along + height * side;
      const Vector3 x = a + random.Uniform(-0.2, 1.2) * along + 1.5 * height * random.Vector();
      const Long la = a.cast<long double>(), w = x.cast<long double>() - la;
      const Long u = b.cast<long double>() - la, v = c.cast<long double>() - la, n = u.cross(v);
      const long double t = u.cross(w).dot(n) / n.dot(n), s = w.cross(v).dot(n) / n.dot(n);
      if (!(s > 0.01 && t > 0.01 && s + t < 0.99)) continue;
      ++over_face;
      const Vector3 exact = (n.dot(w) / n.dot(n) * n).cast<double>();
      EXPECT_LT((ClosestOnTriangle(x, a, b, c).offset - exact).norm(), 3e-16 / height);
    }
    EXPECT_GT(over_face, 30);
  }
}

// A point that moves past the triangle crosses every region; the gradient has no jump.
TEST(PointTriangleStencil, GradientIsContinuousWhereTheRegionChanges) {
  std::array<int, 8> seen{};
  for (double y : {-0.3, 0.3, 0.8, 1.3}) {
    const auto at = [&](double z) {
      Vector q(12);
      q << z, y, 0.3, 0, 0, 0, 1, 0.1, 0, 0.2, 0.9, 0;
      return At(q);
    };
    Vector last = at(-2).Gradient();
    for (double z = -2; z < 3; z += 1e-4) {
      const PointTrianglePair pair = at(z);
      ++seen[Region(pair)];
      ASSERT_LT((pair.Gradient() - last).norm(), 2e-3) << z;
      last = pair.Gradient();
    }
  }
  for (int region : kRegions) EXPECT_GT(seen[region], 100) << region;
}

TEST(PointTriangleStencil, RigidMotionAndNetWrench) {
  Random random(5);
  for (int region : kRegions) CheckPairInvariance(At, Make(region, 0.4, &random), &random);
}

// The order of the corners and the orientation of the triangle do not matter.
TEST(PointTriangleStencil, IsTheSameFromAnyCorner) {
  Random random(6);
  for (int region : kRegions) {
    const Vector q = Make(region, 0.4, &random);
    Vector turned = q, flipped = q;
    turned << q.head<3>(), q.tail<6>(), q.segment<3>(3);
    flipped.segment<3>(3).swap(flipped.segment<3>(6));
    EXPECT_NEAR(At(turned).distance, At(q).distance, 1e-15);
    EXPECT_NEAR(At(turned).weight[3], At(q).weight[1], 1e-14);
    EXPECT_NEAR(At(flipped).weight[2], At(q).weight[1], 1e-14);
    EXPECT_LT((At(flipped).normal - At(q).normal).norm(), 1e-14);
  }
}

TEST(PointTriangleStencil, FiniteWhereTheDirectionIsLost) {
  const Vector3 o = Vector3::Zero(), x = Vector3::UnitX(), y = Vector3::UnitY();
  const std::vector<std::array<Vector3, 4>> cases = {{0.2 * x + 0.2 * y, o, x, y},
                                                     {0.5 * x, o, x, y},
                                                     {x, o, x, y},
                                                     {o, o, o, o},
                                                     {y, o, x, 2 * x},
                                                     {y, o, o, x},
                                                     {o, o, 1e-160 * x, y},
                                                     {x, o, x, x},
                                                     {0.2 * x, o, 1e9 * x, 1e-9 * y}};
  for (const auto& q : cases) {
    testing::CheckPairIsFinite(PointTrianglePair(q[0], q[1], q[2], q[3]));
  }
}

}  // namespace point_triangle_test
}  // namespace strand
