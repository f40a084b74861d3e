// Terms of higher order of a rod of links: order of accuracy on smooth curves, and what they leave
// unchanged.
#include "model/energy/wide_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/random.h"
#include "tests/support/rods.h"

namespace strand {
namespace wide_terms_test {

using testing::Material;

// Direction at arclength s of a smooth curve whose directions have period 1 and whose bending and
// torsion vary along the curve.
Vector3 Direction(double s) {
  const double x = kTwoPi * s;
  return Vector3(1.5 + 0.3 * std::sin(2 * x), std::cos(x) + 0.2 * std::sin(3 * x),
                 std::sin(x) + 0.3 * std::cos(2 * x))
      .normalized();
}

// Frames at the middles of n links, transported in parallel along the curve: the curve is twisted
// only at the joint that closes it.
std::vector<Frame> TransportedFrames(int n) {
  constexpr int kFine = 200'000;
  const int stride = kFine / n;
  Frame frame = TransportFrame(Frame::Identity(), Direction(0), 0);
  std::vector<Frame> frames{frame};
  for (int i = 1; i < kFine; ++i) {
    frame = TransportFrame(frame, Direction(double(i) / kFine), 0);
    if (i % stride == 0) frames.push_back(frame);
  }
  return frames;
}

struct Sampled {
  double bend, largest_twist, total_twist;
};

Sampled Sample(int n, int order, bool general) {
  const std::vector<Frame> frames = TransportedFrames(n);
  RodParameters parameters;
  parameters.length.assign(n, 1. / n);
  parameters.stiffness.assign(n, {{1, general ? 1 + 1e-12 : 1}, 1});
  parameters.closed = parameters.rest_straight = true;
  parameters.order = order;
  const RodRest rest = MakeRodRest(parameters, frames);
  std::vector<double> twists;
  for (int i = 0; i < n; ++i) twists.push_back(TwistAngle(frames[i], frames[rest.next(i)]));
  if (order > 2) CorrectTwists(rest, frames, twists);
  Sampled result{EvaluateRod(rest, frames, twists, {}).bend, 0, 0};
  for (int i = 0; i < n; ++i) result.total_twist += twists[i];
  for (int i = 0; i + 1 < n; ++i) {
    result.largest_twist = std::max(result.largest_twist, std::abs(twists[i]));
  }
  return result;
}

// Slope of log(error) against log(link length) from n to 2 n links.
double Order(double coarse, double fine) { return std::log2(coarse / fine); }

TEST(WideTerms, BendingAndTwistAreOfTheirOrder) {
  const Sampled exact = Sample(1000, 6, false);
  for (const int order : {2, 4, 6}) {
    const Sampled coarse = Sample(50, order, false), fine = Sample(100, order, false);
    const auto error = [&](double Sampled::* value, const Sampled& of) {
      return std::abs(of.*value - exact.*value);
    };
    EXPECT_NEAR(Order(error(&Sampled::bend, coarse), error(&Sampled::bend, fine)), order, 0.5);
    EXPECT_GT(Order(error(&Sampled::total_twist, coarse), error(&Sampled::total_twist, fine)),
              order - 0.5);
    // A transported frame has no twist.
    EXPECT_GT(Order(coarse.largest_twist, fine.largest_twist), order == 2 ? 2.5 : 4.5);
    const Sampled coarse_general = Sample(50, order, true), fine_general = Sample(100, order, true);
    EXPECT_GT(Order(error(&Sampled::bend, coarse_general), error(&Sampled::bend, fine_general)),
              std::min(order, 4) - 0.5);
  }
}

// The terms measure what exceeds an arc.
TEST(WideTerms, NothingIsAddedOnArcs) {
  constexpr int kLinks = 12;
  std::vector<Frame> ring;
  for (int k = 0; k < kLinks; ++k) {
    ring.push_back(Eigen::AngleAxisd(kTwoPi * k / kLinks, Vector3::UnitZ()).toRotationMatrix());
  }
  RodParameters parameters;
  parameters.length.assign(kLinks, 0.1);
  parameters.stiffness.assign(kLinks, {{2, 2}, 1});
  parameters.closed = parameters.rest_straight = true;
  const std::vector<double> twists(kLinks, 0.0);
  const double plain = EvaluateRod(MakeRodRest(parameters, ring), ring, twists, {}).bend;
  for (int order : {4, 6}) {
    parameters.order = order;
    const RodRest rest = MakeRodRest(parameters, ring);
    EXPECT_NEAR(EvaluateRod(rest, ring, twists, {}).bend, plain, 1e-13 * plain);
    std::vector<double> corrected(twists);
    CorrectTwists(rest, ring, corrected);
    for (double twist : corrected) EXPECT_NEAR(twist, 0, 1e-15);
  }
}

// Ratio of the energies of the shortest wave, neighbouring joints bent in turn to either side, with
// and without the terms of wide.h, equation (1).
double ShortestWaveRatio(int order) { return 1 + 4. / 12 + (order == 6 ? 16. / 90 : 0); }

// For small angles the energy is at least that of the joints alone, and at most that of the
// shortest wave.
TEST(WideTerms, TheShortestWaveIsTheStiffest) {
  constexpr int kLinks = 20;
  const std::vector<double> twists(kLinks, 0.0);
  for (int order : {4, 6}) {
    const RodRest plain =
        testing::MakeRest(kLinks, true, Material::kStraight, CurvatureMeasure::kAngle, 1);
    const RodRest wide =
        testing::MakeRest(kLinks, true, Material::kStraight, CurvatureMeasure::kAngle, 1, order);
    const auto ratio = [&](const std::vector<Frame>& frames) {
      return EvaluateRod(wide, frames, twists, {}).bend /
             EvaluateRod(plain, frames, twists, {}).bend;
    };
    std::vector<Frame> wave;
    for (int k = 0; k < kLinks; ++k) {
      wave.push_back(Eigen::AngleAxisd(k % 2 ? 1e-4 : -1e-4, Vector3::UnitY()).toRotationMatrix());
    }
    EXPECT_NEAR(ratio(wave), ShortestWaveRatio(order), 1e-6);
    for (int seed = 0; seed < 50; ++seed) {
      const double random = ratio(testing::MakeRandomRing(kLinks, 1e-4, seed).frames);
      EXPECT_GE(random, 1);
      EXPECT_LE(random, ShortestWaveRatio(order));
    }
  }
}

// Neither curved, twisted and uneven rods nor rings store energy in their rest shape.
TEST(WideTerms, TheDrawnShapeIsAtRest) {
  for (Material material : {Material::kCurved, Material::kAllAtOnce}) {
    for (bool closed : {false, true}) {
      const auto chain =
          closed ? testing::MakeRandomRing(20, 0.3, 4) : testing::MakeRandomChain(20, 0.8, 0.3, 4);
      auto parameters = testing::MakeParameters(20, closed, material, CurvatureMeasure::kAngle, 4);
      parameters.rest_twist = 0;
      parameters.length.assign(20, 0.1);
      parameters.order = 4;
      const RodRest rest = MakeRodRest(parameters, chain.frames);
      std::vector<double> twists(chain.twists);
      CorrectTwists(rest, chain.frames, twists);
      std::vector<Vector3> couples(rest.joints());
      const RodEnergy energy = EvaluateRod(rest, chain.frames, twists, couples);
      EXPECT_LT(energy.bend + energy.twist, 1e-24);
      for (const Vector3& couple : couples) EXPECT_LT(couple.norm(), 1e-11);
    }
  }
}

// At a step of the stiffness or of the link length the curvature may have a step, too.
TEST(WideTerms, StepsAreNotSmoothed) {
  constexpr int kLinks = 12, kStep = 6;
  const std::vector<Frame> straight(kLinks, Frame::Identity());
  const auto terms = [&](auto change) {
    RodParameters parameters;
    parameters.length.assign(kLinks, 0.1);
    parameters.stiffness.assign(kLinks - 1, {{2, 2}, 1});
    parameters.order = 6;
    change(&parameters);
    return MakeRodRest(parameters, straight).wide;
  };
  const auto even = terms([](RodParameters*) {});
  EXPECT_GT(even[kStep].change[0], 0);
  EXPECT_GT(even[kStep].second_change, 0);
  const auto taper = terms([](RodParameters* p) { p->stiffness[kStep].EI = {2.2, 2.2}; });
  EXPECT_NEAR(taper[kStep].change[0], 2.1 / 0.1, 1e-12);
  const auto step = terms([](RodParameters* p) { p->stiffness[kStep].EI = {4, 4}; });
  EXPECT_EQ(step[kStep].change[0], 0);
  EXPECT_EQ(step[kStep].second_change, 0);
  EXPECT_TRUE(step[kStep].holonomy.exist());  // a matter of geometry alone
  const auto uneven = terms([](RodParameters* p) { p->length[kStep] = 0.1005; });
  EXPECT_GT(uneven[kStep].second_change, 0);
  EXPECT_EQ(uneven[kStep].holonomy.far, kHolonomy6.far);
  const auto longer = terms([](RodParameters* p) { p->length[kStep] = 0.2; });
  EXPECT_EQ(longer[kStep + 1].change[0], 0);
  EXPECT_FALSE(longer[kStep + 1].holonomy.exist());
}

// A junction is a link of length zero between half joints. The moment has a step there, which no
// term may cross, and a spring in series with a half joint keeps its stiffness.
TEST(WideTerms, JunctionsAreEnds) {
  constexpr int kLinks = 13, kJunction = 6;
  const std::vector<Frame> straight(kLinks, Frame::Identity());
  const auto rest_with = [&](double half) {
    RodParameters parameters;
    parameters.length.assign(kLinks, 0.1);
    parameters.length[kJunction] = 0;
    parameters.stiffness.assign(kLinks - 1, {{2, 2}, 1});
    parameters.stiffness[kJunction].EI = {half, half};
    parameters.order = 6;
    return MakeRodRest(parameters, straight);
  };
  const RodRest rod = rest_with(2);
  EXPECT_EQ(rod.wide[kJunction].change[0], 0);
  EXPECT_FALSE(rod.wide[kJunction].holonomy.exist());
  for (int side : {-1, 1}) {
    const int half = side < 0 ? kJunction - 1 : kJunction;
    EXPECT_DOUBLE_EQ(rod.softness[half], 11. / 12);
    EXPECT_DOUBLE_EQ(rod.softness[half + side], 25. / 24);
  }
  const double span = 0.05, spring = 4;
  const RodRest elastic = rest_with(1 / (1 / 2. + 1 / (span * spring)));
  const double compliance = 1 / elastic.joint[kJunction].bend.stiffness[0];
  EXPECT_NEAR(compliance, 11. / 12 * span / 2 + 1 / spring, 1e-12);
  EXPECT_EQ(rest_with(60).softness[kJunction], 1);  // a step of stiffness
}

}  // namespace wide_terms_test
}  // namespace strand
