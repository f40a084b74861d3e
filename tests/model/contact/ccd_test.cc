#include "model/contact/ccd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/config/error.h"
#include "model/contact/broad_phase.h"
#include "tests/support/random.h"

namespace strand {
namespace ccd_test {

using testing::Random;

constexpr PairKind kKinds[] = {PairKind::kEdges, PairKind::kPointTriangle};

double DistanceAt(const PairNodes& x, const PairNodes& dx, double a,
                  PairKind kind = PairKind::kEdges) {
  PairNodes at = x;
  for (int i = 0; i < 4; ++i) at[i] += a * dx[i];
  return NearestOffset(kind, at).norm();
}

double Floor(double distance, const CcdOptions& options) {
  return distance - (1 - options.fraction) * std::max(distance - options.min_distance, 0.0);
}

// Checks that the whole way to alpha is safe and that only the floor stops it. Returns alpha.
double ExpectSafeAndLong(const PairNodes& x, const PairNodes& dx, const CcdOptions& options,
                         PairKind kind = PairKind::kEdges) {
  const double alpha = SafeFraction(x, dx, options, 1, kind);
  const double start = DistanceAt(x, dx, 0, kind), floor = Floor(start, options);
  for (int i = 0; i <= 400; ++i) {
    EXPECT_GE(DistanceAt(x, dx, alpha * i / 400, kind), floor * (1 - 1e-9)) << alpha * i / 400;
  }
  if (alpha < 1) {
    EXPECT_LE(DistanceAt(x, dx, alpha, kind),
              std::max(floor + 0.0101 * (start - floor), floor * 1.00001));
  }
  return alpha;
}

PairNodes RandomNodes(PairKind kind, double size, Random* random) {
  const Vector3 x = random->Vector(), y = random->Vector();
  const auto by = [&](const Vector3& from) -> Vector3 { return from + size * random->Vector(); };
  if (kind == PairKind::kEdges) return {x, by(x), y, by(y)};
  return {x, y, by(y), by(y)};
}

TEST(Ccd, RandomMotions) {
  for (PairKind kind : kKinds) {
    Random random(1);
    int stopped = 0;
    for (int i = 0; i < 4000; ++i) {
      const PairNodes x = RandomNodes(kind, i % 2 ? 1.0 : 0.1, &random);
      PairNodes dx;
      for (Vector3& d : dx) d = std::pow(10.0, i % 5 - 2) * random.Vector();
      const CcdOptions options{i % 3 ? 0.1 : 0.5, i % 7 ? 0 : 0.05};
      stopped += ExpectSafeAndLong(x, dx, options, kind) < 1;
    }
    EXPECT_GT(stopped, 200);
    EXPECT_LT(stopped, 3700);
  }
}

// Motions constructed to meet at the time tau, at any speed: none may tunnel.
TEST(Ccd, NeverPassesThrough) {
  Random random(2);
  for (int i = 0; i < 5000; ++i) {
    const double speed = std::pow(10.0, random.Uniform(-2, 6)), tau = random.Uniform(1e-4, 1);
    PairNodes dx;
    for (Vector3& d : dx) d = speed * random.Vector();
    const Vector3 meet = random.Vector(), u = random.Vector();
    const Vector3 v =
        i % 4 ? random.Vector() : Vector3(u + std::pow(10.0, -(i % 13)) * random.Vector());
    const double s = random.Uniform(0, 1), t = i % 5 ? random.Uniform(0, 1) : 0;
    PairNodes x = {meet - s * u, meet + (1 - s) * u, meet - t * v, meet + (1 - t) * v};
    for (int k = 0; k < 4; ++k) x[k] -= tau * dx[k];
    const double alpha = SafeFraction(x, dx, {});
    ASSERT_LT(alpha, tau) << speed;
    ASSERT_GE(alpha, 0);
    const double start = DistanceAt(x, dx, 0);
    ASSERT_GE(DistanceAt(x, dx, alpha), 0.1 * start - 1e-9 * speed) << speed;
  }
}

// A curve of four nodes, with the lengths of its neighbours, as primitive 0 or 1.
void AddCurve(const std::array<Vector3, 4>& x, Primitives* primitives) {
  const int first = 4 * static_cast<int>(primitives->edge.size());
  const EdgeCurve shape((x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[3] - x[2]).norm());
  primitives->edge.push_back({first + 1, first + 2});
  primitives->curve.push_back({{first, first + 1, first + 2, first + 3}, shape});
}

double LeastApart(const Primitives& primitives, const PrimitivePair& pair,
                  std::span<const Vector3> points) {
  const auto [a, b] = Primitives::Halves(primitives.Hulls(pair, primitives.CurvesOf(pair, points)));
  return CurvesApart(a, b, 0).distance;
}

// The same for curves, whose shapes have bends of up to about a radian.
TEST(Ccd, CurvesNeverPassThrough) {
  Random random(6);
  int long_way = 0;
  for (int i = 0; i < 3000; ++i) {
    const double speed = std::pow(10.0, random.Uniform(-2, 4)), tau = random.Uniform(1e-3, 1);
    std::array<Vector3, 4> a, b;
    for (auto* nodes : {&a, &b}) {
      Vector3 along = random.Direction();
      (*nodes)[0] = random.Vector();
      for (int k = 1; k < 4; ++k) {
        (*nodes)[k] = (*nodes)[k - 1] + random.Uniform(0.5, 1) * along;
        along = (along + 0.4 * random.Vector()).normalized();
      }
    }
    Primitives primitives;
    AddCurve(a, &primitives), AddCurve(b, &primitives);
    const double s = random.Uniform(0, 1), t = i % 5 ? random.Uniform(0, 1) : 0;
    const EdgeCurve::Weights at_s = primitives.curve[0].shape.At(s),
                             at_t = primitives.curve[1].shape.At(t);
    Vector3 apart = Vector3::Zero();
    for (int k = 0; k < 4; ++k) apart += at_s[k] * a[k] - at_t[k] * b[k];
    std::vector<Vector3> x(a.begin(), a.end()), dx;
    for (const Vector3& node : b) x.push_back(node + apart);  // now they meet
    for (Vector3& node : x) {
      dx.push_back(speed * random.Vector());
      node -= tau * dx.back();
    }
    const PrimitivePair pair{0, 1};
    const std::vector<PrimitivePair> pairs = {pair};
    const double start = LeastApart(primitives, pair, x);
    const double alpha = SafeFraction(x, dx, primitives, pairs, {});
    ASSERT_LT(alpha, tau) << i;
    for (size_t n = 0; n < x.size(); ++n) x[n] += alpha * dx[n];
    const double left = LeastApart(primitives, pair, x);
    ASSERT_GE(left, 0.099 * start - 1e-9 * speed) << i;
    long_way += left < 0.2 * start;
  }
  EXPECT_GT(long_way, 2500);  // the fraction is not merely safe but large
}

// The same for a point that meets a triangle anywhere, including its rim and corners.
TEST(Ccd, PointsNeverPassThroughTriangles) {
  Random random(5);
  for (int i = 0; i < 5000; ++i) {
    const double speed = std::pow(10.0, random.Uniform(-2, 6)), tau = random.Uniform(1e-4, 1);
    PairNodes x, dx;
    for (Vector3& d : dx) d = speed * random.Vector();
    for (Vector3& corner : x) corner = random.Vector();
    const double s = i % 4 ? random.Uniform(0, 1) : 0, t = i % 3 ? random.Uniform(0, 1 - s) : 0;
    if (i % 7 == 0) x[3] = 0.5 * (x[1] + x[2]) + 1e-3 * random.Vector();  // a sliver
    x[0] = (1 - s - t) * x[1] + s * x[2] + t * x[3];
    for (int k = 0; k < 4; ++k) x[k] -= tau * dx[k];
    const double alpha = SafeFraction(x, dx, {}, 1, PairKind::kPointTriangle);
    ASSERT_LT(alpha, tau) << speed;
    ASSERT_GE(alpha, 0);
    const double start = DistanceAt(x, dx, 0, PairKind::kPointTriangle);
    ASSERT_GE(DistanceAt(x, dx, alpha, PairKind::kPointTriangle), 0.1 * start - 1e-9 * speed);
  }
}

TEST(Ccd, ApproachToAFaceIsExactAndSlidingIsFree) {
  const PairNodes x = {Vector3(0.2, 0.2, 1), Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0, 1, 0)};
  const Vector3 none = Vector3::Zero(), along(50, -20, 0), up(0, 0, 3);
  for (double speed : {2.0, 1e3, 1e9}) {
    const PairNodes fall = {Vector3(0, 0, -speed), none, none, none};
    const double alpha = ExpectSafeAndLong(x, fall, {0.2, 0}, PairKind::kPointTriangle);
    EXPECT_NEAR(alpha * speed, 0.8, 1e-2);
  }
  for (const PairNodes& free : {PairNodes{along, none, none, none},
                                {none, along, -along, none},
                                {up, none, none, none},
                                {up, up, up, up}}) {
    EXPECT_EQ(SafeFraction(x, free, {}, 1, PairKind::kPointTriangle), 1);
  }
}

TEST(Ccd, StraightApproachIsExact) {
  const PairNodes crossed = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, -1, 0),
                             Vector3(0, 1, 0)};
  const PairNodes parallel = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, 0, 0),
                              Vector3(3, 0, 0)};
  for (const PairNodes& x : {crossed, parallel}) {
    for (double speed : {2.0, 1e3, 1e9}) {
      const Vector3 down(0.1, 0, -speed);
      const PairNodes dx = {down, down, Vector3::Zero(), Vector3::Zero()};
      const double alpha = ExpectSafeAndLong(x, dx, {0.2, 0});
      EXPECT_NEAR(alpha * speed, 0.8, 1e-2);
    }
    // Equal motion of both is no approach, however long it is.
    const Vector3 away(1e6, -1e6, 1e6);
    EXPECT_EQ(SafeFraction(x, {away, away, away, away}, {}), 1);
  }
}

