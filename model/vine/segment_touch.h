// Contact of an obstacle with the inside of a straight segment of the robot's centreline.
//
// What can touch between a segment's ends is a circle, at its centre's foot on the segment, or a
// corner of a polygon, at its own foot; a face touches at an end of the segment or at one of its
// own corners. With n across the segment, h = n . (c - p) for the circle's centre or the corner c,
// and sigma = +1 or -1 for the side on which the obstacle is,
//
//     circle    gap = |h| - r - R
//     corner    gap = sigma h - R                      R: radius of the robot
//
// A polygon is on the side on which its corners are farther from the segment's line (the separating
// axis across the segment). Corners that lie deeper than R behind the line are none of this
// segment's: its line cuts the polygon beyond its ends, which are points of contact.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/vine/planar_obstacle.h"

namespace strand {

/// A segment: its distal end (m), the unit vector along it to this end, and its length (m).
struct SegmentFrame {
  Vector2 end, along;
  double length;

  Vector2 Across() const { return {-along.y(), along.x()}; }
};

/// A contact on a segment.
struct SegmentTouch {
  int corner;      ///< of the polygon; 0 for a circle
  double place;    ///< of the foot along the segment, from its distal end: in (-length, 0) (m)
  double gap;      ///< m
  Vector2 normal;  ///< unit length, across the segment, from the obstacle to it
};

namespace vine_detail {

inline const Vector2& Corner(const PlanarObstacle& obstacle, int corner) {
  const bool circle = obstacle.shape == PlanarObstacle::Shape::kCircle;
  return circle ? obstacle.centre : obstacle.vertex[corner];
}

// Distance between a point and a segment (m).
inline double DistanceTo(const SegmentFrame& segment, const Vector2& p) {
  const Vector2 off = p - segment.end;
  const double foot = std::clamp(segment.along.dot(off), -segment.length, 0.0);
  return (off - foot * segment.along).norm();
}

// sigma of a polygon.
inline double SideOf(const PlanarObstacle& polygon, const SegmentFrame& segment) {
  const Vector2 n = segment.Across();
  double low = INFINITY, high = -INFINITY;
  for (const Vector2& corner : polygon.vertex) {
    const double h = n.dot(corner - segment.end);
    low = std::min(low, h), high = std::max(high, h);
  }
  return low >= -high ? 1 : -1;
}

}  // namespace vine_detail

/// Calls use(SegmentTouch) for all contacts between an obstacle and a segment of a robot of
/// `radius` (m). Obstacles whose gap is more than `reach` (m) may be left out.
template <class Use>
void ForTouches(const PlanarObstacle& obstacle, const SegmentFrame& segment, double radius,
                double reach, Use&& use) {
  const double far = reach + radius + obstacle.radius;
  if (!(vine_detail::DistanceTo(segment, obstacle.centre) <= far)) return;
  const Vector2 n = segment.Across();
  const auto inside = [&](double place) { return -segment.length < place && place < 0; };
  if (obstacle.shape == PlanarObstacle::Shape::kCircle) {
    const Vector2 off = obstacle.centre - segment.end;
    const double place = segment.along.dot(off), h = n.dot(off);
    if (!inside(place)) return;
    use(SegmentTouch{0, place, std::abs(h) - obstacle.radius - radius,
                     h > 0 ? Vector2(-n) : Vector2(n)});
    return;
  }
  const double side = vine_detail::SideOf(obstacle, segment);
  for (size_t k = 0; k < obstacle.vertex.size(); ++k) {
    const Vector2 off = obstacle.vertex[k] - segment.end;
    const double place = segment.along.dot(off), above = side * n.dot(off);
    if (!inside(place) || above < -radius) continue;
    use(SegmentTouch{static_cast<int>(k), place, above - radius, -side * n});
  }
}

/// Place of the foot of a corner (of a circle's centre for 0) as a share of the segment, between 0
/// at its start and 1 at its distal end.
inline double TouchShare(const PlanarObstacle& obstacle, const SegmentFrame& segment, int corner) {
  const double place = segment.along.dot(vine_detail::Corner(obstacle, corner) - segment.end);
  return std::clamp(1 + place / segment.length, 0.0, 1.0);
}

/// Gap (m) between a corner of an obstacle (0 for a circle) and a segment, also where the foot is
/// beyond the segment's ends: then it is that of the nearer end.
inline double TouchGap(const PlanarObstacle& obstacle, const SegmentFrame& segment, int corner,
                       double radius) {
  const bool circle = obstacle.shape == PlanarObstacle::Shape::kCircle;
  const Vector2& c = vine_detail::Corner(obstacle, corner);
  double distance = vine_detail::DistanceTo(segment, c);
  const double place = segment.along.dot(c - segment.end);
  if (!circle && -segment.length < place && place < 0) {
    distance = vine_detail::SideOf(obstacle, segment) * segment.Across().dot(c - segment.end);
  }
  return distance - radius - (circle ? obstacle.radius : 0);
}

}  // namespace strand
