// Contact of obstacles with the segments of a robot, between its points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/finite_difference.h"
#include "tests/support/vines.h"

namespace strand {
namespace segment_contact_test {

constexpr double kRadius = 0.01;

SegmentFrame FrameOf(const Vector2& start, const Vector2& end) {
  const double length = (end - start).norm();
  return {end, (end - start) / length, length};
}

// Ends and touches together give the distance of the whole line, if the line is outside.
TEST(VineSegmentContact, GapsOfEndsAndInsideAreThatOfTheLine) {
  testing::Random random(3);
  int inside = 0, outside = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    const PlanarObstacle obstacle = testing::RandomObstacle(&random);
    const Vector2 start(random.Uniform(0.1, 0.8), random.Uniform(-0.4, 0.4));
    const Vector2 end(random.Uniform(0.1, 0.8), random.Uniform(-0.4, 0.4));
    const double line = testing::LineGap(obstacle, start, end) - kRadius;
    if (line < -kRadius) continue;
    double least =
        std::min(EvaluateGap(obstacle, start).gap, EvaluateGap(obstacle, end).gap) - kRadius;
    const double ends = least;
    ForTouches(obstacle, FrameOf(start, end), kRadius, INFINITY, [&](const SegmentTouch& at) {
      EXPECT_GT(at.place, -(end - start).norm());
      EXPECT_LT(at.place, 0);
      least = std::min(least, at.gap);
      EXPECT_NEAR(TouchGap(obstacle, FrameOf(start, end), at.corner, kRadius), at.gap, 1e-15);
    });
    EXPECT_NEAR(least, line, 1e-9) << "trial " << trial;
    (least < ends ? inside : outside) += 1;
    double near = INFINITY;  // with a reach, nothing within it is left out
    ForTouches(obstacle, FrameOf(start, end), kRadius, 0.05,
               [&](const SegmentTouch& at) { near = std::min(near, at.gap); });
    if (least < ends && least < 0.05) {
      EXPECT_EQ(near, least);
    }
  }
  EXPECT_GT(inside, 500);
  EXPECT_GT(outside, 500);
}

// A robot of one straight pair, and of several, at random.
struct Bent {
  VineChain chain = testing::AlikeChain(4, 0.02, 1e-3, 1e-6, 0.1, 0);
  Eigen::VectorXd q;

