#include "model/stencil/curve_distance.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/pair_checks.h"

namespace strand {
namespace curve_distance_test {

using testing::CentralGradient;
using testing::CentralJacobian;
using testing::CheckPairDerivatives;
using testing::CheckPairInvariance;
using testing::ExpectSecondOrder;
using testing::Matrix;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

constexpr double kSpread = 0.02, kTouching = 0.4;  // m^2, m

// Two curved edges; the nodes of each include one neighbour on either side.
struct Edges {
  EdgeCurve a{0.9, 1.0, 1.2}, b{1.1, 1.0, 0.8};

  CurvePair At(const Vector& q) const {
    CurveNodes x, y;
    for (int k = 0; k < 4; ++k) x.col(k) = q.segment<3>(3 * k), y.col(k) = q.segment<3>(12 + 3 * k);
    const CurveSpread spread(a, x, b, y, kTouching, kSpread);
    return {CurveMeeting(a, x, b, y, spread.value()), spread};
  }
};

// Nodes of a circular arc through `middle` with the tangent `along`, curved towards `inward`;
// `places` are arc lengths from `middle` (m).
std::vector<Vector3> Arc(const Vector3& middle, const Vector3& along, const Vector3& inward,
                         double curvature, const std::vector<double>& places) {
  std::vector<Vector3> nodes;
  for (double place : places) {
    const double angle = curvature * place;
    nodes.push_back(middle +
                    (std::sin(angle) * along + (1 - std::cos(angle)) * inward) / curvature);
  }
  return nodes;
}

// Two bent edges whose points at the parameters `s` and `t` are `distance` apart; `angle` is
// between them.
Vector Make(double s, double t, double distance, double angle, Random* random) {
  const Vector3 normal = random->Direction();
  const Vector3 along = normal.cross(random->Direction()).normalized();
  const Vector3 across = normal.cross(along);
  const Vector3 other = std::cos(angle) * along + std::sin(angle) * across;
  const Vector3 x = random->Vector();
  const auto first =
      Arc(x, along, (normal + 0.4 * across).normalized(), 0.25, {-0.9 - s, -s, 1 - s, 2.2 - s});
  const auto second = Arc(x - distance * normal, other, (0.3 * along - normal).normalized(), 0.3,
                          {-1.1 - t, -t, 1 - t, 1.8 - t});
  Vector q(24);
  for (int k = 0; k < 4; ++k) q.segment<3>(3 * k) = first[k], q.segment<3>(12 + 3 * k) = second[k];
  for (int k = 0; k < 24; ++k) q[k] += random->Uniform(-0.01, 0.01);
  return q;
}

const double kPlaces[] = {-0.5, -0.03, 0.04, 0.4, 0.97, 1.02, 1.6};
const double kAngles[] = {1.2, 0.5, 0.1};

TEST(CurveDistance, DerivativesMatchDifferences) {
  Random random(1);
  const Edges edges;
  for (double s : kPlaces) {
    for (double t : {0.55, 0.98}) {
      for (double angle : kAngles) {
        SCOPED_TRACE(::testing::Message() << s << ", " << t << " at " << angle);
        const Vector q = Make(s, t, 0.4, angle, &random);
        const bool at_bound = s < -0.1 || s > 1.1;  // less curved: longer steps
        const double step = at_bound && angle > 1 ? 1e-2 : angle > 0.2 ? 5e-3 : 2e-3;
        CheckPairDerivatives([&](const Vector& x) { return edges.At(x); }, q, step, 0.4);
        CheckPairInvariance([&](const Vector& x) { return edges.At(x); }, q, &random);
      }
    }
  }
}

TEST(CurveDistance, DerivativesOfTheWeightMatchDifferences) {
  Random random(2);
  const Edges edges;
  int changing = 0;
  for (double s : kPlaces) {
    for (double t : {0.55, 0.96, -0.03}) {
      for (double angle : kAngles) {
        SCOPED_TRACE(::testing::Message() << s << ", " << t << " at " << angle);
        const Vector q = Make(s, t, 0.4, angle, &random);
        if (!edges.At(q).counts_change()) continue;
        ++changing;
        const auto value = [&](const Vector& x) { return edges.At(x).count(); };
        const auto slope = [&](const Vector& x) -> Vector { return edges.At(x).CountGradient(); };
        const Vector gradient = slope(q);
        const Matrix hessian = edges.At(q).CountHessian();
        EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-12 * hessian.norm());
        ExpectSecondOrder(SweepSteps(1e-3, 16,
                                     [&](double h) {
                                       return (CentralGradient(value, q, h) - gradient).norm() /
                                              gradient.norm();
                                     }),
                          1e-8);
        ExpectSecondOrder(SweepSteps(1e-3, 16,
                                     [&](double h) {
                                       return (CentralJacobian(slope, q, h) - hessian).norm() /
                                              hessian.norm();
                                     }),
                          1e-7);
      }
    }
  }
  EXPECT_GT(changing, 20);
}

TEST(CurveDistance, IsTheMinimum) {
  Random random(3);
  const Edges edges;
  for (double s : kPlaces) {
    for (double angle : kAngles) {
      const Vector q = Make(s, 0.5, 0.4, angle, &random);
      const CurvePair at = edges.At(q);
      double least = 1e9;
      for (int i = 0; i <= 240; ++i) {
        for (int j = 0; j <= 240; ++j) {
          const double x = -0.1 + i * 0.005, y = -0.1 + j * 0.005;
          const Eigen::Vector4d a = edges.a.At(x), b = edges.b.At(y);
          Vector3 offset = Vector3::Zero();
          for (int k = 0; k < 4; ++k) {
            offset += a[k] * q.segment<3>(3 * k) - b[k] * q.segment<3>(12 + 3 * k);
          }
          const double squares = (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5);
          least = std::min(least, std::sqrt(offset.squaredNorm() + at.spread * squares));
        }
      }
      EXPECT_LE(at.distance, least + 1e-14);
      EXPECT_GT(at.distance, least - 1e-4);
    }
  }
}

// Also of edges as long as their radius of curvature, and of a long and a short one.
TEST(CurveDistance, SpreadAddsLittle) {
  Random random(4);
  int spread = 0;
  for (double length : {1.0, 0.3, 0.05}) {
    const EdgeCurve a(1, 1, 1), b(length, length, length);
    for (double curvature : {0.05, 0.3, 0.9}) {
      for (double place : {-0.05, 0.02, 0.3, 0.5, 0.9}) {
        const Vector3 normal = random.Direction();
        const Vector3 along = normal.cross(random.Direction()).normalized();
        const std::vector<double> at = {-1 - place, -place, 1 - place, 2 - place};
        const auto first = Arc(Vector3::Zero(), along, normal, curvature, at);
        const auto second = Arc(-kTouching * normal, along, -normal, curvature,
                                {-1.5 * length, -0.5 * length, 0.5 * length, 1.5 * length});
        CurveNodes x, y;
        for (int k = 0; k < 4; ++k) x.col(k) = first[k], y.col(k) = second[k];
        const CurveSpread of_angle(a, x, b, y, kTouching, 0.01 * kSpread);
        const CurvePair pair(CurveMeeting(a, x, b, y, of_angle.value()), of_angle);
        spread += of_angle.exists();
        EXPECT_GE(pair.distance, pair.offset.norm());
        EXPECT_LE(pair.distance, pair.offset.norm() + 0.02 * kTouching);
      }
    }
  }
  EXPECT_EQ(spread, 45);
}

}  // namespace curve_distance_test
}  // namespace strand
