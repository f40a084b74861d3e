#include "model/stencil/segment_distance.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/pair_checks.h"

namespace strand {
namespace segment_distance_test {

using testing::CentralGradient;
using testing::CentralJacobian;
using testing::CheckPairDerivatives;
using testing::CheckPairInvariance;
using testing::ExpectSecondOrder;
using testing::Matrix;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

constexpr double kSpread = 1e-3;  // m^2

SegmentPair At(const Vector& q, double spread = kSpread) {
  return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6), q.segment<3>(9), spread};
}

bool Inside(double parameter) { return parameter > 0 && parameter < 1; }

double Distance(const Vector& q) { return At(q).distance; }

Vector Gradient(const Vector& q) { return At(q).Gradient(); }

// Two segments well inside a given class. end_x, end_y: 0 or 1 for an end, 2 for the interior.
Vector Make(int end_x, int end_y, double distance, Random* random) {
  const Vector3 normal = random->Direction();
  const auto edge = [&](int end) -> Vector3 {
    const Vector3 side = normal.cross(random->Direction()).normalized();
    const double away = end == 2 ? 0 : random->Uniform(0.2, 1);
    return random->Uniform(0.7, 1.5) * (side + away * normal);
  };
  const auto parameter = [&](int end) { return end == 2 ? random->Uniform(0.2, 0.8) : 0.0; };
  Vector3 u = edge(end_x), v = edge(end_y);
  while (u.cross(v).norm() < 0.3) v = edge(end_y);
  const double s = parameter(end_x), t = parameter(end_y);
  const Vector3 x = random->Vector(), y = x - distance * normal;
  if (end_y != 2) v -= 2 * v.dot(normal) * normal;  // x goes up from its end, y down
  Vector q(12);
  q << x - s * u, x + (1 - s) * u, y - t * v, y + (1 - t) * v;
  if (end_x == 1) q.segment<3>(0).swap(q.segment<3>(3));
  if (end_y == 1) q.segment<3>(6).swap(q.segment<3>(9));
  return q;
}

// Overlapping parallel segments, in the same or opposite directions.
Vector MakeParallel(bool against, Random* random) {
  const Vector3 t = random->Direction(), x = random->Vector();
  const Vector3 y = x + random->Uniform(0.2, 1) * t.cross(random->Direction()).normalized();
  Vector q(12);
  q << x, x + 1.3 * t, y + 0.4 * t, y + 1.9 * t;
  if (against) q.segment<3>(6).swap(q.segment<3>(9));
  return q;
}

std::vector<Vector> AllClasses(double distance, Random* random) {
  std::vector<Vector> all;
  for (int end_x : {0, 1, 2}) {
    for (int end_y : {0, 1, 2}) all.push_back(Make(end_x, end_y, distance, random));
  }
  all.push_back(MakeParallel(false, random));
  all.push_back(MakeParallel(true, random));
  return all;
}

TEST(SegmentDistanceStencil, DerivativesMatchDifferences) {
  Random random(1);
  for (double distance : {0.02, 0.3, 2.0}) {
    for (int end = 0; end < 9; ++end) {
      SCOPED_TRACE(::testing::Message() << "distance " << distance << " end " << end);
      const Vector q = Make(end / 3, end % 3, distance, &random);
      const SegmentPair at = At(q);
      ASSERT_EQ(Inside(at.meeting.s), end / 3 == 2);
      ASSERT_EQ(Inside(at.meeting.t), end % 3 == 2);
      EXPECT_GE(at.distance, distance);
      EXPECT_LE(at.distance, std::sqrt(distance * distance + kSpread / 2) + 1e-14);
      // Between edges 1 / d does not bound the step, and longer steps resolve the slope better.
      const double h0 = end == 8 ? 0.1 * std::min(distance, 0.2) : 0.02 * std::min(distance, 0.5);
      CheckPairDerivatives([](const Vector& x) { return At(x); }, q, h0, distance);
    }
  }
}

TEST(SegmentDistanceStencil, DerivativesMatchDifferencesSideBySide) {
  Random random(2);
  for (bool against : {false, true}) {
    const Vector q = MakeParallel(against, &random);
    const SegmentPair at = At(q);
    ASSERT_TRUE(Inside(at.meeting.s) && Inside(at.meeting.t));
    const Vector gradient = at.Gradient();
    const Matrix hessian = at.Hessian();
    ExpectSecondOrder(
        SweepSteps(2e-4, 16,
                   [&](double h) { return (CentralGradient(Distance, q, h) - gradient).norm(); }),
        1e-9);
    ExpectSecondOrder(SweepSteps(2e-4, 16,
                                 [&](double h) {
                                   return (CentralJacobian(Gradient, q, h) - hessian).norm() /
                                          hessian.norm();
                                 }),
                      1e-8);
  }
}