  explicit Bent(std::uint64_t seed) {
    testing::Random random(seed);
    VineChain natural = chain;
    for (int i = 0; i < 4; ++i) natural.natural_angle[i] = random.Uniform(-0.4, 0.4);
    q = NaturalState(natural).q;
  }
  Vector2 Place(int segment, double share, double off) const {
    const double th = q[6 * segment + 5], length = Extension(q, segment) + 0.04;
    const Vector2 along(std::cos(th), std::sin(th));
    return ContactPoint(chain, q, segment) - (1 - share) * length * along +
           off * Vector2(-along.y(), along.x());
  }
};

// Rows and curvature of contacts on both sides, with a circle and with a corner, by the coordinates
// of the segment's body.
TEST(VineSegmentContact, RowsAreDerivativesOfTheGap) {
  for (const int kind : {0, 1, 2, 3}) {
    const Bent bent(5 + kind);
    const double side = kind % 2 ? 1 : -1;
    const Vector2 corner = bent.Place(2, 0.3, side * 0.013), far = bent.Place(2, 0.3, side * 0.05);
    const Vector2 beside = bent.Place(2, 0.45, side * 0.06);
    const PlanarObstacle obstacle =
        kind < 2 ? MakeCircle(corner, 0.002) : MakePolygon({corner, far, beside});
    VineContactSet set({obstacle}, 4, kRadius, CornerNormal::kGradient, true, false);
    set.Linearise(bent.chain, bent.q, Eigen::VectorXd::Zero(24), 0.01);
    Centreline line(4);
    line.Place(bent.chain, bent.q);
    VineContact found;
    const double least = set.LeastGap(line, &found);
    ASSERT_TRUE(found.OnSegment());
    EXPECT_EQ(found.point, 2);
    EXPECT_NEAR(found.share, 0.3, 1e-9);
    EXPECT_NEAR(least, kind < 2 ? 0.001 : 0.003, 1e-12);
    const auto gap = [&](const Eigen::VectorXd& b) {
      const Vector2 along(std::cos(b[2]), std::sin(b[2]));
      const SegmentFrame frame{b.head<2>() + 0.02 * along, along, 0.08};
      return TouchGap(obstacle, frame, found.corner, kRadius);
    };
    const Eigen::VectorXd at = bent.q.segment<3>(15);
    const auto first = [&](double h) {
      return (testing::CentralGradient(gap, at, h) - set.Rows(found).part[0].row[0]).norm();
    };
    const auto second = [&](double h) {
      return (testing::CentralHessian(gap, at, h) - set.Curvature(found)).norm();
    };
    testing::ExpectSecondOrder(testing::SweepSteps(5e-4, 12, first), 1e-8);
    testing::ExpectSecondOrder(testing::SweepSteps(2e-3, 7, second), 1e-3);
    EXPECT_NEAR(set.At(found).gap, set.GapOn(line, found), 1e-15);
    EXPECT_NEAR(set.Rows(found).least_rate, -least / 0.01, 1e-12);
  }
}

// The skin at the contact: a rotation of the whole robot turns it, a uniform stretch moves it by
// its distance along the robot.
TEST(VineSegmentContact, FrictionActsOnTheSkin) {
  const Bent bent(9);
  const PlanarObstacle post = MakeCircle(bent.Place(2, 0.3, -0.012), 0.002);
  VineContactSet set({post}, 4, kRadius, CornerNormal::kGradient, true, false);
  set.Linearise(bent.chain, bent.q, Eigen::VectorXd::Zero(24), 0.01);
  Centreline line(4);
  line.Place(bent.chain, bent.q);
  VineContact found;
  set.LeastGap(line, &found);
  const ContactRows rows = set.Rows(found);
  const Vector2 n = found.normal, t(-n.y(), n.x());
  Eigen::VectorXd bodies(12);
  for (int i = 0; i < 4; ++i) {
    const Vector2 centre = bent.q.segment<2>(6 * i + 3);
    bodies.segment<3>(3 * i) = Eigen::Vector3d(-centre.y(), centre.x(), 1);
  }
  const Vector2 place = bent.Place(2, 0.3, 0), skin = place - kRadius * n;
  EXPECT_NEAR(rows.Rate(0, bodies), n.dot(Vector2(-place.y(), place.x())), 1e-12);
  EXPECT_NEAR(rows.Rate(1, bodies), t.dot(Vector2(-skin.y(), skin.x())), 1e-12);
  const Bent straight = [] {
    Bent made(1);
    made.q = NaturalState(made.chain).q;
    return made;
  }();
  VineContactSet under({MakeCircle({0.2, -0.012}, 0.002)}, 4, kRadius, CornerNormal::kGradient,
                       true, false);
  under.Linearise(straight.chain, straight.q, Eigen::VectorXd::Zero(24), 0.01);
  line.Place(straight.chain, straight.q);
  under.LeastGap(line, &found);
  ASSERT_TRUE(found.OnSegment());
  for (int i = 0; i < 4; ++i) bodies.segment<3>(3 * i) << 0.08 * (i + 1), 0, 0;  // as of its end
  EXPECT_NEAR(under.Rows(found).Rate(1, bodies), -0.2, 1e-12);
}

struct Falling {
  VineMaterial material{.EI = 2e-3, .bending_damping = 5e-3, .mass_per_length = 0.05};
  VineOptions options;

