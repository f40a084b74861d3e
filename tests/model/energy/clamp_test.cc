// Clamps: links of length zero at the ends of an open rod, whose joints span half a link.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "model/config/error.h"
#include "model/energy/rod.h"
#include "tests/support/random.h"

namespace strand {
namespace clamp_test {

struct ClampedRod {
  RodParameters parameters;
  std::vector<Frame> frames;
  std::vector<double> twists;
};

// A rod with total bend `bend` and total twist `twist`, even from clamp to clamp; links of unequal
// length.
ClampedRod MakeClamped(double EI, double GJ, double bend, double twist) {
  ClampedRod rod;
  rod.parameters.length = {0, 0.1, 0.25, 0.2, 0.15, 0};
  rod.parameters.rest_straight = true;
  double total = 0;
  for (double length : rod.parameters.length) total += length;
  double begin = 0, last = 0;
  for (size_t k = 0; k < rod.parameters.length.size(); ++k) {
    const double middle = (begin + 0.5 * rod.parameters.length[k]) / total;
    begin += rod.parameters.length[k];
    rod.frames.push_back(Eigen::AngleAxisd(bend * middle, Vector3::UnitZ()).toRotationMatrix() *
                         Eigen::AngleAxisd(twist * middle, Vector3::UnitX()).toRotationMatrix());
    if (k == 0) continue;
    rod.parameters.stiffness.push_back({{EI, EI}, GJ});
    rod.twists.push_back(twist * (middle - last));
    last = middle;
  }
  return rod;
}

TEST(Clamp, SpansHalfALink) {
  const ClampedRod rod = MakeClamped(2, 3, 0, 0);
  const RodRest rest = MakeRodRest(rod.parameters, rod.frames);
  ASSERT_EQ(rest.joints(), 5);
  const double spans[] = {0.05, 0.175, 0.225, 0.175, 0.075};
  for (int i = 0; i < rest.joints(); ++i) {
    EXPECT_NEAR(rest.joint[i].voronoi_length, spans[i], 1e-15);
    EXPECT_NEAR(rest.joint[i].bend.stiffness[0] * spans[i], 2, 1e-13);
    EXPECT_NEAR(rest.joint[i].twist.stiffness * spans[i], 3, 1e-13);
  }
}

// E = EI bend^2 / 2 L + GJ twist^2 / 2 L with L the whole length between the clamps: exact.
TEST(Clamp, EnergyAndMomentUseTheWholeLength) {
  const double EI = 2, GJ = 3, bend = 0.8, twist = 1.5, L = 0.7;
  const ClampedRod rod = MakeClamped(EI, GJ, bend, twist);
  const RodRest rest = MakeRodRest(rod.parameters, rod.frames);
  const RodEnergy energy = EvaluateRod(rest, rod.frames, rod.twists, {});
  EXPECT_NEAR(energy.bend, EI * bend * bend / (2 * L), 1e-13);
  EXPECT_NEAR(energy.twist, GJ * twist * twist / (2 * L), 1e-13);
  const ClampedRod flat = MakeClamped(EI, GJ, bend, 0);
  std::vector<Vector3> couples(rest.joints());
  EvaluateRod(MakeRodRest(flat.parameters, flat.frames), flat.frames, flat.twists, couples);
  for (const Vector3& couple : couples) {
    EXPECT_LT((couple + EI * bend / L * Vector3::UnitZ()).norm(), 1e-13);
  }
}

// A clamp that is rolled far against the section leaves no section midway; the turn of a twisted
// rod within half a link does not count.
TEST(Clamp, RolledClampsAverageEnergies) {
  ClampedRod rod = MakeClamped(2, 3, 0, 0);
  const Frame straight = rod.frames[0];
  for (const auto& [roll, average] :
       {std::pair(0.2, BendAverage::kMiddle), std::pair(-0.8, BendAverage::kEnergies)}) {
    rod.frames[0] = straight * Eigen::AngleAxisd(roll, Vector3::UnitX()).toRotationMatrix();
    EXPECT_EQ(MakeRodRest(rod.parameters, rod.frames).average, average);
  }
}

TEST(Clamp, NoTwoLinksInARowMayHaveZeroLength) {
  const ClampedRod good = MakeClamped(2, 3, 0.5, 0);
  EXPECT_NO_THROW(MakeRodRest(good.parameters, good.frames));
  for (int k : {1, 4}) {
    RodParameters bad = good.parameters;
    bad.length[k] = 0;
    EXPECT_THROW(MakeRodRest(bad, good.frames), ConfigError) << k;
  }
  RodParameters junction = good.parameters;
  junction.length[2] = 0;
  EXPECT_NO_THROW(MakeRodRest(junction, good.frames));
  RodParameters closed = good.parameters;
  closed.closed = true;
  closed.stiffness.push_back(closed.stiffness.back());
  EXPECT_THROW(MakeRodRest(closed, good.frames), ConfigError);
}

// For constant curvature and twist, the continued frame is that of one more link.
TEST(ContinueFrame, FollowsConstantCurvatureAndTwist) {
  testing::Random random(3);
  for (int trial = 0; trial < 100; ++trial) {
    const Frame a = random.Rotation();
    const Eigen::AngleAxisd turn(random.Uniform(0, 3), random.Direction());
    const Frame b = turn.toRotationMatrix() * a;
    const Frame next = turn.toRotationMatrix() * b;
    EXPECT_LT((ContinueFrame(a, b, 1) - next).norm(), 1e-12);
    EXPECT_LT((ContinueFrame(a, b, 0) - b).norm(), 1e-13);
    EXPECT_LT((ContinueFrame(a, b, -1) - a).norm(), 1e-12);
    const Frame half = ContinueFrame(a, b, 0.5);
    EXPECT_LT((ContinueFrame(b, half, 1) - next).norm(), 1e-11);
    EXPECT_LT((ContinueFrame(b, b, 0.5) - b).norm(), 1e-13);
  }
}

}  // namespace clamp_test
}  // namespace strand
