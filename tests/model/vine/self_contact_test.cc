// Contact of a growing robot with itself: its rows, and the polyline on which distances are
// measured.
#include <gtest/gtest.h>

#include "tests/support/vines.h"

namespace strand {
namespace self_contact_test {

constexpr double kRadius = 0.01;

// A hook with random headings that comes close to itself.
VineChain HookChain(int pairs) { return testing::AlikeChain(pairs, 0.01, 1e-3, 1e-6, 0.1, 0); }

Eigen::VectorXd HookPositions(VineChain chain, testing::Random* random) {
  for (int i = 0; i < chain.pairs; ++i) chain.natural_angle[i] = 0.25 + random->Uniform(-0.1, 0.1);
  return NaturalState(chain).q;
}

// The brute-force counterpart of ForNear.
double LeastDistance(const Centreline& line, int point) {
  double arc = 0, here = 0, least = std::numeric_limits<double>::infinity();
  std::vector<double> until;
  for (int j = 0; j < line.points(); ++j) {
    arc += (line.point(j) - (j > 0 ? line.point(j - 1) : Vector2::Zero())).norm();
    until.push_back(arc);
    if (j == point) here = arc;
  }
  for (int j = 0; j < line.points(); ++j) {
    const double from = j > 0 ? until[j - 1] : 0, neighbour = std::numbers::pi * kRadius;
    if (until[j] > here - neighbour && from < here + neighbour) continue;
    const CentrelineDistance at = line.Distance(point, j);
    if (at.share > 0 || j == 0) least = std::min(least, at.distance);
  }
  return least;
}

TEST(VineSelfContact, NearSegmentsAreFound) {
  testing::Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const VineChain chain = HookChain(40);
    Centreline line(40);
    line.Place(chain, HookPositions(chain, &random));
    for (int i = 0; i < 40; ++i) {
      double least = std::numeric_limits<double>::infinity();
      line.ForNear(
          i, kRadius, [&] { return least; },
          [&](int, const CentrelineDistance& at) { least = std::min(least, at.distance); });
      EXPECT_EQ(least, LeastDistance(line, i));
    }
  }
}

// The rate along the normal is that of the gap, by central differences. The tangential rate is that
// at which the skins slide past each other; it is zero for a rotation of the whole robot.
TEST(VineSelfContact, RowsAreDerivativesOfTheGap) {
  testing::Random random(2);
  int checked = 0;
  for (int trial = 0; trial < 20; ++trial) {
    const VineChain chain = HookChain(30);
    const Eigen::VectorXd q = HookPositions(chain, &random);
    VineContactSet set({}, 30, kRadius, CornerNormal::kGradient, false, true);
    set.Linearise(chain, q, Eigen::VectorXd::Zero(q.size()), 0.01);
    Centreline line(30);
    line.Place(chain, q);
    VineContact found;
    set.LeastGap(line, &found);
    const double share = line.Distance(found.point, found.object).share;
    if (share < 0.15 || share > 0.85) continue;  // not smooth at the ends
    ++checked;
    const ContactRows rows = set.Rows(found);
    EXPECT_NEAR(rows.least_rate, -set.GapOn(line, found) / 0.01, 1e-12);
    Eigen::VectorXd v(q.size()), bodies(3 * 30);
    for (double& rate : v) rate = random.Uniform(-1, 1);
    for (int i = 0; i < 30; ++i) bodies.segment<3>(3 * i) = v.segment<3>(6 * i + 3);
    double error[2];
    for (int k = 0; k < 2; ++k) {
      const double h = 5e-4 / (k + 1);
      double gap[2];
      for (int side = 0; side < 2; ++side) {
        line.Place(chain, q + (side ? h : -h) * v);
        gap[side] = set.GapOn(line, found);
      }
      error[k] = (gap[1] - gap[0]) / (2 * h) - rows.Rate(0, bodies);
    }
    EXPECT_LT(std::abs(error[0]), 1e-2);
    EXPECT_NEAR(error[0], 4 * error[1], 0.05 * std::abs(error[0]) + 1e-9);
    for (int i = 0; i < 30; ++i) {  // rotation about the base: the gap itself slides
      const Vector2 centre = q.segment<2>(6 * i + 3);
      bodies.segment<3>(3 * i) = Eigen::Vector3d(-centre.y(), centre.x(), 1);
    }
    EXPECT_NEAR(rows.Rate(0, bodies), 0, 1e-12);
    EXPECT_NEAR(rows.Rate(1, bodies), set.At(found).gap, 1e-12);
  }
  EXPECT_GT(checked, 5);
}

}  // namespace self_contact_test
}  // namespace strand