  Vine Make(int segments, double length, const PlanarObstacle& obstacle) {
    options.diameter = 0.01;
    options.gravity = {0, -3};
    const VineChain chain = MakeUniformChain(material, 0.01, length, segments, 60, {0, 0}, 0);
    return Vine(chain, NaturalState(chain), options, {obstacle});
  }
};

// The robot falls on a thin post: none passes through, wherever it is under a segment.
TEST(VineSegmentContact, NothingFallsThroughAThinPost) {
  for (const double radius : {0.0002, 0.0005, 0.002, 0.004, 0.006}) {
    for (const int segments : {6, 15, 40}) {
      for (const double at : {0.2, 0.2031, 0.21, 0.2187}) {
        for (const double friction : {0.0, 0.4}) {
          Falling falling;
          falling.options.friction = friction;
          Vine vine = falling.Make(segments, 0.3, MakeCircle({at, -0.006 - radius}, radius));
          const std::vector<double> still(segments, 0.0);
          int contacts = 0;
          for (int step = 0; step < 150; ++step) {
            const VineReport report = vine.Step(still);
            ASSERT_TRUE(report.ok()) << vine.Describe(report);
            ASSERT_GE(testing::SkinGap(vine), -2e-9) << radius << " " << segments << " " << at;
            ASSERT_NEAR(report.least_gap, testing::SkinGap(vine), 1e-8);
            contacts += report.contacts;
          }
          EXPECT_GT(contacts, 100);
        }
      }
    }
  }
}

// A robot that hangs over the corner of a box, and one that lies on a narrow box, both corners of
// which are under one segment.
TEST(VineSegmentContact, CornersCarryTheRobot) {
  const double under = -0.0051;
  for (const PlanarObstacle& box : {MakePlanarBox({-0.1, under - 0.3}, {0.253, 0.3}),
                                    MakePlanarBox({0.203, under - 0.01}, {0.014, 0.01}),
                                    MakeRotatedBox({0.21, under - 0.02}, 0.785, 0.028, 0.028)}) {
    for (const int segments : {10, 15, 30}) {
      Falling falling;
      Vine vine = falling.Make(segments, 0.3, box);
      const std::vector<double> still(segments, 0.0);
      VineReport report;
      for (int step = 0; step < 400; ++step) {
        report = vine.Step(still);
        ASSERT_TRUE(report.ok()) << vine.Describe(report);
        ASSERT_GE(testing::SkinGap(vine), -2e-9);
      }
      EXPECT_GE(report.contacts, 1);
      EXPECT_LT(vine.tip().y(), -1e-4);
    }
  }
}

// A robot that grows past posts beside its way, at its tip and in all pairs.
TEST(VineSegmentContact, GrowthPastPosts) {
  for (const bool tip : {true, false}) {
    for (const double friction : {0.0, 0.3}) {
      Falling falling;
      falling.options.friction = friction;
      falling.options.segment = 0.02;
      falling.options.material = falling.material;
      falling.options.growth = tip ? VineGrowth::kTip : VineGrowth::kTelescoping;
      Vine vine = falling.Make(5, 0.1, MakeCircle({0.1307, -0.0099}, 0.001));
      int contacts = 0;
      for (int step = 0; step < 600; ++step) {
        const VineReport report = vine.Step(vine.SharedRates(0.04));
        ASSERT_TRUE(report.ok()) << vine.Describe(report);
        ASSERT_GE(testing::SkinGap(vine), -2e-9);
        contacts += report.contacts;
      }
      EXPECT_NEAR(ChainLength(vine.chain(), vine.state().q), 0.34, 1e-8);
      EXPECT_GT(contacts, 300);
    }
  }
}

// Without contact of segments, as published, the robot passes through, and its gaps are those of
// its points.
TEST(VineSegmentContact, PointsOnlyIsAnOption) {
  Falling falling;
  falling.options.segment_contact = false;
  Vine vine = falling.Make(15, 0.3, MakeCircle({0.21, -0.012}, 0.004));
  const std::vector<double> still(15, 0.0);
  for (int step = 0; step < 300; ++step) ASSERT_TRUE(vine.Step(still).ok());
  EXPECT_GT(vine.CheckState().least_gap, 0);
  EXPECT_LT(vine.tip().y(), -0.05);
}

TEST(VineSegmentContact, AStartThatOverlapsIsNamed) {
  Falling falling;
  try {
    falling.Make(6, 0.3, MakeCircle({0.225, -0.004}, 0.002));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_EQ(std::string(error.what()),
              "start, segment 4 and object 0 (circle): got '-0.003', allowed: gaps of at least "
              "-1e-06 m");
  }
}

}  // namespace segment_contact_test
}  // namespace strand
