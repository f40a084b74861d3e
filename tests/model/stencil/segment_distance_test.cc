#include "model/stencil/segment_distance.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/finite_difference.h"
#include "tests/support/random.h"

namespace strand {
namespace {

using testing::CentralGradient;
using testing::CentralHessian;
using testing::CentralJacobian;
using testing::ExpectSecondOrder;
using testing::Matrix;
using testing::Random;
using testing::SweepSteps;
using testing::Vector;

SegmentPair At(const Vector& q) {
  return {q.segment<3>(0), q.segment<3>(3), q.segment<3>(6), q.segment<3>(9)};
}

double Distance(const Vector& q) { return At(q).distance; }

Vector Gradient(const Vector& q) { return At(q).Gradient(); }

// Two segments of a given class, well inside it. end_x, end_y: 0 or 1 for an end, 2 for inside.
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

SegmentContact Kind(int end_x, int end_y) {
  if (end_x == 2 && end_y == 2) return SegmentContact::kEdgeEdge;
  return end_x == 2 || end_y == 2 ? SegmentContact::kPointEdge : SegmentContact::kPointPoint;
}

// Overlapping parallel segments, with or against each other.
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
      ASSERT_EQ(at.kind, Kind(end / 3, end % 3));
      EXPECT_NEAR(at.distance, distance, 1e-14);
      const SegmentGradient gradient = at.Gradient();
      const SegmentHessian hessian = at.Hessian();
      EXPECT_LT((hessian - hessian.transpose()).norm(), 1e-13 * hessian.norm());
      // Between edges there is no curvature in 1 / d, and longer steps show the slope better.
      const double h0 = end == 8 ? 0.1 * std::min(distance, 0.2) : 0.02 * std::min(distance, 0.5);
      const auto gradient_error = [&](double h) {
        return (CentralGradient(Distance, q, h) - gradient).norm();
      };
      const auto hessian_error = [&](double h) {
        return (CentralJacobian(Gradient, q, h) - hessian).norm() * distance;
      };
      const auto value_error = [&](double h) {
        return (CentralHessian(Distance, q, h) - hessian).norm() * distance;
      };
      ExpectSecondOrder(SweepSteps(h0, 16, gradient_error), 1e-9);
      ExpectSecondOrder(SweepSteps(h0, 16, hessian_error), 1e-8);
      ExpectSecondOrder(SweepSteps(h0, 10, value_error), 1e-5);
    }
  }
}

// The nearest distance of points that may move by equal lengths against each other, from the
// middle of the overlap.
double RestrictedDistance(const Vector& q, const SegmentPair& start) {
  const Vector3 x0 = q.segment<3>(0), u = q.segment<3>(3) - x0;
  const Vector3 y0 = q.segment<3>(6), v = q.segment<3>(9) - y0;
  const Vector3 offset = x0 + start.closest.s * u - y0 - start.closest.t * v;
  const double sign = start.u.dot(start.v) > 0 ? 1 : -1;
  const Vector3 way = u / start.u.norm() + sign * v / start.v.norm();
  return (offset - offset.dot(way) / way.squaredNorm() * way).norm();
}

TEST(SegmentDistanceStencil, ParallelDerivativesAreThoseOfTheRestrictedDistance) {
  Random random(2);
  for (bool against : {false, true}) {
    const Vector q = MakeParallel(against, &random);
    const SegmentPair at = At(q);
    ASSERT_EQ(at.kind, SegmentContact::kParallel);
    const auto value = [&](const Vector& moved) { return RestrictedDistance(moved, at); };
    const SegmentGradient gradient = at.Gradient();
    const SegmentHessian hessian = at.Hessian();
    ExpectSecondOrder(
        SweepSteps(0.02, 16,
                   [&](double h) { return (CentralGradient(value, q, h) - gradient).norm(); }),
        1e-9);
    ExpectSecondOrder(
        SweepSteps(0.02, 10,
                   [&](double h) { return (CentralHessian(value, q, h) - hessian).norm(); }),
        1e-5);
  }
}

TEST(SegmentDistanceStencil, ParallelOverlapMeetsInItsMiddleFromEitherSide) {
  Vector q(12);  // overlap from x = 2 to x = 4
  q << 0, 0, 0, 4, 0, 0, 2, 1, 0, 7, 1, 0;
  for (int turn = 0; turn < 4; ++turn) {
    Vector turned = q;
    if (turn & 1) turned.segment<3>(0).swap(turned.segment<3>(3));
    if (turn & 2) turned.segment<3>(6).swap(turned.segment<3>(9));
    Vector swapped(12);
    swapped << turned.tail<6>(), turned.head<6>();
    const SegmentPair a = At(turned), b = At(swapped);
    EXPECT_NEAR(turned[0] + a.closest.s * a.u[0], 3, 1e-14);
    EXPECT_NEAR(turned[6] + a.closest.t * a.v[0], 3, 1e-14);
    const SegmentHessian h = b.Hessian();
    SegmentHessian back;
    back << h.bottomRightCorner<6, 6>(), h.bottomLeftCorner<6, 6>(), h.topRightCorner<6, 6>(),
        h.topLeftCorner<6, 6>();
    EXPECT_LT((a.Hessian() - back).norm(), 1e-13);
  }
}

