// Distance of two edges x0-x1 and y0-y1, over q = (x0, x1, y0, y1): pair_distance.h with
//     m = (1 - s, s, t - 1, -t),   p = (s, t),   0 <= s, t <= 1,   p0 = (1/2, 1/2).
//
// The shortest distance (w = 0) has a kink where edges overlap in parallel: an infinitesimal tilt
// moves the nearest points, and so the force, from one end of the overlap to the other. A small
// spread w > 0 (m^2) attracts the points to the middles of the edges, so that rods can lie side by
// side. f is then strictly convex: s and t move continuously with q, and D has a continuous
// gradient. D exceeds the shortest distance d by at most w / (4 d), at the edges' ends.
#pragma once

#include <algorithm>
#include <cmath>

#include "model/stencil/pair_distance.h"

namespace strand {

/// The points that minimise f, without derivatives: enough for pairs that turn out to be too far
/// apart.
struct SegmentMeeting {
  SegmentMeeting(const Vector3& x0, const Vector3& x1, const Vector3& y0, const Vector3& y1,
                 double spread)
      : u(x1 - x0), v(y1 - y0), w(spread) {
    Meet(x0 - y0);
    offset = x0 - y0 + s * u - t * v;
  }

  /// |p - p0|^2.
  double Squares() const { return (s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5); }
  /// D (m).
  double Distance() const { return std::sqrt(offset.squaredNorm() + w * Squares()); }

  Vector3 u, v;    ///< the edges x1 - x0 and y1 - y0 (m)
  double w;        ///< spread (m^2)
  double s, t;     ///< positions of the points on u and v, 0 to 1
  Vector3 offset;  ///< from the point of y to that of x (m)

 private:
  // f is convex: its minimum is the interior stationary point or lies on an edge of the square
  // (C. Ericson, Real-Time Collision Detection, section 5.1.9). `apart` = x0 - y0.
  void Meet(const Vector3& apart) {
    const double a = u.squaredNorm() + w, b = u.dot(v), c = v.squaredNorm() + w;
    const double d = 0.5 * w - u.dot(apart), e = 0.5 * w + v.dot(apart);
    const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
    // c d + b e and a c - b^2, from cross products to avoid cancellation for nearly parallel edges.
    const Vector3 n = u.cross(v);
    const double inside = n.dot(v.cross(apart)) + w * (0.5 * (b + c) - u.dot(apart));
    s = clamp(inside / (n.squaredNorm() + w * (u.squaredNorm() + v.squaredNorm() + w)));
    const double free_t = (b * s + e) / c;
    t = clamp(free_t);
    if (t != free_t) s = clamp((b * t + d) / a);
  }
};

struct SegmentPair : PairDistance<4> {
  SegmentPair(const Vector3& x0, const Vector3& x1, const Vector3& y0, const Vector3& y1, double w)
      : meeting(x0, x1, y0, y1, w) {
    const double s = meeting.s, t = meeting.t;
    const bool free_s = s > 0 && s < 1, free_t = t > 0 && t < 1;
    spread = w;
    ways << meeting.u, -meeting.v;
    weight = {1 - s, s, t - 1, -t};
    weight_by << -1, 0, 1, 0, 0, 1, 0, -1;
    freedoms = free_s + free_t;
    free_way = free_s ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 1);
    Measure(meeting.offset, meeting.Squares());
  }

  SegmentMeeting meeting;
};

}  // namespace strand
