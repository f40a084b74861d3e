// Distance of two edges x0-x1 and y0-y1, over q = (x0, x1, y0, y1): pair_distance.h with
//     m = (1 - s, s, t - 1, -t),   p = (s, t),   0 <= s, t <= 1,   p0 = (1/2, 1/2).
//
// The shortest distance (w = 0) has a kink where edges overlap in parallel: a tilt by nothing moves
// the nearest points from one end of the overlap to the other, and with them the force. So that
// rods can lie side by side the points are held to the middles of the edges by a little, a spread
// w > 0 (m^2). f is strictly convex: s and t move continuously with q, and D has a continuous
// gradient. D exceeds the shortest distance d by at most w / (4 d), at the edges' ends.
#pragma once

#include "model/stencil/pair_distance.h"

namespace strand {

struct SegmentPair : PairDistance {
  SegmentPair(const Vector3& x0, const Vector3& x1, const Vector3& y0, const Vector3& y1, double w)
      : u(x1 - x0), v(y1 - y0) {
    spread = w;
    ways << u, -v;
    weight_by << -1, 0, 1, 0, 0, 1, 0, -1;
    Meet(x0 - y0);
    weight = {1 - s, s, t - 1, -t};
    const bool free_s = s > 0 && s < 1, free_t = t > 0 && t < 1;
    freedoms = free_s + free_t;
    free_way = free_s ? Eigen::Vector2d(1, 0) : Eigen::Vector2d(0, 1);
    Measure(x0 - y0 + s * u - t * v, (s - 0.5) * (s - 0.5) + (t - 0.5) * (t - 0.5));
  }

  Vector3 u, v;  ///< the edges x1 - x0 and y1 - y0 (m)
  double s, t;   ///< where the points are on them, 0 to 1

 private:
  // The minimum of f, from `apart` = x0 - y0: f is convex, so that it is the one inside or lies on
  // an edge of the square (C. Ericson, Real-Time Collision Detection, section 5.1.9).
  void Meet(const Vector3& apart) {
    const double w = spread, a = u.squaredNorm() + w, b = u.dot(v), c = v.squaredNorm() + w;
    const double d = 0.5 * w - u.dot(apart), e = 0.5 * w + v.dot(apart);
    const auto clamp = [](double x) { return std::clamp(x, 0.0, 1.0); };
    // c d + b e, from cross products: nothing cancels in nearly parallel edges.
    const double inside = u.cross(v).dot(v.cross(apart)) + w * (0.5 * (b + c) - u.dot(apart));
    s = clamp(inside / Determinant());
    const double free_t = (b * s + e) / c;
    t = clamp(free_t);
    if (t != free_t) s = clamp((b * t + d) / a);
  }
};

}  // namespace strand