// The minimum of f by brute force on a grid of the square.
TEST(SegmentDistanceStencil, IsTheMinimum) {
  Random random(4);
  for (const Vector& q : AllClasses(0.4, &random)) {
    for (double spread : {1e-12, 1e-3, 1.0}) {
      const SegmentPair at = At(q, spread);
      double least = 1e9;
      for (int i = 0; i <= 200; ++i) {
        for (int j = 0; j <= 200; ++j) {
          const double s = i / 200.0, t = j / 200.0;
          const Vector3 r = q.segment<3>(0) + s * at.meeting.u - q.segment<3>(6) - t * at.meeting.v;
          const double f = r.squaredNorm() + spread * (std::pow(s - 0.5, 2) + std::pow(t - 0.5, 2));
          least = std::min(least, f);
        }
      }
      EXPECT_LE(at.distance, std::sqrt(least) + 1e-15);
      EXPECT_GT(at.distance, std::sqrt(least) - 0.02);
    }
  }
}

// Parallel segments touch in the middle of their overlap, and both orders of the pair give the
// same.
TEST(SegmentDistanceStencil, ParallelOverlapMeetsInItsMiddleFromEitherSide) {
  Vector q(12);  // the overlap is x = 2 to 6, its middle x = 4
  q << 0, 0, 0, 8, 0, 0, 2, 1, 0, 6, 1, 0;
  for (int turn = 0; turn < 4; ++turn) {
    Vector turned = q;
    if (turn & 1) turned.segment<3>(0).swap(turned.segment<3>(3));
    if (turn & 2) turned.segment<3>(6).swap(turned.segment<3>(9));
    Vector swapped(12);
    swapped << turned.tail<6>(), turned.head<6>();
    const SegmentPair a = At(turned), b = At(swapped);
    EXPECT_NEAR(turned[0] + a.meeting.s * a.meeting.u[0], 4, 1e-14);
    EXPECT_NEAR(turned[6] + a.meeting.t * a.meeting.v[0], 4, 1e-14);
    EXPECT_NEAR(a.distance, 1, 1e-15);
    const Matrix h = b.Hessian();
    SegmentPair::Hessians back;
    back << h.bottomRightCorner<6, 6>(), h.bottomLeftCorner<6, 6>(), h.topRightCorner<6, 6>(),
        h.topLeftCorner<6, 6>();
    EXPECT_LT((a.Hessian() - back).norm(), 1e-11 * h.norm());
  }
}

// Without the spread the distance has a kink there: any tilt would move the force to one end.
TEST(SegmentDistanceStencil, ParallelOverlapHasNoKink) {
  const auto tilted = [](double tilt) {
    Vector q(12);
    q << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1 + tilt, 0;
    return At(q);
  };
  EXPECT_NEAR(tilted(0).meeting.s, 0.5, 1e-15);
  EXPECT_LT(tilted(0.1).meeting.s, 1e-3);
  EXPECT_GT(tilted(-0.1).meeting.s, 1 - 1e-3);
  Vector last = tilted(-0.1).Gradient();
  const double step = 1e-6, steepest = 1 / kSpread;  // of the weights, by the tilt
  for (double tilt = -0.01; tilt < 0.01; tilt += step) {
    const Vector gradient = tilted(tilt).Gradient();
    if (tilt > -0.01) {
      ASSERT_LT((gradient - last).norm(), 2 * steepest * step) << tilt;
    }
    last = gradient;
  }
}

TEST(SegmentDistanceStencil, GradientIsContinuousWhereTheClassChanges) {
  // The end of x slides over y and past its end: edge-edge, point-edge, point-point.
  const auto at = [](double z) {
    Vector q(12);
    q << -0.5, 0.3, z, 0.4, 0.3, z + 0.7, 0, 0, -1, 0.2, 0.1, 0.9;
    return At(q);
  };
  Vector last = at(-2).Gradient();
  std::array<int, 3> seen{};  // how many of the two points are in the interior
  for (double z = -2; z < 2; z += 1e-4) {
    const SegmentPair pair = at(z);
    ++seen[Inside(pair.meeting.s) + Inside(pair.meeting.t)];
    ASSERT_LT((pair.Gradient() - last).norm(), 2e-3) << z;
    last = pair.Gradient();
  }
  for (int count : seen) EXPECT_GT(count, 100);
}

TEST(SegmentDistanceStencil, RigidMotionAndNetWrench) {
  Random random(3);
  for (const Vector& q : AllClasses(0.4, &random)) {
    CheckPairInvariance([](const Vector& x) { return At(x); }, q, &random);
  }
}

TEST(SegmentDistanceStencil, FiniteWhereTheDirectionIsLost) {
  const Vector3 o = Vector3::Zero(), x = Vector3::UnitX(), y = Vector3::UnitY();
  const std::vector<std::array<Vector3, 4>> cases = {
      {-x, x, -y, y},          {-x, x, -x, x},         {-x, x, o, 3 * x},  {o, x, x, 2 * x},
      {o, x, x, x + y},        {o, x, 0.5 * x, y},     {o, o, o, o},       {o, x, o, o},
      {o, o, -y, y},           {o, o, x, x},           {o, x, y, y},       {-x, x, 2 * x, 5 * x},
      {o, 1e-200 * x, o, -y},  {o, 1e-160 * x, o, -y}, {o, 1e9 * x, y, x}, {-x, x, 1e-300 * y, y},
      {o, x, 1e-13 * y, x - y}};
  for (const auto& q : cases) {
    testing::CheckPairIsFinite(SegmentPair(q[0], q[1], q[2], q[3], kSpread));
  }
}

}  // namespace segment_distance_test
}  // namespace strand
