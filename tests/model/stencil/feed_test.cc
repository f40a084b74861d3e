#include "model/stencil/feed.h"

#include <gtest/gtest.h>

namespace strand {
namespace feed_test {

// Lengths, by l, that the joints at the mouth of a guide stand for.
double SpanAtMouth(double outside) { return 0.5 / FeedStiffnessAtMouth(outside).factor; }
double SpanAfterMouth(double outside) { return 1 / FeedStiffnessAfterMouth(outside).factor; }

TEST(Feed, JointsStandForWhatIsOutside) {
  for (double outside : {0.0, 0.1, 0.5, 0.8, 1.0}) {
    const double compliance = SpanAtMouth(outside) + SpanAfterMouth(outside);
    EXPECT_NEAR(compliance, outside + 0.5, kLeastFeedSpan + 1e-12) << outside;
  }
}

TEST(Feed, NothingJumpsWhenTheNextLinkTakesThePlaceAtTheMouth) {
  EXPECT_DOUBLE_EQ(SpanAtMouth(0), SpanAtMouth(1));
  EXPECT_DOUBLE_EQ(SpanAfterMouth(1), 1);  // as between links outside
  EXPECT_DOUBLE_EQ(SpanAfterMouth(0), kLeastFeedSpan);
}

// The force by which a moment pushes the rod out, as a multiple of M^2 / (2 EI): the slope of the
// energy M^2 / (2 stiffness) at fixed angles.
double Push(const FeedStiffness& joint, double own_span) {
  return -joint.slope / joint.factor * own_span / joint.factor;
}

TEST(Feed, ABentRodPushesItselfOut) {
  for (double outside : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const double push =
        Push(FeedStiffnessAtMouth(outside), 0.5) + Push(FeedStiffnessAfterMouth(outside), 1);
    EXPECT_NEAR(push, 1, 2 * kLeastFeedSpan + 1e-12) << outside;
  }
}

TEST(Feed, SlopesAreDerivatives) {
  constexpr double kStep = 1e-6;
  for (double outside : {0.01, 0.3, 0.5, 0.97}) {
    const auto expect_slope = [&](auto law) {
      const double slope =
          (law(outside + kStep).factor - law(outside - kStep).factor) / (2 * kStep);
      EXPECT_NEAR(law(outside).slope, slope, 1e-6 * std::abs(slope) + 1e-8) << outside;
    };
    expect_slope(FeedStiffnessAtMouth);
    expect_slope(FeedStiffnessAfterMouth);
  }
}

TEST(Feed, BeyondAHandOverTheLawEnds) {
  EXPECT_EQ(FeedStiffnessAfterMouth(-0.3).factor, FeedStiffnessAfterMouth(0).factor);
  EXPECT_EQ(FeedStiffnessAtMouth(1.4).factor, 1);
}

}  // namespace feed_test
}  // namespace strand