// The limit of the model: a tilt by 1e-9 to either side moves the force to either end.
TEST(SegmentDistanceStencil, ParallelOverlapIsAKink) {
  const auto tilted = [](double tilt) {
    Vector q(12);
    q << 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1 + tilt, 0;
    return At(q);
  };
  EXPECT_EQ(tilted(1e-9).closest.s, 0);
  EXPECT_EQ(tilted(-1e-9).closest.s, 1);
  EXPECT_EQ(tilted(0).closest.s, 0.5);
  EXPECT_GT((tilted(1e-9).Gradient() - tilted(-1e-9).Gradient()).norm(), 1.9);
}

TEST(SegmentDistanceStencil, GradientIsContinuousWhereTheClassChanges) {
  // The end of x slides over y and past its end: edge-edge, point-edge, point-point.
  const auto at = [](double z) {
    Vector q(12);
    q << -0.5, 0.3, z, 0.4, 0.3, z + 0.7, 0, 0, -1, 0.2, 0.1, 0.9;
    return At(q);
  };
  SegmentGradient last = at(-2).Gradient();
  std::array<int, 4> seen{};
  for (double z = -2; z < 2; z += 1e-4) {
    const SegmentPair pair = at(z);
    ++seen[static_cast<int>(pair.kind)];
    ASSERT_LT((pair.Gradient() - last).norm(), 2e-3) << z;
    last = pair.Gradient();
  }
  for (auto kind :
       {SegmentContact::kPointPoint, SegmentContact::kPointEdge, SegmentContact::kEdgeEdge}) {
    EXPECT_GT(seen[static_cast<int>(kind)], 100);
  }
}

TEST(SegmentDistanceStencil, RigidMotionAndNetWrench) {
  Random random(3);
  for (const Vector& q : AllClasses(0.4, &random)) {
    const SegmentPair at = At(q);
    const Vector gradient = at.Gradient();
    const Matrix hessian = at.Hessian();
    const Eigen::Matrix3d rotation = random.Rotation();
    const Vector3 shift = random.Vector(), spin = random.Vector();
    Vector moved(12), translation(12), turn(12), turned(12);
    Vector3 force = Vector3::Zero(), moment = Vector3::Zero();
    for (int i = 0; i < 12; i += 3) {
      const Vector3 x = q.segment<3>(i), g = gradient.segment<3>(i);
      moved.segment<3>(i) = rotation * x + shift;
      translation.segment<3>(i) = shift;
      turn.segment<3>(i) = spin.cross(x);
      turned.segment<3>(i) = spin.cross(g);
      force += g;
      moment += x.cross(g);
    }
    EXPECT_LT(force.norm(), 1e-15);
    EXPECT_LT(moment.norm(), 1e-14);
    // The gradient turns with the body: H (spin x q) = spin x g; and does not see a translation.
    EXPECT_LT((hessian * translation).norm(), 1e-13);
    EXPECT_LT((hessian * turn - turned).norm(), 1e-13);
    const SegmentPair after = At(moved);
    EXPECT_EQ(after.kind, at.kind);
    EXPECT_NEAR(after.distance, at.distance, 1e-14);
    Matrix big = Matrix::Zero(12, 12);
    for (int i = 0; i < 12; i += 3) big.block<3, 3>(i, i) = rotation;
    EXPECT_LT((after.Gradient() - big * gradient).norm(), 1e-13);
    EXPECT_LT((after.Hessian() - big * hessian * big.transpose()).norm(), 1e-12);
  }
}

TEST(SegmentDistanceStencil, EdgeEdgeHessianStaysBoundedAsTheDistanceVanishes) {
  const auto at = [](double z) {
    Vector q(12);
    q << -1, 0, z, 1, 0.2, z, 0.1, -1, 0, 0, 1, 0;
    return At(q);
  };
  const SegmentHessian limit = at(1e-6).Hessian();
  for (double z : {1e-7, 1e-8, 1e-9}) {
    EXPECT_EQ(at(z).kind, SegmentContact::kEdgeEdge);
    EXPECT_LT((at(z).Hessian() - limit).norm(), 1e-5 * limit.norm()) << z;
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
    const SegmentPair pair(q[0], q[1], q[2], q[3]);
    EXPECT_TRUE(std::isfinite(pair.distance));
    EXPECT_NEAR(pair.normal.norm(), 1, 1e-12);
    EXPECT_TRUE(pair.Gradient().allFinite());
    EXPECT_TRUE(pair.Hessian().allFinite());
    EXPECT_LT(std::abs(pair.normal.dot(pair.u)) * (pair.free_x ? 1 : 0), 1e-9);
    EXPECT_LT(std::abs(pair.normal.dot(pair.v)) * (pair.free_y ? 1 : 0), 1e-9);
  }
}

}  // namespace
}  // namespace strand
