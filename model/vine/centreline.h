// The robot's centreline as the polygon of its base and its contact points, and the distances of
// contact points from it: contact of the robot with itself.
//
// Segment j runs from contact point j - 1 (the base for j = 0) to contact point j. A point and a
// segment are in contact if two discs of the robot's radius touch, one about the point, one about
// the nearest point of the segment. Points and segments that are closer along the robot than half a
// turn of the tightest bend that a tube can take, pi times its radius, are neighbours and have no
// contact.
#pragma once

#include <algorithm>
#include <numbers>
#include <vector>

#include "model/vine/chain.h"
#include "model/vine/segment_touch.h"

namespace strand {

/// Distance of a point from a segment of the centreline, whose nearest point is
/// (1 - share) start + share end.
struct CentrelineDistance {
  double distance;  ///< m
  Vector2 normal;   ///< unit length, from the segment to the point
  double share;
};

class Centreline {
 public:
  explicit Centreline(int capacity) : point_(capacity), arc_(capacity) {}

  /// Takes positions q.
  void Place(const VineChain& chain, const Eigen::VectorXd& q);

  int points() const { return points_; }
  const Vector2& point(int i) const { return point_[i]; }
  CentrelineDistance Distance(int point, int segment) const;

  double Length(int segment) const { return arc_[segment] - StartArc(segment); }  ///< m
  /// The segment from contact point i - 1 to contact point i.
  SegmentFrame Segment(int i) const {
    const double length = Length(i);
    const Vector2 along = point_[i] - Start(i);
    return {point_[i], length > 0 ? Vector2(along / length) : Vector2::UnitX(), length};
  }

  /// Calls use(segment, distance) for all segments, except neighbours, within `reach()` (m) of a
  /// point; `use` may change reach(). `radius` (m): of the robot. Segments that must be farther
  /// away are skipped: over a stretch of the polygon the distance changes by at most its length.
  template <class Reach, class Use>
  void ForNear(int point, double radius, Reach&& reach, Use&& use) const;

 private:
  const Vector2& Start(int segment) const { return segment > 0 ? point_[segment - 1] : base_; }
  double StartArc(int segment) const { return segment > 0 ? arc_[segment - 1] : 0; }

  Vector2 base_ = Vector2::Zero();
  std::vector<Vector2> point_;
  std::vector<double> arc_;  // from the base to each point (m)
  int points_ = 0;
};

template <class Reach, class Use>
void Centreline::ForNear(int point, double radius, Reach&& reach, Use&& use) const {
  const double neighbour = std::numbers::pi * radius, here = arc_[point];
  for (int j = 0; j < points_;) {
    if (arc_[j] > here - neighbour && StartArc(j) < here + neighbour) {
      ++j;
      continue;
    }
    const CentrelineDistance at = Distance(point, j);
    // If the nearest point is the segment's start, the previous segment has reported it.
    if (at.distance <= reach() && (at.share > 0 || j == 0)) use(j, at);
    const double until = arc_[j] + std::max(at.distance - reach(), 0.0);
    for (++j; j < points_ && arc_[j] <= until;) ++j;
  }
}

}  // namespace strand
