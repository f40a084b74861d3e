// Terms of higher order of a rod of links: order of accuracy on smooth curves, and what they leave
// unchanged.
#include "model/energy/wide_terms.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "tests/support/rods.h"

namespace strand {
namespace {

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
    const auto error = [&](double Sampled::*value, const Sampled& of) {
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

}  // namespace
}  // namespace strand