TEST(Ccd, SlidingAndSeparatingAreFree) {
  const PairNodes x = {Vector3(-1, 0, 1e-3), Vector3(1, 0, 1e-3), Vector3(-1, 0, 0),
                       Vector3(1, 0, 0)};
  const Vector3 along(50, 10, 0), up(0, 0, 5), none = Vector3::Zero();
  EXPECT_EQ(SafeFraction(x, {along, along, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {along, none, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {up, up, none, none}, {}), 1);
  EXPECT_EQ(SafeFraction(x, {none, none, none, none}, {}), 1);
}

// An end that passes at slightly more or less than the floor distance.
TEST(Ccd, Grazing) {
  const Vector3 start(-1, 0, 0.5), up(0, 0, 2), none = Vector3::Zero();
  const double distance = start.norm(), floor = 0.1 * distance;
  const PairNodes x = {start, start + up, Vector3(0, -1, 0), Vector3(0, 1, 0)};
  int stopped = 0, passed = 0;
  for (double part : {0.5, 0.3, 0.05, 1e-2, 1e-3, -1e-3, -1e-2, -0.05, -0.3}) {
    const Vector3 way = 2 * (Vector3(0, 0, floor * (1 + part)) - start);
    const PairNodes dx = {way, way, none, none};
    double nearest = distance;
    for (int i = 0; i <= 100000; ++i) nearest = std::min(nearest, DistanceAt(x, dx, i * 1e-5));
    const double alpha = ExpectSafeAndLong(x, dx, {});
    if (nearest < floor) {
      EXPECT_LT(alpha, 1);
      ++stopped;
    } else if (nearest > floor + 0.0101 * (distance - floor)) {
      EXPECT_EQ(alpha, 1);
      ++passed;
    }
  }
  EXPECT_GE(stopped, 3);
  EXPECT_GE(passed, 2);
}

// The ends of one edge swap sides: the plane between the edges turns, so steps are short. For the
// fast motion (ends that travel about 10^6 distances) the step count runs out, and the answer is
// only safe.
TEST(Ccd, TurningAround) {
  Random random(3);
  const Vector3 none = Vector3::Zero();
  for (int i = 0; i < 500; ++i) {
    const Vector3 x = random.Vector(), u = random.Direction(), v = random.Direction();
    const Vector3 y = x + 1e-2 * u.cross(v).normalized();
    const PairNodes nodes = {x - u, x + u, y - v, y + v};
    const Vector3 turn = random.Vector();
    ExpectSafeAndLong(nodes, {turn, -turn, none, none}, {});
    const Vector3 fast = 1e4 * turn;
    const double alpha = SafeFraction(nodes, {fast, -fast, none, none}, {});
    ASSERT_GT(alpha, 0);
    for (int k = 0; k <= 1000; ++k) {
      ASSERT_GE(DistanceAt(nodes, {fast, -fast, none, none}, alpha * k / 1000), 0.99e-3);
    }
  }
}

TEST(Ccd, MinimalDistanceIsNeverReached) {
  const PairNodes x = {Vector3(-1, 0, 1), Vector3(1, 0, 1), Vector3(0, -1, 0), Vector3(0, 1, 0)};
  const Vector3 down(0, 0, -0.5), none = Vector3::Zero();
  const PairNodes closer = {down, down, none, none}, apart = {none, none, down, down};
  EXPECT_NEAR(SafeFraction(x, closer, {0.1, 0.6}), 0.72, 5e-3);
  EXPECT_EQ(SafeFraction(x, closer, {0.1, 0.4}), 1);
  // A pair that starts below the minimum distance may separate but not approach.
  EXPECT_EQ(SafeFraction(x, apart, {0.1, 2}), 1);
  EXPECT_EQ(SafeFraction(x, closer, {0.1, 2}), 0);
}

TEST(Ccd, TouchingOrNonFinitePairsDoNotMove) {
  const Vector3 x = Vector3::UnitX(), y = Vector3::UnitY(), z = Vector3::UnitZ();
  EXPECT_EQ(SafeFraction({-x, x, -y, y}, {z, z, -z, -z}, {}), 0);
  for (double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    EXPECT_EQ(SafeFraction({-x, x, z - y, z + y}, {bad * y, y, y, y}, {}), 0);
    EXPECT_EQ(SafeFraction({-x, bad * x, z - y, z + y}, {y, y, y, y}, {}), 0);
  }
}

TEST(Ccd, SmallestOfAllPairs) {
  Random random(4);
  std::vector<Vector3> points, displacement;
  Primitives primitives;
  for (int i = 0; i < 900; ++i) {
    const Vector3 from = i % 3 ? points.back() : Vector3(0.4 * random.Vector());
    points.push_back(from + 0.1 * random.Vector());
    displacement.push_back(0.1 * random.Vector());
  }
  for (int i = 0; i < 600; i += 3) primitives.edge.push_back({i, i + 1});
  for (int i = 600; i < 900; i += 3) {
    primitives.point.push_back(i - 600);
    primitives.triangle.push_back({i, i + 1, i + 2});
  }
  BroadPhase phase;
  const double margin = 2 * 0.1 * std::sqrt(3.0);
  const std::vector<double> radius(primitives.size(), 0.0);
  std::array<double, 2> least = {1, 1};
  for (int a = 0; a < primitives.size(); ++a) {
    for (int b = a + 1; b < primitives.size(); ++b) {
      if (!primitives.Match({a, b})) continue;
      const PairKind kind = primitives.kind({a, b});
      double& smallest = least[kind == PairKind::kEdges ? 0 : 1];
      smallest = std::min(smallest, SafeFraction(primitives.Of({a, b}, points),
                                                 primitives.Of({a, b}, displacement), {}, 1, kind));
    }
  }
  const auto all = phase.Find(points, primitives, radius, margin, {});
  EXPECT_EQ(SafeFraction(points, displacement, primitives, all, {}), std::ranges::min(least));
  primitives.edge.clear();
  const auto points_alone =
      phase.Find(points, primitives, std::span(radius).first(primitives.size()), margin, {});
  EXPECT_EQ(SafeFraction(points, displacement, primitives, points_alone, {}), least[1]);
  EXPECT_LT(least[0], 0.9);
  EXPECT_LT(least[1], 0.9);
  EXPECT_EQ(SafeFraction(points, displacement, primitives, {}, {}), 1);
}

TEST(Ccd, RejectsOptionsOutOfRange) {
  const std::vector<Vector3> points(4, Vector3::Zero()), few(3, Vector3::Zero());
  const auto rejects = [&](const std::vector<Vector3>& displacement, const CcdOptions& options) {
    EXPECT_THROW(SafeFraction(points, displacement, {}, {}, options), ConfigError);
  };
  rejects(few, {});
  for (double fraction : {0.0, 1.0, -0.1, std::numeric_limits<double>::quiet_NaN()}) {
    rejects(points, {fraction, 0});
  }
  rejects(points, {0.1, -1});
  rejects(points, {0.1, std::numeric_limits<double>::infinity()});
}

TEST(Ccd, ComesWithin) {
  Random random(8);
  int within = 0;
  for (int i = 0; i < 2000; ++i) {
    const bool edges = i % 2 == 0;
    const Primitives primitives =
        edges ? Primitives({{0, 1}, {2, 3}}) : Primitives({}, {0}, {{1, 2, 3}});
    const PairKind kind = edges ? PairKind::kEdges : PairKind::kPointTriangle;
    const PairNodes x = RandomNodes(kind, 0.3, &random);
    PairNodes dx;
    const Vector3 way = 4 * random.Vector();  // far beyond, and turning a little
    for (Vector3& d : dx) d = 0.1 * random.Vector();
    for (int k = 0; k < (edges ? 2 : 1); ++k) dx[k] += way;
    double nearest = std::numeric_limits<double>::infinity();
    for (int k = 0; k <= 4000; ++k) {
      nearest = std::min(nearest, DistanceAt(x, dx, k / 4000.0, kind));
    }
    const double start = DistanceAt(x, dx, 0, kind);
    for (const double part : {0.99, 1.02}) {  // beyond the limit of 1e-3, and of the samples
      if (nearest < 0.05 || part * nearest >= start) continue;
      EXPECT_EQ(ComesWithin(part * nearest, x, dx, primitives, {0, 1}), part > 1) << i;
      within += part > 1;
    }
  }
  EXPECT_GT(within, 200);
}

}  // namespace ccd_test
}  // namespace strand
