// Stiffness of a rod that is fed out of the mouth of a straight guide.
//
// The link at the mouth turns about the mouth and slides along itself; s is the length of it that
// is outside, from 0 to the length of links l, when the next link takes its place: in line with it,
// with s = 0. Two joints vary with s: the one at the mouth, between the guide and this link, and
// that at its other end. They stand for the lengths of rod
//     a = l / 2 - s (1 - s / l)    and    b = s (2 - s / l),
// s + l / 2 together. So at a hand-over nothing jumps: a = l / 2 before and after; b = l, as
// between links outside, before, and afterwards that of a joint which comes out straight, b = 0.
// The force
//     sum a' M^2 / (2 EI)
// by which the bent rod pushes itself out of the guide is that at the mouth then, M^2 / (2 EI): the
// configurational force of Bigoni, Dal Corso, Bosi and Misseroni, "Eshelby-like forces acting on
// elastic structures" (Mech. Mater. 80, 2015).
#pragma once

#include <algorithm>

namespace strand {

/// A joint's stiffness as a multiple of its own, that over l / 2 at the mouth and l elsewhere.
struct FeedStiffness {
  double factor;
  double slope;  ///< by s / l
};

inline constexpr double kLeastFeedSpan = 0.01;  ///< b / l when a joint comes out

/// `outside`: s / l, clamped to 0 .. 1.
inline FeedStiffness FeedStiffnessAtMouth(double outside) {
  const double s = std::clamp(outside, 0.0, 1.0), span = 1 - 2 * s * (1 - s);
  return {1 / span, (2 - 4 * s) / (span * span)};
}

inline FeedStiffness FeedStiffnessAfterMouth(double outside) {
  const double s = std::clamp(outside, 0.0, 1.0), grown = 1 - kLeastFeedSpan;
  const double span = kLeastFeedSpan + grown * s * (2 - s);
  return {1 / span, -grown * (2 - 2 * s) / (span * span)};
}

}  // namespace strand
